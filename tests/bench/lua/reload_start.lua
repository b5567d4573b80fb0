-- Time to require 100 small files, a generated project of 100 files, and a module that makes 300 000 tables;
-- milliseconds. `watched`: kept track of, to be reloaded.
local measure <const> = require "measure"
local project <const> = require "reload_project"

local function report_time(name, work)
  collectgarbage()
  local begin <const> = os.clock()
  work()
  measure.report(name, (os.clock() - begin) * 1e3)
end

local SMALL <const> = [[
local count, seen = 0, {}
local module <const> = { speed = 40 }
function module.add(name)
  count, seen[name] = count + 1, true
  return count
end
return module
]]

local function require_small()
  for i = 1, 100 do require(("small%03d"):format(i)) end
end

require "spawnpool"
local folder <const> = project.make()
project.write(folder, "held.lua", project.held(300000))
for i = 1, 100 do project.write(folder, ("small%03d.lua"):format(i), SMALL) end
if arg[1] == "watched" then require "spawnpool.reload".watch(folder) end
package.path = folder .. "/?.lua;" .. package.path
report_time("small", require_small)
report_time("start", function() project.load(folder) end)
report_time("held", function() require "held" end)
project.remove(folder)
