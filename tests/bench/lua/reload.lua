-- Hot reload of a generated project of 100 files with 10 000 live objects: milliseconds of the poll that reloads. The
-- contestant says which file is edited, or beside how many tables of the game a leaf is.
local measure <const> = require "measure"
local project <const> = require "reload_project"

local EDITED <const> = { leaf = project.LEAF, shared = project.SHARED, base = project.BASE }
local file <const>, tables <const> = EDITED[arg[1]] or project.LEAF, tonumber(arg[1])
local reloads <const> = measure.quick and 4 or 10

local folder <const> = project.make()
local spawnpool <const> = require "spawnpool"
local reload <const> = require "spawnpool.reload"
reload.watch(folder)
project.load(folder)
if tables then
  project.write(folder, "held.lua", project.held(tables))
  require "held"
end
world = project.populate(spawnpool, folder) -- luacheck: ignore

-- Polls as a game does until the edit has settled; the milliseconds of the poll that has run it.
local function reload_once(n)
  local text <const> = project.files()[file]:gsub("count1 = %d+", "count1 = " .. 1000 + n)
  project.write(folder, file, text)
  while true do
    local begin <const> = os.clock()
    local result <const> = reload.poll()
    if result and not result.note then
      assert(result.ok, result.error)
      return (os.clock() - begin) * 1e3
    end
  end
end

local times <const> = {}
for n = 1, reloads do times[n] = reload_once(n) end
project.remove(folder)
measure.report("least", math.min(table.unpack(times)))
measure.report("median", measure.median(times))
