-- A short run of tests/fuzz/reload.lua: good and bad edits of a running game.
local spec <const> = require "spec"
spec.ignores_collector "a reload runs with the collector stopped; other spec_reload files run with each"
local edits <const> = require "reload_edits"
local game <const> = require "reload_game"
local shape <const> = require "reload_shape"
local trial <const> = require "reload_trial"

local CUT <const> = 23 -- bytes from one cut to the next
local EDITS <const> = 120
local STEPS <const> = 2

-- Edits a game: `body(t)`. What the code that they broke makes the library say is heard by nobody.
local function edit(seed, body)
  spec.hear(function()
    require "spawnpool"
    local t <const> = trial.open(require "spawnpool.reload", seed, STEPS)
    local ok <const>, message <const> = pcall(body, t)
    t.game:close()
    if not ok then error(message, 0) end
  end)
end

-- A text that loops at file scope costs the whole patience of the reload: a few of them are enough for the fuzzer.
local function loops(file, text)
  local _, why <const> = shape.expected(file, text)
  return why ~= nil and why:find("does not come back", 1, true) ~= nil
end

spec.describe("an edit while the game runs", function()
  spec.test("that cuts a class file off is refused or in force entirely", function()
    edit(1, function(t)
      for _, type in ipairs(game.TYPES) do
        local file <const> = "pools/" .. type .. ".lua"
        for length = 0, #game.FILES[file] - 1, CUT do trial.try(t, file, edits.cut(game.FILES[file], length)) end
      end
      spec.equal(t.refused > 50, true, "most cuts are refused")
    end)
  end)

  spec.test("that is made at random is refused or in force entirely", function()
    local random <const>, files <const> = game.chance(2), {}
    for file in pairs(game.FILES) do files[#files + 1] = file end
    table.sort(files)
    edit(2, function(t)
      for _ = 1, EDITS do
        local file <const> = files[random(#files) + 1]
        local text <const>, words <const> = edits.random(game.FILES[file], random)
        if not loops(file, text) then trial.try(t, file, text, words) end
      end
      spec.equal({ t.refused > 20, t.accepted > 10 }, { true, true }, "some edits are refused, some are not")
    end)
  end)

  spec.test("that never comes back at file scope is stopped", function()
    local text <const> = game.FILES["pools/Bullet.lua"]:gsub("\nreturn", "\nwhile true do end\nreturn")
    edit(3, function(t)
      require("spawnpool.reload").patience(0.3)
      trial.try(t, "pools/Bullet.lua", text, "a loop before the end")
      spec.equal({ t.refused, t.without_line }, { 1, 0 }, "refused, with a line")
    end)
  end)
end)

-- Reloaders with a fault, each of a kind that the trial is there to find.
spec.describe("the trial of an edit", function()
  local FILE <const> = "pools/Bullet.lua"
  local GOOD <const>, BAD <const> = game.FILES[FILE]:gsub("30", "31"), "local Bullet <const> = "

  local function finds(pattern, text, now)
    local t
    local reload <const> = {
      watch = function() end,
      poll = function() end,
      now = function() return now(t.game) end,
    }
    spec.hear(function()
      t = trial.open(reload, 1, 1)
      local ok <const>, message <const> = pcall(trial.try, t, FILE, text, "edited")
      t.game:close()
      spec.equal(ok, false, "the trial passed")
      spec.equal(message:match(pattern) ~= nil, true, message)
    end)
  end

  spec.test("finds an edit that was not seen", function()
    finds("the edit was not seen", GOOD, function() return nil end)
  end)

  spec.test("finds an edit that is not in force, or in part", function()
    finds("Bullet.lua: the new version is not entirely in force", GOOD, function() return { ok = true } end)
    finds("Bullet.lua: the new version is not entirely in force", GOOD, function()
      shape.value_of(FILE).recycle = nil
      return { ok = true }
    end)
  end)

  spec.test("finds a text that cannot run and is accepted", function()
    finds("accepted, although: pools/Bullet.lua:1: unexpected symbol", BAD, function() return { ok = true } end)
  end)

  spec.test("finds a refusal that does not say where", function()
    finds("refused without a message", BAD, function() return { ok = false } end)
    finds("names no file", BAD, function() return { ok = false, error = "unexpected symbol" } end)
    finds("names no line", BAD, function() return { ok = false, error = "pools/Bullet.lua: unexpected symbol" } end)
  end)

  spec.test("finds a refusal that changed a class, a value or a count", function()
    local refusal <const> = { ok = false, error = "pools/Bullet.lua:1: unexpected symbol" }
    finds("Enemy.lua: the good version is not entirely in force", BAD, function()
      shape.value_of("pools/Enemy.lua").on_spawn = function() end
      return refusal
    end)
    finds("Enemy#%d+ %(live%): mood is 77", BAD, function(g)
      for e in g.pools:pool("Enemy"):each() do e.mood = 77 end
      return refusal
    end)
    finds("Enemy%.%w+ is %d+, was %d+", BAD, function(g)
      g.pools:recycle_all("Enemy")
      return refusal
    end)
  end)
end)
