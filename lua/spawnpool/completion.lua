-- Completes console input: names of globals, of fields and methods after a dot or a colon, of types and modules inside
-- quotes. No code of the game runs: the result of a call is guessed from its name.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local members <const> = native.use "spawnpool.members"
local names <const> = native.use "spawnpool.names"

local completion <const> = {}

-- Results of calls by name, for any receiver.
local RESULTS <const> = { alloc = "object", take = "object", nearest = "object", pool = "pool" }

-- Calls whose first argument is the name of a type.
local TAKES_TYPE <const> = { alloc = true, pool = true, class = true, remove = true, stats = true }

-- {== Lists of words =======================================================

-- Returns the words that begin with `head`, sorted, each once. Words that begin with an underscore are included only
-- when it has been typed.
local function beginning_with(head, list)
  table.sort(list)
  local out <const> = {}
  for _, word in ipairs(list) do
    local fits <const> = string.sub(word, 1, #head) == head and (string.sub(word, 1, 1) ~= "_" or head ~= "")
    if fits and word ~= out[#out] then out[#out + 1] = word end
  end
  return out
end

-- }==

-- {== The thing before a dot ===============================================

-- Either a value or, for the result of a call, only its kind and pool.
local function known(value) return value ~= nil and { value = value } or nil end

local function follow(thing, key)
  if thing.kind == "object" and key == "pool" then return { kind = "pool", pool = thing.pool } end
  return thing.value ~= nil and known(members.get(thing.value, key)) or nil
end

-- Returns the value of name("...").
local function result_of(name, argument)
  if name == "require" then return known(native.loaded()[argument]) end
  if not RESULTS[name] then return nil end
  return { kind = RESULTS[name], pool = native.pools_of(argument)[1] }
end

-- Splits the end of `text` into its last step and the rest: ".name", ":name(...)", "[12]", a first name.
local function last_step(text)
  local rest, arguments = string.match(text, "^(.-)%s*(%b())$")
  if not rest then rest, arguments = string.match(text, "^(.-)%s*(\"[^\"]*\")$") end
  local before <const>, name <const> = string.match(rest or text, "^(.-)([%a_][%w_]*)$")
  if name and arguments then return before, name, string.match(arguments, "^[(]?%s*[\"']([^\"']*)") or "" end
  if name then return before, name end
  local head <const>, number <const> = string.match(text, "^(.-)%[(%d+)%]$")
  if head then return head, math.tointeger(number), nil, true end
  local table_text <const>, key <const> = string.match(text, "^(.-)%[[\"']([^\"']*)[\"']%]$")
  return table_text, key, nil, true
end

-- Returns the text before a dot or a colon at the end of `text`, and which of them; two dots are a concatenation.
local function before_separator(text)
  if string.match(text, "%.%.%s*$") then return nil end
  return string.match(text, "^(.-)%s*([.:])%s*$")
end

-- Returns the value of the expression at the end of `text`, nil when it is unknown.
local function resolve(text, world)
  local before <const>, key <const>, argument <const>, is_index <const> = last_step(text)
  if not key then return nil end
  local inner <const> = is_index and before or before_separator(before)
  if argument then return result_of(key, argument) end
  if not inner then return known(world[key]) end
  local thing <const> = resolve(inner, world)
  return thing and follow(thing, key)
end

local function words_after(thing, separator)
  if thing.value ~= nil then return members.names(thing.value, separator == ":") end
  return members.names_of_kind(thing.kind, separator == ":", thing.pool)
end

-- }==

-- {== Inside quotes ========================================================

-- Returns the position of an unfinished string, or nil.
local function open_quote(text)
  local quote, from
  local at = 1
  while at <= #text do
    local c <const> = string.sub(text, at, at)
    if quote and c == "\\" then
      at = at + 1
    elseif quote == c then
      quote = nil
    elseif not quote and (c == '"' or c == "'") then
      quote, from = c, at
    end
    at = at + 1
  end
  return quote and from
end

local function words_in_quotes(before)
  local call <const> = string.match(before, "([%a_][%w_]*)%s*%(?%s*$")
  if call == "require" then return names.of(native.loaded()) end
  if TAKES_TYPE[call] or string.match(before, "type%s*=%s*$") then
    local list <const> = native.types()
    table.move(classes.names(), 1, #classes.names(), #list + 1, list)
    return list
  end
  return {}
end

-- }==

local function globals(world_names)
  local list <const> = members.names(_G)
  table.move(world_names, 1, #world_names, #list + 1, list)
  return list
end

-- Returns the possible completions of the end of `text`, sorted, and how many bytes of it they replace. `offered` are
-- names that `world` has in addition to the globals.
function completion.words(text, world, offered)
  local quote <const> = open_quote(text)
  if quote then
    local head <const> = string.sub(text, quote + 1)
    return beginning_with(head, words_in_quotes(string.sub(text, 1, quote - 1))), #head
  end
  local before <const>, head <const> = string.match(text, "^(.-)([%a_]?[%w_]*)$")
  if head == "" and string.match(before, "%w$") then return {}, 0 end
  local inner <const>, separator <const> = before_separator(before)
  if not inner then return beginning_with(head, globals(offered)), #head end
  local thing <const> = resolve(inner, world)
  return beginning_with(head, thing and words_after(thing, separator) or {}), #head
end

return completion
