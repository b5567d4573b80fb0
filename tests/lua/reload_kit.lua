-- A small project on disk that is edited while it runs: files are saved, one reload is made, and what it said is looked
-- at.
local kit <const> = require "kit"
local worlds <const> = require "reload_world"
local spec <const> = require "spec"
local reload <const> = require "spawnpool.reload"
local reloaders <const> = require "reload_reloaders"

local projects <const> = {}

-- `files`: name -> text, "pools/Cube.lua" for classes. Close it to remove the folder:
--   local project <close> = projects.open { ["pools/Cube.lua"] = ... }
--   project.pools      a manager that finds the classes         project.save(name, text)
--   project.edit(...)  saves, reloads, must go through          project.refuse(...)  saves, reloads, must be refused
function projects.open(files, options)
  local folder <const>, path <const> = worlds.folder(), package.path
  worlds.make_folder(folder .. "/pools")
  local it <const> = { folder = folder }

  function it.save(name, text)
    if type(name) == "table" then
      for each, content in pairs(name) do worlds.write(folder, each, content) end
    else
      worlds.write(folder, name, text)
    end
  end

  function it.change(name, from, to) worlds.change(folder, name, from, to) end

  function it.edit(name, ...)
    if select("#", ...) == 2 then it.change(name, ...) else it.save(name, ...) end
    local result <const> = reload.now()
    if not result then error("nothing was reloaded", 2) end
    if not result.ok then error("the reload was refused: " .. tostring(result.error), 2) end
    return result
  end

  function it.refuse(name, ...)
    if select("#", ...) == 2 then it.change(name, ...) else it.save(name, ...) end
    local result <const> = reload.now()
    if not result then error("nothing was reloaded", 2) end
    if result.ok then error("the reload went through: " .. result.line, 2) end
    return result.error, result
  end

  local function close()
    reload.unwatch()
    package.path = path
    worlds.remove(folder)
  end

  it.save(files or {})
  package.path = folder .. "/?.lua;" .. path
  reload.watch(folder)
  local all <const> = { path = folder .. "/pools/?.lua" }
  for key, value in pairs(options or {}) do all[key] = value end
  it.pools = kit.new(all)
  return setmetatable(it, { __close = close })
end

-- What the steps of a scenario see of the library.
local function tools(folder)
  return {
    folder = folder, pools = kit.new { path = folder .. "/pools/?.lua" }, reload = reload, warnings = kit.warnings,
    spawnpool = require "spawnpool", expect_error = spec.expect_error, equal = spec.equal, hear = spec.hear,
  }
end

-- A test that is a scenario, as reload_world.lua explains: "pools/Cube" in `files` is that class file.
function projects.test(name, files, steps, modules)
  spec.test(name, function()
    worlds.play({ files = files, modules = modules or "", steps = steps }, reloaders.spawnpool(), tools)
    reload.unwatch()
  end, 2)
end

-- The text of a class file: `class` is its definition, `body` what follows.
function projects.class(name, class, body)
  return ([[
local spawnpool <const> = require "spawnpool"
local %s <const> = spawnpool.class("%s", %s)
%s
return %s
]]):format(name, name, class or "{}", body or "", name)
end

return projects
