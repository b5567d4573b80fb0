-- What it takes to require a generated project of 100 files; milliseconds. `watched`: kept track of, to be reloaded.
local measure <const> = require "measure"
local project <const> = require "reload_project"

require "spawnpool"
local folder <const> = project.make()
if arg[1] == "watched" then require "spawnpool.reload".watch(folder) end
local begin <const> = os.clock()
project.load(folder)
measure.report("start", (os.clock() - begin) * 1e3)
project.remove(folder)
