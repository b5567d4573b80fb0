-- The aims of `make bench`: at most 24, each a promise that a user would notice. An aim has
--   promise  in a user's words
--   unit     of its figures
--   figures  lists of a label, "PROGRAM pattern", what a peer lacks beside spawnpool, and a `unit` of its own
--   parts    what must hold: { of, over, at_most } takes a ratio, { of, at_most } the figure itself, in the unit;
--            at_least in place of at_most for a peer over spawnpool
--   why      what keeps it from being met, where it is missed
-- A program is a command that prints "pattern value" lines. Everything is compiled with -O3 and without -march=native,
-- as spawnpool is shipped.

local aims <const>, programs <const> = {}, {}

-- {== Programs ===============================================================

local function program(id, command, needs)
  needs = needs or { command:match "^%S+" }
  programs[id] = { id = id, command = command, needs = needs }
  return programs[id]
end

for _, name in ipairs { "bare_stack", "id_pool", "malloc", "kept", "lifo", "reset", "life", "ticks" } do
  program(name, "build/bench/pairs " .. name)
end
program("jemalloc", "build/bench/pairs malloc").preload = "libjemalloc.so.2"
program("mimalloc", "build/bench/pairs malloc").preload = "libmimalloc.so"
for _, name in ipairs { "growth", "memory", "ten", "million", "few", "many" } do
  program(name, "build/bench/living " .. name)
end
program("expiry", "build/bench/ticks spawnpool")
program("heap", "build/bench/ticks heap")
program("idle", "build/bench/ticks idle")

local function lua(id, script, argument)
  program(id, ("lua5.4 tests/bench/lua/%s.lua %s"):format(script, argument), { "lua5.4", "build/spawnpool.so" })
end
local function luajit(id, script, argument)
  program(id, ("luajit tests/bench/lua/%s.lua %s"):format(script, argument), { "luajit" })
end
for _, name in ipairs { "empty_calls", "class", "guarded", "tables", "spawnpool", "spawnpool_pool" } do
  lua("pair_" .. name, "pair", name)
end
for _, name in ipairs { "empty_fields", "interface", "tables", "spawnpool" } do lua("field_" .. name, "field", name) end
for _, name in ipairs { "tables", "spawnpool" } do lua("frame_" .. name, "frame", name) end
for _, name in ipairs { "grid", "spawnpool", "boxes" } do lua("overlaps_" .. name, "overlaps", name) end
for _, count in ipairs { "30000", "300000" } do lua("reload_" .. count, "reload", count) end
for _, name in ipairs { "plain", "watched" } do lua("start_" .. name, "reload_start", name) end
luajit("jit_pair_class", "pair", "class")
luajit("jit_pair", "pair", "ffi")
luajit("jit_frame_tables", "frame", "tables")
luajit("jit_frame_ffi", "frame", "ffi_drawn")
luajit("jit_frame", "frame", "spawnpool_ffi_drawn")

local UNSEEN <const> = "sh tests/bench/draw/unseen.sh "
program("draw", UNSEEN .. "build/bench/draw player", { "build/bench/draw", "Xvfb" })
program("draw_copyf", UNSEEN .. "build/bench/draw copyf", { "build/bench/draw", "Xvfb" })
program("draw_love", UNSEEN .. "love tests/bench/draw/love", { "love", "Xvfb" })
for _, budget in ipairs { "0", "1000" } do
  program("collector_" .. budget, "build/spawnpool --headless --no-watch --memory 1024 --frames 900 "
    .. "tests/bench/collector -- " .. budget)
end

-- }==

