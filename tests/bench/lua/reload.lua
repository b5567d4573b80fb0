-- Hot reload of a generated project of 100 files with 10 000 live objects, one of whose classes is edited, beside as
-- many tables of the game as the argument says: the least milliseconds of the poll that reloads.
local measure <const> = require "measure"
local project <const> = require "reload_project"

local file <const>, tables <const> = project.LEAF, assert(tonumber(arg[1]))
local reloads <const> = measure.quick and 3 or 8

local folder <const> = project.make()
local spawnpool <const> = require "spawnpool"
local reload <const> = require "spawnpool.reload"
reload.watch(folder)
project.load(folder)
project.write(folder, "held.lua", project.held(tables))
require "held"
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

local least = math.huge
for n = 1, reloads do least = math.min(least, reload_once(n)) end
project.remove(folder)
measure.report("reload", least)
