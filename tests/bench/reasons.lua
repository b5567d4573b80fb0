-- Reasons for missed aims, a sentence or two each, by the name of the aim. docs/performance-tables.md shows those that
-- its run missed; a missed aim without a reason is marked.

local reasons <const> = {}

local function because(sentence, ...)
  for _, what in ipairs { ... } do reasons[what] = sentence end
end

local SIZES <const> = { "10k", "100k", "1M" }

because("a pair checks manager, range and generation of the reference, writes two generations, a serial and an end, "
  .. "counts, and puts the slot into the idle ring: 79 instructions in two calls. The stack pushes and pops a number "
  .. "in the loop itself.",
  "core pair, churn 10k, over the bare stack", "core pair, lifo, churn 10k, over the bare stack")
because("jemalloc keeps freed blocks of a size in an array, without generations: at a million its pair waits for the "
  .. "object alone. Here recycle also waits for the slot's generation, a second place in memory.",
  "core pair, lifo, churn 1M: jemalloc over it")
because("a re-arm waits for the slot's generation and for its place in the lists, then works out the age and the tick: "
  .. "90 instructions, so few re-arms fit into the processor's window and their waits hardly overlap.",
  "re-arm of a running life, 1M")
because("glibc keeps recently freed blocks in a short list per thread, so its pair is a push and a pop "
  .. "without a check for stale pointers.",
  "core pair, churn 10k: malloc over it", "core pair with lifetime: malloc alone over it")
because("its fast path is a list per size and thread: a push and a pop without a check for stale pointers.",
  "core pair, churn 10k: mimalloc over it", "core pair, churn 10k: jemalloc over it")
because("it checks its handles too, but reaches its memory without a call, and keeps no order of idle slots, walks, "
  .. "hooks, ages or statistics.",
  "core pair, churn 10k: id pool over it", "core pair, lifo, churn 10k: id pool over it")
because("a lifetime writes another 16 bytes elsewhere in memory, and with them ten thousand objects no longer fit "
  .. "into the second-level cache. The recycle costs nothing more, since it does not touch the timing wheel.",
  "core pair with lifetime, over the bare stack")
because("at a million live objects a pair waits for memory. The stack reuses the slot that was just freed, so it "
  .. "touches one place; a FIFO pool touches two slots, and 16 bytes of generation, serial and end for each.",
  "core pair, churn 1M, over the bare stack")
because("malloc waits for memory too, for the object itself as long as any pool; the ratio depends on what else the "
  .. "machine does.",
  "core pair, churn 1M: malloc over it", "core pair, churn 1M: mimalloc over it")

for _, size in ipairs(SIZES) do
  because("each is a whole recycle of 111 instructions and a whole alloc of 124, not a timer alone. At a million they "
    .. "touch four places that no cache near the processor holds: 16 bytes that say which life is in a slot and when "
    .. "it ends, and 16 bytes of its lifetime, of the slot that ends and of the one that begins. All four are fetched "
    .. "eight slots ahead; what is left is the time of the memory itself.", "expiry and re-arm, " .. size)
  because("libev calls a function for a timer that is due, and sets it again. The pool ends one life and begins "
    .. "another.", "tick, " .. size .. ": libev over it")
  because("the scan sets a field where the pool ends one life and begins another. Its cost is visiting "
    .. "objects that are not due, which is small when there are few.", "tick, " .. size .. ": scan over it")
  because("a tick of this size is so short that one interruption by the system takes as long as several.",
    "worst tick over the median, " .. size)
end
because("three thousand objects expire per tick, at random places in memory that other programs use as well.",
  "worst tick over the median, 1M")

because("each of the two calls finds the pool, checks its arguments and the reference, and checks for an override. The "
  .. "empty calls do nothing; the difference shows most when the object stays in the first-level cache.",
  "Lua pair, over two empty C calls, lifo", "Lua pair, over two empty C calls, churn")
