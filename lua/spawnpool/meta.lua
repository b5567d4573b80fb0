---@meta spawnpool
-- What editors know about spawnpool: names, types and one line each. Nothing runs this file. A test compares it with
-- the library, both ways.

-- {== Words =================================================================

---@alias spawnpool.Overflow
---| "refuse" # alloc returns nil, "full"; the default
---| "oldest" # recycles the oldest live object that is not pinned
---| "grow" # goes over the limit; the surplus is destroyed when it comes back
---| "error" # alloc raises
---| fun(pool: spawnpool.Pool): spawnpool.Object? # the object to recycle, or nil to refuse

---Why alloc and take gave nothing.
---@alias spawnpool.Refusal
---| "full" # the pool is at its limit
---| "prewarmed" # lifetime below 0: the pool is ready, nothing was handed out
---| "recycled" # a hook recycled the object while it spawned
---| "vetoed" # an override of alloc returned nil and no reason
---| "none" # no idle object matches
---| "closed" # the manager is closed, or the pool removed
---| string # an override's own reason

---Why recycle and the like did nothing.
---@alias spawnpool.Failure
---| "stale" # the life that this reference names is over
---| "foreign" # the object belongs to another pool or manager
---| "dying" # it is being recycled already
---| "vetoed" # the class kept it
---| "busy" # a hook of this pool or manager is still running
---| "closed" # the manager is closed, or the pool removed

---Why a life ended.
---@alias spawnpool.Why
---| "recycled" # by a call
---| "expired" # its lifetime is over
---| "evicted" # the pool was full, and another took its place
---| "cleared" # by recycle_all
---| "removed" # its pool was removed, or the manager closed
---| "outside" # it left the bounds of its class
---| "parent" # its parent ended

---Which pools or objects: a type, a table, or a function that says yes to an object.
---@alias spawnpool.Filter string | spawnpool.PoolFilter | fun(object: spawnpool.Object): boolean?

---@class spawnpool.PoolFilter all that are given must fit
---@field type? string this type alone
---@field class? string | spawnpool.Class classes that extend it fit too
---@field group? string what the setting `group` of their class says

---A field that differs from a plain number, boolean or string: keep, live, fresh, ref, any.
---@class spawnpool.FieldKind

---What within finds: a list, and an iterator as well, `for object in pool:within(x, y, r) do`.
---@class spawnpool.Found: { [integer]: spawnpool.Object }
---@operator call: spawnpool.Object?

-- }==

-- {== The module ============================================================

---@class spawnpool
---@field VERSION string of the library: "0.1.0"
---@field pools spawnpool.Manager the default manager; the player draws this one
---@field input spawnpool.Input only in the player
---@field ref spawnpool.FieldKind holds an object; reads nil once that life is over
local spawnpool = {}

---@class spawnpool.Options
---@field unknown? "generic" | "error" what a type without a class gets; "generic" unless given
---@field misuse? "warn" | "error" | "ignore" what a stale, foreign or second recycle does; "warn" unless given
---@field trace? boolean remember where objects were allocated and recycled
---@field path? string where class files are: "scripts/x/pools/?.lua"
---@field seed? number math.randomseed of it
---@field step? number seconds per tick; 1/60 unless given

---Opens another manager: pools and a clock of its own.
---@param options? spawnpool.Options
---@return spawnpool.Manager
function spawnpool.new(options) end

---Declares the class of a type, or changes it. The same name is the same table for ever; without a definition, the
---class as it is.
---@param name string
---@param definition? spawnpool.Definition
---@return spawnpool.Class
function spawnpool.class(name, definition) end

---A field that survives from life to life.
---@param value number | boolean | string
---@return spawnpool.FieldKind
function spawnpool.keep(value) end

---A tuning value: when its default is edited, live objects that have the old one follow.
---@param value number | boolean | string
---@return spawnpool.FieldKind
function spawnpool.live(value) end

---A new value per life, made when it is first read.
---@param make fun(object: spawnpool.Object): any
---@return spawnpool.FieldKind
function spawnpool.fresh(make) end

---A field that holds any Lua value; the same one in every object, nil unless given.
---@param value? any
---@return spawnpool.FieldKind
function spawnpool.any(value) end

-- }==

