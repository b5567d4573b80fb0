-- The versions of a running game: each accepted save makes one. When new code fails, the version to blame is taken back
-- whole, so that the texts that run have always run together before.

local native <const> = ...
local files <const> = native.use "spawnpool.files"
local pairing <const> = native.use "spawnpool.pairing"
local transaction <const> = native.use "spawnpool.transaction"
local watched <const> = native.use "spawnpool.watched"
local lines <const> = native.use "spawnpool.lines"

local FRAMES <const> = 120 -- in which a version's changed code must run before it counts as good
local MOST <const> = 32 -- versions that can be taken back
local BITS <const> = 64 -- lines that are told apart when they run

local versions <const> = {
  is_proven = true, -- false: the game has not started yet, so there is no version to go back to
  results = {},     -- results for the next poll to report
}

-- { before: record -> the text that it replaced; hunks: record -> ranges of lines that it changed; at: time of day;
-- frames: since it was accepted; has_code: some of the lines are in functions }
local list = {}
local unblamed -- { message, list, texts }: what was taken back in this frame, perhaps wrongly
local is_busy = false

-- {== Lines ================================================================

-- Returns whether some of these lines of the text are in a function: those of the main chunk run once.
local function is_in_function(defined, from, to)
  for _, f in ipairs(defined.functions) do
    if f.line <= to and f.last and f.last >= from then return true end
  end
  return false
end

-- A line that was taken out changes the function around it: the lines beside it count as changed. `ran`: frames in
-- which the lines have run.
local function ranges_of(hunks, defined)
  local ranges <const> = {}
  for k, it in ipairs(hunks) do
    local from <const>, to <const> = math.min(it[3], it[4]), math.max(it[3], it[4])
    ranges[k] = { from, to, ran = 0, is_code = is_in_function(defined, from, to) }
  end
  return ranges
end

-- Returns where a line of the text before is now.
local function moved(line, hunks)
  local shift = 0
  for _, it in ipairs(hunks) do
    if line < it[1] then break end
    if line <= it[2] then return math.min(it[3] + line - it[1], math.max(it[4], it[3])) end
    shift = it[4] - it[2]
  end
  return line + shift
end

-- }==

