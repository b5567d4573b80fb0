-- Reads an entry of main.lua's table from the text of main.lua, before that runs: what the player must know by then.
-- The entry is a text in quotes, in the table that main.lua returns, or assigned to it: `game.id = "a.b"`.

local native <const> = ...

local literal <const> = {}

-- Returns the token at or after `at` and the place behind it; nil at the end. Comments are skipped.
local function next_token(text, at)
  while true do
    at = string.find(text, "%S", at)
    if not at then return nil end
    local level <const> = string.match(text, "^%-%-%[(=*)%[", at)
    if level then
      at = (select(2, string.find(text, "]" .. level .. "]", at, true)) or #text) + 1
    elseif string.find(text, "^%-%-", at) then
      at = (string.find(text, "\n", at, true) or #text) + 1
    else
      break
    end
  end
  local name <const>, quote <const>, level <const> = string.match(text, "^[%a_][%w_]*", at),
    string.match(text, "^[\"']", at),
    string.match(text, "^%[(=*)%[", at)
  local last = name and at + #name - 1 or at
  if quote then
    repeat
      last = string.find(text, "[\\\n" .. quote .. "]", last + 1) or #text
      local escaped <const> = string.sub(text, last, last) == "\\"
      if escaped then last = last + 1 end
    until not escaped
  elseif level then
    last = select(2, string.find(text, "]" .. level .. "]", at, true)) or #text
  end
  return string.sub(text, at, last), last + 1
end

-- Returns the variable to which the token before the last one of a list is assigned: `game = {`, `game <const> = {`.
local function assigned(list)
  local n <const> = #list
  if list[n] == "return" then return "return" end
  return list[n] == "=" and (list[n - 1] == ">" and list[n - 4] or list[n - 1]) or ""
end

local function unquoted(token) return token and string.match(token, "^[\"']([^\\]*)[\"']$") end

-- Returns the text of the entry `name`, or nil, of the file `path`.
function literal.read(path, name)
  local text <const> = native.read(path) or ""
  local list <const>, open <const>, found <const> = {}, {}, {}
  local returned
  local token, at = next_token(text, 1)
  while token do
    local n <const> = #list
    local value <const>, is_entry <const> = unquoted(token), list[n] == "=" and list[n - 1] == name
    if list[n] == "return" then returned = token == "{" and "return" or token end
    local is_first <const> = string.find("{,;", list[n - 2] or " ", 1, true)
    if value and is_entry and #open == 1 and is_first then found[open[1]] = value end
    if value and is_entry and #open == 0 and list[n - 2] == "." then found[list[n - 3]] = value end
    if token == "{" then open[#open + 1] = assigned(list) elseif token == "}" then open[#open] = nil end
    list[n + 1] = token
    token, at = next_token(text, at)
  end
  return returned and found[returned]
end

return literal
