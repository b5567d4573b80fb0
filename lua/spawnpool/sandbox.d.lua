---@meta
-- What the player's sandbox has of `os`, `debug` and `package`. Where these are switched off in the settings of an
-- editor (runtime.builtin), it knows these parts of them and no others. Nothing runs this file. A test compares it
-- with the sandbox, both ways.

---@class spawnpool.sandbox.os
os = {}

---Seconds of processor time that the program has used.
---@return number
---@nodiscard
function os.clock() end

---A time as text, or with "*t" as a table.
---@param format? string
---@param time? integer
---@return string | table
---@nodiscard
function os.date(format, time) end

---Seconds from one time to another.
---@param later integer
---@param earlier integer
---@return number
---@nodiscard
function os.difftime(later, earlier) end

---Seconds since the epoch: now, or of a day that a table names.
---@param day? table
---@return integer
---@nodiscard
function os.time(day) end

---@class spawnpool.sandbox.debug
debug = {}

---The functions that are running, as text: for xpcall, and for messages.
---@param message? any what is no string is returned as it is
---@param level? integer
---@return any
---@nodiscard
function debug.traceback(message, level) end

---@class spawnpool.sandbox.package
---@field config string what separates folders, as in Lua
---@field loaded table<string, any> what was required
package = {}

---The value of a module: a file of the game's folder, or spawnpool.
---@param name string letters, digits, "_" and "-", parts parted by "." or "/"
---@return any value
---@return any file
function require(name) end
