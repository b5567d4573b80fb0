---@meta
-- The parts of `io`, `os`, `debug` and `package` that the player's sandbox has. If an editor's settings disable these
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

---Returns nil for every name: a game has no environment.
---@param name string
---@return nil
---@nodiscard
function os.getenv(name) end

---@class spawnpool.sandbox.io
---@field stdout spawnpool.Stream
---@field stderr spawnpool.Stream
io = {}

---@class spawnpool.sandbox.debug
debug = {}

---Where the function at a level of the stack is: `source`, `short_src`, `what`, `linedefined`, `lastlinedefined` ("S"),
---`currentline` ("l"). nil past the last level.
---@param level integer 0: getinfo, 1: its caller
---@param what? string "S", "l" or both
---@return table?
---@nodiscard
function debug.getinfo(level, what) end

---A traceback of the call stack as a string: for xpcall, and for messages.
---@param message? any a value that is neither string nor nil is returned unchanged
---@param level? integer
---@return any
---@nodiscard
function debug.traceback(message, level) end

---@class spawnpool.sandbox.package
---@field config string the path separators, as in Lua
---@field loaded table<string, any> loaded modules
---@field path string where modules are searched for, in the game's folder: "?.lua;?/init.lua"
---@field preload table<string, function> loaders of modules, by name
package = {}

---Loads a module: a file of the game's folder, or spawnpool.
---@param name string letters, digits, "_" and "-", parts separated by "." or "/"
---@return any value
---@return any file
function require(name) end
