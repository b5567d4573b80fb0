-- The aims of `make bench`: at most 16, each a promise that a user would notice. An aim has
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

add("", CORE .. " %s", "id_pool malloc colony object_pool spawnpool lives many_lives counted bullets growth steady "
  .. "peak full half tenth snapshot ends empty near", CORE)
add("", CORE .. " malloc", "mimalloc", CORE)
programs.mimalloc.preload = "libmimalloc.so"

for script, names in pairs {
  pair = "empty_calls class guarded spawnpool spawnpool_pool", field = "empty_fields interface tables spawnpool",
  frame = "tables spawnpool", moved = "tables map each", overlaps = "grid spawnpool boxes",
  reload = "30000 300000 plain watched",
} do
  add(script .. "_", ("lua5.4 tests/bench/lua/%s.lua %%s"):format(script), names, "lua5.4", MODULE)
end
for script, names in pairs { pair = "ffi", frame = "tables" } do
  add("jit_" .. script .. "_", ("luajit tests/bench/lua/%s.lua %%s"):format(script), names, "luajit")
end

add("", UNSEEN .. COUNT .. " %s", "draw", COUNT, "xvfb-run")
add("", UNSEEN .. "%s tests/bench/draw/love", "love", "love", "xvfb-run")

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

aim {
  promise = "A million bullets fit into a frame: each moves, and when it ends after two seconds another one begins",
  unit = "ms",
  why = "a pass over a million objects is as fast as memory.",
  { "in C", "bullets bullets", at_most = 16.7 },
}
aim {
  promise = "A frame of 10 000 bullets that a script respawns is far faster than in Lua tables",
  unit = "us",
  why = "allocating from the script takes most of it.",
  { "spawnpool, which moves them", "frame_spawnpool frame" },
  { "pooled tables that Lua moves", "frame_tables frame", "checks of references", over = "frame_spawnpool frame",
    at_least = 25 },
  { "the same in LuaJIT", "jit_frame_tables frame", "checks of references", over = "frame_spawnpool frame",
    at_least = 5 },
}
aim {
  promise = "A tick of 10 000 and of 100 000 objects that live for two seconds costs less than counting seconds down",
  unit = "us",
  why = "an end is a whole recycle and a whole alloc.",
  { "spawnpool, 10 000", "lives lives10k" }, { "100 000", "many_lives lives100k" },
  { "id pool and an array of seconds, 10 000", "counted lives10k", "limits, growth, hooks", over = "lives lives10k",
    at_least = 2 },
  { "100 000", "counted lives100k", over = "many_lives lives100k", at_least = 2 },
}
aim {
  promise = "Recycling a random object, allocating one with its 64 bytes reset, and a checked read of another one",
  unit = "ns",
  why = "each call checks manager, pool, range and generation, finds the object through a list of chunks, which never "
    .. "move, keeps what lives together, and counts; the id pool takes the slot that came back last, whose number is "
    .. "still at hand, in arrays that cannot grow.",
  { "spawnpool, 10 000 live", "spawnpool pair10k", over = "id_pool pair10k", at_most = 2.4 },
  { "a million", "spawnpool pair1M", over = "id_pool pair1M", at_most = 2.4 },
  { "id pool of 40 lines, 10 000", "id_pool pair10k", "limits, lifetimes, growth, walks" },
  { "a million", "id_pool pair1M" },
  { "plf::colony, 10 000", "colony pair10k", "checks" }, { "a million", "colony pair1M" },
  { "boost::object_pool, 10 000", "object_pool pair10k", "checks" },
  { "malloc, 10 000", "malloc pair10k", "checks" }, { "a million", "malloc pair1M" },
  { "mimalloc, 10 000", "mimalloc pair10k", "checks" }, { "a million", "mimalloc pair1M" },
}
aim {
  promise = "A frame costs what lives: 10 000 objects where a million were cost what they cost where never more were",
  unit = "us",
  why = "what lives is in as few chunks as before; the rest is that their memory is less near.",
  { "update", "steady update" }, { "after a million", "peak update", over = "steady update", at_most = 1.1 },
  { "walk", "steady walk" }, { "after a million", "peak walk", over = "steady walk", at_most = 1.1 },
  { "walk over all pools", "steady each" }, { "after a million", "peak each", over = "steady each", at_most = 1.1 },
}
aim {
  promise = "Before anything new came, 100 000 objects that are left of 200 000 cost an update little more than twice",
  unit = "us",
  why = "twice is the floor: dead objects in between lie in the same lines of memory.",
  { "100 000 alone", "full update" }, { "of 200 000", "half update", over = "full update", at_most = 2.2 },
  { "of a million", "tenth update", over = "full update", at_most = 20 },
}
aim {
  promise = "Growing to three million objects never stops a frame",
  unit = "ms",
  why = "the longest alloc doubles the list of chunks, or waits for memory of the system.",
  { "all", "growth total", over = "growth touch", at_most = 1.5 },
  { "longest single alloc", "growth longest", at_most = 0.5 },
  { "writing as many new bytes", "growth touch" },
}
aim {
  promise = "A snapshot of 100 000 objects and its restore cost little more than copying their bytes",
  unit = "us",
  why = "lives, chunks and the wheel of ends are checked and copied piece by piece.",
  { "take", "snapshot take", over = "snapshot copy", at_most = 1.5 },
  { "restore", "snapshot restore", over = "snapshot copy", at_most = 1.7 },
  { "with ends of life, take", "ends take", over = "ends copy", at_most = 2.2 },
  { "restore", "ends restore", over = "ends copy", at_most = 2.4 },
  { "copying the same bytes", "snapshot copy" }, { "with ends of life", "ends copy" },
}
aim {
  promise = "A manager without pools, a pool without objects and what an object adds to its 64 bytes are small",
  unit = "bytes",
  why = "a server has a thousand managers of ten types.",
  { "manager", "empty manager", at_most = 2048 }, { "pool", "empty pool", at_most = 4096 },
  { "object of 64 bytes", "empty object", at_most = 90 },
}
aim {
  promise = "A thousand searches in a frame, for the nearest of 10 000 objects that have all moved",
  unit = "us",
  why = "the first searches look at all of them, and one sorts them into a grid.",
  { "spawnpool", "near near", at_most = 1500 },
}

