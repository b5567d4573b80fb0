---@meta spawnpool
-- Annotations of spawnpool for editors: names, types and one line each. This file is not executed. A test compares it
-- with the library, both ways.
-- {== Words =================================================================

---@alias spawnpool.Overflow
---| "refuse" # alloc returns nil, "full"; the default
---| "oldest" # recycles the oldest live object that is not pinned
---| "grow" # exceeds the limit; the surplus is destroyed when it is recycled
---| "error" # alloc raises an error
---| fun(pool: spawnpool.Pool): spawnpool.Object? # the object to recycle, or nil to refuse

---Why alloc and take returned no object.
---@alias spawnpool.Refusal
---| "full" # the pool is at its limit
---| "prewarmed" # lifetime below 0: the pool is prewarmed, no object is allocated
---| "recycled" # a hook recycled the object while it spawned
---| "vetoed" # an override of alloc returned nil and no reason
---| "none" # no idle object matches
---| "closed" # the manager is closed, or the pool removed
---| string # an override's own reason

---Why recycle and the like did nothing.
---@alias spawnpool.Failure
---| "stale" # the life that this reference names has ended
---| "foreign" # the object belongs to another pool or manager
---| "dying" # it is already being recycled
---| "vetoed" # an override of recycle did not call its base
---| "busy" # a hook of this pool or manager is still running
---| "closed" # the manager is closed, or the pool removed

---Why a life ended.
---@alias spawnpool.Why
---| "recycled" # by a call
---| "expired" # its lifetime has passed
---| "evicted" # the pool was full, and it was recycled to make room
---| "cleared" # by recycle_all
---| "removed" # its pool was removed, or the manager closed
---| "outside" # it left the bounds of its class
---| "parent" # its parent ended

---Which pools or objects: a type, a table, or a function that returns true for an object.
---@alias spawnpool.Filter string | spawnpool.PoolFilter | fun(object: spawnpool.Object): boolean?

---@class spawnpool.PoolFilter all given fields must match
---@field type? string this type only
---@field class? string | spawnpool.Class classes that extend it match too
---@field group? string the setting `group` of their class

---A field that differs from a plain number, boolean or string: keep, live, fresh, ref, any.
---@class spawnpool.FieldKind

---The result of within: a list, which is also an iterator, `for object in pool:within(x, y, r) do`.
---@class spawnpool.Found: { [integer]: spawnpool.Object }
---@operator call: spawnpool.Object?

-- {== The module ============================================================

---@class spawnpool
---@field VERSION string version of the library: "0.1.0"
---@field pools spawnpool.Manager the default manager; the player draws this one
---@field input spawnpool.Input only in the player
---@field view spawnpool.View only in the player
---@field storage spawnpool.Storage only in the player
---@field audio spawnpool.Audio only in the player
---@field ref spawnpool.FieldKind holds an object; reads nil once that life has ended
local spawnpool = {}

---@class spawnpool.Options
---@field unknown? "generic" | "error" a type without a class gets a generic pool, or is an error; "generic" by default
---@field misuse? "warn" | "error" | "ignore" reaction to a stale, foreign or second recycle; "warn" by default
---@field trace? boolean record where objects are allocated and recycled
---@field path? string where class files are: "scripts/x/pools/?.lua"
---@field seed? number passed to math.randomseed
---@field step? number seconds per tick; 1/60 by default

---Opens another manager, with its own pools and clock.
---@param options? spawnpool.Options
---@return spawnpool.Manager
function spawnpool.new(options) end

---Declares the class of a type, or changes it. A name always has the same table; without a
---definition, returns the class unchanged.
---@param name string
---@param definition? spawnpool.Definition
---@return spawnpool.Class
function spawnpool.class(name, definition) end

---A field that is kept from life to life.
---@param value number | boolean | string
---@return spawnpool.FieldKind
function spawnpool.keep(value) end

---A tuning value: when its default is edited, live objects that have the old one get the new one.
---@param value number | boolean | string
---@return spawnpool.FieldKind
function spawnpool.live(value) end

---A field with a separate value for each life, created when it is first read.
---@param make fun(object: spawnpool.Object): any
---@return spawnpool.FieldKind
function spawnpool.fresh(make) end

---A field that holds any Lua value; the same one in every object, nil by default.
---@param value? any
---@return spawnpool.FieldKind
function spawnpool.any(value) end

-- {== Managers ==============================================================

---A set of pools with one clock.
---@class spawnpool.Manager
---@field time number game seconds so far; read only
---@field time_scale number 1: normal speed
---@field paused boolean while true, `update` does nothing
local Manager = {}

---Allocates an object. Above 0, `lifetime` is the seconds after which it is recycled by itself; 0: never; below 0:
---prewarms the pool and returns nil, "prewarmed". Further arguments are x, y, angle, parent, or one table of field
---values; an override of `alloc` gets them unchanged.
---@param type string
---@param lifetime? number
---@param ... any
---@return spawnpool.Object? object
---@return spawnpool.Refusal? why
function Manager:alloc(type, lifetime, ...) end

---Ends the life of an object.
---@param object spawnpool.Object
---@return boolean done
---@return spawnpool.Failure? why
function Manager:recycle(object) end

---Returns the pool of a type, which is created on first use.
---@param type string
---@return spawnpool.Pool
function Manager:pool(type) end

---Allocates an idle object; never creates one.
---@param filter? spawnpool.Filter
---@return spawnpool.Object? object
---@return spawnpool.Refusal? why
function Manager:take(filter) end

---Whether a value is a live object of the manager. Accepts any value, never raises.
---@param object any
---@return boolean
function Manager:is_live(object) end

---Advances the clock: prewarms, timers and expiry, `update` of classes, motion, bounds. The player calls it itself.
---@param dt number seconds
---@return boolean done
---@return spawnpool.Failure? why
function Manager:update(dt) end

---Iterates over live objects. The loop may alloc and recycle; each object is visited at most once.
---@param filter? spawnpool.Filter
---@return fun(serial: integer, last?: spawnpool.Object): spawnpool.Object? next
---@return integer serial
function Manager:each(filter) end

---Recycles live objects.
---@param filter? spawnpool.Filter
---@return integer recycled
function Manager:recycle_all(filter) end

---Destroys idle objects.
---@param filter? string | spawnpool.PoolFilter
---@return integer destroyed
function Manager:clear(filter) end

---Recycles and destroys all objects of a type and removes its pool.
---@param type string
---@return integer | false recycled
---@return integer | spawnpool.Failure destroyed
function Manager:remove(type) end

---Recycles and destroys everything. Later calls are rejected.
---@return integer | false recycled
---@return integer | spawnpool.Failure destroyed
function Manager:close() end

---Returns the statistics of one type, or of all together.
---@param type? string
---@return spawnpool.Stats
function Manager:stats(type) end

---Lists live objects by type and allocation site, the oldest first.
---@param options? { older_than?: number }
---@return spawnpool.Leak[]
function Manager:leaks(options) end

---Returns settings that fit the observed use, as Lua text; `headroom` is 1.25 by default.
---@param options? { headroom?: number }
---@return string
function Manager:configure(options) end

---Calls a function once, with the manager, when so much game time has passed. No object owns the timer.
---@param seconds number
---@param callback fun(pools: spawnpool.Manager)
---@return spawnpool.Timer
function Manager:after(seconds, callback) end

---Calls a function repeatedly, until it returns false or the timer is stopped.
---@param seconds number
---@param callback fun(pools: spawnpool.Manager): boolean?
---@return spawnpool.Timer
function Manager:every(seconds, callback) end

---Runs a coroutine that belongs to the manager; coroutine.yield(seconds) sleeps.
---@param body fun(pools: spawnpool.Manager)
---@return spawnpool.Timer
function Manager:run(body) end

---A timer that belongs to a manager.
---@class spawnpool.Timer: userdata
local Timer = {}

---Stops the timer; a coroutine is closed.
---@return boolean done
---@return spawnpool.Failure? why "stale": it has ended before
function Timer:stop() end

---Live objects of one type with the same allocation site.
---@class spawnpool.Leak
---@field type string their type
---@field site string file:line; needs trace = true
---@field count integer number of objects
---@field oldest number age of the oldest, in seconds
---@field object spawnpool.Object the oldest

---Statistics of a pool, or of all pools of a manager together.
---@class spawnpool.Stats
---@field live integer live objects
---@field idle integer idle objects
---@field total integer live and idle
---@field peak integer highest number of live objects
---@field peak_time number game time of the peak
---@field allocs integer objects allocated so far; allocs - recycles = live
---@field recycles integer lives that have ended, including expired ones
---@field expired integer of these, by the end of their lifetime
---@field refused integer allocs and takes that failed because the pool was full
---@field evicted integer lives that ended to make room for another
---@field vetoed integer ends that an override of recycle has vetoed
---@field stale_uses integer uses of a reference whose life had ended
---@field double_recycles integer recycles of an object that was already recycled, or being recycled
---@field created integer objects created so far; created - destroyed = total
---@field destroyed integer objects destroyed so far
---@field retired integer slots that ran out of generations
---@field bytes integer bytes of storage
---@field prewarm { done: integer, wanted: integer } of the last prewarm

-- {== Pools =================================================================

---Storage and policy of one type: the `self` of class functions. Names a pool lacks are looked up in its class:
---helpers and constants of the class can be used through it.
---@class spawnpool.Pool
---@field type string of its objects; read only
---@field class spawnpool.Class? nil without a class; read only
---@field live integer live objects; read only
---@field idle integer idle objects; read only
---@field total integer live and idle; read only
---@field peak integer highest number of live objects; read only
---@field limit number? maximum of live objects; nil or math.huge: none
---@field idle_limit number? maximum of idle objects; nil or math.huge: none
---@field grow integer how many are created when none is idle
---@field overflow spawnpool.Overflow what happens at the limit
---@field [string] any entries of the class
local Pool = {}

---Allocates an object; see Manager:alloc.
---@param lifetime? number
---@param ... any
---@return spawnpool.Object? object
---@return spawnpool.Refusal? why
function Pool:alloc(lifetime, ...) end

---Ends the life of an object of this pool.
---@param object spawnpool.Object
---@return boolean done
---@return spawnpool.Failure? why
function Pool:recycle(object) end

---Creates objects until there are `count`, at once or in slices during later updates.
---@param count integer
---@param options? spawnpool.PrewarmOptions
---@return integer created now
function Pool:prewarm(count, options) end

---@class spawnpool.PrewarmOptions
---@field per_frame? integer at most so many per update
---@field delay? number seconds to wait first

---Iterates over live objects in the order of their slots.
---@return fun(serial: integer, last?: spawnpool.Object): spawnpool.Object? next
---@return integer serial
function Pool:each() end

---Allocates the first idle object for which the predicate returns true; never creates one.
---@param predicate? fun(object: spawnpool.Object): boolean?
---@return spawnpool.Object? object
---@return spawnpool.Refusal? why
function Pool:take(predicate) end

---Recycles all live objects.
---@return integer recycled
function Pool:recycle_all() end

---Destroys all idle objects.
---@return integer destroyed
function Pool:clear() end

---Destroys idle objects beyond `prealloc`.
---@return integer destroyed
function Pool:trim() end

---Writes a field of all live objects.
---@param field string
---@param value any
---@return integer count
function Pool:set(field, value) end

---Adds to a number field of all live objects.
---@param field string
---@param amount number
---@return integer count
function Pool:add(field, amount) end

---Finds live objects whose centre is in a circle, in the order of their slots: as a list, or one by one for a function.
---@param x number
---@param y number
---@param radius number
---@param visit fun(object: spawnpool.Object)
---@return integer count
---@overload fun(self: spawnpool.Pool, x: number, y: number, radius: number): spawnpool.Found
function Pool:within(x, y, radius, visit) end

---Returns the live object nearest to a point.
---@param x number
---@param y number
---@param within? number at most so far away
---@return spawnpool.Object? object
---@return number | "none" distance
function Pool:nearest(x, y, within) end

---Calls a function for every pair of live objects that touch, one of each pool.
---@param other spawnpool.Pool
---@param visit fun(object: spawnpool.Object, other: spawnpool.Object)
---@return integer pairs
function Pool:overlaps(other, visit) end

---Pushes circles apart that overlap, each by half: those of the pool, or one of each pool.
---@param other? spawnpool.Pool
---@return integer pairs pushed
function Pool:separate(other) end

---Returns statistics, with the progress of the last prewarm.
---@return spawnpool.Stats
function Pool:stats() end

-- {== Objects ===============================================================

---A reference to one life of one slot. Equal by value, usable as a key, stale for ever once that life has ended:
---then every field but `alive` raises an error.
---@class spawnpool.Object: lightuserdata
---@field x number relative to the parent, if there is one
---@field y number downwards; relative to the parent, if there is one
---@field vx number points per second
---@field vy number points per second, downwards
---@field ax number points per second squared
---@field ay number points per second squared, downwards
---@field angle number radians; 0 is along x, clockwise, since y points down
---@field spin number radians per second
---@field scale number factor of the radius
---@field r number red, 0 to 1
---@field g number green, 0 to 1
---@field b number blue, 0 to 1
---@field a number opacity: 0 invisible, 1 opaque
---@field radius number points
---@field layer integer higher ones cover lower ones
---@field sprite string a built-in shape or a picture of the game
---@field visible boolean false: not drawn
---@field animation string? what it shows of a sheet; only if its class has an animation
---@field frame integer the current frame, from 1; only if its class has an animation
---@field pinned boolean exempt from eviction by overflow = "oldest"
---@field parent spawnpool.Object? the position is relative to it; setting nil keeps the world position
---@field type string the name of its class; read only
---@field pool spawnpool.Pool the pool of its type; read only
---@field id integer number of the slot within the type, from 1; read only
---@field age number seconds; read only
---@field lifetime number seconds, 0: without end; read only
---@field remaining number seconds; math.huge: without end
---@field alive boolean never raises; read only
---@field [string] any own fields and methods of the class
local Object = {}

---Ends this life.
---@return boolean done
---@return spawnpool.Failure? why
function Object:recycle() end

---Calls a function, or a method by its name, once, if the object is still live then.
---@param seconds number
---@param callback string | fun(object: spawnpool.Object)
---@return true
function Object:after(seconds, callback) end

---Calls a function, or a method by its name, repeatedly while the object lives, or until it returns false.
---@param seconds number
---@param callback string | fun(object: spawnpool.Object): boolean?
---@return true
function Object:every(seconds, callback) end

---Runs a coroutine that belongs to this life; coroutine.yield(seconds) sleeps.
---@param body fun(object: spawnpool.Object)
---@return true
function Object:run(body) end

---Turns the object to an angle and makes it fly that way: sets angle, vx and vy.
---@param angle number radians
---@param speed number points per second
---@return spawnpool.Object self
function Object:launch(angle, speed) end

-- }==

return spawnpool
