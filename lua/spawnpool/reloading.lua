-- Hot reload: `require "spawnpool.reload"`. Watches folders, runs edited files again, keeps new code on probation and
-- goes back to the last good version when it fails, and reports what happened.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"
local names <const> = native.use "spawnpool.names"
local probation <const> = native.use "spawnpool.probation"
local transaction <const> = native.use "spawnpool.transaction"
local watched <const> = native.use "spawnpool.watched"

local reload <const> = {} -- the public module
local host <const> = { module = reload } -- called by C

local refused = {} -- record -> rejected text: tried again with the next change
local failed <const>, waiting <const> = probation.failed, probation.results
local shown <const>, names_of <const>, joined <const> = watched.shown, watched.names_of, watched.joined
local is_prepared = false -- for pending changes
local has_missed = false -- the last poll was interrupted: out of memory

-- {== Telling ==============================================================

local function list_files(texts, list)
  local edited <const> = {}
  for _, record in ipairs(list) do
    if texts[record] then edited[#edited + 1] = record end
  end
  local others <const> = #names_of(list) - #names_of(edited)
  return joined(names_of(edited)) .. (others > 0 and (" (and %d that use it)"):format(others) or "")
end

local function plural(count, what) return ("%d %s%s"):format(count, what, count == 1 and "" or "s") end

-- `before`: number of objects live before.
local function kept_text(report, before)
  local now <const> = native.live_objects()
  local kept <const> = now < before and ("%d of %d objects kept"):format(now, before)
    or ("all %s kept"):format(plural(before, "object"))
  if before == 0 then return nil end
  return report.objects > 0 and ("%s run it, %s"):format(plural(report.objects, "live object"), kept) or kept
end

local function success_line(texts, report, ms, before)
  local changes <const> = native.use "spawnpool.changes" -- loaded with the first edit
  local parts <const> = {
    ("reloaded %s in %.1f ms: %s"):format(list_files(texts, report.files), ms, changes.text(report.changed)),
  }
  parts[#parts + 1] = kept_text(report, before)
  if report.retyped > 0 then
    parts[#parts + 1] = plural(report.retyped, "field") .. " of another kind: all objects have the new default"
  end
  if report.coroutines > 0 then
    parts[#parts + 1] = report.coroutines == 1 and "a suspended coroutine finishes on the old code"
      or ("%d suspended coroutines finish on the old code"):format(report.coroutines)
  end
  if #report.ambiguous > 0 then
    table.sort(report.ambiguous)
    parts[#parts + 1] = ("file-locals of the same name start again: %s"):format(table.concat(report.ambiguous, ", "))
  end
  if report.large > 0 then
    parts[#parts + 1] = plural(report.large, "large table") .. " as the game has it: restart to see an edit of that"
  end
  if not report.is_followed then parts[#parts + 1] = "far references follow in the next frames" end
  return table.concat(parts, "; ")
end

local function failure(texts, message, line)
  local list <const> = {}
  for record in pairs(texts) do list[#list + 1] = record end
  table.sort(list, function(a, b) return a.path < b.path end)
  local shown_names <const> = names_of(list)
  return {
    ok = false, error = message, files = shown_names,
    line = line or ("not reloaded: %s; the old code goes on"):format(joined(shown_names)),
  }
end

-- }==

-- {== Reloading ============================================================

-- Returns `old_version` for `on_reload`: 0 when the class is from a file that is not tracked; nil, and it is not
-- called, when that ran for the first time.
local function version_before(name)
  for _, record in ipairs(files.sorted()) do
    if record.declares[name] then return record.version > 1 and record.version - 1 or nil end
  end
  return 0
end

local function meet_objects(pool, on_reload, old_version)
  for object in pool:each() do on_reload(pool, object, old_version) end
end

-- Calls `on_reload` for every live object of a changed class.
local function call_on_reload(report)
  for _, name in ipairs(names.of(report.classes)) do
    local class <const> = classes.find(name)
    local on_reload <const> = class and class.on_reload
    local version <const> = on_reload and version_before(name)
    if version then
      for _, pool in ipairs(native.pools_of(name)) do
        local done <const>, wrong <const> = native.protect(meet_objects, pool, on_reload, version)
        if not done then error(wrong, 0) end
      end
    end
  end
end

-- Returns the edited files, first those that were on the stack of the last error.
local function suspects(texts)
  local list <const>, is_listed <const> = {}, {}
  local function add(record)
    if record and texts[record] and not is_listed[record] then
      list[#list + 1], is_listed[record] = record, true
    end
  end
  for _, source in ipairs(native.culprits() or {}) do add(files.find(source:sub(2))) end
  for _, record in ipairs(files.sorted()) do add(record) end
  return list
end

local function follow_up(texts, report)
  local done <const>, wrong <const> = pcall(function()
    transaction.call_after_reload(report)
    call_on_reload(report)
  end)
  if done then return nil end
  for _, record in ipairs(suspects(texts)) do
    if probation.revert(record, wrong) then return table.remove(waiting) end
  end
  return failure(texts, wrong, "reloaded, but what was to follow failed")
end

-- Rejected files are tried again with the next save, which they may depend on. Endless loops are not: waiting for the
-- watchdog again would take as long.
local function refuse(texts, wrong)
  local is_loop <const> = tostring(wrong):find("stopped: it ran for more than", 1, true)
  for record, text in pairs(texts) do
    if is_loop then failed[record] = true else refused[record] = text end
  end
end

-- Nobody reads the line of the start.
local function run(texts, is_start)
  local begin <const>, objects <const> = native.clock(), native.live_objects()
  local before <const> = {}
  for record in pairs(texts) do before[record] = record.image and record.text or false end
  local done <const>, report <const> = probation.run(texts, is_start and "start" or nil)
  if not done then
    refuse(texts, report)
    return failure(texts, report)
  end
  local ms <const> = (native.clock() - begin) * 1000
  for record in pairs(texts) do refused[record], failed[record] = nil, nil end
  probation.begin(before)
  return follow_up(texts, report) or {
    ok = true, line = not is_start and success_line(texts, report, ms, objects) or "",
    files = names_of(report.files), changed = report.changed, ms = ms, parts = report.parts,
    objects = report.objects, coroutines = report.coroutines,
  }
end

-- A module that has never loaded has no users: files that require it may load now.
local function is_loaded(record) return record.image or record.class or record.main end

local function take_text(record, text, texts, notes)
  record.is_gone = nil
  if not is_loaded(record) then
    notes.may_help = true
    return
  end
  if not record.image or record.text ~= text then
    texts[record] = text
  elseif refused[record] or failed[record] then
    notes.same[#notes.same + 1] = shown(record.path)
  end
  refused[record], failed[record] = nil, nil
end

-- A file that cannot be read is an error when it runs, otherwise a warning.
local function take_problem(records, wrong, notes)
  for _, record in ipairs(records) do
    if record.image then failed[record], notes.wrong = true, wrong end
  end
  if notes.wrong ~= wrong then notes.unread[#notes.unread + 1] = wrong end
end

-- Interprets a change of a file: adds its new text to `texts`, and messages to `notes`.
local function take_change(watch, change, texts, notes)
  local records <const>, early <const> = watched.records_of(watch, change.path)
  if early then notes.early[#notes.early + 1] = shown(change.path) end
  if change.problem then take_problem(records, ("%s: %s"):format(change.path, change.problem), notes) end
  for i, record in ipairs(records) do
    if change.kind == "gone" then
      if i == 1 and record.image then notes.gone[#notes.gone + 1] = shown(change.path) end
      record.is_gone = record.image ~= nil
    elseif not change.problem then
      take_text(record, change.text, texts, notes)
    end
  end
end

-- Both are nil when nothing has changed, as in nearly every poll, which then allocates nothing.
local function take_changes(hurry, texts, notes)
  local is_pending = false
  for _, watch in ipairs(watched.list) do
    local list <const>, more <const> = watch.watcher:poll(hurry)
    is_pending = is_pending or more
    if list then
      texts, notes = texts or {}, notes or { gone = {}, same = {}, early = {}, unread = {} }
      for _, change in ipairs(list) do take_change(watch, change, texts, notes) end
    end
  end
  if is_pending and not is_prepared then pcall(transaction.prepare) end -- may run out of memory: then it is done later
  is_prepared = is_pending
  return texts, notes
end

-- The list of changes was lost: compares every file that runs with the disk instead.
local function compare_all(texts)
  for _, record in ipairs(files.sorted()) do
    local text <const> = native.read(record.path)
    if text and text ~= record.text and not texts[record] and is_loaded(record) then texts[record] = text end
  end
  return texts
end

local function waiting_line()
  local list <const> = {}
  for record in pairs(refused) do list[#list + 1] = shown(record.path) end
  table.sort(list)
  return ("still rejected: %s"):format(table.concat(list, ", "))
end

-- Tries the saved files together with those rejected before, which may depend on them. If that fails, tries the saved
-- ones alone: an old mistake does not block a new edit.
local function run_with_refused(texts)
  local all, has_more = {}, false
  for record, text in pairs(refused) do
    all[record] = text
    has_more = has_more or texts[record] == nil
  end
  for record, text in pairs(texts) do all[record] = text end
  local result <const> = run(all)
  if result.ok or not has_more or next(texts) == nil then return result end
  local alone <const> = run(texts)
  if alone.ok then alone.line = alone.line .. "; " .. waiting_line() end
  return alone
end

local function add_note(paths, one, many, is_note, is_doubt)
  if #paths == 0 then return end
  local line <const> = (#paths == 1 and one or many):format(joined(paths))
  waiting[#waiting + 1] =
    { ok = true, note = is_note, doubt = is_doubt, files = {}, changed = {}, objects = 0, line = line }
end

-- A file that matches the running code again resolves its error, unless another one is still rejected. `has_run`: that
-- has been reported already.
local function add_notes(notes, has_run)
  add_note(notes.gone, "%s is gone: its last code stays", "%s are gone: their last code stays", true, true)
  add_note(notes.early, "%s was loaded before reload.watch: it is not run again",
    "%s were loaded before reload.watch: they are not run again", true, true)
  add_note(notes.unread, "%s", "%s", true, true)
  add_note(notes.same, "%s matches the running code again", "%s match the running code again",
    has_run or next(refused) ~= nil or next(failed) ~= nil)
  if notes.wrong then
    waiting[#waiting + 1] = { ok = false, error = notes.wrong, files = {}, line = notes.wrong }
  end
end

-- Redirects references that a reload has left for later.
local function follow()
  local coroutines <const>, is_done <const> = transaction.follow()
  if not is_done then return nil end
  local more <const> = coroutines > 0 and ("; %s on old code"):format(plural(coroutines, "suspended coroutine")) or ""
  return {
    ok = true, note = true, files = {}, changed = {}, objects = 0, coroutines = coroutines,
    line = "all references lead to the new code now" .. more,
  }
end

local function step(hurry)
  if files.running() then return nil end -- called by a file when it runs
  transaction.mend()
  local missed <const> = has_missed
  has_missed = true -- unless all succeeds
  local texts, notes = take_changes(hurry)
  if hurry then texts, notes = take_changes(hurry, texts, notes) end -- a file where a folder was: two rounds
  if hurry and next(refused) then texts = texts or {} end
  if missed then texts = compare_all(texts or {}) end
  if texts then
    -- An edit that was rejected only because of a file that is fixed, or undone, may succeed now.
    local may_help <const> = hurry or next(texts) or notes and (notes.may_help or #notes.same > 0)
    local is_retried <const> = next(refused) ~= nil and may_help
    local has_run <const> = is_retried or next(texts) ~= nil
    if has_run then
      -- The report of a reload comes before the errors of its own hooks.
      local place <const> = #waiting + 1
      table.insert(waiting, place, is_retried and run_with_refused(texts) or run(texts))
    end
    if notes then add_notes(notes, has_run) end
  end
  has_missed = false
  return table.remove(waiting, 1) or follow()
end

-- }==

-- {== What scripts and hosts call ==========================================

-- Watches a folder: files in it that are required, and classes, run again when they are edited. Call it before they are
-- loaded.
---@param folder string
function reload.watch(folder)
  local done <const>, wrong <const> = pcall(watched.open, folder)
  if not done then error(wrong, 2) end
  files.add_searcher()
end

-- Ends all watching; the code stays as it is.
function reload.unwatch() watched.close_all() end

-- Call once per frame, between frames: runs edited files that have settled. Returns a result, or nil.
function reload.poll()
  probation.tick()
  return step(false)
end

-- The same at once, for all files that differ from the running code, settled or not, and for those rejected before.
function reload.now()
  probation.tick()
  return step(true)
end

-- Seconds that one call into watched code may compute before it is stopped: a file, a hook, a timer. 0: for ever.
---@param seconds number
function reload.patience(seconds)
  if type(seconds) ~= "number" or not (seconds >= 0 and seconds <= 1e6) then
    error(("patience is a number of seconds from 0 up, got %s"):format(tostring(seconds)), 2)
  end
  native.set_patience(seconds)
end

-- The watchdog leaves the signal SIGURG alone and counts instructions instead, which makes watched code slower.
function reload.no_signal() native.use_no_signal() end

-- Whether an edit was rejected or taken back, and waits for the next save.
function reload.is_waiting() return next(refused) ~= nil or next(failed) ~= nil end

-- }==

-- {== For C ================================================================

host.load = files.load
host.heal = probation.heal

-- Returns the names of the files whose text on the disk does not run; nil: there are none.
local function rejected_names()
  local list <const> = {}
  for _, record in ipairs(files.sorted()) do
    if refused[record] or failed[record] then list[#list + 1] = record end
  end
  return list[1] and joined(names_of(list)) or nil
end

-- The host's part of sp_poll: look, now, rest. `has_run`: the game has been updated since the last poll.
function host.poll(how, has_run)
  if has_run then probation.tick() end
  local result
  if how == 2 then result = table.remove(waiting, 1) else result = step(how == 1) end
  if result then result.rejected = rejected_names() end
  return result
end

-- Tracks and watches the files of this folder. A game that is one file may be in a folder with many unrelated files:
-- only the folder and its direct subfolders are watched then.
function host.open(folder, is_file)
  watched.open(folder, is_file and 1 or nil)
end

-- Runs main.lua. Returns its table, or nil and the text of the error; then it waits for a save.
function host.start(path)
  local record <const> = files.add(path)
  record.main = true
  probation.is_proven = false
  local text <const>, why <const> = native.read(path)
  if not text then return nil, why end
  local result <const> = run({ [record] = text }, true)
  if not result.ok then return nil, result.error end
  return record.image.result
end

-- The game has started: from now on there is a version to go back to.
function host.prove() probation.is_proven = true end

-- Returns the table of main.lua once it has loaded, or nil.
function host.main()
  for _, record in ipairs(files.sorted()) do
    if record.main and record.image then return record.image.result end
  end
  return nil
end

host.version_of = files.version_of

function host.folders() return watched.list[1] and watched.list[1].watcher:folders() or {} end

function host.serial() return watched.list[1] and watched.list[1].watcher:serial() or 0 end

function host.wake(folder)
  for _, watch in ipairs(watched.list) do watch.watcher:wake(folder) end
end

-- }==

files.track_classes()
_G.require = native.follow_require(require, files.on_require, files.noted_uses)

return host
