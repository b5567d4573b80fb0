-- Every function that a game in the sandbox can reach and that the watchdog does not stop between two instructions, by
-- a name: functions in C, and those of the library's own Lua code. tests/script/reach.lua runs this in a real
-- sandbox, with the real library `debug`; metatables count that a game cannot see, for operators reach them. Each value
-- has the first name under which it is found, and that is the same each time.
local debug <const> = ...
local seen <const>, found <const>, queue <const> = {}, {}, {}

local function look_at(name, value)
  local type <const> = type(value)
  if type == "nil" or type == "boolean" or type == "number" or seen[value] then return end
  seen[value] = true
  local source <const> = type == "function" and debug.getinfo(value, "S").source or ""
  if source == "=[C]" or source:find "^=spawnpool%." then
    found[name] = value
  else
    queue[#queue + 1] = { name, value }
  end
end

local function look_at_entries(prefix, list)
  local names <const> = {}
  for key in next, list do
    if type(key) == "string" then names[#names + 1] = key end
  end
  table.sort(names)
  local dot <const> = prefix:find "[^:]$" and "." or ""
  for _, name in ipairs(names) do look_at(prefix .. dot .. name, rawget(list, name)) end
  for i = 1, rawlen(list) do look_at(prefix .. "[]", rawget(list, i)) end
end

look_at("roots", roots) -- luacheck: ignore 113
look_at("_G", _G)
for _, it in ipairs(queue) do
  local name <const>, value <const> = it[1], it[2]
  if type(value) == "table" then look_at_entries((name == "_G" or name == "roots") and "" or name, value) end
  look_at(name .. ":", debug.getmetatable(value))
end
return found