because("the class in Lua checks one flag, which does not detect a reference to an earlier life.",
  "Lua pair, churn: pool class over it")
because("the sorted lives of the peer are short in this pattern.", "Lua pair, churn: pool with lifetimes over it")
because("the call finds the pool, checks its arguments, and arms the lifetime; the 12 ns are for the whole expiry.",
  "Lua alloc + expiry, less 12 ns, over an empty C call")
because("every object of this pattern is due at the same tick, which is where a scan is at its best.",
  "Lua alloc + expiry: scan over it")
because("every object of this pattern is due at the same tick, so that the heap is small.",
  "Lua alloc + expiry: heap over it")
because("an override is a function in Lua that is called from C, protected, so that an error gives the slot back, and "
  .. "calls C again: that alone takes as long as a pair. Writing the field is a third of the rest.",
  "override that sets a field, over the pair")
because("the peer's override never leaves the VM and takes 2280 instructions. Here it takes 2950. Of these, 1790 are "
  .. "the same calls with empty functions in the place of ours: from Lua to C, protected to the override, and from "
  .. "there to C twice. The work of a pair takes 500, the write of the field 210, and what gives the object back after "
  .. "an error, with a second check of the arguments, 450.",
  "override, over the pool class with it", "override by pool, over the pool class with it")
because("the hook is a function in Lua that is called from C, protected, and writes the field by a call of its own.",
  "hook that sets a field, over the pool class with it")
because("the peer's own recycle is called from Lua, as is that of the pool: neither leaves the VM.",
  "expiry with an overridden recycle, over the scan with it")
because("the calls into Lua that fetch context, object and name take 1.4 times the empty metamethod by themselves. The "
  .. "check of the reference and the way to the cell add less than 3 ns.",
  "field read, over an empty metamethod", "own field read, over an empty metamethod")
because("two more calls into Lua fetch the value and make sure that it is a number: without any work, all five take "
  .. "1.6 times the empty metamethod, and 1.8 times for an integer. The work adds less than 1 ns.",
  "field write, over an empty metamethod", "own field write, over an empty metamethod")
because("a step checks whether the object is live, and whether it was when the walk began.",
  "walk, per object")

because("moving and culling all 10 000 takes 3 us; allocating 33 from the script takes longer than that, mostly in "
  .. "Lua itself.",
  "frame of 10k: Lua tables over it", "frame of 10k: LuaJIT tables over it")
because("LuaJIT turns the whole frame into one loop of machine code, without a reference to check.",
  "frame of 10k: LuaJIT FFI over it")
because("both sort the circles into a grid, and most of the remaining time is spent on mispredicted branches of "
  .. "the test for touching.", "overlaps, 10k, sparse: Lua grid over it")
because("reading the columns, culling and filling the list take nearly all of it.",
  "drawing a sprite", "drawing: LÖVE's batch over it")
because("moving, fading and filling the sprites takes all of it: no script runs per sprite.",
  "storm, 100 000 sprites: a frame")
because("velocities alone are limited by memory: each object reads 16 bytes and writes 8, in less than a nanosecond.",
  "two threads, 1M, velocity: one thread over them")
because("both processors must be free for it: whatever else runs on them, or on a core that they share, counts against "
  .. "the second thread.", "two threads, 1M, all: one thread over them")
because("a third of it is the system's loader; most of the rest are the shooter's modules and classes. Images "
  .. "are checked but not decoded.", "first frame of the shooter, whole process")
because("most of it compiles the Lua side of the library.", 'require "spawnpool"')

because("a slot has a generation, a serial, and an entry in the idle ring, whose size is a power of two.",
  "memory of an idle slot beyond its columns")
because("all 100 files run again, and what each has made is compared. The aim that matters is that a file that makes "
  .. "the same values again keeps the existing ones.", "reload in one frame, base")
because("each look at a file is a system call, and those take longer on a virtual machine.",
  "watching 1000 files, share of a core", "watching 1000 files, longest poll")

return reasons
