-- A game that says where what editors and luacheck are told of the sandbox differs from the sandbox. It is run with two
-- more modules: `luacheck`, lua/spawnpool/luacheck.lua, and `annotations`, the text of sandbox.d.lua.
local LIBRARIES <const> = { "_G", "coroutine", "debug", "io", "math", "os", "package", "string", "table", "utf8" }
local EDITED <const> = { io = true, os = true, debug = true, package = true, require = true } -- editors are told of
local real <const>, linted <const>, annotated <const> = {}, {}, { io = true, os = true, debug = true, package = true }

-- Names of globals, and of what their tables hold: _G and package.loaded are any game's to fill.
for _, library in ipairs(LIBRARIES) do
  for key in pairs(_G[library]) do real[library == "_G" and key or library .. "." .. key] = true end
end
-- Names of a Lua that was built with compatibility for 5.3: no game should rely on them.
for name in ("atan2 cosh frexp ldexp log10 pow sinh tanh"):gmatch "%w+" do real["math." .. name] = nil end

for name, entry in pairs(require "luacheck".std.read_globals) do
  linted[name] = true
  for field in pairs(entry.fields or {}) do linted[name .. "." .. field] = true end
end

local class
for line in require "annotations":gmatch "[^\n]+" do
  class = line:match "^%-%-%-@class spawnpool%.sandbox%.(%w+)" or class
  local field <const> = line:match "^%-%-%-@field (%w+)"
  local name <const> = line:match "^function ([%w.]+)%(" or field and class .. "." .. field
  if name then annotated[name] = true end
end

local function say(what, some, others)
  local list <const> = {}
  for name in pairs(some) do
    if not others[name] and (what:find "luacheck" or EDITED[name:match "%w+"]) then list[#list + 1] = name end
  end
  table.sort(list)
  print(("%s: %s"):format(what, table.concat(list, " ")))
end

local function compare(what, told)
  say(what .. " knows and there is not", told, real)
  say("there is and is not known to " .. what, real, told)
end

compare("luacheck", linted)
compare("an editor", annotated)

return {}