-- {== Managers ==============================================================

---A set of pools with one clock.
---@class spawnpool.Manager
---@field time number game seconds so far; read only
---@field time_scale number 1: real speed
---@field paused boolean while true, `update` does nothing
local Manager = {}

---Hands out an object. Above 0, `lifetime` is the seconds after which it is recycled by itself; 0: never; below 0:
---makes the pool ready and returns nil, "prewarmed". What follows is x, y, angle, parent, or one table of field values;
---a class's own `alloc` gets it untouched.
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

---The pool of a type, made on first use.
---@param type string
---@return spawnpool.Pool
function Manager:pool(type) end

---Brings an idle object to life; never makes a new one.
---@param filter? spawnpool.Filter
---@return spawnpool.Object? object
---@return spawnpool.Refusal? why
function Manager:take(filter) end

---Whether a value names an object that lives. Never raises.
---@param object any
---@return boolean
function Manager:is_live(object) end

---Advances the clock: prewarms, timers and expiry, `update` of classes, motion, bounds. The player does it by itself.
---@param dt number seconds
---@return boolean done
---@return spawnpool.Failure? why
function Manager:update(dt) end

---Iterates over live objects; whatever the loop does, each is visited at most once.
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

---Recycles, destroys and forgets a type.
---@param type string
---@return integer | false recycled
---@return integer | spawnpool.Failure destroyed
function Manager:remove(type) end

---Recycles and destroys everything. Every call after it is refused.
---@return integer | false recycled
---@return integer | spawnpool.Failure destroyed
function Manager:close() end

---What has been seen: of one type, or of all together.
---@param type? string
---@return spawnpool.Stats
function Manager:stats(type) end

---Live objects by type and the place where they were allocated, those that are there longest first.
---@param options? { older_than?: number }
---@return spawnpool.Leak[]
function Manager:leaks(options) end

---Settings that would have fitted what was seen, as Lua text; `headroom` is 1.25 unless given.
---@param options? { headroom?: number }
---@return string
function Manager:configure(options) end

---Live objects of one type that were allocated at one place.
---@class spawnpool.Leak
---@field type string their type
---@field site string file:line; needs trace = true
---@field count integer how many there are
---@field oldest number seconds that the oldest has lived
---@field object spawnpool.Object the oldest

---What a pool has seen, or all pools of a manager together.
---@class spawnpool.Stats
---@field live integer objects that are handed out
---@field idle integer objects that wait in the pool
---@field total integer live and idle
---@field peak integer most that were live at once
---@field peak_time number game seconds at which that was
---@field allocs integer objects handed out so far; allocs - recycles = live
---@field recycles integer lives that have ended, expiries included
---@field expired integer of these, by the end of their lifetime
---@field refused integer allocs and takes that got nothing because the pool was full
---@field evicted integer lives that ended to make room for another
---@field vetoed integer ends that an override of recycle has refused
---@field stale_uses integer uses of a reference whose life was over
---@field double_recycles integer recycles of an object that was recycled, or was being recycled, already
---@field created integer objects made so far; created - destroyed = total
---@field destroyed integer objects unmade so far
---@field retired integer slots that can name no further life
---@field bytes integer storage held
---@field prewarm { done: integer, wanted: integer } of the last prewarm

-- }==

-- {== Pools =================================================================

---Storage and policy of one type: the `self` of class functions. What it has not itself, its class has: helpers and
---constants of the class can be used through it.
---@class spawnpool.Pool
---@field type string of its objects; read only
---@field class spawnpool.Class? nil without a class; read only
---@field live integer objects that are handed out; read only
---@field idle integer objects that wait; read only
---@field total integer live and idle; read only
---@field peak integer most that were live at once; read only
---@field limit number? cap on live objects; nil or math.huge: none
---@field idle_limit number? cap on idle objects that are kept; nil or math.huge: none
---@field grow integer how many are made when none is idle
---@field overflow spawnpool.Overflow what happens at the limit
---@field [string] any what the class has
local Pool = {}

---Hands out an object; see Manager:alloc.
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

---Makes the pool ready for `count` objects, at once or in slices during the updates to come.
---@param count integer
---@param options? spawnpool.PrewarmOptions
---@return integer made now
function Pool:prewarm(count, options) end

---@class spawnpool.PrewarmOptions
---@field per_frame? integer at most so many per update
---@field delay? number seconds to wait first

---Iterates over live objects in the order of their slots.
---@return fun(serial: integer, last?: spawnpool.Object): spawnpool.Object? next
---@return integer serial
function Pool:each() end

---Brings an idle object to life, the first that the predicate wants; never makes a new one.
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

---Live objects whose place is within a circle, in the order of their slots: as a list, or one by one to a function.
---@param x number
---@param y number
---@param radius number
---@param visit fun(object: spawnpool.Object)
---@return integer count
---@overload fun(self: spawnpool.Pool, x: number, y: number, radius: number): spawnpool.Found
function Pool:within(x, y, radius, visit) end

---The live object nearest to a place.
---@param x number
---@param y number
---@return spawnpool.Object? object
---@return number | "none" distance
function Pool:nearest(x, y) end

---Calls a function for every pair of live objects that touch, one of each pool.
---@param other spawnpool.Pool
---@param visit fun(object: spawnpool.Object, other: spawnpool.Object)
---@return integer pairs
function Pool:overlaps(other, visit) end

---What has been seen, with the progress of the last prewarm.
---@return spawnpool.Stats
function Pool:stats() end

-- }==

