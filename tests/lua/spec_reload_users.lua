-- Files that nobody edited run again when what they require has changed: they are compiled once, and not watched while
-- they run unless they have changed something outside of themselves before.
local spec <const> = require "spec"
local worlds <const> = require "reload_world"
local reloaders <const> = require "reload_reloaders"

local RULES <const> = "return { registers = %s, factor = %d }"

-- A module that others require, and a registry that these may change. `users`: names of files -> texts.
local function open(registers, users)
  local files <const> = { ["rules.lua"] = RULES:format(registers, 1), ["registry.lua"] = "return { list = {} }" }
  for name, text in pairs(users) do files[name .. ".lua"] = text end
  local world <const> = worlds.open({ files = files, edit = {} }, reloaders.spawnpool())
  local registry <const> = world.require "registry"
  for name in pairs(users) do world.require(name) end
  return world, registry
end

local function edit(world, registers, factor)
  world.save { ["rules.lua"] = RULES:format(registers, factor) }
  local ok <const>, message <const> = world.reload()
  spec.equal(ok, true, message)
end

local USER <const> = [[
  local rules <const>, registry <const> = require "rules", require "registry"
  local count = 0
  local user <const> = { factor = rules.factor }
  function user.count() count = count + rules.factor return count end
  if rules.registers then registry.list[#registry.list + 1] = %s end
  return user]]

local function names_in(registry)
  local names <const> = {}
  for i, entry in ipairs(registry.list) do names[i] = type(entry) == "table" and entry.name or entry("name") end
  table.sort(names)
  return table.concat(names, " ")
end

spec.describe("a file that nobody edited", function()
  spec.test("runs again with what it requires, and keeps its file-locals", function()
    local world <const> = open(false, { user = USER:format "{ name = 'user' }" })
    local _ <close> = world
    local user <const> = world.require "user"
    spec.equal({ user.count(), user.count() }, { 1, 2 })
    edit(world, false, 10)
    spec.equal({ user.factor, user.count() }, { 10, 12 })
    edit(world, false, 100)
    spec.equal({ user.factor, user.count() }, { 100, 112 })
  end)

  spec.test("that registers something does so once, however often it runs", function()
    local world <const>, registry <const> = open(true, { user = USER:format "{ name = 'user' }" })
    local _ <close> = world
    for factor = 2, 5 do
      edit(world, true, factor)
      spec.equal(names_in(registry), "user")
    end
  end)

  spec.test("that begins to register something does so once from then on", function()
    local world <const>, registry <const> = open(false, { user = USER:format "{ name = 'user' }" })
    local _ <close> = world
    for factor = 2, 5 do
      edit(world, true, factor)
      spec.equal(names_in(registry), "user")
    end
  end)

  spec.test("that begins to register something takes it back when it no longer does", function()
    local world <const>, registry <const> = open(false, {
      first = USER:format "function() return 'first' end", second = USER:format "function() return 'second' end",
    })
    local _ <close> = world
    edit(world, true, 2)
    spec.equal(names_in(registry), "first second")
    edit(world, true, 3)
    spec.equal(names_in(registry), "first second")
    edit(world, false, 4)
    spec.equal(names_in(registry), "")
  end)

  spec.test("takes the old text back when the edited file is refused", function()
    local world <const>, registry <const> = open(true, { user = USER:format "{ name = 'user' }" })
    local _ <close> = world
    local user <const> = world.require "user"
    spec.hear(function()
      world.save { ["rules.lua"] = "return { registers = true, factor = {} .. 'x' }" }
      spec.equal((world.reload()), false)
    end)
    spec.equal({ user.factor, user.count(), names_in(registry) }, { 1, 1, "user" })
  end)
end)

spec.describe("the collector", function()
  local function collects_after(text)
    local world <const> = open(false, { user = USER:format "nil" })
    local _ <close> = world
    world.save { ["rules.lua"] = text }
    spec.hear(world.reload)
    return collectgarbage "isrunning"
  end

  spec.test("goes on after a reload, and after a refused one", function()
    spec.equal({ collects_after(RULES:format(false, 2)), collects_after "return 1", collects_after "return" },
      { true, true, true })
  end)

  spec.test("stays off when the game has stopped it", function()
    collectgarbage "stop"
    local running <const> = collects_after(RULES:format(false, 2))
    collectgarbage "restart"
    spec.equal(running, false)
  end)
end)
