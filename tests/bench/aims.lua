-- The aims of `make bench`: at most 24, each a promise that a user would notice. An aim has
--   promise  in a user's words
--   unit     of its figures
--   why      what keeps it from being met, where it is missed
-- and a list of figures: a label, "PROGRAM pattern", and what a peer lacks beside spawnpool. Those that decide have
-- `at_most` or `at_least`, in the unit; with `over` they count as a ratio. `unit`: of one figure, where it is another.
-- A program is a command that prints "pattern value" lines. Everything is compiled with -O3 and without -march=native,
-- as spawnpool is shipped.

local aims <const>, programs <const> = {}, {}

-- {== Programs ===============================================================

-- Adds a program PREFIXname for each of some names, by its command and what that needs.
local function add(prefix, command, names, ...)
  for name in names:gmatch "%S+" do
    programs[prefix .. name] = { command = command:format(name), needs = { ... } }
  end
end

local CORE <const>, MODULE <const>, COUNT <const> = "build/bench/core", "build/spawnpool.so", "build/bench/count"
local UNSEEN <const> = "sh tests/bench/draw/unseen.sh "

add("", CORE .. " %s", "bare_stack id_pool malloc kept reset life ticks growth steady peak empty few many expiry "
  .. "idle", CORE)
add("", CORE .. " malloc", "jemalloc mimalloc", CORE)
programs.jemalloc.preload, programs.mimalloc.preload = "libjemalloc.so.2", "libmimalloc.so"

for script, names in pairs {
  pair = "empty_calls class guarded tables spawnpool spawnpool_pool", field = "empty_fields interface tables spawnpool",
  frame = "tables spawnpool", overlaps = "grid spawnpool boxes", reload = "30000 300000 plain watched",
} do
  add(script .. "_", ("lua5.4 tests/bench/lua/%s.lua %%s"):format(script), names, "lua5.4", MODULE)
end
for script, names in pairs { pair = "class ffi", frame = "tables drawn structs" } do
  add("jit_" .. script .. "_", ("luajit tests/bench/lua/%s.lua %%s"):format(script), names, "luajit")
end

add("", UNSEEN .. COUNT .. " %s", "draw", COUNT, "xvfb-run")
add("", UNSEEN .. "%s tests/bench/draw/love", "love", "love", "xvfb-run")
add("collector_", "build/spawnpool --headless --no-watch --memory 1024 --frames 900 tests/bench/collector -- %s",
  "0 1000", "build/spawnpool")

-- }==

