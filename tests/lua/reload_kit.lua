-- A small project on disk that is edited while it runs: files are saved, one reload is made, and what it said is looked
-- at.
local kit <const> = require "kit"
local worlds <const> = require "reload_world"
local reload <const> = require "spawnpool.reload"

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

  -- Replaces a piece of a file, as an author would.
  function it.change(name, from, to)
    local f <const> = assert(io.open(folder .. "/" .. name, "rb"))
    local text <const> = f:read "a"
    f:close() -- Windows replaces no file that is open
    local at <const>, last <const> = text:find(from, 1, true)
    if not at then error(("%s does not hold %q"):format(name, from), 2) end
    it.save(name, text:sub(1, at - 1) .. to .. text:sub(last + 1))
  end

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
