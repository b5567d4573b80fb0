-- Hot reload, milliseconds, of a module that makes as many tables as a large map has.
--   reload   the poll that takes over an edit of one class: `30000` or `300000` such tables, beside a generated project
--            of 100 files with 10 000 live objects
--   start    to require the module with 300 000 tables: `plain`, or `watched`, kept track of to be reloaded
local measure <const> = require "measure"
local spawnpool <const> = require "spawnpool"
local reload <const> = require "spawnpool.reload"

local fill <const> = measure.fill
local folder <const> = os.tmpname()

local function write(name, text)
  local file <close> = assert(io.open(("%s/%s.lua"):format(folder, name), "wb"))
  file:write(text)
end

local function write_map(count)
  write("map", ("local map <const> = {} for i = 1, %d do map[i] = { x = i, y = i * 2 } end return map"):format(count))
end

-- {== The project =============================================================

local MODULES <const>, FILES <const>, OBJECTS <const>, LEAF <const> = 60, 100, 10000, "pools/Type100"

local MODULE <const> = 'local own <const> = { speed = 40, kinds = { "red", "green" } }\n'
local CLASS <const> = [[
local spawnpool <const> = require "spawnpool"
local own <const> = spawnpool.class("$name", {
  fields = { hits = 3, speed = spawnpool.live(2), target = spawnpool.ref, name = spawnpool.keep("thing"), $field },
  methods = { hurt = function(self, by) self.hits = self.hits - by end },
})

function own:alloc(lifetime, x, y)
  return own.super.alloc(self, lifetime, x, y)
end
]]
local BAG <const> = "bag = spawnpool.fresh(function() return {} end)"
local LOCALS <const> = [[
local count1, count2, count3, count4, count5 = 1, 2, 3, 4, 5
local names <const> = { "ann", "bob", "cid", "dan" }
local limits <const> = { low = 1, high = 20, steps = { 1, 2, 4, 8, 16 } }
local seen <const> = {}
]]
local HELPER <const> = [[

local function helper$n(a, b)
  count$count = count$count + (a or 1)
  if b then seen[b] = (seen[b] or 0) + limits.steps[$count] end
  return $result
end
]]
local ACT <const> = [[

function own.act$n(a)
  local name <const> = names[count1 % #names + 1]
  if a == $n then return $other.act1(name) end
  return helper$helper($n, name)
end
]]

local function name_of(i) return (i <= MODULES and "mod%03d" or "Type%03d"):format(i) end

-- File `i` requires the first one, and two others; it has fifteen functions, locals and tables.
local function text_of(i)
  local others <const>, out <const> = { "own" }, {}
  local function add(text, parts) out[#out + 1] = fill(text, parts or {}) end
  for _, other in ipairs { 1, i // 2, i // 2 - i // 6 } do
    local name <const> = name_of(other)
    if other > 0 and other < i and not others[name] then
      others[#others + 1], others[name] = name, true
      add('local $name <const> = require "$name"\n', { name = name })
    end
  end
  add(i <= MODULES and MODULE or CLASS, { name = name_of(i), field = i % 4 == 0 and BAG or "heat = 1" })
  add(LOCALS)
  for n = 1, 7 do
    local result <const> = n > 1 and ("helper%d(count1 %% limits.high)"):format(n - 1) or "count1"
    add(HELPER, { n = n, count = n % 5 + 1, result = result })
  end
  for n = 1, 8 do add(ACT, { n = n, helper = n % 7 + 1, other = others[n % #others + 1] }) end
  add "\nreturn own\n"
  return table.concat(out)
end

-- Writes and requires it. Returns live objects, and a world in tables that knows a part of them.
local function open_project()
  for i = 1, FILES do write((i <= MODULES and "" or "pools/") .. name_of(i), text_of(i)) end
  for i = 1, FILES do require(name_of(i)) end
  local pools <const> = spawnpool.new { path = folder .. "/pools/?.lua" }
  local world <const> = { pools = pools, cells = {} }
  for i = 1, OBJECTS do
    local object <const> = assert(pools:alloc(name_of(FILES - i % 20), 1e6, i, i))
    if i % 10 == 0 then world.cells[i // 10] = { object = object, x = i, next = world.cells[i // 10 - 1] } end
  end
  return world
end

-- }==

-- Polls as a game does until the edit has settled. Returns the milliseconds of the poll that has run it.
local function reload_once(n)
  write(LEAF, (text_of(FILES):gsub("count1, (.-) = 1,", "count1, %1 = " .. 1000 + n .. ",", 1)))
  while true do
    local begin <const> = os.clock()
    local result <const> = reload.poll()
    if result and not result.note then
      assert(result.ok, result.error)
      return (os.clock() - begin) * 1e3
    end
  end
end

local function measure_reload(tables)
  local least = math.huge
  reload.watch(folder)
  world = open_project() -- luacheck: ignore
  write_map(tables)
  require "map"
  for n = 1, measure.quick and 3 or 8 do least = math.min(least, reload_once(n)) end
  measure.report("reload", least)
end

local function measure_start(is_watched)
  write_map(300000)
  if is_watched then reload.watch(folder) end
  local least = math.huge
  for _ = 1, 3 do
    package.loaded.map = nil
    least = math.min(least, measure.least(1, function() require "map" end) * 1e3)
  end
  measure.report("start", least)
end

os.remove(folder)
assert(os.execute(("mkdir -p '%s/pools'"):format(folder)))
package.path = folder .. "/?.lua;" .. folder .. "/pools/?.lua;" .. package.path
local tables <const> = tonumber(arg[1])
if tables then measure_reload(tables) else measure_start(arg[1] == "watched") end
os.execute(("rm -r '%s'"):format(folder))
