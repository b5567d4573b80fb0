---@meta
-- The parts of `os`, `debug` and `package` that the player's sandbox has. If an editor's settings disable these
-- libraries (runtime.builtin), it completes only these parts. This file is not executed. A test compares it with the
-- sandbox, both ways.

---@class spawnpool.sandbox.os
os = {}

---CPU time of the program, in seconds.
---@return number
---@nodiscard
function os.clock() end

---Formats a time as a string, or with "*t" as a table.
---@param format? string
---@param time? integer
---@return string | table
---@nodiscard
function os.date(format, time) end

---The difference of two times in seconds.
---@param later integer
---@param earlier integer
---@return number
---@nodiscard
function os.difftime(later, earlier) end

---Seconds since the epoch: now, or of the time in a table.
---@param day? table
---@return integer
---@nodiscard
function os.time(day) end

---@class spawnpool.sandbox.debug
debug = {}

---A traceback of the call stack as a string: for xpcall, and for messages.
---@param message? any a value that is neither string nor nil is returned unchanged
---@param level? integer
---@return any
---@nodiscard
function debug.traceback(message, level) end

---@class spawnpool.sandbox.package
---@field config string the path separators, as in Lua
---@field loaded table<string, any> loaded modules
package = {}

---Loads a module: a file of the game's folder, or spawnpool.
---@param name string letters, digits, "_" and "-", parts separated by "." or "/"
---@return any value
---@return any file
function require(name) end
