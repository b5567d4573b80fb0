-- Why an aim is missed, a sentence or two each: docs/performance.md shows those of the aims that are missed in the run
-- it is made of. Keyed by what the aim is called; a missed aim without its sentence is told as such.

local reasons <const> = {}

local function because(sentence, ...)
  for _, what in ipairs { ... } do reasons[what] = sentence end
end

local SIZES <const> = { "10k", "100k", "1M" }

because("a pair checks manager, range and generation of the reference, writes two generations and a serial, counts, "
  .. "and puts the slot behind the other idle ones: 76 instructions in two calls. The stack pushes and pops a number "
  .. "in the loop itself, and even the bare prototype of the design behind real calls takes twice as long as that.",
  "core pair, churn 10k, over the bare stack")
because("glibc keeps the blocks that were freed last in a short list per thread, so its pair is a push and a pop as "
  .. "well, without a check that a stale pointer would fail.",
  "core pair, churn 10k: malloc over it", "core pair with lifetime: malloc alone over it")
because("its fast path is a list per size and thread: a push and a pop, without a check that a stale pointer would "
  .. "fail.",
  "core pair, churn 10k: mimalloc over it", "core pair, churn 10k: jemalloc over it")
because("it checks its handles too, but its memory is reached without a call, and it has no order among the idle, no "
  .. "walks, hooks, ages or statistics to look after.",
  "core pair, churn 10k: id pool over it")
because("what ends a life is written besides, 24 bytes at another place in memory: ten thousand objects no longer fit "
  .. "into the second cache with it. The recycle costs nothing more, since it leaves the lists of ticks alone.",
  "core pair with lifetime, over the bare stack")
because("at a million live objects a pair waits for memory. The stack hands out the slot that it was just given, so it "
  .. "goes to one place; here the longest idle is next, so there are two slots, the generation of each, and a serial.",
  "core pair, churn 1M, over the bare stack")
because("malloc waits for memory too, and for the object itself no longer than any pool; how long depends on what else "
  .. "the machine does.",
  "core pair, churn 1M: malloc over it")

for _, size in ipairs(SIZES) do
  because("each is a whole recycle and a whole alloc, with references that are checked. Keeping the time alone takes "
    .. "what the prototypes take.", "expiry and re-arm, " .. size)
  because("libev calls a function for a timer that is due, and sets it anew. For the pool each is the end of one life "
    .. "and the begin of another.", "tick, " .. size .. ": libev over it")
  because("the scan sets a field where the pool ends one life and begins another. It pays for those that are not due, "
    .. "which is the less the fewer there are.", "tick, " .. size .. ": scan over it")
  because("a tick of this size is over so soon that one interruption by the system is several of them.",
    "worst tick over the median, " .. size)
end
because("three thousand objects expire per tick, each somewhere else in memory, and what else uses that memory shows.",
  "worst tick over the median, 1M")

because("each of the two calls finds the pool, checks what it is given and the reference, and asks whether a class "
  .. "overrides it. The empty ones do nothing at all; with an object that stays in the nearest cache that shows most.",
  "Lua pair, over two empty C calls, lifo", "Lua pair, over two empty C calls, churn")
because("the class in Lua checks one flag; a reference to an earlier life gets by it.",
  "Lua pair, churn: pool class over it")
because("the sorted lives of the peer are short in this pattern.", "Lua pair, churn: pool with lifetimes over it")
because("the one call finds the pool, checks what it is given, and arms the lifetime; the 12 ns are for all of expiry.",
  "Lua alloc + expiry, less 12 ns, over an empty C call")
because("every object of this pattern is due at the same tick, which is where a scan is at its best.",
  "Lua alloc + expiry: scan over it")
because("every object of this pattern is due at the same tick, so that the heap is small.",
  "Lua alloc + expiry: heap over it")
because("an override is a function in Lua that is called from C, protected, so that an error gives the slot back, and "
  .. "calls C again: that alone takes as long as a pair. Writing the field is a third of the rest.",
  "override that sets a field, over the pair")
because("an override of the class in Lua is called from Lua and never leaves the Lua machine.",
  "override: pool class with it over it")
because("the reference is checked and the field is found by its name; the empty metamethod does neither. The calls "
  .. "into Lua that fetch object, name and value are most of the difference.",
  "field read, over an empty metamethod", "field write, over an empty metamethod",
  "own field read, over an empty metamethod", "own field write, over an empty metamethod")
because("a step asks whether the object lives that the walk came to, and whether it did when the walk began.",
  "walk, per object")

because("moving and culling all 10 000 takes 3 us; making 33 anew from the script takes longer than that, and is Lua's "
  .. "own time for the most part.",
  "frame of 10k: Lua tables over it", "frame of 10k: LuaJIT tables over it")
because("LuaJIT turns the whole frame into one loop of machine code, without a reference to check.",
  "frame of 10k: LuaJIT FFI over it")
because("both sort the circles into a grid, and most of what is left is whether two touch, which no processor can "
  .. "foretell.", "overlaps, 10k, sparse: Lua grid over it")
because("more than half of it is SDL and its driver, which take what the limit of the table takes.",
  "drawing a sprite", "drawing: LÖVE's batch over it")
because("a third of it is the system's loader; most of the rest are the shooter's modules and classes. Its pictures "
  .. "are checked, and not unpacked: nobody sees this frame.", "first frame of the shooter, whole process")
because("most of it compiles the Lua side of the library.", 'require "spawnpool"')

because("the prototype has neither hooks nor fields, statistics or a manager to look after.",
  "core pair, lifo, over the lifo prototype", "core pair, fifo, over the fifo prototype",
  "core pair, fifo, over the same three calls", "core pair, life, over the full prototype")
because("the prototype knows no classes: it has one type, which nothing overrides.",
  "Lua pair, by type, over its prototype", "Lua pair, by pool, over its prototype")
because("a slot has a generation, a serial, and its place among the idle, whose ring is a power of two.",
  "memory of an idle slot beyond its columns")
because("all 100 files run again, each with a look at what it has made: that is two thirds of it. What must hold is "
  .. "that a file that makes the same again keeps what it has.",
  "reload in one frame, base", "commit of a reload, base")
because("each look at a file is a call of the system, and those take longer on a virtual machine.",
  "watching 1000 files, share of a core", "watching 1000 files, longest poll")

return reasons