-- }==

-- {== In Lua =================================================================

aim {
  promise = "Objects that the game's own Lua moves cost little more than tables with the same loop",
  unit = "ns",
  why = "numbers go from C into Lua and back; a call of a function for each table costs 1.1x to 1.3x by itself.",
  { "pool:map, homing", "moved_map homing", over = "moved_tables homing", at_most = 1.35 },
  { "two additions", "moved_map add", over = "moved_tables add", at_most = 1.7 },
  { "pool:each with fields, homing", "moved_each homing", over = "moved_tables homing", at_most = 1.9 },
  { "reading alone", "moved_each read", over = "moved_tables read", at_most = 1.75 },
  { "tables, homing", "moved_tables homing", "checks of references" }, { "two additions", "moved_tables add" },
  { "reading alone", "moved_tables read" },
}
aim {
  promise = "An alloc and a recycle from Lua, and an override, cost much less than with the same guarantees in Lua",
  unit = "ns",
  why = "Lua's own pcall from Lua is about as dear as the protected call from C.",
  { "pair", "pair_spawnpool_pool lifo" }, { "pair by type", "pair_spawnpool lifo" },
  { "with an override", "pair_spawnpool_pool override", over = "pair_guarded override", at_most = 0.65 },
  { "pool class in Lua with the same guarantees, with an override", "pair_guarded override", "checks of fields" },
  { "pool class in Lua, with an override", "pair_class override", "checks of references, rollback on error" },
  { "two calls into C that do nothing", "pair_empty_calls lifo" },
  { "pair in LuaJIT", "jit_pair_ffi churn", over = "spawnpool pair10k", at_most = 1.2 },
}
aim {
  promise = "A field of an object costs what the calls of Lua's interface take that fetch its value",
  unit = "ns",
  why = "the rest is the check of the reference.",
  { "read", "field_spawnpool get", over = "field_interface get", at_most = 1.15 },
  { "write", "field_spawnpool set", over = "field_interface set", at_most = 1.15 },
  { "the floor, read", "field_interface get" }, { "the floor, write", "field_interface set" },
  { "a table's field, read", "field_tables get", "checks" },
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
  { "start beside 300 000, watched", "reload_watched start" },
  { "plain require", "reload_plain start", "hot reload" },
}

-- }==

return { aims = aims, programs = programs }