-- {== Frames ===============================================================

local function is_unproven(range) return range.is_code and range.ran < FRAMES end

-- A version is on probation as long as one of its lines is; without lines that run in frames, for some frames.
local function is_on_probation(version)
  if version.is_unblamed then return false end
  if not version.has_code then return version.frames < FRAMES end
  for _, ranges in next, version.hunks do
    for _, range in ipairs(ranges) do
      if is_unproven(range) then return true end
    end
  end
  return false
end

-- Returns whether a version may still be taken back.
function versions.is_any_on_probation()
  for _, version in ipairs(list) do
    if is_on_probation(version) then return true end
  end
  return false
end

-- Tells C what to look for: which changed lines run, and whether errors are to be reported here.
local function count()
  local tracked_ranges <const>, bit = {}, -1
  local watching = unblamed and 1 or 0
  for _, version in ipairs(list) do
    if is_on_probation(version) then
      watching = watching + 1
      for record, of_record in next, version.hunks do
        for _, range in ipairs(of_record) do
          bit = is_unproven(range) and math.min(bit + 1, BITS - 1) or bit
          range.bit = is_unproven(range) and bit
          if range.bit then
            table.move({ record.chunk, range[1], range[2], bit }, 1, 4, #tracked_ranges + 1, tracked_ranges)
          end
        end
      end
    end
  end
  native.probation(watching)
  native.track(is_busy and {} or tracked_ranges)
end

-- Makes a version of texts that have been accepted; `before`: record -> the text that ran until then.
function versions.add(before)
  if not versions.is_proven or next(before) == nil then return end
  local hunks <const>, has_code = {}, false
  for record, text in next, before do
    local of_record <const> = lines.hunks(text, record.text)
    for _, version in ipairs(list) do
      for _, range in ipairs(version.hunks[record] or {}) do
        range[1], range[2] = moved(range[1], of_record), moved(range[2], of_record)
      end
    end
    hunks[record] = ranges_of(of_record, pairing.definitions_of(record, record.text))
    for _, range in ipairs(hunks[record]) do has_code = has_code or range.is_code end
  end
  list[#list + 1] = { before = before, hunks = hunks, at = native.time_of_day(), frames = 0, has_code = has_code }
  if #list > MOST then table.remove(list, 1) end
  count()
end

-- A frame has passed: it counts for the versions whose changed code has run in it.
function versions.tick()
  local ended = unblamed ~= nil
  unblamed = nil
  if #list > 0 then
    local ran <const> = native.tracked()
    for _, version in ipairs(list) do
      version.frames = version.frames + 1
      ended = ended or version.frames == FRAMES
      for _, ranges in next, version.hunks do
        for _, range in ipairs(ranges) do
          if range.bit and ran >> range.bit & 1 == 1 then
            range.ran = range.ran + 1
            ended = ended or range.ran == FRAMES
          end
        end
      end
    end
  end
  if not ended then return end
  count()
  if not versions.is_any_on_probation() then transaction.forget_thrown() end
end

-- }==

-- {== Taking back ==========================================================

local Busy <const> = {
  __close = function()
    is_busy = false
    count()
  end,
}

-- Calls transaction.run. Errors meanwhile take nothing back, and calls do not count as runs of the game's code.
function versions.run(texts, kind)
  is_busy = true
  count()
  local _ <close> = setmetatable({}, Busy)
  return transaction.run(texts, kind)
end

-- Returns record -> text of the files that ran otherwise before version k; and what they are now.
local function texts_before(k)
  local texts <const>, now <const> = {}, {}
  for i = #list, k, -1 do
    for record, text in next, list[i].before do texts[record] = text end
  end
  for record, text in next, texts do
    now[record] = record.text
    if text == record.text then texts[record] = nil end
  end
  return texts, now
end

local function line_of(names, at)
  return string.format("%s %s reverted to the version before %s, until the next save", watched.joined(names),
    #names == 1 and "is" or "are", at)
end

-- The texts from before version k run again, or older ones where these fail. Returns whether any does. What was taken
-- back stays on the disk: the next save starts from there.
local function take_back(k, message)
  for at = k, 1, -1 do
    local texts <const>, now <const> = texts_before(at)
    local done, wrong = versions.run(texts, "return")
    if done then
      unblamed = { message = string.match(message, "^[^\n]*"), list = list, texts = now, k = k }
      local names <const> = watched.names_in(texts)
      versions.results[#versions.results + 1] =
        { ok = false, reverted = true, error = message, files = names, line = line_of(names, list[at].at) }
      list = table.move(list, 1, at - 1, 1, {})
      for record, text in next, now do
        if text ~= record.text then record.disk, record.is_back = text, true end
      end
      count()
      return true
    end
    native.report("error", wrong)
  end
  return false
end

-- Called when the error occurs without the version that was blamed: that version is in effect again, and no longer
-- blamed.
local function unblame(it)
  unblamed = nil
  if not versions.run(it.texts, "return") then return end
  list = it.list
  for i = it.k, #list do list[i].is_unblamed = true end
  for record in next, it.texts do record.disk, record.is_back = nil, nil end
  table.remove(versions.results)
  count()
end

-- Returns the number of the newest version on probation that has a changed line in a function on the stack; without
-- one, that of the newest one, if it has changed no line that runs in frames.
local function blamed(culprits)
  for k = #list, 1, -1 do
    for i = 1, is_on_probation(list[k]) and #culprits or 0, 3 do
      for record, ranges in next, list[k].hunks do
        for _, range in ipairs(record.source == culprits[i] and ranges or {}) do
          local is_near <const> = culprits[i + 1] <= range[2] and culprits[i + 2] >= range[1]
          if is_near and (is_unproven(range) or not range.is_code) then return k end
        end
      end
    end
  end
  local newest <const> = list[#list]
  return newest and not newest.has_code and is_on_probation(newest) and #list or nil
end

-- Called by C when an error leaves code of the game: `culprits` lists the source, the first and the last line of each
-- function on its stack, innermost first, and `text` is the error's. Returns true when code was taken back, so that the
-- failed operation may be repeated.
function versions.revert(culprits)
  if is_busy or files.running() then return false end -- nothing can run again in the middle of a file
  local it <const> = unblamed
  if it and it.message == string.match(culprits.text, "^[^\n]*") then
    unblame(it)
    return false
  end
  local k <const> = blamed(culprits)
  if not k then return false end
  native.report("error", culprits.text)
  return take_back(k, culprits.text)
end

-- Takes the newest version back when its after_reload or first run failed. Returns whether it was taken back.
function versions.take_back_newest(message) return #list > 0 and take_back(#list, message) end

-- }==

return versions
