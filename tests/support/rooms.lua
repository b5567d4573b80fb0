-- Prints what breaks the order of the rooms: an include, or a function of an object file in another one, that the
-- tables of docs/howitworks.md do not allow; a circle of files; a function that a header declares and the file beside
-- it does not define. `lua rooms.lua BUILD`.
local build <const> = ...

local function lines(command)
  local out <const> = {}
  local pipe <close> = assert(io.popen(command))
  for line in pipe:lines() do out[#out + 1] = line end
  return out
end

-- Layer -> room -> the set of rooms that it may use.
local function read_tables()
  local layers <const> = {}
  local layer
  for line in io.lines "docs/howitworks.md" do
    layer = line:match "^### ([%w/]+)$" or (not line:find "^##" and layer or nil)
    local room <const>, used <const> = line:match "^| `(%l+)` |.*|([^|]*)|$"
    if layer and room then
      local may_use <const> = { [room] = true }
      for name in used:gmatch "`(%l+)`" do may_use[name] = true end
      layers[layer] = layers[layer] or {}
      layers[layer][room] = may_use
    end
  end
  return layers
end

-- { from, to, what } for each include, and for each symbol that one object takes from another; paths without ending.
-- Then path -> set of its functions. A source that was moved leaves its object behind.
local function read_arrows()
  local arrows <const>, home <const>, wanted <const>, functions <const> = {}, {}, {}, {}
  for _, line in ipairs(lines "grep -H '^#include \"' src/*/*/*.[ch] demo/*/*.[ch]") do
    local from <const>, header <const> = line:match '^(.-)%.[ch]:#include "(.-)%.h"'
    if from then
      arrows[#arrows + 1] = { from, header:gsub("^script/", "src/%0"), "includes " .. header .. ".h" }
    end
  end
  local objects <const> = ("$(find %s/obj/src %s/obj/demo -name '*.o' ! -path '*/musl/*')"):format(build, build)
  for _, line in ipairs(lines("nm -A " .. objects)) do
    local file <const>, kind <const>, symbol <const> = line:sub(#build + 6):match "^(.-)%.o:.* (%a) ([%w_.]+)$"
    local source <close> = file and io.open(file .. ".c")
    if source and kind == "U" then wanted[#wanted + 1] = { file, symbol } end
    if source and kind:find "[TtR]" then
      functions[file] = functions[file] or {}
      functions[file][symbol] = true
    end
    if source and kind:find "[TDRBC]" and not file:find "^demo/embed/" then home[symbol] = file end
  end
  for _, want in ipairs(wanted) do
    local from <const>, symbol <const> = table.unpack(want)
    local to <const> = home[symbol]
    if to and to ~= from then arrows[#arrows + 1] = { from, to, ("uses %s of %s"):format(symbol, to), true } end
  end
  return arrows, functions
end

local arrows <const>, functions <const> = read_arrows()

-- {== Rooms ====================================================================

local found = 0
for layer, rooms in pairs(read_tables()) do
  local function room_of(path)
    local name <const> = path:match("^" .. layer .. "/(%l+)/")
    return name ~= "embed" and name
  end
  for _, arrow in ipairs(arrows) do
    local from <const>, to <const> = room_of(arrow[1]), room_of(arrow[2])
    if from and to then
      found = found + 1
      if not rooms[from] then print(arrow[1] .. ": docs/howitworks.md has no room '" .. from .. "'")
      elseif not rooms[from][to] then print(arrow[1] .. " " .. arrow[3]) end
    end
  end
end
if found < 500 then print("only " .. found .. " arrows were found: is " .. build .. " built?") end

-- }==

-- {== Circles of files =========================================================

-- Recycling an object ends its children, and the end of a child is recycling.
local RECURSE <const> = { ["src/core/parents"] = "src/core/recycle" }

local path <const> = os.tmpname()
local edges <close> = assert(io.open(path, "w"))
for _, arrow in ipairs(arrows) do
  local from <const>, to <const>, _, is_symbol <const> = table.unpack(arrow)
  if is_symbol and RECURSE[from] ~= to then edges:write(from, " ", to, "\n") end
end
edges:flush()
for _, line in ipairs(lines("tsort " .. path .. " 2>&1 >/dev/null")) do print("circle of files: " .. line) end
os.remove(path)

-- }==

-- {== Headers ==================================================================

-- Doors to a whole layer declare what others define.
local DOORS <const> = "src/core/spawnpool%.h src/core/spawnpool_%l+%.h src/core/binding%.h src/script/script%.h"

local function is_door(header)
  for door in DOORS:gmatch "%S+" do
    if header:find(door) then return true end
  end
end

for _, header in ipairs(lines "ls src/core/*.h src/script/*/*.h demo/*/*.h") do
  local file <close> = assert(io.open(header))
  local own <const> = functions[header:sub(1, -3)] or {}
  for kind, name in ("\n" .. file:read "a"):gmatch "\n(%a[%w_ ]-)[ *]+([%l_][%w_]+)%b()[^;{]*;" do
    if not (kind:find "^typedef" or kind:find "^static" or own[name] or is_door(header)) then
      print(header .. " declares " .. name .. ", which the file beside it does not define")
    end
  end
end

-- }==
