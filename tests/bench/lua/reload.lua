-- Hot reload of a generated project of 100 files with 10 000 live objects: milliseconds of the poll that reloads, and
-- the least of its parts. The contestant says which file is edited; `held`: a leaf, beside 300 000 tables of the game.
local measure <const> = require "measure"
local project <const> = require "reload_project"

local EDITED <const> = { leaf = project.LEAF, shared = project.SHARED, base = project.BASE, held = project.LEAF }
local PARTS <const> = { "compile", "run", "check", "merge", "commit", "settle", "follow" }
local file <const> = EDITED[arg[1]]
local reloads <const> = measure.quick and 4 or 10

local folder <const> = project.make()
local spawnpool <const> = require "spawnpool"
local reload <const> = require "spawnpool.reload"
reload.watch(folder)
project.load(folder)
if arg[1] == "held" then
  project.write(folder, "held.lua", project.HELD)
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
      return (os.clock() - begin) * 1e3, result.parts
    end
  end
end

local total <const>, commits <const>, parts <const> = {}, {}, {}
for n = 1, reloads do
  local times
  total[n], times = reload_once(n)
  commits[n] = times.commit + times.settle
  for _, name in ipairs(PARTS) do parts[name] = math.min(parts[name] or math.huge, times[name]) end
end
project.remove(folder)
measure.report("least", math.min(table.unpack(total)))
measure.report("median", measure.median(total))
measure.report("commit", math.min(table.unpack(commits)))
for _, name in ipairs(PARTS) do measure.report(name, parts[name]) end
