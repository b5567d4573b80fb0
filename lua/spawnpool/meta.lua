---@meta spawnpool
-- Annotations of spawnpool for editors: names, types, units and errors. This file is not executed. A test compares it
-- with the library, both ways. docs/lua.md is the reference.
-- {== Words =================================================================

---@alias spawnpool.Overflow
---| "refuse" # alloc returns nil, "full"; the default
---| "oldest" # recycles the oldest live object that is not pinned
---| "grow" # exceeds the limit; the surplus is destroyed when it is recycled
---| "error" # alloc raises an error
---| fun(pool: spawnpool.Pool): spawnpool.Object? # returns the object to recycle, or nil to refuse

---Why alloc and take returned no object.
---@alias spawnpool.Refusal
---| "full" # the pool is at its limit
---| "prewarmed" # lifetime below 0: the pool is prewarmed, no object is allocated
---| "recycled" # a hook recycled the object while it spawned
---| "vetoed" # an override of alloc returned nil and no reason
---| "none" # no idle object matches
---| "closed" # the manager is closed, or the pool removed
---| string # an override's own reason

---Why recycle, remove, close or update did nothing.
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
---| "recycled_all" # by recycle_all
---| "removed" # its pool was removed, or the manager closed
---| "outside" # it left the bounds of its class
---| "parent" # its parent ended
---| "cancelled" # an override of `alloc` did not return it

---Selects pools or objects: the name of a type, a table, or a function that returns true for an object.
---@alias spawnpool.Filter string | spawnpool.PoolFilter | fun(object: spawnpool.Object): boolean?

---@class spawnpool.PoolFilter all given fields must match
---@field type? string this type only
---@field class? string | spawnpool.Class classes that extend it match too
---@field group? string the setting `group` of their class

---The kind of a field, for `fields` of a class: made by keep, live, fresh, any; or ref.
---@class spawnpool.FieldKind

---The result of within: a list of objects, which is also an iterator: `for object in pool:within(x, y, r) do`.
---@class spawnpool.Found: { [integer]: spawnpool.Object }
---@operator call: spawnpool.Object?

-- {== The module ============================================================

---@class spawnpool
---@field VERSION string version of the library: "0.2.0"
---@field pools spawnpool.Manager the default manager; the player draws this one
---@field input spawnpool.Input only in the player
---@field view spawnpool.View only in the player
---@field window spawnpool.Window only in the player
---@field quit fun(): nil only in the player: ends the game before its next frame, unless its callback quit() refuses
---@field storage spawnpool.Storage only in the player
---@field audio spawnpool.Audio only in the player
---@field ref spawnpool.FieldKind holds an object; reads nil once that life has ended
local spawnpool = {}

---@class spawnpool.Options
---a type without a class gets a generic pool and a warning, or with `"error"` an error; "generic" by default
---@field unknown? "generic" | "error"
---a recycle of a stale, foreign or dying object: warns once per place, is an error, or is ignored; "warn" by default
---@field misuse? "warn" | "error" | "ignore"
---@field trace? boolean records where objects are allocated and recycled, for leaks; costs time; `false` by default
---where class files are, with `?` for the type: `"game/pools/?.lua"`; none: all classes are declared already
---@field path? string
---@field step? number seconds per tick, from 1e-6 to 1000; `1 / 60` by default
---@field seed? number calls `math.randomseed(seed)`

---Opens another manager, with its own pools and clock. Raises an error for an unknown option, and when 255 managers are
---open.
---@param options? spawnpool.Options
---@return spawnpool.Manager
function spawnpool.new(options) end

---Declares the class of a type, or changes it. A name always has the same table; without a definition, returns the
---class unchanged. Raises an error for an unknown setting or a wrong value.
---```lua
---local Bullet <const> = spawnpool.class("Bullet", { radius = 3, limit = 200, fields = { damage = 1 } })
---function Bullet:on_despawn(bullet, why) print(bullet, why) end
---```
---@param name string name of the type, 1 to 200 characters
---@param definition? spawnpool.Definition settings, fields and hooks
---@return spawnpool.Class
function spawnpool.class(name, definition) end

---For tests of a game: errors of hooks, timers and class updates are raised by the call in which they happened, at its
---line, instead of being reported.
---@param on? boolean `false` turns it off again; `true` if omitted
function spawnpool.testing(on) end

---For tests of a game, between two of them: empties the default manager in place, its clock and timers too, forgets all
---classes, and takes the files that declared them out of `package.loaded`. Raises an error in the game of a host.
function spawnpool.reset() end

---A field that keeps its value from life to life; `take` can choose by it.
---@param value number | boolean | string the value in a new object
---@return spawnpool.FieldKind
function spawnpool.keep(value) end

---A tuning value: when its default is edited, live objects that have the old default get the new one.
---@param value number | boolean | string the default
---@return spawnpool.FieldKind
function spawnpool.live(value) end

---A field with a separate value in each life, such as a table.
---```lua
---fields = { hits = spawnpool.fresh(function() return {} end) }
---```
---@param make fun(object: spawnpool.Object): any returns the value; called when the field is first read
---@return spawnpool.FieldKind
function spawnpool.fresh(make) end

---A field that holds any Lua value.
---@param value? any the default, shared by all objects; nil if omitted
---@return spawnpool.FieldKind
function spawnpool.any(value) end

---Makes a map of tiles, which tells what is solid and moves objects. `g:tiles(map)` draws it. Raises an error for a
---row that is too long and for an unknown letter.
---```lua
---local map <const> = spawnpool.tiles { size = 16, sheet = "cave", rows = { "#..#", "####" } }
---```
---@param definition spawnpool.Tiles
---@return spawnpool.Map
function spawnpool.tiles(definition) end

---Definition of a map. Tiles are letters, or numbers: tile 1 is the first of the sheet, 0 shows nothing.
---@class spawnpool.Tiles
---@field size number width and height of a tile, in points
---@field rows string[] | integer[][] from the top; none is longer than the first, and what a shorter one lacks is empty
---@field sheet? string picture of which tiles of this size are cut; none: tiles are squares
---letters that show tiles, "#=": the first shows tile 1; or letter = tile; those of `solid` by default. " " and "." are
---empty
---@field letters? string | table<string, integer>
---letters, a number or a list of numbers; "#" by default, of numbers all but 0
---@field solid? string | integer | integer[]

---A map of tiles. Its top left is at 0, 0, columns and rows count from 1, and what is outside is not solid.
---@class spawnpool.Map
---@field size number width and height of a tile
---@field columns integer number of columns
---@field rows string[] | integer[][] its tiles now
---@field width number of the map, in points
---@field height number of the map, in points
---@field sheet string? its picture
local Map = {}

---Returns whether a solid tile is in a rectangle, or at a point. Tiles that only touch it do not count.
---@param x number left edge
---@param y number upper edge
---@param w? number width, 0 if omitted
---@param h? number height, 0 if omitted
---@return boolean
function Map:solid(x, y, w, h) end

---Moves an object along x, then along y, until something solid is in the way of its box, or of the square around its
---circle. Nothing is skipped, whatever the distance. A tile that it overlaps already does not hold it.
---```lua
---local hit_x <const>, hit_y <const> = map:move(hero, hero.run * dt, hero.fall * dt)
---```
---@param object spawnpool.Object without a parent
---@param dx number points
---@param dy number points
---@return boolean hit_x whether a solid tile stopped it along x
---@return boolean hit_y whether a solid tile stopped it along y
function Map:move(object, dx, dy) end

---Returns a letter or a number; nil outside.
---@param column integer
---@param row integer
---@return (string | integer)? tile
function Map:get(column, row) end

---Changes a tile. Raises an error outside of the map, and for an unknown letter.
---@param column integer
---@param row integer
---@param tile string | integer
---@return string | integer before the tile that was there
function Map:set(column, row, tile) end

---Returns the tile at a point, and where it is; nil outside.
---@param x number
---@param y number
---@return (string | integer)? tile
---@return integer? column
---@return integer? row
function Map:at(x, y) end

---Visits the tiles of one kind, row by row.
---```lua
---for x, y in map:each "o" do pools:alloc("Coin", 0, x, y) end
---```
---@param tile string | integer
---@return fun(): number, number, integer, integer next returns the centre of a tile, its column and its row
function Map:each(tile) end

-- {== Managers ==============================================================

---A set of pools with one clock.
---@class spawnpool.Manager
---@field time number seconds of game time so far; read only
---@field time_scale number speed of the clock, 0 to 1e6; 1 at first
---@field paused boolean while `true`, `update` does nothing
local Manager = {}

---Allocates an object. An override of `alloc` in its class gets all arguments after the type unchanged. Raises an error
---for a wrong argument or an unknown field, and when the manager has `unknown = "error"` and the type no class.
---```lua
---local bullet <const> = pools:alloc("Bullet", 2, x, y, angle)
---local spark <const>, why <const> = pools:alloc("Spark", 0, { x = x, y = y, scale = 2 })
---```
---@param type string name of the type; its pool is created on first use
---@param lifetime? number seconds, at most 1e11; 0, the default, or math.huge: until recycled; below 0: only prewarms
---@param ... any x, y, angle, parent, each of which may be nil; or one table of field values
---@return spawnpool.Object? object
---@return spawnpool.Refusal? why
function Manager:alloc(type, lifetime, ...) end

---Ends the life of an object: its hooks run, its timers end, and the reference becomes stale. A stale, foreign or dying
---object is reported as set by the option `misuse`. Raises an error for a value that is no object.
---@param object spawnpool.Object
---@return boolean done
---@return spawnpool.Failure? why
function Manager:recycle(object) end

---Returns the pool of a type, which is created on first use; nil, "closed" when the manager is closed.
---@param type string name of the type
---@return spawnpool.Pool
function Manager:pool(type) end

---Allocates an idle object that matches, with lifetime 0; never creates one. Hooks run, an override of `alloc` does
---not.
---@param filter? spawnpool.Filter any idle object by default
---@return spawnpool.Object? object
---@return spawnpool.Refusal? why
function Manager:take(filter) end

---Returns whether a value is a live object of the manager. Accepts any value and never raises an error.
---@param value any
---@return boolean
function Manager:is_live(value) end

---Advances the clock: prewarms, expiry and timers, `update` of classes, motion, over_life, bounds. The player calls it
---for the default manager. Raises an error for a negative `dt`, and inside a hook or another update.
---@param dt number seconds, multiplied by time_scale
---@return boolean done
---@return spawnpool.Failure? why
function Manager:update(dt) end

---Iterates over live objects. The loop may alloc and recycle anything: objects that it allocates are not visited.
---```lua
---for enemy in pools:each { group = "enemies" } do enemy:recycle() end
---```
---@param filter? spawnpool.Filter all objects by default
---@return fun(serial: integer, last?: spawnpool.Object): spawnpool.Object? next
---@return integer serial
function Manager:each(filter) end

---Recycles live objects, with the reason "recycled_all".
---@param filter? spawnpool.Filter all objects by default
---@return integer recycled
function Manager:recycle_all(filter) end

---Destroys idle objects.
---@param filter? string | spawnpool.PoolFilter all pools by default; a function is not accepted
---@return integer destroyed
function Manager:clear(filter) end

---Recycles and destroys all objects of a type and removes its pool; the class stays. Returns false, "busy" inside a
---hook of the pool.
---@param type string name of the type
---@return integer | false recycled
---@return integer | spawnpool.Failure destroyed
function Manager:remove(type) end

---Recycles and destroys everything. Later calls return "closed" or raise an error. Returns false, "busy" inside a hook.
---@return integer | false recycled
---@return integer | spawnpool.Failure destroyed
function Manager:close() end

---Returns the statistics of one type, or of all together.
---@param type? string all types by default
---@return spawnpool.Stats
function Manager:stats(type) end

---Lists live objects by type and allocation site, the oldest first. Sites need the option `trace`.
---@param options? { older_than?: number } `older_than`: only objects that have lived so many seconds
---@return spawnpool.Leak[]
function Manager:leaks(options) end

---Returns settings that fit the observed use, as Lua source to paste into classes.
---@param options? { headroom?: number } `headroom`: factor above the observed peak, 1.25 by default
---@return string
function Manager:configure(options) end

---Calls a function once after some game time. The timer belongs to the manager, not to an object.
---@param seconds number seconds of game time, from 0 up
---@param callback fun(pools: spawnpool.Manager)
---@return spawnpool.Timer
function Manager:after(seconds, callback) end

---Calls a function repeatedly, at most once per tick, until it returns false or the timer is stopped.
---```lua
---local waves <const> = pools:every(10, function() pools:alloc("Enemy", 0, 400, 0) end)
---```
---@param seconds number seconds of game time between two calls
---@param callback fun(pools: spawnpool.Manager): boolean?
---@return spawnpool.Timer
function Manager:every(seconds, callback) end

---Starts a coroutine that belongs to the manager. In it, coroutine.yield(seconds) sleeps; without seconds, until the
---next tick.
---@param body fun(pools: spawnpool.Manager) runs at once, up to its first yield
---@return spawnpool.Timer
function Manager:run(body) end

---A timer or coroutine that belongs to a manager.
---@class spawnpool.Timer: userdata
local Timer = {}

---Stops the timer, or closes the coroutine.
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
---@field live integer live objects; read only
---@field idle integer idle objects; read only
---@field total integer live and idle; read only
---@field peak integer highest number of live objects; read only
---@field type string of its objects; read only
---@field class spawnpool.Class? `nil` without a class; read only
---@field limit number? maximum of live objects; an integer or `math.huge`
---@field idle_limit number? maximum of idle objects; an integer or `math.huge`
---@field grow integer how many are created when none is idle; at least 1; 32 by default
---@field overflow spawnpool.Overflow what happens at the limit; "refuse" by default
---@field [string] any entries of the class
local Pool = {}

---Allocates an object, as Manager:alloc does.
---@param lifetime? number seconds of game time; 0, the default: until recycled; below 0: only prewarms
---@param ... any x, y, angle, parent; or one table of field values
---@return spawnpool.Object? object
---@return spawnpool.Refusal? why
function Pool:alloc(lifetime, ...) end

---Ends the life of an object, as Manager:recycle does; an object of another pool is "foreign".
---@param object spawnpool.Object
---@return boolean done
---@return spawnpool.Failure? why
function Pool:recycle(object) end

---Creates idle objects until there are `count`, including live ones, within the limits.
---@param count integer
---@param options? spawnpool.PrewarmOptions spreads the work over later updates; at once by default
---@return integer created now
function Pool:prewarm(count, options) end

---@class spawnpool.PrewarmOptions
---@field per_frame? integer objects created in each update at most; all at once by default
---@field delay? number seconds of game time before the first

---Iterates over live objects in the order of their slots, as Manager:each does.
---```lua
---for bullet, x, y in pools:pool("Bullet"):each("x", "y") do print(bullet, x, y) end
---```
---@param ... string names of fields, at most 16, whose values follow the object
---@return fun(serial: integer, last?: spawnpool.Object): (object: spawnpool.Object?, ...: any) next
---@return integer serial
function Pool:each(...) end

---Calls a function for each live object with some of its fields, and stores what it returns in these fields.
---```lua
---pools:pool("Bullet"):map({ "x", "vx" }, function(_, x, vx, dt) return x + vx * dt end, 1 / 60)
---```
---@param fields string[] names of fields, at most 16
---@param fn fun(object: spawnpool.Object, ...: any): ... gets the values, then the other arguments; nil leaves a field
---@param ... any
---@return integer count of objects
function Pool:map(fields, fn, ...) end

---Allocates an idle object, as Manager:take does; never creates one.
---@param predicate? fun(object: spawnpool.Object): boolean? any idle object by default
---@return spawnpool.Object? object
---@return spawnpool.Refusal? why
function Pool:take(predicate) end

---Recycles all live objects, with the reason "recycled_all".
---@return integer recycled
function Pool:recycle_all() end

---Destroys all idle objects.
---@return integer destroyed
function Pool:clear() end

---Destroys idle objects beyond the setting `prealloc`.
---@return integer destroyed
function Pool:trim() end

---Writes a field of all live objects. Raises an error for a field that is unknown or read only.
---@param field string built-in, or declared by the class
---@param value any
---@return integer count of objects
function Pool:set(field, value) end

---Adds to a field of all live objects. Raises an error for a field that is not a number.
---@param field string built-in, or declared by the class
---@param amount number
---@return integer count of objects
function Pool:add(field, amount) end

---Finds live objects whose centre is in a circle, in the order of their slots. Returns a list; or, with `visit`, calls
---it for each object and returns the count.
---@param x number world position, points
---@param y number world position, points
---@param radius number points
---@param visit fun(object: spawnpool.Object) may recycle objects, which are then not visited
---@return integer count of objects
---@overload fun(self: spawnpool.Pool, x: number, y: number, radius: number): spawnpool.Found
function Pool:within(x, y, radius, visit) end

---Returns the live object whose centre is nearest to a point, and its distance; nil, "none" if there is no object.
---@param x number world position, points
---@param y number world position, points
---@param within? number greatest distance, points; unlimited by default
---@return spawnpool.Object? object
---@return number | "none" distance
function Pool:nearest(x, y, within) end

---Calls a function for every pair of live objects, one of each pool, whose circles (radius * scale) touch.
---```lua
---pools:pool("Bullet"):overlaps(pools:pool("Enemy"), function(bullet, enemy)
---  bullet:recycle()
---  enemy:recycle()
---end)
---```
---@param other spawnpool.Pool the same pool: each pair is visited once
---@param visit fun(object: spawnpool.Object, other: spawnpool.Object) may recycle both
---@return integer pairs visited
function Pool:overlaps(other, visit) end

---Pushes overlapping circles apart, each by half of the overlap. Objects with a parent are skipped.
---@param other? spawnpool.Pool pairs of one object of each pool; by default, pairs of this pool
---@return integer pairs pushed
function Pool:separate(other) end

---Returns the statistics of the pool, with the progress of its last prewarm.
---@return spawnpool.Stats
function Pool:stats() end

-- {== Objects ===============================================================

---A reference to one life of one slot. Equal by value, usable as a key, stale for ever once that life has ended:
---then every field but `alive` raises an error.
---@class spawnpool.Object: lightuserdata
---@field x number position, in points; relative to the parent, if there is one; 0 by default
---@field y number position, in points; relative to the parent, if there is one; 0 by default
---@field vx number velocity, points per second; 0 by default
---@field vy number velocity, points per second; 0 by default
---@field ax number acceleration, points per second squared; 0 by default
---@field ay number acceleration, points per second squared; 0 by default
---@field angle number radians; 0 is along x, and it grows clockwise, since y points down; 0 by default
---@field spin number radians per second; 0 by default
---@field radius number size, in points; 8 by default
---@field scale number factor of the radius, in drawing and in `overlaps`, and of the box; 1 by default
---@field r number colour, 0 to 1; a sprite is multiplied by it; 1 by default
---@field g number colour, 0 to 1; a sprite is multiplied by it; 1 by default
---@field b number colour, 0 to 1; a sprite is multiplied by it; 1 by default
---@field a number opacity; 0 is invisible; 1 by default
---@field layer integer an integer, -32768 to 32767; higher ones cover lower ones; 0 by default
---@field sprite string a built-in shape or a picture; "circle" by default
---@field visible boolean `false`: not drawn; `true` by default
---@field scale_x number factor of its width or height in drawing, beside `scale`; negative mirrors; 1 by default
---@field scale_y number factor of its width or height in drawing, beside `scale`; negative mirrors; 1 by default
---@field animation string? what it shows of a sheet; only if its class has an animation
---@field frame integer the current frame, from 1; only if its class has an animation
---@field pinned boolean exempt from eviction by `overflow = "oldest"`
---@field parent spawnpool.Object? its position is relative to it; setting `nil` keeps the world position
---@field remaining number seconds until it ends; `math.huge` is never, 0 is the next tick
---@field lifetime number seconds, 0: without end; read only, writing `remaining` changes it
---@field age number seconds; read only
---@field alive boolean `false` once the life has ended, or while it ends; never raises; read only
---@field type string name of its type; read only
---@field pool spawnpool.Pool the pool of its type; read only
---@field id integer number of its slot within the type, from 1, as in `tostring`; read only
---@field [string] any own fields and methods of the class
local Object = {}

---Ends the life of the object, as Manager:recycle does. A stale object returns false, "stale".
---@return boolean done
---@return spawnpool.Failure? why
function Object:recycle() end

---Calls a function or a method once, unless the life of the object ends before. Timers given by the name of a method
---follow edits and can be saved. Raises an error for an unknown method.
---```lua
---bomb:after(2, "explode")
---```
---@param seconds number seconds of game time, from 0 up
---@param callback string | fun(object: spawnpool.Object) a function, or the name of a method of the class
---@return true
function Object:after(seconds, callback) end

---Calls a function or a method repeatedly, at most once per tick, until it returns false or the object's life ends.
---@param seconds number seconds of game time between two calls
---@param callback string | fun(object: spawnpool.Object): boolean? a function, or the name of a method of the class
---@return true
function Object:every(seconds, callback) end

---Starts a coroutine that ends with the life of the object. In it, coroutine.yield(seconds) sleeps; without seconds,
---until the next tick.
---```lua
---ship:run(function() for a = 1, 0, -0.1 do ship.a = a; coroutine.yield(0.1) end end)
---```
---@param body fun(object: spawnpool.Object) runs at once, up to its first yield
---@return true
function Object:run(body) end

---Sets `angle`, and `vx` and `vy` to a speed in that direction.
---@param angle number radians; 0 is along x, clockwise
---@param speed number points per second
---@return spawnpool.Object self
function Object:launch(angle, speed) end

---Returns where the object is in the world: `x`, `y` and `angle` are relative while it has a parent.
---@return number x
---@return number y
---@return number angle radians
function Object:world() end

---Takes number fields to other values in some seconds of game time, after `delay` seconds. It ends with the life, is
---saved with it, and replaces an earlier tween of the same field; `over = 0` sets the fields at once. At its end it
---calls `done`, unless all its fields were replaced. Eases: linear, in, out, in_out, and these three with _quad,
---_cubic, _quart, _quint, _sine, _expo, _circ, _back, _elastic or _bounce.
---```lua
---door:tween { y = 60, a = 0.5, over = 0.5, ease = "out_back" }
---```
---@param to { over: number, ease?: string, delay?: number, done?: string | function, [string]: any }
---@return true
function Object:tween(to) end

-- }==

return spawnpool
