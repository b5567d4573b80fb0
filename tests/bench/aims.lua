-- The figures to reach, each from rows of the same run. "suite/contestant/pattern" names a figure.
--   of / over <= at_most       or, to be so many times faster than a peer,     of / over >= at_least
--   of alone                   is held against the aim as it is, in `unit`
--   peer                       what a figure that is no ratio is compared with, between runs on different machines
--   plus                       nanoseconds taken off `of` first
--   more                       goes beyond what was promised: it has a table of its own
-- A ratio is taken within each round, and the median of the rounds counts. Why an aim is out of reach stands in
-- reasons.lua.

local aims <const> = {}
local more = false

local function aim(what, it)
  it.what, it.more = what, more
  aims[#aims + 1] = it
end

local function at_most(what, of, over, limit)
  aim(what, { of = of, over = over, at_most = limit })
end
local function faster(what, peer, ours, ratio)
  aim(what, { of = peer, over = ours, at_least = ratio })
end
local function within(what, of, limit, unit, peer)
  aim(what, { of = of, at_most = limit, unit = unit, peer = peer })
end

-- {== Promised ===============================================================

local PAIR <const>, LIFE <const> = "core/spawnpool/churn10k", "core/spawnpool_life/churn10k"
at_most("core pair, churn 10k, over the bare stack", PAIR, "core/bare_stack/churn10k", 2)
faster("core pair, churn 10k: malloc over it", "core/malloc/churn10k", PAIR, 2)
faster("core pair, churn 10k: mimalloc over it", "core/mimalloc/churn10k", PAIR, 1)
faster("core pair, churn 10k: jemalloc over it", "core/jemalloc/churn10k", PAIR, 1)
faster("core pair, churn 10k: id pool over it", "core/id_pool/churn10k", PAIR, 1)
at_most("core pair with lifetime, over the bare stack", LIFE, "core/bare_stack/churn10k", 3.2)
faster("core pair with lifetime: malloc alone over it", "core/malloc/churn10k", LIFE, 1)
at_most("core pair, churn 1M, over the bare stack", "core/spawnpool/churn1M", "core/bare_stack/churn1M", 2)
faster("core pair, churn 1M: malloc over it", "core/malloc/churn1M", "core/spawnpool/churn1M", 3)
faster("core pair, churn 1M: mimalloc over it", "core/mimalloc/churn1M", "core/spawnpool/churn1M", 1)

local LIFO <const> = "core/spawnpool_lifo/"
at_most("core pair, lifo, churn 10k, over the bare stack", LIFO .. "churn10k", "core/bare_stack/churn10k", 2.2)
faster("core pair, lifo, churn 10k: id pool over it", "core/id_pool/churn10k", LIFO .. "churn10k", 1)
faster("core pair, lifo, churn 1M: jemalloc over it", "core/jemalloc/churn1M", LIFO .. "churn1M", 1)

for _, size in ipairs { "10k", "100k", "1M" } do
  within("expiry and re-arm, " .. size, "time/spawnpool/expiry" .. size, 5, "ns", "time/heap/expiry" .. size)
  within("worst tick over the median, " .. size, "time/spawnpool/worst" .. size, 3, "x")
  faster("tick, " .. size .. ": libev over it", "time/libev/tick" .. size, "time/spawnpool/tick" .. size, 25)
  faster("tick, " .. size .. ": scan over it", "time/scan/tick" .. size, "time/spawnpool/tick" .. size, 30)
end
within("re-arm of a running life, 1M", "time/spawnpool/rearm1M", 40, "ns", "time/heap/rearm1M")
within("idle tick, 1M pending", "time/spawnpool_idle/idle1M", 0.1, "us")

at_most("Lua pair, over two empty C calls, lifo", "pair/spawnpool_type/lifo", "pair/empty_calls/lifo", 1.5)
at_most("Lua pair, over two empty C calls, churn", "pair/spawnpool_type/churn", "pair/empty_calls/churn", 1.5)
within("Lua garbage per life", "pair/spawnpool_type/garbage", 0, "B")
faster("Lua pair, churn: pool class over it", "pair/class/churn", "pair/spawnpool_type/churn", 1.8)
faster("Lua pair, churn: pool with lifetimes over it", "pair/heap/churn", "pair/spawnpool_type/churn", 4)
aim("Lua alloc + expiry, less 12 ns, over an empty C call",
  { of = "expiry/spawnpool_type/expiry", over = "expiry/empty_calls/expiry", plus = 12, at_most = 1.1 })
faster("Lua alloc + expiry: scan over it", "expiry/scan/expiry", "expiry/spawnpool_type/expiry", 4)
faster("Lua alloc + expiry: heap over it", "expiry/heap/expiry", "expiry/spawnpool_type/expiry", 12)
at_most("override that sets a field, over the pair", "pair/spawnpool_pool/override", "pair/spawnpool_pool/lifo", 1.7)
at_most("override, over the pool class with it", "pair/spawnpool_type/override", "pair/class/override", 0.95)
at_most("override by pool, over the pool class with it", "pair/spawnpool_pool/override", "pair/class/override", 0.95)
at_most("hook that sets a field, over the pool class with it", "pair/spawnpool_type/hook", "pair/class/hook", 0.95)
at_most("expiry with an overridden recycle, over the scan with it", "expiry/spawnpool_type/override",
  "expiry/scan/override", 0.95)
at_most("field read, over an empty metamethod", "field/spawnpool_pool/get", "field/empty_fields/get", 1.4)
at_most("field write, over an empty metamethod", "field/spawnpool_pool/set", "field/empty_fields/set", 1.4)
at_most("own field read, over an empty metamethod", "field/spawnpool_pool/own_get", "field/empty_fields/own_get", 1.4)
at_most("own field write, over an empty metamethod", "field/spawnpool_pool/own_set", "field/empty_fields/own_set", 1.4)
within("walk, per object", "walk/spawnpool_pool/walk", 35, "ns", "walk/next/walk")
within("memory of an idle Lua object, in the Lua heap", "memory/spawnpool_pool/idle_bytes", 0, "B")

faster("frame of 10k: Lua tables over it", "frame/tables/frame10k", "frame/spawnpool/frame10k", 110)
faster("frame of 10k: LuaJIT tables over it", "frame/jit_tables/frame10k", "frame/spawnpool/frame10k", 16)
faster("frame of 10k: LuaJIT FFI over it", "frame/jit_ffi/frame10k", "frame/spawnpool/frame10k", 5)
local JIT <const> = "pair/jit_spawnpool/"
within("LuaJIT pair, churn 10k", JIT .. "churn", 6, "ns", "pair/jit_class/churn")
at_most("LuaJIT pair, churn 10k, over C's calls", JIT .. "churn", PAIR, 1.2)
within("LuaJIT override that sets a field", JIT .. "override", 10, "ns", "pair/jit_class/churn")
for _, size in ipairs { "10k", "100k" } do
  at_most(("LuaJIT frame of %s with a draw list, over FFI structs"):format(size),
    "frame/jit_spawnpool_drawn/frame" .. size, "frame/jit_ffi_drawn/frame" .. size, 1)
end
faster("drawing in LÖVE: its batch over spawnpool.love", "draw/love_batch/all16", "draw/love_view/all16", 1.2)
faster("overlaps, 10k, sparse: Lua grid over it", "overlaps/grid/overlaps10k", "overlaps/spawnpool/overlaps10k", 20)
at_most("overlaps, 10k, one stray: over the even scene", "mixtures/stray/10k", "mixtures/even/10k", 1.2)
at_most("overlaps, 10k, one huge: over the even scene", "mixtures/huge/10k", "mixtures/even/10k", 2)
at_most("overlaps, 10k, power law: over the even scene", "mixtures/power/10k", "mixtures/even/10k", 4)
at_most("overlaps, 10k, clusters: over the even scene", "mixtures/clusters/10k", "mixtures/even/10k", 6)
at_most("overlaps, 1k, all in one point: over the even scene", "mixtures/point/1k", "mixtures/even/1k", 1)
for _, what in ipairs { "velocity", "all" } do
  faster(("two threads, 1M, %s: one thread over them"):format(what), "tasks/one/" .. what, "tasks/two/" .. what, 1.7)
end
at_most("snapshot, 10k: taken, over a memcpy", "snapshot/take/10k", "snapshot/copy/10k", 2)
at_most("snapshot, 10k: restored, over a memcpy", "snapshot/restore/10k", "snapshot/copy/10k", 2)
within("snapshot, 10k: taken", "snapshot/take/10k", 300, "us")
within("snapshot, 10k: restored", "snapshot/restore/10k", 300, "us")
within("drawing a sprite", "draw/player/all16", 20, "ns", "draw/copyf/all16")
faster("drawing: LÖVE's batch over it", "draw/love_batch/all16", "draw/player/all16", 2)
within("storm, 100 000 sprites: a frame", "storm/player/median", 16.7, "ms")
within("first frame of the shooter, whole process", "start/player/process", 60, "ms", "start/lua/process")
within('require "spawnpool"', "start/require/inside", 2, "ms", "start/lua/process")

-- }==

-- {== Beyond that ============================================================

more = true

within("memory of an idle slot beyond its columns", "slot/spawnpool/bytes_per_slot", 24, "B")
faster("overlaps, 10k, sparse: Lua loops over it", "overlaps/loops/overlaps10k", "overlaps/spawnpool/overlaps10k",
  100)
within("statistics of a pool or a manager, 1M objects", "scale/statistics/1M", 100, "ns", "scale/bare_stack/1k")

local PLAIN <const> = "reload_start/plain/start"
within("reload in one frame, leaf", "reload/leaf/least", 16, "ms", PLAIN)
within("reload in one frame, shared", "reload/shared/least", 16, "ms", PLAIN)
within("reload in one frame, base", "reload/base/least", 16, "ms", PLAIN)
within("reload beside 30 000 tables", "reload/30000/least", 16, "ms", PLAIN)
within("reload beside 300 000 tables", "reload/300000/least", 100, "ms", PLAIN)
at_most("start of a game of 300 000 tables, over plain require", "reload_start/watched/held",
  "reload_start/plain/held", 1.2)
at_most("100 small files, over plain require", "reload_start/watched/small", "reload_start/plain/small", 2)
within("watching 1000 files, share of a core", "reload_idle/files/share", 0.5, "%")
within("watching 1000 files, longest poll", "reload_idle/files/longest", 1000, "us")

-- }==

return aims
