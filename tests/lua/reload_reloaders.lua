-- Those who can reload the modules of a scenario (see reload_world.lua). Each function gives a reloader for one world.
local reloaders <const> = {}

-- Plain Lua: each saved module is forgotten and required again. What holds the old table goes on holding it.
function reloaders.require()
  local function again(names)
    for _, name in ipairs(names) do
      package.loaded[name] = nil
      require(name)
    end
  end
  return {
    watch = function() end,
    reload = function(names) return pcall(again, names) end,
  }
end

-- Seconds of work after which a file is taken for one that never ends: a scenario has one, and waits for it.
local PATIENCE <const> = 0.5

-- The library. What is saved is read at once: no frame has to pass.
function reloaders.spawnpool()
  require "spawnpool"
  local reload <const> = require "spawnpool.reload"
  return {
    watch = function(folder)
      reload.watch(folder)
      reload.patience(PATIENCE)
    end,
    reload = function()
      local result <const> = reload.now()
      if not result then return false, "it saw no change" end
      return result.ok, result.error, result
    end,
  }
end

return reloaders
