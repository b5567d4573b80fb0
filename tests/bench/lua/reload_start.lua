-- What it takes to require a generated project of 100 files, and a module that makes 300 000 tables; milliseconds.
-- `watched`: kept track of, to be reloaded.
local measure <const> = require "measure"
local project <const> = require "reload_project"

local function report_time(name, work)
  collectgarbage()
  local begin <const> = os.clock()
  work()
  measure.report(name, (os.clock() - begin) * 1e3)
end

require "spawnpool"
local folder <const> = project.make()
project.write(folder, "held.lua", project.HELD)
if arg[1] == "watched" then require "spawnpool.reload".watch(folder) end
report_time("start", function() project.load(folder) end)
report_time("held", function() require "held" end)
project.remove(folder)
