-- The entries of main.lua's table that the player reads, and advice about those that nothing reads because they are
-- misspelled. The table of the game is read raw.

local native <const> = ...
local names <const> = native.use "spawnpool.names"

local debug <const> = native.debug()

local callbacks <const> = {}

callbacks.NAMES = {
  "draw", "draw_below", "focus", "key_pressed", "key_released", "load", "mouse_moved", "mouse_pressed",
  "mouse_released", "pad_pressed", "pad_released", "quit", "resized", "text_input", "update", "wheel",
}

-- Other entries, with their types.
callbacks.SETTINGS = {
  actions = "table", filter = "string", height = "number", icon = "string", id = "string", pause_unfocused = "boolean",
  scale = "string", title = "string", version = "string", width = "number",
}

local LONG <const> = 8 -- letters: in names at least this long, two of them may be wrong

-- Returns whether the text calls the name anywhere: then it is a helper of the game.
local function is_used(text, name)
  local call <const> = "[%.:]" .. name .. "%s*[%({\"']"
  local defined <const> = "function%s+[%w_%.:]*[%.:]" .. name .. "%s*%("
  local _, calls <const> = string.gsub(text, call, "")
  local _, definitions <const> = string.gsub(text, defined, "")
  return calls > definitions
end

-- Returns the line of a function, and its file if that is known; for other values the first line with the name.
local function line_of(text, name, value)
  if type(value) == "function" then
    local info <const> = debug.getinfo(value, "S")
    if info.what == "Lua" then return info.linedefined, string.match(info.source, "^@(.*)") end
  end
  local line = 1
  for part in string.gmatch(text .. "\n", "(.-)\n") do
    if string.find(part, "%f[%w_]" .. name .. "%f[^%w_]") then return line end
    line = line + 1
  end
  return 1
end

-- Returns "file:line" of an entry of main.lua's table, which is the file `path`.
function callbacks.place(path, name, value)
  local line <const>, file <const> = line_of(native.read(path) or "", name, value)
  return string.format("%s:%d", file or path, line)
end

-- Describes a callback that is no function.
function callbacks.wrong_type(path, name, value)
  return string.format("%s: the callback '%s' must be a function, got a %s", callbacks.place(path, name, value), name,
    type(value))
end

-- As in a call, a table with `__call` is a function.
function callbacks.is_callable(value)
  local meta <const> = debug.getmetatable(value)
  return type(value) == "function" or type(meta) == "table" and rawget(meta, "__call") ~= nil
end

local function is_near(name, edits) return #name > 3 and edits <= (#name >= LONG and 2 or 1) end

local function advise_one(name, value, text, path, warn)
  local is_callback <const> = type(value) == "function"
  local known <const> = is_callback and callbacks.NAMES or names.of(callbacks.SETTINGS)
  local near <const>, edits <const> = names.nearest(name, known)
  if not near or not is_near(name, edits) or not string.match(name, "^[%a_][%w_]*$") or is_used(text, name) then
    return
  end
  if not is_callback and type(value) ~= callbacks.SETTINGS[near] then return end
  local line <const>, file <const> = line_of(text, name, value)
  local what <const> = is_callback and "calls" or "reads"
  warn(string.format("%s:%d: nothing %s '%s' (did you mean '%s'?)", file or path, line, what, name, near))
end

-- Warns of entries of the table of main.lua, which is the file `path`, whose names are nearly those of a callback or a
-- setting.
function callbacks.advise(game, path, warn)
  local text
  for _, name in ipairs(names.of(game)) do
    local value <const> = rawget(game, name)
    local is_known = callbacks.SETTINGS[name] ~= nil
    for _, callback in ipairs(callbacks.NAMES) do is_known = is_known or callback == name end
    if not is_known then
      text = text or native.read(path) or ""
      advise_one(name, value, text, path, warn)
    end
  end
end

local given <const> = {}

-- Does the same for a game that is played, and gives each advice only once.
function callbacks.advise_once(game, path)
  callbacks.advise(game, path, function(text)
    if not given[text] then native.warn(text) end
    given[text] = true
  end)
end

return callbacks
