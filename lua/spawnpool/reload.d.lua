---@meta spawnpool.reload
-- Editor annotations of `require "spawnpool.reload"`; nothing runs this file.

---Reloading for programs in a stock lua5.4; in the player a game is reloaded by itself.
---@class spawnpool.reload
local reload = {}

---What a reload came to.
---@class spawnpool.ReloadResult
---@field ok boolean false: the old code goes on
---@field line string all of it in one line, for a log or a status bar
---@field files string[] the files that ran again, from the watched folder on
---@field error? string what is wrong: "file:line: message", the source line, frames below
---@field reverted? boolean new code failed after it was loaded: its last good version is back
---@field note? boolean nothing ran: a file is gone, or matches the running code again
---@field doubt? boolean the line is a warning
---@field changed? string[] what the author has changed: "Bullet.alloc", "Bullet.damage 1 -> 2", "gone: Bullet.update"
---@field objects? integer live objects of the classes that have changed
---@field coroutines? integer suspended ones that finish on the old code
---@field ms? number milliseconds that it took
---@field parts? spawnpool.ReloadParts where that time went

---Milliseconds of the parts of a reload. In `commit` and `settle` all changes over.
---@class spawnpool.ReloadParts
---@field compile number what runs again was found and compiled
---@field run number it ran, with looks at what it changed elsewhere
---@field check number what it made was checked, and compared for the line
---@field merge number the changes were planned
---@field commit number they were made
---@field settle number pools followed their classes
---@field follow number references to the old code were turned to the new, those that lie near

---Watches a folder and all folders in it: modules in it that are required from now on, and class files, run again when
---they are edited. Call it before they are loaded.
---@param folder string
function reload.watch(folder) end

---Ends all watching; the code stays as it is.
function reload.unwatch() end

---Call it once per frame, between frames. Runs again what was edited and has settled.
---@return spawnpool.ReloadResult? # nil when nothing happened
function reload.poll() end

---The same at once, for all that differs from what runs, settled or not, and for what was refused before.
---@return spawnpool.ReloadResult?
function reload.now() end

---Seconds that one call into the program's Lua code may compute before it is stopped; 2 if nobody says. 0: any.
---@param seconds number
function reload.patience(seconds) end

---The watchdog leaves the signal SIGURG alone and counts instructions instead, which makes watched code slower. Call it
---before `watch`; it cannot be undone.
function reload.no_signal() end

---Whether something was refused or taken back, and waits for the next save.
---@return boolean
function reload.is_waiting() end

return reload
