-- The oracle of random edits finds every kind of fault: the library reloads, and a fault is added to what it does.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
require "spawnpool"
local cases <const> = require "reload_case"
local play <const> = require "reload_play"

local MOST <const> = 40 -- random projects among which one must fail

-- The library, or what `now(reload)` does in its place.
local function reloader(now)
  local reload <const> = require "spawnpool.reload"
  return setmetatable({ now = function() return now(reload) end }, { __index = reload })
end

-- Reloads, then does something more after an edit that went through (`ok`), or that was rejected.
local function also(ok, fault)
  return reloader(function(reload)
    local result <const> = reload.now()
    if result and result.ok == ok then fault() end
    return result
  end)
end

-- Plain Lua: every module of the project is required again.
local function require_again()
  return reloader(function()
    for _, name in ipairs { "bus", "kit", "a", "b", "c", "d" } do
      if package.loaded[name] ~= nil then
        package.loaded[name] = nil
        pcall(require, name)
      end
    end
    return { ok = true, files = {} }
  end)
end

local function finds(reload)
  local print <const> = _G.print
  local found
  _G.print = function() end
  spec.hear(function()
    for seed = 1, MOST do
      found = found or select(2, play.random(seed, reload, function() end))
    end
  end)
  _G.print = print
  return found ~= nil
end

spec.describe("the oracle of random edits finds a reloader that", function()
  for name, open in pairs {
    ["requires modules again"] = require_again,
    ["writes into a table that no file owns"] = function()
      return also(true, function() _G.world.names.extra = 1 end)
    end,
    ["replaces a C function"] = function() return also(true, function() rawset(string, "rep", math.floor) end) end,
    ["replaces a module"] = function() return also(true, function() package.loaded.kit = {} end) end,
    ["changes something when it rejects"] = function()
      return also(false, function() package.loaded.bus.extra = 1 end)
    end,
  } do
    spec.test(name, function() spec.equal(finds(open()), true) end)
  end
end)

spec.describe("a case that is played again", function()
  local FILES <const> = { ["m.lua"] = "local s1 = 1\nlocal M = {}\nfunction M.f(p) s1 = p return s1 end\nreturn M\n" }

  local function replay(reload, ...)
    local failure
    spec.hear(function(...)
      failure = select(2, cases.replay({ names = { "m" }, files = FILES, steps = { ... } }, reload))
    end, ...)
    return failure and failure.kind
  end

  spec.test("fails when an edit is not seen, is rejected or accepted wrongly, or raises", function()
    local edit <const>, wrong <const> = { files = { ["m.lua"] = "return {}" } }, { files = { ["m.lua"] = "return" } }
    local function answers(result) return reloader(function() return result end) end
    spec.equal(replay(require "spawnpool.reload", { act = "package.loaded.m.f(5)" }, edit), nil)
    spec.equal(replay(answers(nil), edit), "unseen")
    spec.equal(replay(answers { ok = false }, edit), "rejected")
    spec.equal(replay(answers { ok = true }, wrong), "accepted")
    spec.equal(replay(reloader(function() error "internal" end), edit), "raised")
    spec.equal(replay(answers { ok = false }, wrong), nil)
  end)
end)
