---@meta
-- Annotations of snapshots and saves for editors; this file is not executed.

---Why there is no snapshot or save, and why none was restored or loaded.
---@alias spawnpool.SaveFailure
---| "busy" # a hook or an update is still running
---| "closed" # the manager is closed
---| "foreign" # the snapshot belongs to another manager
---| "invalid" # a pool of the snapshot was removed, or the save has another step
---| "damaged" # the save is incomplete or damaged
---| "newer" # a newer version wrote the save
---| "memory" # out of memory
---| string # the path of a value that cannot be saved, and what it is

---@class spawnpool
local spawnpool = {}

---Opens a manager from what `pools:save` returned. Its pools follow the classes of today.
---@param save string
---@param options? spawnpool.Options
---@return spawnpool.Manager? pools
---@return any roots what `roots` was when it was saved; or a spawnpool.SaveFailure
---@return spawnpool.LoadNote[]? notes fields that were lost; `dropped` counts coroutines
function spawnpool.load(save, options) end

---A field whose values were lost in a load.
---@class spawnpool.LoadNote
---@field type string the type of the objects
---@field field string name of the field
---@field was string what it held: "number", "boolean", "reference" or "value"
---@field kind? string what a field of that name holds today; nil: there is none
---@field live integer live objects of the type

---All of a manager at one moment.
---@class spawnpool.Snapshot
---@field bytes integer memory that it holds, without Lua values; read only
---@field dropped integer coroutines that were running, and cannot be copied; read only

---@class spawnpool.Manager
local Manager = {}

---Copies all of the manager: objects, references, timers, the clock, and the Lua values in fields.
---@param into? spawnpool.Snapshot used again, with its memory
---@return spawnpool.Snapshot? snapshot
---@return spawnpool.SaveFailure? why
function Manager:snapshot(into) end

---Puts a snapshot back, or what a save holds; then `on_restore` runs.
---@param snapshot spawnpool.Snapshot | string
---@return boolean done
---@return any roots of a save; or a spawnpool.SaveFailure
---@return spawnpool.LoadNote[]? notes of a save: fields that were lost; `dropped` counts coroutines
function Manager:restore(snapshot) end

---Returns all of the manager as a string, with what `roots` holds; spawnpool.load is the reverse.
---@param options? { roots?: any }
---@return string? save
---@return spawnpool.SaveFailure? why
function Manager:save(options) end

---Returns a number that is equal for equal states, on every machine.
---@return integer? hash
---@return spawnpool.SaveFailure? why
function Manager:hash() end
