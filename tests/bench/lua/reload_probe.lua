-- Hot reload of a generated project of 100 files with 10 000 live objects; milliseconds of the poll that reloads. The
-- contestant says which file is edited.
local project <const> = require "reload_project"
local measure <const> = require "measure"

local EDITED <const> = { leaf = project.LEAF, shared = project.SHARED, base = project.BASE }
local file <const> = EDITED[arg[1]]
local reloads <const> = measure.quick and 4 or 8

local folder <const> = project.make()
require "spawnpool"
local reload <const> = require "spawnpool.reload"
reload.watch(folder)
project.load(folder)
WORLD = project.populate(require "spawnpool", folder) -- luacheck: ignore

-- Polls as a game does until the edit is there; the milliseconds of the poll that has run it.
local function reload_once(n)
  local text <const> = project.files()[file]:gsub("count1 = %d+", "count1 = " .. 1000 + n)
  project.write(folder, file, text)
  while true do
    local begin <const> = os.clock()
    local result <const> = reload.poll()
    if result then
      assert(result.ok, result.error)
      return (os.clock() - begin) * 1e3, result
    end
  end
end

local parts <const> = {}
for n = 1, reloads do
  local ms <const>, result <const> = reload_once(n)
  parts.total = parts.total or {}
  table.insert(parts.total, ms)
  for name, value in pairs(result.parts or {}) do
    parts[name] = parts[name] or {}
    table.insert(parts[name], value)
  end
  if n == 1 then io.stderr:write(result.line:sub(1,200), "\n") end
end
for k,v in pairs({}) do io.stderr:write(k," ",v*1000,"\n") end io.stderr:write(collectgarbage("count"),"\n")
project.remove(folder)
measure.report("least", math.min(table.unpack(parts.total)))
for name, values in pairs(parts) do measure.report(name, measure.median(values)) end
