-- Hot reload: `require "spawnpool.reload"`. Watches folders, runs edited files again, goes back to an older version
-- when new code fails, and reports what happened.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"
local names <const> = native.use "spawnpool.names"
local plan <const> = native.use "spawnpool.plan"
local transaction <const> = native.use "spawnpool.transaction"
local versions <const> = native.use "spawnpool.versions"
local watched <const> = native.use "spawnpool.watched"

local reload <const> = {} -- the public module
local host <const> = { module = reload } -- called by C

-- record.disk is the text on the disk of a file that runs with another one: it was refused, or taken back (`is_back`).

local waiting <const> = versions.results
local shown <const>, names_of <const>, joined <const> = watched.shown, watched.names_of, watched.joined
local has_missed = false -- what the watches know is not what runs: compare all
local given -- changes that a poll takes in place of those of the watches; nil: none

-- {== Reporting ============================================================

local function list_files(texts, list)
  local edited <const> = {}
  for _, record in ipairs(list) do
    if texts[record] then edited[#edited + 1] = record end
  end
  local others <const> = #names_of(list) - #names_of(edited)
  return joined(names_of(edited)) .. (others > 0 and string.format(" (and %d that use it)", others) or "")
end

local function plural(count, what) return string.format("%d %s%s", count, what, count == 1 and "" or "s") end

-- `before`: number of objects live before.
local function kept_text(report, before)
  local now <const> = native.live_objects()
  local kept <const> = now < before and string.format("%d of %d objects kept", now, before)
    or string.format(before == 1 and "1 object kept" or "all %d objects kept", before)
  if before == 0 then return nil end
  return report.objects > 0 and string.format("%s affected, %s", plural(report.objects, "live object"), kept) or kept
end

local function success_line(texts, report, ms, before)
  local changes <const> = native.use "spawnpool.changes" -- loaded with the first edit
  local parts <const> = {
    string.format("reloaded %s in %.1f ms: %s", list_files(texts, report.files), ms, changes.text(report.changed)),
  }
  table.move(report.lost, 1, #report.lost, #parts + 1, parts)
  parts[#parts + 1] = kept_text(report, before)
  if report.retyped > 0 then
    parts[#parts + 1] = plural(report.retyped, "field") .. " of another kind: all objects have the new default"
  end
  if report.coroutines > 0 then
    local what <const> = report.coroutines == 1 and "1 suspended coroutine finishes with the old code"
      or string.format("%d suspended coroutines finish with the old code", report.coroutines)
    parts[#parts + 1] = what .. "; functions called from there are new"
  end
  if report.old_code > 0 then
    parts[#parts + 1] = string.format(report.old_code == 1 and "1 function goes on with its old code where it is held"
      or "%d functions go on with their old code where they are held", report.old_code)
  end
  if report.m.large then
    local what <const> = report.m.large == 1 and "1 large table keeps its contents"
      or string.format("%d large tables keep their contents", report.m.large)
    parts[#parts + 1] = what .. ": restart the game to see edits of that"
  end
  return table.concat(parts, "; ")
end

local function failure(texts, message, line)
  local shown_names <const> = watched.names_in(texts)
  return {
    ok = false, error = message, files = shown_names,
    line = line or string.format("not reloaded: %s; still running the previous version", joined(shown_names)),
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

-- Counts the objects of the classes that have run again, if the edit changes anything for them: those of edited
-- classes, and of classes that use other edited files.
local function count_objects(report)
  local touched <const> = report.touched.classes
  for _, record in ipairs((plan.of(report.touched.files))) do
    for name in pairs(record.main and {} or record.declares) do touched[name] = true end
  end
  local count = 0
  for name in pairs(report.classes) do
    local at = name
    while at and not touched[at] do at = classes.parent_of(at) end
    for _, pool in ipairs(at and native.pools_of(name) or {}) do count = count + pool.live end
  end
  return count
end

local function follow_up(texts, report)
  local done <const>, wrong <const> = pcall(function()
    transaction.call_after_reload(report)
    call_on_reload(report)
  end)
  if done then return nil end
  if versions.take_back_newest(wrong) then return table.remove(waiting) end
  return failure(texts, wrong, "reloaded, but what was to follow failed")
end

-- Rejected texts are tried again with the next save, which they may depend on. Endless loops are not: waiting for the
-- watchdog again would take as long.
local function refuse(texts, wrong)
  local is_loop <const> = string.find(tostring(wrong), "stopped: it ran for more than", 1, true) ~= nil
  for record, text in pairs(texts) do
    if text ~= record.text then record.disk, record.is_loop = text, is_loop end
  end
end

-- The line of the first load is not shown.
local function run(texts, is_start)
  local begin <const>, objects <const> = native.clock(), native.live_objects()
  local before <const> = {}
  for record in pairs(texts) do before[record] = record.image and record.text or nil end
  local done <const>, report <const> = versions.run(texts, is_start and "start" or nil)
  if not done then
    refuse(texts, report)
    return failure(texts, report)
  end
  local ms <const> = (native.clock() - begin) * 1000
  for record in pairs(texts) do record.disk, record.is_loop, record.is_back = nil, nil, nil end
  versions.add(before)
  if is_start then return follow_up(texts, report) or { ok = true } end
  report.objects = count_objects(report)
  return follow_up(texts, report) or {
    ok = true, line = success_line(texts, report, ms, objects), files = names_of(report.files),
    changed = report.changed, ms = ms, objects = report.objects, coroutines = report.coroutines,
  }
end

-- }==

-- {== Polling ==============================================================

-- A module that has never loaded has no users: files that require it may load now.
local function is_loaded(record) return record.image or record.class or record.main end

local function take_text(record, text, texts, notes)
  record.is_gone = nil
  if not is_loaded(record) then
    notes.may_help = true
  elseif not record.image or record.text ~= text then
    texts[record] = text
  elseif record.disk then
    notes.same[#notes.same + 1] = shown(record.path)
  end
  record.disk, record.is_loop, record.is_back = nil, nil, nil
end

-- A file that cannot be read is an error when it runs, otherwise a warning.
local function take_problem(records, wrong, notes)
  for _, record in ipairs(records) do
    if record.image then record.disk, record.is_loop, notes.wrong = record.disk or "", true, wrong end
  end
  if notes.wrong ~= wrong then notes.unread[#notes.unread + 1] = wrong end
end

-- One file that is gone and one that is new with the same text are one file that has another name.
local function take_renames(notes)
  for path, text in pairs(notes.new) do
    local found, count = nil, 0
    for _, record in ipairs(files.sorted()) do
      local is_gone <const> = record.image and record.text == text and not native.realpath(record.path)
      if is_gone then found, count = record, count + 1 end
    end
    for other, its in pairs(notes.new) do count = count + (other ~= path and its == text and 1 or 0) end
    if count == 1 then
      local name <const> = shown(found.path)
      for i = #notes.gone, 1, -1 do
        if notes.gone[i] == name then table.remove(notes.gone, i) end
      end
      files.rename(found, path)
      found.is_gone = nil
    end
  end
end

-- Interprets a change of a file: adds its new text to `texts`, and messages to `notes`.
local function take_change(watch, change, texts, notes)
  local records <const>, early <const> = watched.records_of(watch, change.path)
  if early then notes.early[#notes.early + 1] = shown(change.path) end
  if change.problem then take_problem(records, string.format("%s: %s", change.path, change.problem), notes) end
  for i, record in ipairs(records) do
    if change.kind == "gone" then
      if i == 1 and record.image then
        notes.gone[#notes.gone + 1] = shown(change.path)
      end
      record.is_gone = record.image ~= nil
    elseif not change.problem then
      take_text(record, change.text, texts, notes)
    end
  end
  if not records[1] and change.text and change.kind ~= "gone" then notes.new[change.path] = change.text end
end

-- Both are nil when nothing has changed, as in nearly every poll, which then allocates nothing.
local function take_changes(hurry, texts, notes)
  for _, watch in ipairs(watched.list) do
    local list <const> = given or watch.watcher:poll(hurry)
    if given then given = {} end
    if list and list[1] then
      texts, notes = texts or {}, notes or { gone = {}, same = {}, early = {}, unread = {}, new = {} }
      for _, change in ipairs(list) do take_change(watch, change, texts, notes) end
    end
  end
  return texts, notes
end

-- The list of changes was lost: compares every file that runs with the disk instead.
local function compare_all(texts)
  for _, record in ipairs(files.sorted()) do
    local text <const> = native.read(record.path)
    if text and text ~= record.text and not texts[record] and is_loaded(record) then texts[record] = text end
    if text and text == record.text then record.disk, record.is_loop, record.is_back = nil, nil, nil end
  end
  return texts
end

-- Returns the texts on the disk that do not run, but for endless loops; nil: there are none. What was taken back waits
-- for the next save.
local function refused(has_saved)
  local texts
  for _, record in ipairs(files.sorted()) do
    if record.disk and not record.is_loop and (has_saved or not record.is_back) then
      texts = texts or {}
      texts[record] = record.disk
    end
  end
  return texts
end

-- Returns the names of the files whose text on the disk does not run; nil: there are none.
local function rejected_names()
  local list <const> = {}
  for _, record in ipairs(files.sorted()) do
    if record.disk then list[#list + 1] = record end
  end
  return list[1] and joined(names_of(list)) or nil
end

-- Tries the saved files together with those refused before, which may depend on them. If that fails, tries the saved
-- ones alone: an old mistake does not block a new edit.
local function run_with(earlier, texts)
  local all, has_more = {}, false
  for record, text in pairs(earlier or {}) do
    all[record] = text
    has_more = has_more or texts[record] == nil
  end
  for record, text in pairs(texts) do all[record] = text end
  local result <const> = run(all)
  if result.ok or not has_more or next(texts) == nil then return result end
  local alone <const> = run(texts)
  if alone.ok then alone.line = string.format("%s; still rejected: %s", alone.line, rejected_names()) end
  return alone
end

local function add_note(list, paths, one, many, is_doubt)
  if #paths == 0 then return end
  local line <const> = string.format(#paths == 1 and one or many, joined(paths))
  list[#list + 1] = { ok = true, note = true, doubt = is_doubt, files = {}, changed = {}, objects = 0, line = line }
end

-- A file that matches the running code again resolves its error, unless another one is still refused. `has_run`: that
-- has been reported already.
local function add_notes(list, notes, has_run)
  add_note(list, notes.gone, "%s was deleted: its last code stays", "%s were deleted: their last code stays", true)
  add_note(list, notes.early, "%s was loaded before reload.watch: it is not reloaded",
    "%s were loaded before reload.watch: they are not reloaded", true)
  add_note(list, notes.unread, "%s", "%s", true)
  add_note(list, notes.same, "%s matches the running code again", "%s match the running code again")
  if #notes.same > 0 then list[#list].note = has_run or rejected_names() ~= nil end
  if notes.wrong then list[#list + 1] = { ok = false, error = notes.wrong, files = {}, line = notes.wrong } end
end

-- Returns what this call has to tell, in order; nil: nothing.
local function step(hurry)
  if files.running() then return nil end -- called by a file when it runs
  transaction.finish()
  local missed <const>, reported = has_missed, nil
  has_missed = true -- unless all succeeds
  local texts, notes = take_changes(hurry)
  if hurry then texts, notes = take_changes(hurry, texts, notes) end -- a file where a folder was: two rounds
  if notes then take_renames(notes) end
  if missed then texts = compare_all(texts or {}) end
  if texts or hurry then
    reported = {}
    -- An edit that was refused only because of a file that is mended, or undone, may succeed now.
    texts = texts or {}
    local has_saved <const> = next(texts) ~= nil or notes ~= nil and #notes.same > 0
    local may_help <const> = hurry or has_saved or notes and notes.may_help
    local earlier <const> = may_help and refused(has_saved) or nil
    local has_run <const> = earlier ~= nil or next(texts) ~= nil
    if has_run then reported[1] = run_with(earlier, texts) end
    if notes then add_notes(reported, notes, has_run) end
  end
  has_missed = false
  return reported
end

-- Does a step and returns one result per call. The report of a reload comes before the errors of its own hooks.
local function step_and_wait(hurry)
  local place <const> = #waiting
  local reported <const> = step(hurry)
  for i = 1, reported and #reported or 0 do table.insert(waiting, place + i, reported[i]) end
  return table.remove(waiting, 1)
end

-- }==

-- {== The public module ====================================================

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
  versions.tick()
  return step_and_wait(false)
end

-- Reloads at once all files that differ from the running code, settled or not, and those rejected before.
function reload.now()
  versions.tick()
  local reported <const> = step(true) or {}
  for i = 2, #reported do reported[1].line = reported[1].line .. "; " .. reported[i].line end
  return reported[1] or table.remove(waiting, 1)
end

-- Seconds that one call into watched code may compute before it is stopped: a file, a hook, a timer. 0: for ever.
---@param seconds number
function reload.patience(seconds)
  if type(seconds) ~= "number" or not (seconds >= 0 and seconds <= 1e6) then
    error(string.format("patience is a number of seconds from 0 up, got %s", tostring(seconds)), 2)
  end
  native.set_patience(seconds)
end

-- The watchdog leaves the signal SIGURG alone and counts instructions instead, which makes watched code slower.
function reload.no_signal() native.use_no_signal() end

-- Returns whether an edit was rejected or taken back, and waits for the next save.
function reload.is_waiting() return rejected_names() ~= nil end

-- }==

-- {== For C ================================================================

host.load = files.load
host.revert = versions.revert

-- The host's part of sp_poll: look, now, rest. `has_run`: the game has been updated since the last poll.
function host.poll(how, has_run, is_repeated)
  given = is_repeated and (given or {}) or nil
  if has_run then versions.tick() end
  local result
  if how == 2 then result = table.remove(waiting, 1) else result = step_and_wait(how == 1) end
  if result then result.rejected = rejected_names() end
  given = nil
  return result
end

-- A repeated poll takes the changes that it is given, and asks no watch.
function host.give(path, text)
  given = given or {}
  given[#given + 1] = { kind = text and "changed" or "gone", path = path, text = text }
end

-- The files on the disk are no longer those that the watches have seen: the next poll compares them all.
function host.compare() has_missed = true end

-- Tracks and watches the files of this folder. A game that is one file may be in a folder with many unrelated files:
-- only the folder and its direct subfolders are watched then.
function host.open(folder, is_file)
  watched.open(folder, is_file and 1 or nil)
end

-- Runs main.lua. Returns its table, or nil and the text of the error; then it waits for a save.
function host.start(path)
  local record <const> = files.add(path)
  record.main = true
  versions.is_proven = false
  local text <const>, why <const> = native.read(path)
  if not text then return nil, why end
  local result <const> = run({ [record] = text }, true)
  if not result.ok then return nil, result.error end
  return record.image.result
end

-- The game has started: from now on there is a version to go back to.
function host.prove() versions.is_proven = true end

-- Returns the table of main.lua once it has loaded, or nil.
function host.main()
  for _, record in ipairs(files.sorted()) do
    if record.main and record.image then return record.image.result end
  end
  return nil
end

host.version_of = files.version_of

-- }==

files.track_classes()
_G.require = native.follow_require(require, files.on_require, files.noted_uses)

return host
