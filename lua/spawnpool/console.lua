-- The console runs code that a person types while the game runs, in the game's environment. An expression prints its
-- values, a statement is executed, and incomplete input continues in the next line.

local native <const> = ...
local completion <const> = native.use "spawnpool.completion"
local hints <const> = native.use "spawnpool.hints"
local names <const> = native.use "spawnpool.names"

local debug <const> = native.debug()

local console <const> = {}

local loaded <const> = native.loaded()
local selected -- the object that the host has selected, or nil

local HELP <const> = [[
Lua that runs in the game: an expression shows its values.
  pools            the pools; pools:stats() shows their counts
  sel              the object selected in the inspector, F3
  spawnpool        the library; require "colors" gets a module of the game
  for ball in pools:each() do ball.vy = -400 end
Tab completes, Up and Down repeat, Esc closes.]]

-- Available without `require`, unless the game has a global of that name.
local offered <const> = {
  spawnpool = function() return loaded.spawnpool end,
  pools = function() return loaded.spawnpool.pools end,
  sel = function() return native.kind(selected) and selected or nil end,
  help = function() return HELP end,
}

hints.typed = names.of(offered)

local world <const> = setmetatable({}, {
  __index = function(_, name)
    local value <const> = _G[name]
    if value ~= nil then return value end
    return offered[name] and offered[name]()
  end,
  __newindex = function(_, name, value) _G[name] = value end,
})

-- {== Values ===============================================================

-- Tables are shown with their entries, in a fixed order, read without metamethods.

local DEEPEST <const> = 3 -- tables inside each other
local ENTRIES <const> = 20 -- entries shown of one table
local LONGEST <const> = 2000 -- bytes of a formatted value

local function key_of(key)
  if type(key) == "string" and string.match(key, "^[%a_][%w_]*$") then return key end
  return "[" .. names.show(key) .. "]"
end

-- Formats the list part first, then the other entries by name.
local function sorted_keys(t)
  local keys <const>, length <const> = {}, rawlen(t)
  for key in next, t do
    if math.type(key) ~= "integer" or key < 1 or key > length then keys[#keys + 1] = key end
  end
  local texts <const> = {}
  for _, key in ipairs(keys) do texts[key] = key_of(key) end
  table.sort(keys, function(a, b) return texts[a] < texts[b] end)
  return keys, texts
end

local show

local function show_entries(t, depth)
  local parts <const>, count = {}, 0
  local function add(prefix, value)
    count = count + 1
    if count <= ENTRIES then parts[count] = prefix .. show(value, depth + 1) end
  end
  for i = 1, rawlen(t) do add("", rawget(t, i)) end
  local keys <const>, texts <const> = sorted_keys(t)
  for _, key in ipairs(keys) do add(texts[key] .. " = ", rawget(t, key)) end
  if count > ENTRIES then parts[ENTRIES + 1] = string.format("... %d more", count - ENTRIES) end
  return #parts == 0 and "{}" or "{ " .. table.concat(parts, ", ") .. " }"
end

-- Formats tables with a metatable as tostring does.
function show(value, depth)
  if type(value) == "table" and debug.getmetatable(value) == nil then
    if depth > DEEPEST then return "{...}" end
    return show_entries(value, depth)
  end
  if depth > 1 then return names.show(value) end
  return tostring(value)
end

local function text_of(value)
  local text <const> = show(value, 1)
  if #text <= LONGEST then return text end
  return string.sub(text, 1, LONGEST) .. " ..."
end

-- }==

-- {== Running ==============================================================

-- Returns the chunk, or nil and the error. Tries an expression first, so that its values can be printed.
local function compile(text)
  local chunk <const> = load("return " .. text, "=console", "t", world)
  if chunk then return chunk end
  return load(text, "=console", "t", world)
end

local function texts_of(...)
  local texts <const> = table.pack(...)
  for i = 1, texts.n do texts[i] = text_of(texts[i]) end
  return texts.n > 0 and table.concat(texts, "\t") or nil
end

-- Returns "done" and the values as a string, or nil; "more" when the text is incomplete; "wrong" and the syntax error.
-- Errors of the code are raised. `object` is the value of `sel`.
function console.eval(text, object)
  selected = object
  local chunk <const>, wrong <const> = compile(text)
  if chunk then return "done", texts_of(chunk()) end
  if string.sub(wrong, -5) == "<eof>" then return "more", wrong end
  return "wrong", wrong .. hints.line(hints.of(wrong))
end

-- Returns the possible completions of the end of `text`, sorted, and how many bytes of it they replace.
function console.complete(text, object)
  selected = object
  return completion.words(text, world, hints.typed)
end

-- }==

return console
