-- The suites of `make bench`, each of contestants. A contestant is one process per round that prints "pattern value".
--   label     what the reader sees               limit   the contestant that nobody can beat
--   command   what runs, after the pinning       ours    the contestant that stands for spawnpool
--   needs     files or programs that must exist  key     the pattern that the two ratio columns are taken from
--   threads   it has so many, and is not pinned
--   package   the Debian package that brings it  listed  the program has it only when its headers were there
-- Everything is compiled with -O3 and without -march=native, because spawnpool is shipped that way.

local suites <const> = {}

local function suite(it)
  suites[#suites + 1] = it
  suites[it.id] = it
  it.contestants = {}
  return function(id, label, command, extra)
    local contestant <const> = extra or {}
    contestant.id, contestant.label, contestant.command = id, label, command
    contestant.needs = contestant.needs or { command:match("^%S+") }
    table.insert(it.contestants, contestant)
  end
end

local POOLS <const> = "build/bench/pools "
local SPAWN_POOLS <const> = "build/bench/pools-spawnpool "

-- One alloc, 64 bytes written, one recycle, in C. The limit is a stack of slot numbers without any check.
local core <const> = suite {
  id = "core",
  title = "Core: one alloc + 64 bytes written + one recycle, ns",
  patterns = {
    { "seed", "seed 100" },
    { "churn10k", "churn 10k" },
    { "churn1M", "churn 1M" },
  },
  key = "churn10k",
  limit = "bare_stack",
  ours = "spawnpool",
}
core("bare_stack", "limit: bare index stack, no checks", POOLS .. "bare_stack")
core("spawnpool", "spawnpool, fifo", SPAWN_POOLS .. "spawnpool")
core("spawnpool_cell", "spawnpool, fifo, memory by a third checked call", SPAWN_POOLS .. "spawnpool_cell")
core("spawnpool_lifo", "spawnpool, lifo", SPAWN_POOLS .. "spawnpool_lifo")
core("spawnpool_reset", "spawnpool, fifo, field reset at alloc", SPAWN_POOLS .. "spawnpool_reset")
core("spawnpool_life", "spawnpool, fifo, lifetime set and cancelled", SPAWN_POOLS .. "spawnpool_life")
core("spawnpool_lifo_life", "spawnpool, lifo, lifetime set and cancelled", SPAWN_POOLS .. "spawnpool_lifo_life")
core("id_pool", "id pool as in Box2D, checked handles", POOLS .. "id_pool")
core("boost_pool", "boost::pool, inlined, no checks", POOLS .. "boost_pool", { listed = true })
core("malloc", "glibc malloc", POOLS .. "malloc")
core("mimalloc", "mimalloc", "build/bench/pools-mimalloc mimalloc", { package = "libmimalloc-dev" })
core("jemalloc", "jemalloc", POOLS .. "malloc", { preload = "libjemalloc.so.2", package = "libjemalloc2" })

-- Bytes held per idle slot beyond its columns.
suite {
  id = "slot",
  title = "Core: memory of an idle slot beyond its columns, bytes",
  patterns = { { "bytes_per_slot", "bytes" } },
}("spawnpool", "spawnpool", SPAWN_POOLS .. "spawnpool_memory")

local TIMERS <const> = "build/bench/timers "
local SPAWN_TIMERS <const> = "build/bench/timers-spawnpool "

-- N objects that live for 1..600 ticks, re-armed when they expire. The limit is one cache miss per expired object.
local time <const> = suite {
  id = "time",
  title = "Lifetimes: expiry + re-arm per tick of N objects, us (expiry: ns each; worst: longest tick over the median)",
  patterns = {
    { "tick10k", "10k" },
    { "tick100k", "100k" },
    { "tick1M", "1M" },
    { "expiry10k", "expiry 10k" },
    { "expiry100k", "expiry 100k" },
    { "expiry1M", "expiry 1M" },
    { "worst10k", "worst 10k", best = true },
    { "worst100k", "worst 100k", best = true },
    { "worst1M", "worst 1M", best = true },
    { "rearm10k", "rearm ns 10k" },
    { "rearm1M", "rearm ns 1M" },
    { "idle1M", "idle 1M" },
  },
  key = "tick100k",
  ours = "spawnpool",
}
time("spawnpool", "spawnpool, sp_pool_alloc after sp_update", SPAWN_TIMERS .. "spawnpool")
time("spawnpool_hook", "spawnpool, sp_pool_alloc in on_despawn", SPAWN_TIMERS .. "spawnpool_hook")
time("spawnpool_idle", "spawnpool, 1M pending, none due", SPAWN_TIMERS .. "spawnpool_idle")
time("heap", "binary heap, timers only", TIMERS .. "heap")
time("libev", "libev", "build/bench/loops-libev libev", { package = "libev-dev" })
time("libuv", "libuv", "build/bench/loops-libuv libuv", { package = "libuv1-dev" })
time("scan", "scan of objects by pointer", TIMERS .. "scan")

local function lua(script, contestant)
  return ("lua5.4 tests/bench/lua/%s.lua %s"):format(script, contestant)
end
local function luajit(script, contestant)
  return ("luajit tests/bench/lua/%s.lua %s"):format(script, contestant)
end
local SPAWNPOOL <const> = { needs = { "build/spawnpool.so" } }
local LUAJIT <const> = { needs = { "luajit" }, package = "luajit" }

local function with(requirement)
  local copy <const> = {}
  for key, value in pairs(requirement) do copy[key] = value end
  return copy
end

-- One alloc and one recycle from Lua. The limit is two empty C method calls.
local pair <const> = suite {
  id = "pair",
  title = "Lua: one alloc + one recycle, ns (garbage: bytes of Lua heap per life)",
  patterns = {
    { "lifo", "lifo" },
    { "seed", "seed 100" },
    { "churn", "churn 10k" },
    { "override", "lifo, override" },
    { "hook", "lifo, hook" },
    { "garbage", "garbage" },
  },
  key = "churn",
  limit = "empty_calls",
  ours = "spawnpool_type",
}
pair("empty_calls", "limit: two empty C method calls", lua("pair", "empty_calls"))
pair("spawnpool_type", 'spawnpool, pools:alloc("Bullet", 2)', lua("pair", "spawnpool_type"), with(SPAWNPOOL))
pair("spawnpool_pool", "spawnpool, pool:alloc(2)", lua("pair", "spawnpool_pool"), with(SPAWNPOOL))
pair("spawnpool_object", "spawnpool, pool:alloc(2), o:recycle()", lua("pair", "spawnpool_object"), with(SPAWNPOOL))
pair("spawnpool_endless", 'spawnpool, pools:alloc("Bullet")', lua("pair", "spawnpool_endless"), with(SPAWNPOOL))
pair("class", "pure-Lua pool class", lua("pair", "class"))
pair("heap", "pure-Lua pool, heap lifetimes", lua("pair", "heap"))
pair("tables", "new tables and the collector", lua("pair", "tables"))
pair("jit_class", "LuaJIT, pool class", luajit("pair", "class"), with(LUAJIT))
pair("jit_heap", "LuaJIT, pool, heap lifetimes", luajit("pair", "heap"), with(LUAJIT))
pair("jit_tables", "LuaJIT, new tables", luajit("pair", "tables"), with(LUAJIT))
pair("jit_checked", "LuaJIT, pool of tables, checked references", luajit("pair", "checked"), with(LUAJIT))
pair("jit_spawnpool", 'LuaJIT, spawnpool by FFI, pools:alloc("Bullet")', luajit("pair", "ffi"), with(LUAJIT))

-- Alloc with a lifetime that ends by itself. The limit is one empty C method call.
local expiry <const> = suite {
  id = "expiry",
  title = "Lua: alloc with a lifetime + automatic expiry, ns",
  patterns = { { "expiry", "per object" }, { "override", "overridden recycle" } },
  key = "expiry",
  limit = "empty_calls",
  ours = "spawnpool_type",
}
expiry("empty_calls", "limit: one empty C method call", lua("expiry", "empty_calls"))
expiry("spawnpool_type", 'spawnpool, pools:alloc("Bullet", s)', lua("expiry", "spawnpool_type"), with(SPAWNPOOL))
expiry("spawnpool_pool", "spawnpool, pool:alloc(s)", lua("expiry", "spawnpool_pool"), with(SPAWNPOOL))
expiry("scan", "pure-Lua pool, every object counts down", lua("expiry", "scan"))
expiry("heap", "pure-Lua pool, heap lifetimes", lua("expiry", "heap"))
expiry("jit_scan", "LuaJIT, every object counts down", luajit("expiry", "scan"), with(LUAJIT))
expiry("jit_heap", "LuaJIT, heap lifetimes", luajit("expiry", "heap"), with(LUAJIT))

-- Reading and writing one field. The limit is an empty C metamethod; a raw table field is out of any C library's reach.
local field <const> = suite {
  id = "field",
  title = "Lua: one field, ns (own: a field that the class declares)",
  patterns = {
    { "get", "get" },
    { "set", "set" },
    { "own_get", "own get" },
    { "own_set", "own set" },
  },
  key = "get",
  limit = "empty_fields",
  ours = "spawnpool_pool",
}
field("empty_fields", "limit: empty C metamethod", lua("field", "empty_fields"))
field("spawnpool_pool", "spawnpool", lua("field", "spawnpool_pool"), with(SPAWNPOOL))
field("tables", "raw table field", lua("field", "tables"))

-- A walk over 10 000 live objects. The limit is one call of a C iterator per object.
local walk <const> = suite {
  id = "walk",
  title = "Lua: `for o in pool:each() do end`, ns per object",
  patterns = { { "walk", "per object" } },
  key = "walk",
  limit = "next",
  ours = "spawnpool_pool",
}
walk("next", "limit: next, a C iterator", lua("walk", "next"))
walk("spawnpool_pool", "spawnpool", lua("walk", "spawnpool_pool"), with(SPAWNPOOL))
walk("array", "array of tables, numeric for", lua("walk", "array"))

-- Circles that touch, 10 000 against 10 000, sparse.
local overlaps <const> = suite {
  id = "overlaps",
  title = "Lua: which of 10 000 circles touch which of 10 000 others; us",
  patterns = { { "overlaps10k", "sparse" } },
  key = "overlaps10k",
  ours = "spawnpool",
}
overlaps("spawnpool", "spawnpool", lua("overlaps", "spawnpool"), with(SPAWNPOOL))
overlaps("grid", "Lua tables in a grid", lua("overlaps", "grid"))
overlaps("loops", "Lua tables, loop in a loop (a tenth measured)", lua("overlaps", "loops"))

-- Overlaps in C, of circles that no single grid suits. The limit is the even scene, in which cost is linear.
local mixtures <const> = suite {
  id = "mixtures",
  title = "Overlaps of N circles with N others, by places and sizes: ns per object and pair",
  patterns = { { "1k", "1k" }, { "10k", "10k" }, { "100k", "100k" } },
  key = "10k",
  limit = "even",
}
local MIXTURES <const> = "build/bench/mixtures "
mixtures("even", "the linear case: even, one size", MIXTURES .. "even")
mixtures("stray", "one far away from all others", MIXTURES .. "stray")
mixtures("huge", "one that covers a fifth of the world", MIXTURES .. "huge")
mixtures("large", "one in a hundred 15 times as large", MIXTURES .. "large")
mixtures("power", "sizes by a power law", MIXTURES .. "power")
mixtures("clusters", "eight clusters far from each other", MIXTURES .. "clusters")
mixtures("line", "all on a slanted line", MIXTURES .. "line")
mixtures("point", "all in one point", MIXTURES .. "point")

-- All of a manager in C. The limit is a memcpy of the same bytes.
local snapshot <const> = suite {
  id = "snapshot",
  title = "Snapshot of N moving objects with ends and timers: us",
  patterns = { { "1k", "1k" }, { "10k", "10k" }, { "100k", "100k" } },
  key = "10k",
  limit = "copy",
}
local SNAPSHOT <const> = "build/bench/snapshot "
snapshot("copy", "limit: memcpy of the bytes", SNAPSHOT .. "copy")
snapshot("take", "spawnpool: taken into a snapshot", SNAPSHOT .. "take")
snapshot("restore", "spawnpool: restored", SNAPSHOT .. "restore")
snapshot("hash", "spawnpool: hash of all", SNAPSHOT .. "hash")
snapshot("save", "spawnpool: saved, without writing", SNAPSHOT .. "save")

-- A whole frame: expire, respawn from Lua, move. The limit is memory traffic for x and y.
local frame <const> = suite {
  id = "frame",
  title = "Lua: a frame of N bullets: expire, respawn from the script, move; us",
  patterns = { { "frame10k", "10k" }, { "frame100k", "100k" } },
  key = "frame10k",
  ours = "spawnpool",
}
frame("spawnpool", "spawnpool", lua("frame", "spawnpool"), with(SPAWNPOOL))
frame("columns", "Lua arrays, one per field", lua("frame", "columns"))
frame("tables", "Lua tables, pooled", lua("frame", "tables"))
frame("jit_columns", "LuaJIT arrays, one per field", luajit("frame", "columns"), with(LUAJIT))
frame("jit_tables", "LuaJIT tables, pooled", luajit("frame", "tables"), with(LUAJIT))
frame("jit_checked", "LuaJIT tables, pooled, checked references", luajit("frame", "checked"), with(LUAJIT))
frame("jit_ffi", "LuaJIT FFI structs", luajit("frame", "ffi"), with(LUAJIT))
frame("jit_spawnpool", "LuaJIT, spawnpool by FFI", luajit("frame", "spawnpool_ffi"), with(LUAJIT))
frame("jit_ffi_drawn", "LuaJIT FFI structs, and a draw list", luajit("frame", "ffi_drawn"), with(LUAJIT))
frame("jit_spawnpool_drawn", "LuaJIT, spawnpool by FFI, and a draw list", luajit("frame", "spawnpool_ffi_drawn"),
  with(LUAJIT))

-- Size of idle objects in the Lua heap. The limit is nothing at all.
local memory <const> = suite {
  id = "memory",
  title = "Lua: idle objects: bytes of Lua heap each; a full collection with 110 000 of them, us",
  patterns = { { "idle_bytes", "bytes each" }, { "collect", "collection" } },
}
memory("spawnpool_pool", "spawnpool", lua("memory", "spawnpool_pool"), with(SPAWNPOOL))
memory("tables", "tables of 5 fields", lua("memory", "tables"))

-- Sprites, as the processor sees them. The limit: as many bytes are copied, and handed over.
local draw <const> = suite {
  id = "draw",
  title = "Drawing 10 000 sprites, ns each on the processor (list: it is made; all: and handed over, flushed, shown)",
  patterns = { { "fill16", "list" }, { "all16", "all, 16x16" }, { "all1", "all, 1x1" } },
  key = "all16",
  limit = "copy",
  ours = "player",
}
local function unseen(command)
  return "sh tests/bench/draw/unseen.sh " .. command
end
local function with_pixels(contestant)
  return "env SDL_VIDEODRIVER=dummy build/bench/draw " .. contestant
end
local SDL <const> = { needs = { "build/bench/draw", "Xvfb" }, package = "xvfb" }
local SOFTWARE <const> = { needs = { "build/bench/draw" } }
local LOVE <const> = { needs = { "love", "Xvfb" }, package = "love" }
local LOVE_SPRITES <const> = "love tests/bench/draw/love "
draw("copy", "limit: the list copied, OpenGL", unseen "build/bench/draw copy", with(SDL))
draw("player", "spawnpool: pools, list, OpenGL", unseen "build/bench/draw player", with(SDL))
draw("player_sdl", "spawnpool: pools, list, SDL_RenderGeometryRaw", unseen "build/bench/draw player_sdl", with(SDL))
draw("geometry", "SDL_RenderGeometryRaw, nothing moves", unseen "build/bench/draw geometry", with(SDL))
draw("copyf", "SDL_RenderCopyF", unseen "build/bench/draw copyf", with(SDL))
draw("love_batch", "LÖVE, SpriteBatch: clear and add", unseen(LOVE_SPRITES .. "batch"), with(LOVE))
draw("love_draw", "LÖVE, love.graphics.draw", unseen(LOVE_SPRITES .. "draw"), with(LOVE))
draw("love_view", "LÖVE, pools by spawnpool.love", unseen(LOVE_SPRITES .. "view"), with(LOVE))
draw("pixels", "spawnpool, pixels by SDL's software renderer", with_pixels "player", with(SOFTWARE))
draw("copyf_pixels", "SDL_RenderCopyF, pixels the same way", with_pixels "copyf", with(SOFTWARE))

-- A game that does little else, in its window.
suite {
  id = "storm",
  title = "The game storm, 100 000 sprites: a frame on the processor, ms",
  patterns = { { "median", "median" }, { "worst", "99 of 100", best = true } },
}("player", "spawnpool scripts/storm", unseen "sh tests/bench/draw/storm.sh",
  { needs = { "build/spawnpool", "Xvfb" }, package = "xvfb" })

-- One kind of work on a thousand to a million objects.
local scale <const> = suite {
  id = "scale",
  title = "From a thousand objects to a million: ns per object (statistics: per call)",
  patterns = { { "1k", "1k" }, { "10k", "10k" }, { "100k", "100k" }, { "1M", "1M" } },
}
local SCALE <const> = "build/bench/scale "
scale("bare_stack", "limit: bare index stack, no checks", POOLS .. "bare_stack_sizes")
scale("malloc", "glibc malloc, one pair", POOLS .. "malloc_sizes")
scale("pair", "spawnpool: alloc, 64 bytes written, recycle", SPAWN_POOLS .. "spawnpool_sizes")
scale("tick", "spawnpool: expiry + re-arm", SPAWN_TIMERS .. "spawnpool_sizes")
scale("move", "spawnpool: sp_update, all move", SCALE .. "move")
scale("walk", "spawnpool: sp_walk", SCALE .. "walk")
scale("overlaps", "spawnpool: overlaps within a pool", MIXTURES .. "within")
scale("statistics", "spawnpool: statistics of a pool, a manager", SCALE .. "statistics")

-- A million objects, updated by the threads of the host.
local tasks <const> = suite {
  id = "tasks",
  title = "A million objects, sp_update on the threads of the host: us (all: motion, bounds and a curve)",
  patterns = { { "velocity", "velocity" }, { "all", "all" } },
  key = "all",
  ours = "two",
}
tasks("one", "spawnpool, one thread", "build/bench/tasks one", { threads = 2 })
tasks("two", "spawnpool, two threads", "build/bench/tasks two", { threads = 2 })

-- From nothing to the first frame; from nothing to a library that is ready.
local start <const> = suite {
  id = "start",
  title = "Start: a whole process, ms (inside: from require to its return)",
  patterns = { { "process", "process" }, { "inside", "inside" } },
}
local function process(times, command)
  return ("build/bench/processes process %d %s"):format(times, command)
end
start("lua", "limit: lua5.4 that does nothing", process(15, "lua5.4 -e ''"))
start("required", 'lua5.4 and require "spawnpool"', process(15, "lua5.4 -e 'require [[spawnpool]]'"), with(SPAWNPOOL))
start("require", 'require "spawnpool" alone', "lua5.4 tests/bench/start/require.lua", with(SPAWNPOOL))
start("player", "the player, one frame of the shooter, unseen",
  process(5, "build/spawnpool --headless --frames 1 scripts/shooter"), { needs = { "build/spawnpool" } })
start("love", "LÖVE, one empty frame, unseen", unseen(process(3, LOVE_SPRITES .. "first")), with(LOVE))

-- One edited file of 100, with 10 000 live objects.
local reload <const> = suite {
  id = "reload",
  title = "Hot reload: the frame in which an edit of one of 100 files takes over, 10 000 live objects; ms",
  patterns = { { "least", "least" }, { "median", "median" } },
}
reload("leaf", "a class that nobody requires", lua("reload", "leaf"), with(SPAWNPOOL))
reload("shared", "a module that 10 others require", lua("reload", "shared"), with(SPAWNPOOL))
reload("base", "the module that all others require", lua("reload", "base"), with(SPAWNPOOL))
reload("30000", "a class that nobody requires, beside 30 000 tables", lua("reload", "30000"), with(SPAWNPOOL))
reload("300000", "a class that nobody requires, beside 300 000 tables", lua("reload", "300000"), with(SPAWNPOOL))

local tracked <const> = suite {
  id = "reload_start",
  title = "Hot reload: requiring 100 small files, 100 of 100 lines, and one that makes 300 000 tables; ms",
  patterns = { { "small", "100 small files" }, { "start", "100 of 100 lines" }, { "held", "300 000 tables" } },
  key = "small",
  ours = "watched",
}
tracked("plain", "plain require", lua("reload_start", "plain"), with(SPAWNPOOL))
tracked("watched", "kept track of", lua("reload_start", "watched"), with(SPAWNPOOL))

local idle <const> = suite {
  id = "reload_idle",
  title = "Hot reload while nobody edits: 1000 files at 60 polls a second; new code on probation",
  patterns = {
    { "share", "% of a core" },
    { "longest", "longest us", best = true },
    { "poll", "poll us" },
    { "door", "hook ns" },
    { "trial_door", "on probation" },
    { "trial_poll", "its poll ns" },
  },
}
idle("files", "1000 files", lua("reload_idle", "files"), with(SPAWNPOOL))
idle("trial", "one class", lua("reload_idle", "trial"), with(SPAWNPOOL))

return suites
