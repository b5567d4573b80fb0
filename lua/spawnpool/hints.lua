-- One line of help for an error, where it is reliable: the name that was meant, the usual cause of a syntax error. No
-- hint is better than a guess.

local native <const> = ...
local members <const> = native.use "spawnpool.members"
local names <const> = native.use "spawnpool.names"

local debug <const> = native.debug()

local hints <const> = { typed = {} } -- typed: names that console input has in addition to the globals

local FRAMES_MOST <const> = 40 -- searched for one of the game's code

local NOT_IN_SANDBOX <const> = { dofile = true, loadfile = true }
local OF_LUA_5_1 <const> = {
  loadstring = "load", unpack = "table.unpack", setfenv = "the 4th argument of load", getfenv = "_ENV",
}
-- These calls have other names in LÖVE; the keys are the names there.
local OF_LOVE <const> = {
  print = "g:text(x, y, s)", printf = "g:text(x, y, s)", rectangle = "g:rect(x, y, w, h, mode)",
  draw = "g:sprite(name, x, y)", setColor = "g:color(r, g, b)", newFont = "g:font(file, size)",
  translate = "g:camera(x, y)", push = "g:camera(x, y)", setScissor = "g:clip(x, y, w, h)",
}
local NOT_IN_OS <const> = { execute = true, exit = true, remove = true, rename = true, tmpname = true }

-- {== Where it happened ====================================================

-- Returns the level, relative to the caller, of the innermost function of the game: of a file, or the console.
local function culprit_level()
  for level = 2, FRAMES_MOST do
    local info <const> = debug.getinfo(level, "Sl")
    if not info then return nil end
    if info.currentline > 0 and not string.find(info.source, "^=spawnpool%.") then return level - 1, info end
  end
  return nil
end

-- Returns name -> { value } of all variables visible to the function at `level` of the caller: upvalues, then its
-- locals.
local function seen_at(level)
  local seen <const> = {}
  level = level + 1
  local info <const> = debug.getinfo(level, "f")
  for i = 1, 255 do
    local name <const>, value <const> = debug.getupvalue(info.func, i)
    if not name then break end
    if name ~= "_ENV" then seen[name] = { value } end
  end
  for i = 1, 255 do
    local name <const>, value <const> = debug.getlocal(level, i)
    if not name then break end
    if string.match(name, "^[%a_]") then seen[name] = { value } end
  end
  return seen
end

-- Returns the value of "a.b.c" there, nil when it is unknown.
local function value_of(path, seen)
  local value
  for name in string.gmatch(path, "[%a_][%w_]*") do
    if value ~= nil then
      value = members.get(value, name)
    else
      value = seen[name] and seen[name][1]
      if not seen[name] then value = rawget(_G, name) end
    end
    if value == nil then return nil end
  end
  return value
end

-- }==

