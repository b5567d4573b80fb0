-- A small project on disk that is edited while it runs: files are saved, one reload is made, and what it said is looked
-- at.
local kit <const> = require "kit"
local reload <const> = require "spawnpool.reload"
local reloaders <const> = require "reload_reloaders"
local spec <const> = require "spec"
local worlds <const> = require "reload_world"

local projects <const> = {}

-- `files`: name -> text, "pools/Cube.lua" for classes. Close it to remove the folder:
--   local project <close> = projects.open { ["pools/Cube.lua"] = ... }
--   project.pools      a manager that finds the classes         project.save(name, text)
--   project.edit(...)  saves, reloads, must go through          project.refuse(...)  saves, reloads, must be refused
-- These take a name and a text, or a name, a piece of the text and another one.
function projects.open(files)
  local folder <const>, path <const> = worlds.folder(), package.path
  local it <const> = { folder = folder }

  function it.save(name, text) worlds.write(folder, name, text) end

  local function reload_with(name, ...)
    if select("#", ...) == 2 then worlds.change(folder, name, ...) else it.save(name, ...) end
    return reload.now() or error("nothing was reloaded", 3)
  end

  function it.edit(...)
    local result <const> = reload_with(...)
    if not result.ok then error("the reload was refused: " .. tostring(result.error), 2) end
    return result
  end

  function it.refuse(...)
    local result <const> = reload_with(...)
    if result.ok then error("the reload went through: " .. result.line, 2) end
    return result.error, result
  end

  local function close()
    reload.unwatch()
    package.path = path
    worlds.remove(folder)
  end

  for name, text in pairs(files) do
    worlds.make_folder(folder .. "/" .. (name:match "^(.*)/" or "pools"))
    it.save(name, text)
  end
  package.path = folder .. "/?.lua;" .. path
  reload.watch(folder)
  it.pools = kit.new { path = folder .. "/pools/?.lua" }
  return setmetatable(it, { __close = close })
end

-- One poll, which must tell that a file was taken back; `says`: what else it tells, texts by a part of them, in which
-- FOLDER is the project's.
function projects.reverted(says, folder)
  local result <const> = reload.poll()
  if not result then error("nothing was taken back", 2) end
  spec.equal({ result.ok, result.reverted }, { false, true })
  for key, want in pairs(says or {}) do
    local part <const> = type(want) == "string" and want:gsub("FOLDER", folder)
    spec.equal(result[key], part and result[key]:find(part, 1, true) and result[key] or want)
  end
end

-- The functions of the library that the steps of a scenario see.
local function tools(folder)
  return {
    folder = folder, pools = kit.new { path = folder .. "/pools/?.lua" }, reload = reload, hear = spec.hear,
    spawnpool = require "spawnpool", expect_error = spec.expect_error, equal = spec.equal,
    reverted = projects.reverted, tick = kit.tick,
  }
end

-- A test that is a scenario, as reload_world.lua explains: "pools/Cube" in `files` is that class file. What is reported
-- of errors meanwhile would go to stderr.
function projects.test(name, files, steps, modules)
  spec.test(name, function()
    local scenario <const> = { files = files, modules = modules or "", steps = steps }
    spec.hear(worlds.play, scenario, reloaders.spawnpool(), tools)
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
