-- The console: text that a person types while the game runs, in the game's own world. An expression shows its values, a
-- statement is done, and what is begun and not complete asks for more.

local native <const> = ...
local completion <const> = native.use "spawnpool.completion"
local hints <const> = native.use "spawnpool.hints"

local console <const> = {}

local loaded <const> = native.loaded()
local selected -- the object that the host points at, or nil

-- What is there without `require`. A global of the game goes before it.
local offered <const> = {
  spawnpool = function() return loaded.spawnpool end,
  pools = function() return loaded.spawnpool.pools end,
  sel = function() return native.kind(selected) and selected or nil end,
}

hints.typed = completion.sorted(offered)

local world <const> = setmetatable({}, {
  __index = function(_, name)
    local value <const> = _G[name]
    if value ~= nil then return value end
    return offered[name] and offered[name]()
  end,
  __newindex = function(_, name, value) _G[name] = value end,
})

-- The chunk, or nil and what is wrong. First as an expression: so that its values can be shown.
local function compile(text)
  local chunk <const> = load("return " .. text, "=console", "t", world)
  if chunk then return chunk end
  return load(text, "=console", "t", world)
end

local function shown(...)
  local texts <const> = table.pack(...)
  for i = 1, texts.n do texts[i] = tostring(texts[i]) end
  return texts.n > 0 and table.concat(texts, "\t") or nil
end

-- Returns "done" and the values as a text, or nil; "more" when the text is not complete; "wrong" and why it is no Lua.
-- Raises what goes wrong in it. `object`: what `sel` stands for.
function console.eval(text, object)
  selected = object
  local chunk <const>, wrong <const> = compile(text)
  if chunk then return "done", shown(chunk()) end
  if wrong:sub(-5) == "<eof>" then return "more", wrong end
  return "wrong", wrong .. hints.line(hints.of(wrong))
end

-- The words that may complete the end of `text`, sorted, and how many bytes of it they would take the place of.
function console.complete(text, object)
  selected = object
  return completion.words(text, world, hints.typed)
end

return console