local function aim(it) aims[#aims + 1] = it end

-- {== In C ===================================================================

local ID_POOL <const> = { "id pool as in Box2D", "id_pool random", "resets, lifetimes, walks, statistics" }

aim {
  promise = "Recycling one of 10 000 objects and allocating one, in random order, costs little more than in an id pool",
  unit = "ns",
  figures = { { "spawnpool", "kept random" }, ID_POOL, { "malloc", "malloc random", "checks" } },
  parts = { { "kept random", over = "id_pool random", at_most = 1.6 } },
  why = "each pair checks manager, pool, range and generation, finds the life through a list of chunks, which never "
    .. "move, keeps the order of idle slots and counts calls; the id pool takes the slot that came back last, whose "
    .. "number is still at hand.",
}
aim {
  promise = "The same when the 64 bytes of an object are reset, which is what a field gets by default",
  unit = "ns",
  figures = { { "spawnpool", "reset random" }, ID_POOL },
  parts = { { "reset random", over = "id_pool random", at_most = 2.2 } },
  why = "writing 64 bytes takes a third of it; the id pool leaves them as they were, and takes more than the aim where "
    .. "it writes them (row 4).",
}
aim {
  promise = "The same with a lifetime",
  unit = "ns",
  figures = { { "spawnpool", "life random" }, ID_POOL },
  parts = { { "life random", over = "id_pool random", at_most = 2.6 } },
  why = "a lifetime writes another 16 bytes elsewhere in memory.",
}
aim {
  promise = "Allocating, writing and recycling, fifo or lifo, stays near a stack of free numbers without any check",
  unit = "ns",
  figures = {
    { "fifo", "kept churn10k" }, { "lifo", "lifo churn10k" },
    { "bare stack", "bare_stack churn10k", "all checks" }, { "id pool as in Box2D", "id_pool churn10k" },
    { "malloc", "malloc churn10k", "checks" }, { "jemalloc", "jemalloc churn10k", "checks" },
    { "mimalloc", "mimalloc churn10k", "checks" },
  },
  parts = {
    { "kept churn10k", over = "bare_stack churn10k", at_most = 2.6 },
    { "lifo churn10k", over = "bare_stack churn10k", at_most = 2.6 },
  },
  why = "the stack pushes and pops a number in the loop itself; a pair here is two calls with all checks.",
}
aim {
  promise = "A lifetime costs little when it is set and cancelled, also while the clock runs",
  unit = "ns",
  figures = {
    { "without ticks", "life churn10k" }, { "with a tick every 100 pairs", "ticks churn10k" },
    { "bare stack", "bare_stack churn10k", "lifetimes, checks" },
    { "malloc", "malloc churn10k", "lifetimes, checks" },
  },
  parts = {
    { "life churn10k", over = "bare_stack churn10k", at_most = 4 },
    { "ticks churn10k", over = "malloc churn10k", at_most = 1.7 },
  },
  why = "a lifetime writes another 16 bytes elsewhere in memory, and a tick passes over those that were cancelled.",
}
aim {
  promise = "With a million live objects a pair takes no longer than malloc's",
  unit = "ns",
  figures = {
    { "spawnpool", "kept churn1M" }, { "malloc", "malloc churn1M", "checks" },
    { "id pool as in Box2D", "id_pool churn1M" }, { "jemalloc", "jemalloc churn1M", "checks" },
    { "mimalloc", "mimalloc churn1M", "checks" },
  },
  parts = { { "kept churn1M", over = "malloc churn1M", at_most = 1 } },
  why = "both wait for memory: a fifo pool touches two slots and their generations.",
}
aim {
  promise = "Growing to ten million objects never stops a frame: the longest single alloc",
  unit = "ms",
  figures = { { "spawnpool", "growth growth" } },
  parts = { { "growth growth", at_most = 1 } },
  why = "the longest alloc doubles the directory of idle slots, or waits for memory of the system.",
}
aim {
  promise = "A pool that has grown holds little more memory than its objects need",
  unit = "x",
  figures = { { "spawnpool", "memory memory" } },
  parts = { { "memory memory", at_most = 1.25 } },
  why = "a list that is moved as it grows is there twice for a moment.",
}
aim {
  promise = "What ten objects cost does not depend on the million that were there before",
  unit = "us",
  figures = {
    { "update, ten of ten", "ten update" }, { "update, ten of a million", "million update" },
    { "walk, ten of ten", "ten walk" }, { "walk, ten of a million", "million walk" },
    { "snapshot, ten of ten", "ten snapshot" }, { "snapshot, ten of a million", "million snapshot" },
    { "save, ten of ten", "ten save" }, { "save, ten of a million", "million save" },
    { "a save's size, ten of ten", "ten bytes", unit = "bytes" },
    { "a save's size, ten of a million", "million bytes", unit = "bytes" },
  },
  parts = {
    { "million update", over = "ten update", at_most = 20 }, { "million walk", over = "ten walk", at_most = 20 },
    { "million snapshot", over = "ten snapshot", at_most = 20 }, { "million save", over = "ten save", at_most = 20 },
    { "million bytes", over = "ten bytes", at_most = 20 },
  },
  why = "ten objects that lie far apart are in ten chunks, each of which is looked at.",
}
aim {
  promise = "Finding one of 10 000 pools by its name takes about as long as one of ten",
  unit = "ns",
  figures = { { "one of ten", "few find" }, { "one of 10 000", "many find" } },
  parts = { { "many find", over = "few find", at_most = 4 } },
  why = "names of 10 000 pools do not fit into the nearest caches.",
}
aim {
  promise = "A million running lifetimes: ending one and beginning the next, and a tick in which none ends",
  unit = "ns",
  figures = {
    { "spawnpool, an end", "expiry expiry" }, { "spawnpool, a tick", "idle idle" },
    { "binary heap, an end", "heap expiry", "objects: times alone" },
  },
  parts = { { "expiry expiry", at_most = 5 }, { "idle idle", at_most = 100 } },
  why = "an end is a whole recycle and a whole alloc, at four places that no near cache holds at a million.",
}

-- }==

-- {== In Lua =================================================================

aim {
  promise = "From Lua, alloc and recycle take little more than two calls into C that do nothing",
  unit = "ns",
  figures = {
    { "spawnpool, at once", "pair_spawnpool lifo" }, { "spawnpool, 10 000 live", "pair_spawnpool churn" },
    { "two empty calls, at once", "pair_empty_calls lifo" },
    { "two empty calls, 10 000 live", "pair_empty_calls churn" },
  },
  parts = {
    { "pair_spawnpool lifo", over = "pair_empty_calls lifo", at_most = 1.5 },
    { "pair_spawnpool churn", over = "pair_empty_calls churn", at_most = 1.5 },
  },
  why = "each call finds its pool, checks its arguments and the reference, and asks for an override.",
}
aim {
  promise = "They take half as long as in a pool class written in Lua",
  unit = "ns",
  figures = {
    { "spawnpool", "pair_spawnpool churn" },
    { "pool class in Lua", "pair_class churn", "checks of references" },
    { "no pool: tables and the collector", "pair_tables churn" },
  },
  parts = { { "pair_class churn", over = "pair_spawnpool churn", at_least = 2 } },
  why = "the class checks one flag only, and never leaves the virtual machine.",
}
aim {
  promise = "A life makes no garbage",
  unit = "bytes",
  figures = { { "spawnpool", "pair_spawnpool garbage" }, { "no pool: tables", "pair_tables garbage" } },
  parts = { { "pair_spawnpool garbage", at_most = 0 } },
  why = "this is a defect.",
}

local OVERRIDES <const> = {
  { "spawnpool, pool:alloc", "pair_spawnpool_pool override" }, { "spawnpool, pools:alloc", "pair_spawnpool override" },
  { "pool class in Lua", "pair_class override", "checks of references, rollback on error" },
  { "pool class in Lua with the same guarantees", "pair_guarded override", "checks of fields" },
}
aim {
  promise = "An override in Lua costs about as much as in a pool class without any guarantees",
  unit = "ns",
  figures = OVERRIDES,
  parts = {
    { "pair_spawnpool_pool override", over = "pair_class override", at_most = 1.08 },
    { "pair_spawnpool override", over = "pair_class override", at_most = 1.15 },
  },
  why = "the class never leaves the virtual machine. Here a pair with an override is two entries into C, one protected "
    .. "call back into Lua, a third entry for the base call, and a checked write of the field.",
}
aim {
  promise = "An override costs much less than in a pool class in Lua with the same guarantees",
  unit = "ns",
  figures = OVERRIDES,
  parts = { { "pair_spawnpool_pool override", over = "pair_guarded override", at_most = 0.62 } },
  why = "Lua's own pcall from Lua is about as dear as the protected call from C.",
}
aim {
  promise = "A field of an object costs little more than a metamethod that does nothing",
  unit = "ns",
  figures = {
    { "read", "field_spawnpool get" }, { "write", "field_spawnpool set" },
    { "the floor, read", "field_interface get" }, { "the floor, write", "field_interface set" },
    { "empty metamethod, read", "field_empty_fields get" }, { "empty metamethod, write", "field_empty_fields set" },
    { "a table's field, read", "field_tables get", "checks" },
  },
  parts = {
    { "field_spawnpool get", over = "field_empty_fields get", at_most = 1.4 },
    { "field_spawnpool set", over = "field_empty_fields set", at_most = 1.3 },
  },
  why = "the floor is what the calls of Lua's interface take that fetch context, object, name and value, without any "
    .. "work; where it is above the aim, no library in C can reach it.",
}
aim {
  promise = "A frame of 10 000 bullets that move, age and leave the screen is far faster than in Lua tables",
  unit = "us",
  figures = {
    { "spawnpool", "frame_spawnpool frame" },
    { "pooled tables in Lua", "frame_tables frame", "checks of references" },
    { "pooled tables in LuaJIT", "jit_frame_tables frame", "checks of references" },
  },
  parts = { { "frame_tables frame", over = "frame_spawnpool frame", at_least = 25 } },
  why = "allocating from the script takes most of it.",
}
aim {
  promise = "LuaJIT by FFI costs what C's own calls cost, and a frame with a draw list what FFI structs cost",
  unit = "ns",
  figures = {
    { "pair in LuaJIT", "jit_pair churn" }, { "pair in C, field reset", "reset churn10k" },
    { "pool class in LuaJIT", "jit_pair_class churn", "checks of references" },
    { "frame with a draw list", "jit_frame frame", unit = "us" },
    { "the same by FFI structs", "jit_frame_ffi frame", "references", unit = "us" },
  },
  parts = {
    { "jit_pair churn", over = "reset churn10k", at_most = 1.2 },
    { "jit_frame frame", over = "jit_frame_ffi frame", at_most = 1 },
  },
  why = "LuaJIT cannot inline a call into C, and compiles loops over structs to machine code.",
}
aim {
  promise = "Which of 10 000 circles touch which of 10 000 others is found far faster than by a grid in Lua",
  unit = "us",
  figures = {
    { "spawnpool", "overlaps_spawnpool overlaps" }, { "its boxes", "overlaps_boxes overlaps" },
    { "grid of Lua tables", "overlaps_grid overlaps" },
  },
  parts = { { "overlaps_grid overlaps", over = "overlaps_spawnpool overlaps", at_least = 20 } },
  why = "both sort circles into a grid; what is left are mispredicted branches of the test for touching.",
}

-- }==

-- {== In the player ==========================================================

aim {
  promise = "A sprite takes half of the processor's time that it takes in LÖVE's SpriteBatch",
  unit = "ns",
  figures = {
    { "spawnpool", "draw sprite" }, { "LÖVE's SpriteBatch", "draw_love sprite" },
    { "SDL_RenderCopyF", "draw_copyf sprite", "motion" },
  },
  parts = { { "draw_love sprite", over = "draw sprite", at_least = 2 } },
  why = "reading the columns, culling and filling the list take nearly all of it.",
}
aim {
  promise = "An edit takes over within a frame beside 30 000 tables of the game, within 100 ms beside 300 000",
  unit = "ms",
  figures = { { "beside 30 000", "reload_30000 reload" }, { "beside 300 000", "reload_300000 reload" } },
  parts = { { "reload_30000 reload", at_most = 16 }, { "reload_300000 reload", at_most = 100 } },
  why = "a reload looks once at every value that the game's tables hold.",
}
aim {
  promise = "While nobody edits, hot reload costs a game of 300 000 tables next to nothing at its start",
  unit = "ms",
  figures = { { "watched", "start_watched start" }, { "plain require", "start_plain start", "hot reload" } },
  parts = { { "start_watched start", over = "start_plain start", at_most = 1.2 } },
  why = "files are kept track of while they load.",
}
aim {
  promise = "With a budget for the collector no frame waits for a whole cycle, beside 300 000 live tables",
  unit = "ms",
  figures = {
    { "longest frame, 1000 us a frame", "collector_1000 longest" },
    { "longest frame, Lua's own pace", "collector_0 longest" },
  },
  parts = { { "collector_0 longest", over = "collector_1000 longest", at_least = 10 } },
  why = "Lua marks a large table, and ends a cycle, in one step.",
}

-- }==

return { aims = aims, programs = programs }