-- {== Objects ===============================================================

---A reference to one life of one slot. Equal by value, usable as a key, stale for ever once that life is over: then
---every field but `alive` raises.
---@class spawnpool.Object: lightuserdata
---@field x number relative to the parent, if there is one
---@field y number downwards; relative to the parent, if there is one
---@field vx number points per second
---@field vy number points per second, downwards
---@field ax number points per second, per second
---@field ay number points per second, per second, downwards
---@field angle number radians; 0 looks along x, and y points down
---@field spin number radians per second
---@field scale number what the radius is drawn with
---@field r number red, 0 to 1
---@field g number green, 0 to 1
---@field b number blue, 0 to 1
---@field a number 0: cannot be seen, 1: opaque
---@field radius number points
---@field layer integer higher ones cover lower ones
---@field sprite string a built-in shape or a picture of the game
---@field visible boolean false: it is not drawn
---@field pinned boolean overflow = "oldest" passes it over
---@field parent spawnpool.Object? the place is relative to it; nil detaches, and keeps the place in the world
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

---Calls a function once, if the object still lives then.
---@param seconds number
---@param callback fun(object: spawnpool.Object)
---@return true
function Object:after(seconds, callback) end

---Calls a function again and again while the object lives, or until it returns false.
---@param seconds number
---@param callback fun(object: spawnpool.Object): boolean?
---@return true
function Object:every(seconds, callback) end

---Runs a coroutine that belongs to this life; coroutine.yield(seconds) sleeps.
---@param body fun(object: spawnpool.Object)
---@return true
function Object:run(body) end

-- }==

-- {== Classes ===============================================================

---@class spawnpool.Motion
---@field gravity? number points per second, per second: added to vy
---@field drag? number share of the velocity that is lost per second
---@field face_velocity? boolean angle follows the velocity

---@class spawnpool.Bounds
---@field x number left edge
---@field y number upper edge
---@field w number width, above 0
---@field h number height, above 0
---@field outside "recycle" | "wrap" | "bounce" | "clamp" what happens to an object without parent that leaves

---The functions of a class that its pool calls; all are optional.
---@class spawnpool.Hooks
---@field alloc? fun(self: spawnpool.Pool, lifetime?: number, ...: any): spawnpool.Object?, spawnpool.Refusal?
---@field recycle? fun(self: spawnpool.Pool, object: spawnpool.Object, why?: spawnpool.Why): boolean, spawnpool.Failure?
---@field on_create? fun(self: spawnpool.Pool, object: spawnpool.Object) it was made
---@field on_spawn? fun(self: spawnpool.Pool, object: spawnpool.Object, fresh: boolean) a life begins
---@field on_despawn? fun(self: spawnpool.Pool, object: spawnpool.Object, why: spawnpool.Why) a life ends
---@field before_reload? fun(): any in the old code; what it returns goes to after_reload
---@field after_reload? fun(value: any) in the new code
---@field on_reload? fun(self: spawnpool.Pool, object: spawnpool.Object, old_version: integer) it meets new code
---@field on_reject? fun(self: spawnpool.Pool, object: spawnpool.Object) idle_limit refused it: it is destroyed next
---@field on_destroy? fun(self: spawnpool.Pool, object: spawnpool.Object) its slot is given up
---@field update? fun(self: spawnpool.Pool, dt: number) once per update of the manager

---What the definition of a class may say. Settings of the class it extends hold unless it says otherwise.
---@class spawnpool.Definition: spawnpool.Hooks
---@field extends? string | spawnpool.Class whose settings, fields and functions it inherits
---@field group? string for filters
---@field prealloc? integer made up front; 0 unless given
---@field grow? integer how many are made when none is idle; 32 unless given
---@field limit? number cap on live objects; an integer or math.huge
---@field idle_limit? number cap on idle objects that are kept; an integer or math.huge
---@field overflow? spawnpool.Overflow what happens at the limit
---@field order? "fifo" | "lifo" which idle object is reused first
---@field fields? table<string, number | boolean | string | spawnpool.FieldKind> own fields and their first values
---@field methods? table<string, fun(object: spawnpool.Object, ...): any> callable as object:name()
---@field motion? spawnpool.Motion how all of them move, besides their velocities
---@field bounds? spawnpool.Bounds a rectangle that they leave in one way
---@field over_life? table<string, number[]> built-in number fields that follow the share of the lifetime
---@field on_parent_end? "recycle" | "detach" what becomes of an object of this class when its parent ends
---@field x? number first place
---@field y? number first place
---@field vx? number first velocity
---@field vy? number first velocity
---@field ax? number first acceleration
---@field ay? number first acceleration
---@field angle? number first angle, radians
---@field spin? number first spin, radians per second
---@field scale? number 1 unless given
---@field r? number red, 0 to 1; 1 unless given
---@field g? number green; 1 unless given
---@field b? number blue; 1 unless given
---@field a? number 0: cannot be seen; 1 unless given
---@field radius? number 8 unless given
---@field layer? integer higher ones cover lower ones; 0 unless given
---@field sprite? string a built-in shape or a picture of the game; "circle" unless given
---@field visible? boolean true unless given

---The subclass of a pool. In its functions `self` is the pool, which has all that the class has: for an editor, a class
---is both.
---@class spawnpool.Class: spawnpool.Definition, spawnpool.Pool
---@field super spawnpool.Class what it extends, looked up per call
---@field alloc fun(self: spawnpool.Pool, lifetime?: number, ...: any): spawnpool.Object?, spawnpool.Refusal?
---@field recycle fun(self: spawnpool.Pool, object: spawnpool.Object, why?: spawnpool.Why): boolean, spawnpool.Failure?

-- }==

return spawnpool
