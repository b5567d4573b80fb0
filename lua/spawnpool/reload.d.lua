---@meta spawnpool.reload
-- Annotations of `require "spawnpool.reload"` for editors; this file is not executed.

---Reloading for programs in a stock lua5.4; the player reloads games by itself.
---@class spawnpool.reload
local reload = {}

---The result of a reload.
---@class spawnpool.ReloadResult
---@field ok boolean false: the old code continues
---@field line string a summary in one line, for a log or a status bar
---@field files string[] the files that ran again, relative to the watched folder
---@field error? string the error: "file:line: message", the source line, a traceback
---@field reverted? boolean new code failed after it was loaded: the version before is back
---@field note? boolean nothing ran: a file is gone, or matches the running code again
---@field doubt? boolean the line is a warning
---@field changed? string[] edited things: "Bullet.alloc", "Bullet.damage 1 -> 2", "gone: Bullet.update"
---@field objects? integer live objects that the edit changes something for
---@field coroutines? integer suspended coroutines that go on in old code of an edited function
---@field ms? number duration in milliseconds

---Watches a folder and its subfolders: modules that are required from now on, and class files, run again when they are
---edited. Call it before they are loaded.
---@param folder string
function reload.watch(folder) end

---Ends all watching; the code stays as it is.
function reload.unwatch() end

---Call it once per frame, between frames. Edited files that have settled run again.
---@return spawnpool.ReloadResult? # nil when nothing happened
function reload.poll() end

---The same at once, for all files that differ from the running code, settled or not, and for those rejected before.
---One result says all of it.
---@return spawnpool.ReloadResult?
function reload.now() end

---Seconds that one call into the program's Lua code may compute before it is stopped; 2 by default. 0: for ever.
---@param seconds number
function reload.patience(seconds) end

---The watchdog leaves the signal SIGURG alone and counts instructions instead, which makes watched code slower. Call it
---before `watch`; it cannot be undone.
function reload.no_signal() end

---Whether an edit was rejected or taken back, and waits for the next save.
---@return boolean
function reload.is_waiting() end

return reload