-- {== Names that are nil ===================================================

local function did_you_mean(name, list)
  table.sort(list)
  local near <const> = names.nearest(name, list)
  return near and near ~= name and string.format("did you mean '%s'?", near) or nil
end

-- Returns the names that a file declares with `local`: a function has as upvalues only those that it uses.
local function add_declared(list, source)
  local path <const> = string.match(source, "^@(.*)")
  local text <const> = path and (native.texts()[path] or native.read(path)) or ""
  for declared in string.gmatch(text, "%f[%w_]local%s+([%w_, <>]+)") do
    local spelled <const> = string.gsub(string.gsub(declared, "<%a+>", ""), "^function ", "")
    for name in string.gmatch(spelled, "[%a_][%w_]*") do list[#list + 1] = name end
  end
end

local function of_global(name, seen, source)
  local list <const> = members.names(_G)
  add_declared(list, source)
  if source == "=console" then table.move(hints.typed, 1, #hints.typed, #list + 1, list) end
  for other in next, seen do list[#list + 1] = other end
  if OF_LUA_5_1[name] then return string.format("Lua 5.4 has no '%s': use %s", name, OF_LUA_5_1[name]) end
  if NOT_IN_SANDBOX[name] then return string.format("the sandbox has no '%s'; a trusted game has all of Lua", name) end
  if name == "love" then return "no LÖVE here: a game draws in draw(g) with g:text, g:rect, g:circle, g:sprite" end
  if name == "spawnpool" then return 'local spawnpool <const> = require "spawnpool"' end
  if name == "pools" then return 'local pools <const> = require("spawnpool").pools' end
  return did_you_mean(name, list)
end

-- Finds the table of the field in the source line: the first one without a field of that name.
local function of_field(name, line, seen)
  for path, separator in string.gmatch(line, "([%a_][%w_.]*)%s*([.:])%s*" .. name .. "%f[^%w_]") do
    local value <const> = value_of(path, seen)
    if value ~= nil and members.get(value, name) == nil then
      if path == "os" and NOT_IN_OS[name] or path == "debug" or path == "io" then
        return string.format("the sandbox has no '%s.%s'; a trusted game has all of Lua", path, name)
      end
      return did_you_mean(name, members.names(value, separator == ":"))
    end
  end
  return nil
end

local function of_nil(message, line)
  local kind <const>, name <const> = string.match(message, "nil value %((%a+) '([%a_][%w_]*)'%)")
  if not kind then return nil end
  local level <const>, info <const> = culprit_level()
  if not level then return nil end
  local seen <const> = seen_at(level)
  if kind == "global" then return of_global(name, seen, info.source) end
  if kind == "field" or kind == "method" then return of_field(name, line or "", seen) end
  return nil
end

-- }==

-- {== Syntax errors ========================================================

-- Pattern of the message -> hint, with captures filled in.
local SYNTAX <const> = {
  { "'(%a+)' expected %(to close '(%a+)' at line (%d+)%) near", "'%2' at line %3 has no '%1' of its own" },
  { "'(%a+)' expected near <eof>", "an '%1' is missing: every function, if, for and while needs its own" },
  { "'([)}%]])' expected %(to close '(.)' at line (%d+)%) near", "'%2' at line %3 has no '%1', or a comma is missing" },
  { "'([)}%]])' expected near", "'%1' is missing, or a comma" },
  { "'then' expected near '='", "'=' gives a value, '==' compares" },
  { "'do' expected near '='", "'=' gives a value, '==' compares" },
  { "near '!'$", "Lua has 'not x', and 'a ~= b' for 'not equal'" },
  { "syntax error near '([-+*/%%])'$", "Lua has no '%1=': write x = x %1 y" },
  { "unexpected symbol near '&'", "Lua says 'and'; a single '&' joins bits" },
  { "unexpected symbol near '|'", "Lua says 'or'; a single '|' joins bits" },
  { "'=' expected near '([%a_][%w_]*)'", "a statement is a call or an assignment; comments begin with '--'" },
  { "unfinished string near", "a quote is missing; write a string over several lines in [[ ]]" },
  { "attempt to assign to const variable '([%a_][%w_]*)'", "'%1' is declared <const>: without that it may change" },
  { "<name> expected near '(%a+)'", "'%1' is a keyword of Lua and cannot be a name" },
}

-- Tokens that begin or end a statement: the statement before one of them must be complete.
for word in string.gmatch("break do end for goto if local return while", "%a+") do
  local hint <const> = string.format("something is missing before '%s', perhaps a bracket in the line above", word)
  SYNTAX[#SYNTAX + 1] = { string.format("unexpected symbol near '%s'", word), hint }
end

local function of_syntax(message)
  for _, row in ipairs(SYNTAX) do
    local found <const> = table.pack(string.find(message, row[1]))
    if found[1] then
      return (string.gsub(row[2], "%%(%d)", function(n) return found[2 + math.tointeger(tonumber(n))] end))
    end
  end
  return nil
end

-- }==

-- {== The rest =============================================================

local PLAIN <const> = {
  { "must return a table of callbacks", "end main.lua with: return { update = update, draw = draw }" },
  { "stack overflow", "a function calls itself and never ends" },
  { "attempt to yield from outside a coroutine", "only what obj:run(fn) runs may yield" },
  { "not enough memory", "make less of it, or let the game have more memory" },
}

local function of_plain(message)
  for _, row in ipairs(PLAIN) do
    if string.find(message, row[1]) then return row[2] end
  end
  return nil
end

local function of_module(message)
  local name <const> = string.match(message, "module '([^']+)' not found")
  return name and did_you_mean(name, names.modules())
end

local function of_love(message)
  local name <const> = string.match(message, "g has no field '([%a_]+)'")
  return OF_LOVE[name] and string.format("that is %s here", OF_LOVE[name])
end

local last <const> = {} -- the message of the last request: one error is often reported several times

-- Returns a hint for an error message, or nil. `line` is the source line, if known. Call it before the stack is
-- unwound.
function hints.of(message, line)
  if last.message ~= message then
    local first <const> = string.match(message, "^[^\n]*")
    local hint <const> = not string.find(first, "did you mean") and
      (of_nil(first, line) or of_love(first) or of_module(first) or of_syntax(first) or of_plain(first)) or nil
    last.message, last.hint = message, hint
  end
  return last.hint
end

-- The hint as the last line of an error's text.
function hints.line(hint) return hint and "\n  hint: " .. hint or "" end

-- Describes the error of a text that does not compile, with its source line and a hint.
function hints.of_text(wrong, text)
  local wanted <const> = math.tointeger(tonumber(string.match(wrong, ":(%d+): ")))
  local number, quoted = 0, nil
  for line in string.gmatch(text .. "\n", "([^\n]*)\n") do
    number = number + 1
    if number == wanted then -- each takes linear time
      quoted = string.match(string.match(line, "^.*%S") or "", "^%s*(.*)")
    end
  end
  local shown <const> = quoted and quoted ~= "" and "\n    " .. quoted or ""
  return wrong .. shown .. hints.line(hints.of(wrong, quoted))
end

-- }==

return hints
