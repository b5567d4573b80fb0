-- The console runs code that a person types while the game runs, in the game's environment. An expression prints its
-- values, a statement is executed, and incomplete input continues in the next line.

local native <const> = ...
local completion <const> = native.use "spawnpool.completion"
local hints <const> = native.use "spawnpool.hints"
local shown <const> = native.use "spawnpool.shown"

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

hints.typed = completion.sorted(offered)

local world <const> = setmetatable({}, {
  __index = function(_, name)
    local value <const> = _G[name]
    if value ~= nil then return value end
    return offered[name] and offered[name]()
  end,
  __newindex = function(_, name, value) _G[name] = value end,
})

-- Returns the chunk, or nil and the error. Tries an expression first, so that its values can be printed.
local function compile(text)
  local chunk <const> = load("return " .. text, "=console", "t", world)
  if chunk then return chunk end
  return load(text, "=console", "t", world)
end

local function texts_of(...)
  local texts <const> = table.pack(...)
  for i = 1, texts.n do texts[i] = shown.text(texts[i]) end
  return texts.n > 0 and table.concat(texts, "\t") or nil
end

-- Returns "done" and the values as a string, or nil; "more" when the text is incomplete; "wrong" and the syntax error.
-- Errors of the code are raised. `object` is the value of `sel`.
function console.eval(text, object)
  selected = object
  local chunk <const>, wrong <const> = compile(text)
  if chunk then return "done", texts_of(chunk()) end
  if wrong:sub(-5) == "<eof>" then return "more", wrong end
  return "wrong", wrong .. hints.line(hints.of(wrong))
end

-- Returns the possible completions of the end of `text`, sorted, and how many bytes of it they replace.
function console.complete(text, object)
  selected = object
  return completion.words(text, world, hints.typed)
end

return console
