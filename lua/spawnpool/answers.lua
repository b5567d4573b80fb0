-- Answers to files that run: of the clock, of chance, of storage, of other files. When a file runs again, an unchanged
-- statement is answered as in its last run, in order; so whatever differs comes from an edit.

local native <const> = ...

local debug <const> = native.debug()
local match <const>, gmatch <const> = string.match, string.gmatch

local answers <const> = {}

-- Module -> names of the functions. `storage` is a table in the library's module.
local ASKED <const> = { os = { "time", "clock", "date" }, math = { "random", "randomseed" }, io = { "open" },
  spawnpool = { "read" }, storage = { "load" } }

local MOST <const> = 10000 -- answers of a file that are kept

local frame -- of the file that runs
local is_wrapped <const> = setmetatable({}, { __mode = "k" })

-- Returns the statement of the running file's main chunk that is being run.
local function statement()
  local level = 3
  local info = debug.getinfo(level, "Sl")
  while info and not (info.what == "main" and info.source == frame.record.source) do
    level = level + 1
    info = debug.getinfo(level, "Sl")
  end
  if not info then return "" end
  local lines = frame.lines
  if not lines then
    lines = {}
    for line in gmatch((frame.text or frame.record.text or "") .. "\n", "(.-)\n") do lines[#lines + 1] = line end
    frame.lines = lines
  end
  return match(lines[info.currentline] or "", "^%s*(.-)%s*$")
end

local function copy(value, seen)
  if type(value) ~= "table" then return value end
  if seen[value] then return seen[value] end
  local t <const> = {}
  seen[value] = t
  for k, v in next, value do t[copy(k, seen)] = copy(v, seen) end
  return t
end

-- A file that was read is read again as it was.
local function handle_of(text)
  local file <const> = io.tmpfile()
  if not file then return nil end
  file:write(text)
  file:seek("set")
  return file
end

local function key_of(name, ...)
  local parts <const> = { name, statement() }
  if name == "randomseed" or name == "open" then
    for i = 1, select("#", ...) do parts[#parts + 1] = tostring((select(i, ...))) end
  end
  return table.concat(parts, "\0")
end

-- Returns true and the results of the last run; false where it has none.
local function ask(name, ...)
  if not frame then return false end
  local key <const> = key_of(name, ...)
  frame.key = key
  local former <const> = frame.was and frame.was.answers[key]
  local at <const> = (frame.image.answers[key] and #frame.image.answers[key] or 0) + 1
  local known = former and former[at]
  if name == "randomseed" and not known then frame.is_reseeded = true end
  if name == "random" and frame.is_reseeded then known = nil end
  if not known then return false end
  local list <const> = frame.image.answers[key] or {}
  frame.image.answers[key] = list
  list[at] = known
  if name == "open" then return true, handle_of(known[1]) end
  return true, table.unpack(copy(known, {}), 1, known.n)
end

local function note(name, ...)
  if not frame or not frame.key then return end
  local key <const> = frame.key
  local list <const> = frame.image.answers[key] or {}
  if #list >= MOST then return end
  if name == "open" then
    local file <const> = ...
    local text <const> = file and not match(key, "\0[wa][+b]*$") and not match(key, "+b?$") and file:read "a"
    if not text then return end
    file:seek("set")
    list[#list + 1] = { n = 1, text }
  else
    list[#list + 1] = copy(table.pack(...), {})
  end
  frame.image.answers[key] = list
end

local function wrap(library, name)
  local original <const> = type(library) == "table" and rawget(library, name)
  if type(original) ~= "function" or is_wrapped[original] or debug.getinfo(original, "S").what ~= "C" then return end
  local wrapped <const> = native.answering(original, function(...) return ask(name, ...) end,
    function(...) note(name, ...) end)
  is_wrapped[wrapped] = true
  rawset(library, name, wrapped)
end

-- Files are going to run: what they may ask is answered here.
function answers.begin()
  local loaded <const> = native.loaded()
  for module, names in next, ASKED do
    local library = loaded[module]
    if module == "storage" then library = type(loaded.spawnpool) == "table" and rawget(loaded.spawnpool, "storage") end
    for _, name in ipairs(names) do wrap(library, name) end
  end
end

-- The file that runs now; nil: none.
function answers.enter(it) frame = it end

function answers.finish() frame = nil end

return answers
