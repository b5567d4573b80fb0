-- New code is on probation until it has run in 120 frames. If it fails in that time, or makes another file fail, the
-- last good version of its file comes back.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"
local transaction <const> = native.use "spawnpool.transaction"
local watched <const> = native.use "spawnpool.watched"

local FRAMES <const> = 120 -- in which the code must run before it counts as good
local TRACKED_MOST <const> = 64 -- files whose runs are distinguished; see native.track

local probation <const> = {
  is_proven = true, -- false: the game has not started yet, so there is no version to go back to
  failed = {},      -- record -> true: its last good version runs, not the file as it is now
  results = {},     -- results for the next poll to report
}

local left = {} -- record -> remaining frames
local order = {} -- those records, the last edited first
local acquitted -- { record, text, message }: taken back for an error in another file, which it may not have caused
local is_busy = false

-- {== Frames ===============================================================

local function count()
  order = {}
  for record in pairs(left) do order[#order + 1] = record end
  table.sort(order, function(a, b)
    if a.saved ~= b.saved then return a.saved > b.saved end
    return a.path < b.path
  end)
  native.probation(#order + (acquitted and 1 or 0))
  local chunks <const> = {}
  for i = 1, math.min(#order, TRACKED_MOST) do chunks[i] = order[i].chunk end
  native.track(chunks)
end

local saves = 0

-- `before`: record -> the text that ran until now, or false.
function probation.begin(before)
  saves = saves + 1
  for record, good in pairs(before) do
    if good and probation.is_proven then
      record.good = record.good or good -- the previous version is itself unproven if there is one
      record.saved, left[record] = saves, FRAMES
    end
  end
  count()
end

-- A frame has passed: it counts for the files whose code has run in it.
function probation.tick()
  if acquitted then
    acquitted = nil
    count()
  end
  if next(left) == nil then return end
  local ran <const> = native.tracked()
  local is_over = false
  for i, record in ipairs(order) do
    if i > TRACKED_MOST or ran[i] then
      left[record] = left[record] > 1 and left[record] - 1 or nil
      if not left[record] then record.good, is_over = nil, true end
    end
  end
  if is_over then count() end
end

-- }==

-- {== Going back ===========================================================

local Busy <const> = {
  __close = function()
    is_busy = false
    count()
  end,
}

-- Calls transaction.run. Errors meanwhile do not take anything back, and calls do not count as runs of the game's code.
function probation.run(texts, kind)
  is_busy = true
  native.track {}
  local _ <close> = setmetatable({}, Busy)
  return transaction.run(texts, kind)
end

-- `user`: the file that failed, if it was another one.
local function line_of(record, user)
  local name <const> = watched.shown(record.path)
  local what <const> = user and ("%s made %s fail"):format(name, watched.shown(user.path)) or name .. " failed"
  return what .. ": its last good version is back, until the next save"
end

-- Restores the last good version of a file. Returns false when there is none, or when that fails too.
function probation.revert(record, message, user)
  local good <const>, text <const> = record.good, record.text
  if not good then return false end
  left[record], record.good = nil, nil
  count()
  local done <const>, report <const> = probation.run({ [record] = good }, "return")
  if not done then
    record.good = good -- of the next save, too
    native.report("error", report)
    return false
  end
  probation.failed[record] = true
  acquitted = user and { record = record, good = good, text = text, message = message:match "^[^\n]*" } or nil
  count()
  probation.results[#probation.results + 1] = {
    ok = false, reverted = true, error = message, files = { watched.shown(record.path) }, line = line_of(record, user),
  }
  return true
end

-- The same error occurred again without the blamed edit: the edit takes effect again, and is no longer blamed.
local function acquit(message)
  local it <const> = acquitted
  if not it or it.message ~= message:match "^[^\n]*" then return end
  acquitted = nil
  if not probation.run { [it.record] = it.text } then return end
  probation.failed[it.record] = nil
  for i = #probation.results, 1, -1 do
    if probation.results[i].reverted and probation.results[i].error:sub(1, #it.message) == it.message then
      table.remove(probation.results, i)
      break
    end
  end
  count()
end

local function record_of(source) return source:sub(1, 1) == "@" and files.find(source:sub(2)) or nil end

local function uses(record, other)
  for name in pairs(other.modules) do
    if record.uses[name] then return true end
  end
  for name in pairs(other.declares) do
    for own in pairs(record.declares) do
      if classes.parent_of(own) == name then return true end
    end
  end
  return false
end

-- Whether `record` depends on `other`, also indirectly.
local function depends_on(record, other, seen)
  seen[record] = true
  if uses(record, other) then return true end
  for _, between in ipairs(files.sorted()) do
    if not seen[between] and uses(record, between) and depends_on(between, other, seen) then return true end
  end
  return false
end

-- Called by C when an error leaves code of the game: `culprits` lists the sources on its stack, innermost first, and
-- `message` is the error's text. Returns true when code was taken back, so that the failed operation may be repeated.
function probation.heal(culprits)
  if is_busy or files.running() then return false end -- nothing can run again in the middle of a file
  for _, source in ipairs(culprits) do
    local record <const> = record_of(source)
    if record and left[record] then
      native.report("error", culprits.text)
      return probation.revert(record, culprits.text)
    end
  end
  acquit(culprits.text)
  local user <const> = culprits[1] and record_of(culprits[1])
  for _, record in ipairs(user and order or {}) do
    if depends_on(user, record, {}) then
      native.report("error", culprits.text)
      return probation.revert(record, culprits.text, user)
    end
  end
  return false
end

-- }==

return probation
