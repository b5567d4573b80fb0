-- A generated project to reload: 60 modules and 40 classes, each a file of about 100 lines with 15 functions,
-- file-locals and tables, and each requires three others. One module is required by all, one by ten classes. With
-- objects of 20 of the classes, and state in tables beside them.

local project <const> = { MODULES = 60, CLASSES = 40, TYPES = 20, OBJECTS = 10000 }

local LAYER <const> = 30 -- modules up to this one require lower ones, those above it require them

project.LEAF = "pools/Type40.lua"

local function module_name(i) return ("mod%03d"):format(i) end

-- Three modules for file `i` of 100; none but the classes 20 to 29 require the second.
local function needs(i)
  if i == 1 then return {} end
  if i <= 4 then return { 1 } end
  if i <= project.MODULES then
    local span <const> = math.min(i - 1, LAYER) - 2
    return { 1, 3 + i % span, 3 + (i * 7 + 1) % span }
  end
  local class <const> = i - project.MODULES
  if class >= 20 and class < 30 then return { 1, 2, 3 + i % LAYER } end
  return { 1, 3 + i % (project.MODULES - 2), 3 + (i * 7) % (project.MODULES - 2) }
end

-- {== Texts ====================================================================

local function append_requires(out, i)
  local names <const> = {}
  for _, other in ipairs(needs(i)) do
    local name <const> = module_name(other)
    if not names[name] then out[#out + 1] = ("local %s <const> = require %q"):format(name, name) end
    names[name] = true
    names[#names + 1] = name
  end
  return names
end

local function append_locals(out, i)
  for n = 1, 5 do out[#out + 1] = ("local count%d = %d"):format(n, i * n) end
  out[#out + 1] = "local names <const> = { \"ann\", \"bob\", \"cid\", \"dan\" }"
  out[#out + 1] = "local limits <const> = { low = 1, high = 20, steps = { 1, 2, 4, 8, 16 } }"
  out[#out + 1] = "local seen <const> = {}\n"
end

-- Fifteen functions in all, five lines each.
local function append_functions(out, owner, names)
  for n = 1, 7 do
    out[#out + 1] = ("local function helper%d(a, b)"):format(n)
    out[#out + 1] = ("  count%d = count%d + (a or 1)"):format(n % 5 + 1, n % 5 + 1)
    out[#out + 1] = ("  if b then seen[b] = (seen[b] or 0) + limits.steps[%d] end"):format(n % 5 + 1)
    out[#out + 1] = n > 1 and ("  return helper%d(count1 %% limits.high, nil)"):format(n - 1) or "  return count1"
    out[#out + 1] = "end\n"
  end
  for n = 1, 8 do
    out[#out + 1] = ("function %s.act%d(a)"):format(owner, n)
    out[#out + 1] = "  local name <const> = names[count1 % #names + 1]"
    out[#out + 1] = names[1] and ("  if a == %d then return %s.act1(name) end"):format(n, names[n % #names + 1])
      or "  if a then return #name end"
    out[#out + 1] = ("  return helper%d(%d, name)"):format(n % 7 + 1, n)
    out[#out + 1] = "end\n"
  end
end

local function module_text(i)
  local out <const> = {}
  local names <const> = append_requires(out, i)
  out[#out + 1] = "\nlocal module <const> = { speed = 40, kinds = { \"red\", \"green\" } }"
  append_locals(out, i)
  append_functions(out, "module", names)
  out[#out + 1] = "return module"
  return table.concat(out, "\n") .. "\n"
end

local function class_text(class)
  local out <const> = { 'local spawnpool <const> = require "spawnpool"' }
  local names <const> = append_requires(out, project.MODULES + class)
  local name <const> = ("Type%02d"):format(class)
  out[#out + 1] = ("\nlocal %s <const> = spawnpool.class(%q, {"):format(name, name)
  out[#out + 1] = "  fields = { hits = 3, speed = spawnpool.live(2), target = spawnpool.ref,"
  out[#out + 1] = "    name = spawnpool.keep(\"thing\"),"
  out[#out + 1] = class % 4 == 0 and "    bag = spawnpool.fresh(function() return {} end) }," or "    heat = 1 },"
  out[#out + 1] = "  methods = { hurt = function(self, by) self.hits = self.hits - by end },\n})"
  append_locals(out, class)
  append_functions(out, name, names)
  out[#out + 1] = ("function %s:alloc(lifetime, x, y)"):format(name)
  out[#out + 1] = ("  return %s.super.alloc(self, lifetime, x, y)"):format(name)
  out[#out + 1] = ("end\n\nreturn %s"):format(name)
  return table.concat(out, "\n") .. "\n"
end

-- File name -> text.
function project.files()
  local files <const> = {}
  for i = 1, project.MODULES do files[module_name(i) .. ".lua"] = module_text(i) end
  for class = 1, project.CLASSES do files[("pools/Type%02d.lua"):format(class)] = class_text(class) end
  return files
end

-- }==

function project.write(folder, name, text)
  local file <close> = assert(io.open(folder .. "/" .. name, "wb"))
  file:write(text)
end

function project.folder()
  local folder <const> = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir -p '%s/pools'"):format(folder)))
  return folder
end

-- Writes the project into a new folder.
function project.make()
  local folder <const> = project.folder()
  for name, text in pairs(project.files()) do project.write(folder, name, text) end
  return folder
end

function project.remove(folder) os.execute(("rm -r '%s'"):format(folder)) end

-- A module of the game's own data, as a map is: tables in a table, which the file makes when it runs.
function project.held(count)
  return ([[
local held <const> = {}
for i = 1, %d do held[i] = { x = i, y = i * 2 } end
return held
]]):format(count)
end

-- Requires all of it.
function project.load(folder)
  package.path = folder .. "/?.lua;" .. folder .. "/pools/?.lua;" .. package.path
  for i = 1, project.MODULES do require(module_name(i)) end
  for class = 1, project.CLASSES do require(("Type%02d"):format(class)) end
end

-- Live objects, and a world in tables that knows a part of them.
function project.populate(spawnpool, folder)
  local pools <const> = spawnpool.new { path = folder .. "/pools/?.lua" }
  local world <const> = { pools = pools, cells = {} }
  for i = 1, project.OBJECTS do
    local object <const> = assert(pools:alloc(("Type%02d"):format(i % project.TYPES + 21), 1e6, i, i))
    if i % 10 == 0 then world.cells[i // 10] = { object = object, x = i, next = world.cells[i // 10 - 1] } end
  end
  return world
end

return project
