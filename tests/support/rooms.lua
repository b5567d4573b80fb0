-- Prints each arrow between the rooms of a layer that docs/howitworks.md does not allow: an include, or a function of
-- an object file that lies in another one. Then each function that a header declares and the file beside it does not
-- define; and the circles of files, when there are more than there were. `lua rooms.lua BUILD`.
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

-- calls fn(from, to, what) for each include between two files of the layer; both are rooms.
local function each_include(layer, fn)
  local prefix <const> = layer:gsub("^src/", "") .. "/"
  for _, line in ipairs(lines("grep -H '^#include \"' " .. layer .. "/*/*.[ch]")) do
    local file <const>, header <const> = line:match '^(.-):#include "(.-)"'
    local to <const> = header:match("^" .. prefix .. "(%l+)/")
    if to then fn(file:sub(#layer + 2):match "^%l+", to, file .. " includes " .. header) end
  end
end

-- Calls fn(from, to, what) for each symbol that one object imports from another.
local function each_symbol(layer, fn)
  local home <const>, imports <const> = {}, {}
  local function has_source(object) -- a moved one leaves its object behind
    local file <close> = io.open((object:gsub("^.-/obj/", ""):gsub("%.o$", ".c")))
    return file
  end
  for _, line in ipairs(lines("nm -A " .. build .. "/obj/" .. layer .. "/*/*.o 2>/dev/null")) do
    local object <const> = line:match "^(.-):"
    local kind <const>, symbol <const> = line:match "(%a) ([%w_.]+)$"
    if not has_source(object) then goto continue end
    if kind == "U" then
      imports[#imports + 1] = { object, symbol }
    elseif kind:find "[TDRBC]" then
      home[symbol] = object
    end
    ::continue::
  end
  local function room(path) return path:sub(#build + #layer + 7):match "^%l+" end
  for _, import in ipairs(imports) do
    local from <const>, to <const> = import[1], home[import[2]]
    if to then fn(room(from), room(to), from .. " uses " .. import[2] .. " of " .. to) end
  end
end

-- Object files whose functions need each other, directly or through others: strongly connected parts of the graph.
local MOST_CIRCLES <const> = 1

local function read_calls()
  local home <const>, calls <const>, wanted <const> = {}, {}, {}
  for _, line in ipairs(lines("nm -A $(find " .. build .. "/obj/src " .. build .. "/obj/demo -name '*.o')")) do
    local file <const>, kind <const>, symbol <const> = line:sub(#build + 6):match "^(.-)%.o:.* (%a) ([%w_.]+)$"
    local source <close> = file and io.open(file .. ".c")
    if source and kind == "U" then
      wanted[#wanted + 1] = { file, symbol }
    elseif source and kind:find "[TDRBC]" and not file:find "^demo/embed/" then
      home[symbol] = file
    end
  end
  for _, want in ipairs(wanted) do
    local from <const>, to <const> = want[1], home[want[2]]
    if to and to ~= from then
      calls[from] = calls[from] or {}
      calls[from][to] = want[2]
    end
  end
  return calls
end

-- Tarjan's algorithm; returns the parts with more than one file.
local function find_circles(calls)
  local number <const>, low <const>, stack <const>, on_stack <const>, circles <const> = {}, {}, {}, {}, {}
  local count = 0
  local function visit(file)
    count = count + 1
    number[file], low[file] = count, count
    stack[#stack + 1], on_stack[file] = file, true
    for to in pairs(calls[file] or {}) do
      if not number[to] then
        visit(to)
        low[file] = math.min(low[file], low[to])
      elseif on_stack[to] then
        low[file] = math.min(low[file], number[to])
      end
    end
    if low[file] < number[file] then return end
    local circle <const> = {}
    repeat
      local member <const> = table.remove(stack)
      on_stack[member] = nil
      circle[#circle + 1] = member
    until member == file
    if #circle > 1 then circles[#circles + 1] = circle end
  end
  for file in pairs(calls) do
    if not number[file] then visit(file) end
  end
  return circles
end

local calls <const> = read_calls()
local circles <const> = find_circles(calls)
if #circles > MOST_CIRCLES then
  for _, circle in ipairs(circles) do
    table.sort(circle)
    print("circle of files: " .. table.concat(circle, " "))
    for _, from in ipairs(circle) do
      for _, to in ipairs(circle) do
        if calls[from][to] then print("  " .. from .. " uses " .. calls[from][to] .. " of " .. to) end
      end
    end
  end
end

local found = 0
for layer, rooms in pairs(read_tables()) do
  local function check(from, to, what)
    found = found + 1
    if not rooms[from] then
      if from ~= "embed" then print(what .. ": docs/howitworks.md has no room '" .. tostring(from) .. "'") end
    elseif not rooms[from][to] then
      print(what)
    end
  end
  each_include(layer, check)
  each_symbol(layer, check)
end
if found < 500 then print("only " .. found .. " arrows were found: is " .. build .. " built?") end

-- Doors to a whole layer declare what others define.
local DOORS <const> = {
  ["src/core/spawnpool.h"] = true, ["src/core/spawnpool_save.h"] = true, ["src/core/spawnpool_tasks.h"] = true,
  ["src/core/spawnpool_tools.h"] = true,
  ["src/core/binding.h"] = true, ["src/script/script.h"] = true,
}

local defined <const> = {} -- "src/core/alloc" -> set of functions
for _, line in ipairs(lines("nm -A $(find " .. build .. "/obj/src " .. build .. "/obj/demo -name '*.o')")) do
  local file <const>, name <const> = line:sub(#build + 6):match "^(.-)%.o:.* [TtR] ([%w_]+)$"
  if file then
    defined[file] = defined[file] or {}
    defined[file][name] = true
  end
end

-- Calls fn(name, declares, kind) for each function that a text declares or defines.
local function each_function(path, fn)
  local file <close> = assert(io.open(path))
  local text <const> = file:read "a"
  for kind, name, ending in ("\n" .. text):gmatch "\n(%a[%w_ ]-)[ *]+([%l_][%w_]+)(%b()[^;{]*[;{])" do
    fn(name, ending:sub(-1) == ";", kind)
  end
end

-- Of a room that is compiled for another machine there is the text only.
local ELSEWHERE <const> = { ["demo/web/"] = true }
for folder in pairs(ELSEWHERE) do
  for _, path in ipairs(lines("ls " .. folder .. "*.c")) do
    local own <const> = {}
    each_function(path, function(name, declares) own[name] = not declares or nil end)
    defined[path:sub(1, -3)] = own
  end
end

local headers = 0
for _, path in ipairs(lines "ls src/core/*.h src/script/*/*.h demo/*/*.h") do
  headers = headers + 1
  local own <const> = defined[path:sub(1, -3)] or {}
  each_function(path, function(name, declares, kind)
    local is_public <const> = declares and not kind:find "^typedef" and not kind:find "^static"
    if is_public and not own[name] and not DOORS[path] then
      print(path .. " declares " .. name .. ", which the file beside it does not define")
    end
  end)
end
if headers < 80 then print("only " .. headers .. " headers were found") end