-- Adds an aim; `limits` are its figures that decide.
local function aim(it)
  it.limits = {}
  for _, figure in ipairs(it) do
    if figure.at_least or figure.at_most then it.limits[#it.limits + 1] = figure end
  end
  aims[#aims + 1] = it
end

-- {== In C ===================================================================

local ID_POOL <const> = { "id pool as in Box2D", "id_pool random", "resets, lifetimes, walks, statistics" }

aim {
  promise = "Recycling one of 10 000 objects and allocating one, in random order, costs little more than in an id pool",
  unit = "ns",
  why = "each pair checks manager, pool, range and generation, finds the life through a list of chunks, which never "
    .. "move, keeps what lives together, and counts calls; the id pool takes the slot that came back last, whose "
    .. "number is still at hand.",
  { "spawnpool", "kept random", over = "id_pool random", at_most = 1.6 }, ID_POOL,
  { "malloc", "malloc random", "checks" },
}
aim {
  promise = "The same when the 64 bytes of an object are reset, which is what a field gets by default",
  unit = "ns",
  why = "writing 64 bytes takes a third of it; the id pool leaves them as they were, and takes more than the aim where "
    .. "it writes them (row 4).",
  { "spawnpool", "reset random", over = "id_pool random", at_most = 2.2 }, ID_POOL,
}
aim {
  promise = "The same with a lifetime",
  unit = "ns",
  why = "a lifetime writes another 16 bytes elsewhere in memory.",
  { "spawnpool", "life random", over = "id_pool random", at_most = 2.6 }, ID_POOL,
}
aim {
  promise = "Allocating, writing and recycling stays near a stack of free numbers without any check",
  unit = "ns",
  why = "the stack pushes and pops a number in the loop itself; a pair here is two calls with all checks.",
  { "spawnpool", "kept churn10k", over = "bare_stack churn10k", at_most = 2.6 },
  { "bare stack", "bare_stack churn10k", "all checks" }, { "id pool as in Box2D", "id_pool churn10k" },
  { "malloc", "malloc churn10k", "checks" }, { "jemalloc", "jemalloc churn10k", "checks" },
  { "mimalloc", "mimalloc churn10k", "checks" },
}
aim {
  promise = "A lifetime costs little when it is set and cancelled, also while the clock runs",
  unit = "ns",
  why = "a lifetime writes another 16 bytes elsewhere in memory, and a tick passes over those that were cancelled.",
  { "without ticks", "life churn10k", over = "bare_stack churn10k", at_most = 4 },
  { "with a tick every 100 pairs", "ticks churn10k", over = "malloc churn10k", at_most = 1.7 },
  { "bare stack", "bare_stack churn10k", "lifetimes, checks" },
  { "malloc", "malloc churn10k", "lifetimes, checks" },
}
aim {
  promise = "With a million live objects a pair takes no longer than malloc's",
  unit = "ns",
  why = "both wait for memory.",
  { "spawnpool", "kept churn1M", over = "malloc churn1M", at_most = 1 }, { "malloc", "malloc churn1M", "checks" },
  { "id pool as in Box2D", "id_pool churn1M" }, { "jemalloc", "jemalloc churn1M", "checks" },
  { "mimalloc", "mimalloc churn1M", "checks" },
}
aim {
  promise = "Growing to ten million objects never stops a frame: the longest single alloc",
  unit = "ms",
  why = "the longest alloc doubles the list of chunks, or waits for memory of the system.",
  { "spawnpool", "growth growth", at_most = 1 },
}
aim {
  promise = "A frame costs what lives: 10 000 objects where a million were cost what they cost where never more were",
  unit = "us",
  why = "what lives is in as few chunks as before; the rest is that their memory is less near.",
  { "update", "steady update" }, { "after a million", "peak update", over = "steady update", at_most = 1.1 },
  { "walk", "steady walk" }, { "after a million", "peak walk", over = "steady walk", at_most = 1.1 },
}
aim {
  promise = "A manager without pools and a pool without objects are small",
  unit = "bytes",
  why = "a server has a thousand managers of ten types.",
  { "manager", "empty manager", at_most = 2048 }, { "pool", "empty pool", at_most = 4096 },
}
aim {
  promise = "Finding one of 10 000 pools by its name takes about as long as one of ten",
  unit = "ns",
  why = "names of 10 000 pools do not fit into the nearest caches.",
  { "one of ten", "few find" }, { "one of 10 000", "many find", over = "few find", at_most = 4 },
}
aim {
  promise = "A million running lifetimes: ending one and beginning the next, and a tick in which none ends",
  unit = "ns",
  why = "an end is a whole recycle and a whole alloc, at four places that no near cache holds at a million.",
  { "spawnpool, an end", "expiry expiry", at_most = 5 }, { "spawnpool, a tick", "idle idle", at_most = 100 },
}

-- }==

-- {== In Lua =================================================================

aim {
  promise = "From Lua, alloc and recycle take little more than two calls into C that do nothing",
  unit = "ns",
  why = "each call finds its pool, checks its arguments and the reference, and asks for an override.",
  { "spawnpool, at once", "pair_spawnpool lifo", over = "pair_empty_calls lifo", at_most = 1.5 },
  { "spawnpool, 10 000 live", "pair_spawnpool churn", over = "pair_empty_calls churn", at_most = 1.5 },
  { "two empty calls, at once", "pair_empty_calls lifo" },
  { "two empty calls, 10 000 live", "pair_empty_calls churn" },
}
aim {
  promise = "They take half as long as in a pool class written in Lua",
  unit = "ns",
  why = "the class checks one flag only, and never leaves the virtual machine.",
  { "spawnpool", "pair_spawnpool churn" },
  { "pool class in Lua", "pair_class churn", "checks of references", over = "pair_spawnpool churn", at_least = 2 },
  { "no pool: tables and the collector", "pair_tables churn" },
}

local CLASS <const> = { "pool class in Lua", "pair_class override", "checks of references, rollback on error" }
local GUARDED <const> = { "pool class in Lua with the same guarantees", "pair_guarded override", "checks of fields" }

aim {
  promise = "An override in Lua costs about as much as in a pool class without any guarantees",
  unit = "ns",
  why = "the class never leaves the virtual machine. Here a pair with an override is two entries into C, one protected "
    .. "call back into Lua, a third entry for the base call, and a checked write of the field.",
  { "spawnpool, pool:alloc", "pair_spawnpool_pool override", over = "pair_class override", at_most = 1.08 },
  { "spawnpool, pools:alloc", "pair_spawnpool override", over = "pair_class override", at_most = 1.15 },
  CLASS, GUARDED,
}
aim {
  promise = "An override costs much less than in a pool class in Lua with the same guarantees",
  unit = "ns",
  why = "Lua's own pcall from Lua is about as dear as the protected call from C.",
  { "spawnpool, pool:alloc", "pair_spawnpool_pool override", over = "pair_guarded override", at_most = 0.62 },
  { "spawnpool, pools:alloc", "pair_spawnpool override" }, CLASS, GUARDED,
}
aim {
  promise = "A field of an object costs little more than a metamethod that does nothing",
  unit = "ns",
  why = "the floor is what the calls of Lua's interface take that fetch context, object, name and value, without any "
    .. "work; where it is above the aim, no library in C can reach it.",
  { "read", "field_spawnpool get", over = "field_empty_fields get", at_most = 1.4 },
  { "write", "field_spawnpool set", over = "field_empty_fields set", at_most = 1.3 },
  { "the floor, read", "field_interface get" }, { "the floor, write", "field_interface set" },
  { "empty metamethod, read", "field_empty_fields get" }, { "empty metamethod, write", "field_empty_fields set" },
  { "a table's field, read", "field_tables get", "checks" },
}
aim {
  promise = "A frame of 10 000 bullets that move, age and leave the screen is far faster than in Lua tables",
  unit = "us",
  why = "allocating from the script takes most of it.",
  { "spawnpool", "frame_spawnpool frame" },
  { "pooled tables in Lua", "frame_tables frame", "checks of references", over = "frame_spawnpool frame",
    at_least = 25 },
  { "pooled tables in LuaJIT", "jit_frame_tables frame", "checks of references" },
}
aim {
  promise = "LuaJIT by FFI costs what C's own calls cost, and a frame with a draw list what FFI structs cost",
  unit = "ns",
  why = "LuaJIT cannot inline a call into C, and compiles loops over structs to machine code.",
  { "pair in LuaJIT", "jit_pair_ffi churn", over = "reset churn10k", at_most = 1.2 },
  { "pair in C, field reset", "reset churn10k" },
  { "pool class in LuaJIT", "jit_pair_class churn", "checks of references" },
  { "frame with a draw list", "jit_frame_drawn frame", unit = "us", over = "jit_frame_structs frame", at_most = 1 },
  { "the same by FFI structs", "jit_frame_structs frame", "references", unit = "us" },
}
aim {
  promise = "Which of 10 000 circles touch which of 10 000 others is found far faster than by a grid in Lua",
  unit = "us",
  why = "both sort circles into a grid; what is left are mispredicted branches of the test for touching.",
  { "spawnpool", "overlaps_spawnpool overlaps" }, { "its boxes", "overlaps_boxes overlaps" },
  { "grid of Lua tables", "overlaps_grid overlaps", over = "overlaps_spawnpool overlaps", at_least = 20 },
}

-- }==

-- {== In the player ==========================================================

aim {
  promise = "A sprite takes half of the processor's time that it takes in LÖVE's SpriteBatch",
  unit = "ns",
  why = "reading the columns, culling and filling the list take nearly all of it.",
  { "spawnpool", "draw sprite" },
  { "LÖVE's SpriteBatch", "love sprite", over = "draw sprite", at_least = 2 },
}
aim {
  promise = "An edit takes over within a frame beside 30 000 tables of the game, within 100 ms beside 300 000",
  unit = "ms",
  why = "a reload looks once at every value that the game's tables hold.",
  { "beside 30 000", "reload_30000 reload", at_most = 16 },
  { "beside 300 000", "reload_300000 reload", at_most = 100 },
}
aim {
  promise = "While nobody edits, hot reload costs a game of 300 000 tables next to nothing at its start",
  unit = "ms",
  why = "files are kept track of while they load.",
  { "watched", "reload_watched start", over = "reload_plain start", at_most = 1.2 },
  { "plain require", "reload_plain start", "hot reload" },
}
aim {
  promise = "With a budget for the collector no frame waits for a whole cycle, beside 300 000 live tables",
  unit = "ms",
  why = "Lua marks a large table, and ends a cycle, in one step.",
  { "longest frame, 1000 us a frame", "collector_1000 longest" },
  { "longest frame, Lua's own pace", "collector_0 longest", over = "collector_1000 longest", at_least = 10 },
}

-- }==

return { aims = aims, programs = programs }
