-- A game that says where what editors and luacheck are told of the sandbox differs from the sandbox. It is run with two
-- more modules: `luacheck`, lua/spawnpool/luacheck.lua, and `annotations`, the text of sandbox.d.lua.
local luacheck <const> = require "luacheck"
local annotations <const> = require "annotations"

-- Names of a Lua that was built with compatibility for 5.3: no game should rely on them.
local COMPATIBLE <const> = {}
for name in ("atan2 cosh frexp ldexp log10 pow sinh tanh"):gmatch "%w+" do COMPATIBLE["math." .. name] = true end

-- Names of globals, and of what their tables hold: _G and package.loaded are any game's to fill.
local function real_names(tables)
  local names <const> = {}
  for _, name in ipairs(tables) do
    local whole <const> = name == "_G"
    for key in pairs(_G[name]) do
      local path <const> = whole and key or name .. "." .. key
      if not COMPATIBLE[path] then names[path] = true end
    end
  end
  return names
end

local LIBRARIES <const> = { "_G", "coroutine", "debug", "math", "os", "package", "string", "table", "utf8" }

local function told_to_luacheck()
  local names <const> = {}
  for name, entry in pairs(luacheck.std.read_globals) do
    names[name] = true
    for field in pairs(entry.fields or {}) do names[name .. "." .. field] = true end
  end
  return names
end

local function annotated()
  local names <const> = { os = true, debug = true, package = true }
  local class
  for line in annotations:gmatch "[^\n]+" do
    class = line:match "^%-%-%-@class spawnpool%.sandbox%.(%w+)" or class
    local field <const> = line:match "^%-%-%-@field (%w+)"
    local name <const> = line:match "^function ([%w.]+)%("
    if field then names[class .. "." .. field] = true end
    if name then names[name] = true end
  end
  return names
end

local function say(what, some, other)
  local list <const> = {}
  for name in pairs(some) do
    if not other[name] then list[#list + 1] = name end
  end
  table.sort(list)
  print(("%s: %s"):format(what, table.concat(list, " ")))
end

local function compare(what, told, real)
  say(what .. " knows and there is not", told, real)
  say("there is and is not known to " .. what, real, told)
end

compare("luacheck", told_to_luacheck(), real_names(LIBRARIES))

local real <const> = real_names { "os", "debug", "package" }
real.os, real.debug, real.package, real.require = true, true, true, true
compare("an editor", annotated(), real)

return {}
