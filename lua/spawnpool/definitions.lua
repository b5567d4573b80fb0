-- Reads the text of a file: where each function is, by which name, and which statements give a name its value. The text
-- compiles, so that the grammar needs no errors.

local byte <const>, find <const>, sub <const> = string.byte, string.find, string.sub
local concat <const> = table.concat

local definitions <const> = {}

-- {== Tokens ==================================================================

local LONG <const> = "^%[(=*)%["
local OPERATORS <const> = { ["..."] = true, [".."] = true, ["=="] = true, ["~="] = true, ["<="] = true, [">="] = true,
  ["//"] = true, ["::"] = true, ["<<"] = true, [">>"] = true }

-- Returns the end of a string in long brackets that begins at `at`, or nil.
local function long_end(text, at)
  local _, _, level <const> = find(text, LONG, at)
  if not level then return nil end
  local _, last <const> = find(text, "]" .. level .. "]", at, true)
  return last
end

local function short_end(text, at)
  local quote <const> = sub(text, at, at)
  local i = at + 1
  while true do
    local c <const> = sub(text, i, i)
    if c == quote or c == "" then return i end
    i = i + (c == "\\" and 2 or 1)
  end
end

local function comment_end(text, at)
  local last <const> = long_end(text, at + 2)
  if last then return last end
  return (find(text, "\n", at, true) or #text + 1) - 1
end

local function operator_end(text, at)
  if OPERATORS[sub(text, at, at + 2)] then return at + 2 end
  return OPERATORS[sub(text, at, at + 1)] and at + 1 or at
end

local function token_end(text, at, c)
  local _, last = find(text, "^[%a_][%w_]*", at)
  if last then return last, "name" end
  _, last = find(text, "^%.?%d[%w_.]*", at)
  if last then
    while find(text, "^[-+]%w", last + 1) and find(text, "[eEpP]", last) == last do
      _, last = find(text, "^[-+][%w_.]*", last + 1)
    end
    return last, "value"
  end
  if c == 34 or c == 39 then return short_end(text, at), "value" end
  if c == 91 then
    last = long_end(text, at)
    if last then return last, "value" end
  end
  return operator_end(text, at), "sign"
end

-- Returns the tokens, their kinds and their lines.
local function tokens_of(text)
  local tokens <const>, kinds <const>, lines <const>, line, at = {}, {}, {}, 1, 1
  if sub(text, 1, 1) == "#" then at = find(text, "\n", 1, true) or #text + 1 end
  while true do
    local _, space <const> = find(text, "^[ \t\r]*", at)
    at = space + 1
    local c <const> = byte(text, at)
    if not c then break end
    local last, kind
    if c == 10 then
      last = at
    elseif c == 45 and byte(text, at + 1) == 45 then
      last = comment_end(text, at)
    else
      last, kind = token_end(text, at, c)
      local n <const> = #tokens + 1
      tokens[n], kinds[n], lines[n] = sub(text, at, last), kind, line
    end
    local newline = find(text, "\n", at, true)
    while newline and newline <= last do
      line = line + 1
      newline = find(text, "\n", newline + 1, true)
    end
    at = last + 1
  end
  return tokens, kinds, lines
end

-- }==

-- {== The grammar =============================================================

local BINARY <const>, UNARY <const> = {}, { ["not"] = true, ["-"] = true, ["#"] = true, ["~"] = true }
for sign in string.gmatch("+ - * / // ^ % & ~ | >> << .. < <= > >= == ~= and or", "%S+") do BINARY[sign] = true end
local ENDS <const> = { ["end"] = true, ["else"] = true, ["elseif"] = true, ["until"] = true, [""] = true }

local Reader <const> = {}
Reader.__index = Reader

function Reader:token() return self.tokens[self.at] or "" end

function Reader:next()
  local token <const> = self.tokens[self.at] or ""
  self.out[#self.out + 1] = token
  self.at = self.at + 1
  return token
end

function Reader:accept(token)
  if self.tokens[self.at] ~= token or self.kinds[self.at] == "value" then return false end
  self:next()
  return true
end

function Reader:cut(mark)
  for i = #self.out, mark + 1, -1 do self.out[i] = nil end
end

-- A statement gives `name` a value. Where file scope does so, what functions do does not count.
function Reader:give(name, text)
  local list <const> = self.depth == 0 and self.given or self.assigned
  list[name] = list[name] or {}
  table.insert(list[name], text)
end

function Reader:body(name, line, is_method)
  local mark <const>, first <const> = #self.out, self.at
  local f <const> = { line = line, name = name, outer = self.outer, at = #self.functions + 1 }
  self.functions[f.at] = f
  local outer <const>, depth <const> = self.outer, self.depth
  self.outer, self.depth = f.at, depth + 1
  self:next()
  local params = is_method and 1 or 0
  while not self:accept ")" do
    params = params + (self.kinds[self.at] == "name" and 1 or 0)
    self:next()
  end
  self:block()
  f.last, f.params = self.lines[self.at], params
  self:next()
  f.text = concat(self.tokens, " ", first, self.at - 1)
  self.outer, self.depth = outer, depth
  self:cut(mark)
end

-- `path`: of what the table becomes. Fields with names are statements of their own.
function Reader:constructor(path)
  self:next()
  while not self:accept "}" do
    local mark <const>, key = #self.out, nil
    if self.kinds[self.at] == "name" and self.tokens[self.at + 1] == "=" then
      key = self:next()
    elseif self:token() == "[" and self.kinds[self.at] == "sign" then
      self:next()
      local from <const> = self.at
      self:expression()
      key = self.at == from + 1 and string.match(self.tokens[from], "^[\"'](.*)[\"']$")
      self:accept "]"
      if not key then self:accept "=" self:expression() end
    end
    if key then
      self:accept "="
      self:value(path and path .. "." .. key or "." .. key, key, mark)
      self:cut(mark)
    elseif not self:accept "," and not self:accept ";" then
      if self:token() ~= "}" then self:expression(path and path .. ".#") end
    end
  end
end

-- The value of an assignment to `path`, whose last name is `key`.
function Reader:value(path, key)
  local mark <const> = #self.out
  self:expression(path)
  self:give(key, concat(self.out, " ", mark + 1, #self.out))
end

function Reader:arguments()
  if self.kinds[self.at] == "value" then self:next() return end
  if self:token() == "{" then return self:constructor() end
  self:next()
  while not self:accept ")" do
    self:expression()
    self:accept ","
  end
end

-- Returns the dotted path of a name with its fields; nil for others; the last name; and whether it ends with a call.
function Reader:suffixed()
  local path, key, is_call = nil, nil, false
  if self:accept "(" then
    self:expression()
    self:accept ")"
  else
    path = self:next()
    key = path
  end
  while true do
    local token <const>, kind <const> = self:token(), self.kinds[self.at]
    if kind == "value" and find(token, "^[\"'%[]") or token == "(" or token == "{" then
      self:arguments()
      path, is_call = nil, true
    elseif kind ~= "sign" then
      break
    elseif token == "." or token == ":" then
      self:next()
      key = self:next()
      path, is_call = path and path .. "." .. key, false
    elseif token == "[" then
      self:next()
      self:expression()
      self:accept "]"
      path, is_call = path and path .. ".[]", false
    else
      break
    end
  end
  return path, key, is_call
end

function Reader:simple(path)
  local token <const>, kind <const> = self:token(), self.kinds[self.at]
  if kind == "value" or token == "..." or token == "nil" or token == "true" or token == "false" then
    self:next()
  elseif token == "function" then
    local line <const> = self.lines[self.at]
    self:next()
    self:body(path, line)
  elseif token == "{" then
    self:constructor(path)
  else
    self:suffixed()
  end
end

function Reader:expression(path)
  while UNARY[self:token()] and self.kinds[self.at] ~= "value" do self:next() end
  self:simple(path)
  while BINARY[self:token()] and self.kinds[self.at] ~= "value" do
    self:next()
    while UNARY[self:token()] and self.kinds[self.at] ~= "value" do self:next() end
    self:simple(path)
  end
end

-- The values of an assignment to the paths, whose last names are `keys`.
function Reader:values(paths, keys)
  local i = 1
  repeat
    local mark <const> = #self.out
    self:expression(paths[i])
    local text <const> = concat(self.out, " ", mark + 1, #self.out)
    if keys[i] then self:give(keys[i], text) end
    i = i + 1
    local more <const> = self:accept ","
    for k = more and #keys + 1 or i, #keys do self:give(keys[k], text .. " #" .. k) end
  until not more
end

function Reader:declaration()
  if self:token() == "function" then
    local line <const> = self.lines[self.at]
    self:next()
    local name <const> = self:next()
    if self.depth == 0 then self.declared[name] = true end
    return self:body(name, line)
  end
  local names <const> = {}
  repeat
    names[#names + 1] = self:next()
    if self.depth == 0 then self.declared[names[#names]] = true end
    if self:accept "<" then self:next() self:accept ">" end
  until not self:accept ","
  if self:accept "=" then return self:values(names, names) end
  for _, name in ipairs(names) do self:give(name, "nil") end
end

function Reader:definition(line)
  local name, is_method = self:next(), false
  while self:token() == "." or self:token() == ":" do
    is_method = self:next() == ":"
    name = name .. "." .. self:next()
  end
  self:body(name, line, is_method)
end

function Reader:assignment()
  local mark <const>, paths <const>, keys <const> = #self.out, {}, {}
  local is_call
  repeat
    local path <const>, key <const>, ends_with_call <const> = self:suffixed()
    paths[#keys + 1], keys[#keys + 1], is_call = path or "?", key or "?", ends_with_call
  until not self:accept ","
  if self:accept "=" then return self:values(paths, keys) end
  if is_call then self:give("()", concat(self.out, " ", mark + 1, #self.out)) end
end

function Reader:returned()
  local from <const> = self.at
  if ENDS[self:token()] or self:token() == ";" then self:accept ";" return end
  local is_result <const> = self.depth == 0 and self.nesting == 0
  repeat self:expression(is_result and "return") until not self:accept ","
  self:accept ";"
  local call <const> = self.tokens[from] == "setmetatable" and from + 2
  local name <const> = call or self.at == from + 1 and from
  if is_result and name and self.kinds[name] == "name" then self.result = self.tokens[name] end
end

local statements <const> = {
  ["local"] = Reader.declaration, ["return"] = Reader.returned,
  ["break"] = function() end, [";"] = function() end,
  ["goto"] = Reader.next,
  ["::"] = function(self) self:next() self:next() end,
  ["do"] = function(self) self:block() self:next() end,
  ["while"] = function(self) self:expression() self:next() self:block() self:next() end,
  ["repeat"] = function(self) self:block() self:next() self:expression() end,
  ["for"] = function(self)
    repeat self:next() until not self:accept ","
    self:next()
    repeat self:expression() until not self:accept ","
    self:next()
    self:block()
    self:next()
  end,
  ["if"] = function(self)
    repeat
      self:expression()
      self:next()
      self:block()
    until self:next() ~= "elseif" and (self.tokens[self.at - 1] == "end" or self:last_branch())
  end,
}

function Reader:last_branch()
  self:block()
  self:next()
  return true
end

function Reader:statement()
  local token <const>, line <const> = self:token(), self.lines[self.at]
  if token == "function" then
    self:next()
    return self:definition(line)
  end
  local read <const> = statements[token]
  if not read then return self:assignment() end
  self:next()
  local is_block <const> = token ~= "local" and token ~= "return"
  self.nesting = self.nesting + (is_block and 1 or 0)
  read(self)
  self.nesting = self.nesting - (is_block and 1 or 0)
end

function Reader:block()
  local mark <const> = #self.out
  while not (ENDS[self:token()] and self.kinds[self.at] ~= "value") do
    self:statement()
    self:cut(mark)
  end
end

-- }==

-- A local variable that the file returns, and its fields, are named after `return`: renaming it changes nothing.
local function normal(name, result)
  if not name or not result then return name end
  if name == result then return "return" end
  if sub(name, 1, #result + 1) == result .. "." then return "return" .. sub(name, #result + 1) end
  return name
end

-- Returns { functions: { line, last, given_name, name: with `return` for a result, outer, params, text } in the
-- order of the text; by_lines: "first:last" -> those; given, assigned: name -> texts of the values that file scope
-- gives it, or functions; declared: names of the local variables of file scope }.
function definitions.of(text)
  local tokens <const>, kinds <const>, lines <const> = tokens_of(text)
  local reader <const> = setmetatable({ tokens = tokens, kinds = kinds, lines = lines, at = 1, out = {}, depth = 0,
    nesting = 0, outer = 0, functions = {}, given = {}, assigned = {}, declared = {} }, Reader)
  pcall(reader.block, reader) -- of a text that is not Lua, what was read before
  local by_lines <const> = {}
  for _, f in ipairs(reader.functions) do
    f.given_name, f.name = f.name, normal(f.name, reader.result)
    local key <const> = string.format("%d:%d", f.line, f.last or -1)
    by_lines[key] = by_lines[key] or {}
    table.insert(by_lines[key], f)
  end
  return { functions = reader.functions, by_lines = by_lines, given = reader.given, assigned = reader.assigned,
    declared = reader.declared }
end

return definitions
