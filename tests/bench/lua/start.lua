-- Milliseconds to require a module that makes 300 000 tables: `plain`, or `watched`, kept track of to be reloaded.
local measure <const> = require "measure"
local project <const> = require "reload_project"

require "spawnpool"
local folder <const> = project.folder()
project.write(folder, "held.lua", project.held(300000))
if arg[1] == "watched" then require "spawnpool.reload".watch(folder) end
package.path = folder .. "/?.lua;" .. package.path
local least = math.huge
for _ = 1, 3 do
  package.loaded.held = nil
  collectgarbage()
  local begin <const> = os.clock()
  require "held"
  least = math.min(least, os.clock() - begin)
end
project.remove(folder)
measure.report("start", least * 1e3)
