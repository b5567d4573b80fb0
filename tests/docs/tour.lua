-- docs/live-editing.md is played: a copy of the shooter runs, each `diff` block is an edit of it, and the `text` block
-- below it is what the game must say then; a second `text` block is what it says in the frame after. What else the page
-- tells is in `promises`.
local host <const> = require "host"
local game <const> = require "game"
local live <const> = require "live"
local pages <const> = require "pages"

local check <const>, read <const>, write <const> = pages.check, pages.read, pages.write
local PAGE <const> = "docs/live-editing.md"
local PATIENCE <const> = 1 -- second; the page shows the two of the player
local WARM_UP <const> = 300 -- frames before the first edit: the first wave is there

local frames <const> = live.frames

-- {== The game =============================================================

local function ask(expression, ...)
  return game.ask(([[
    local pools <const> = require("spawnpool").pools
    local function live(type) return pools:pool(type).live end
    local function stat(type, name) return pools:stats(type)[name] end
    local function all(type, fn)
      for object in pools:pool(type):each() do
        if not fn(object) then return false end
      end
      return live(type) > 0
    end
    local function any(type, fn) return live(type) > 0 and not all(type, function(object) return not fn(object) end) end
    return ]] .. expression):format(...))
end

local function is(expression, ...) return ask(expression, ...) == true end

local function count(expression, ...) return math.tointeger(ask(expression, ...)) end

-- Plays until it is so, for twenty seconds of the game.
local function until_it_is(expression, ...)
  for _ = 1, 1200 do
    if is(expression, ...) then return end
    frames(1)
  end
  error(("it never came to: %s"):format(expression:format(...)), 2)
end

-- Every live object with its number, place and speed, and the state of the game.
local function state()
  return ask [[(function()
    local out, session = {}, require "session"
    for o in pools:each() do out[#out + 1] = ("%%s %%a %%a %%a %%a"):format(o, o.x, o.y, o.vx, o.vy) end
    return ("%%d %%d %%d\n"):format(session.score, session.lives, session.wave) .. table.concat(out, "\n")
  end)()]]
end

-- }==

-- {== The page =============================================================

-- The lines of a hunk as they were, and as they are to be.
local function sides(hunk)
  local old <const>, new <const> = {}, {}
  for sign, line in hunk:gmatch "([-+ ]?)([^\n]*\n)" do
    if sign ~= "+" then old[#old + 1] = line end
    if sign ~= "-" then new[#new + 1] = line end
  end
  return table.concat(old), table.concat(new)
end

-- Applies a block of the page to a file: each hunk must be found once.
local function apply(block)
  local name <const>, hunks <const> = block:match "^%-%-%- (%S+)\n(.*)$"
  local path <const> = host.folder .. "/" .. name
  local text = read(path)
  for hunk in (hunks .. "@@\n"):gmatch "(.-)@@\n" do
    local old <const>, new <const> = sides(hunk)
    local from <const>, to <const> = text:find(old, 1, true)
    check(from and not text:find(old, to + 1, true), "%s does not have these lines once:\n%s", name, old)
    text = text:sub(1, from - 1) .. new .. text:sub(to + 1)
  end
  write(path, text)
end

-- Times and counts differ from run to run, and the copy lies elsewhere.
local function comparable(text)
  return (text:gsub("in [%d.]+ ms", "in N ms"):gsub("%d+ live objects?", "N live objects")
    :gsub("all %d+ objects kept", "all N objects kept")
    :gsub("more than [%d.]+ s", "more than N s"):gsub("before %d+:%d+:%d+", "before N")
    :gsub("[^%s]*scripts/shooter/", "scripts/shooter/"))
end

local function expect_told(block)
  local got <const>, want <const> = comparable(live.said() .. "\n"), comparable(block)
  live.forget()
  check(got == want, "%s says:\n%s\nthe game says:\n%s", PAGE, want, got)
end

-- The edits of the page: { diff, texts }.
local function edits_of(page)
  local edits <const> = {}
  for _, block in ipairs(page.blocks) do
    if block.info == "diff" then
      edits[#edits + 1], block.used = { diff = block.code, texts = {} }, true
    elseif block.info == "text" then
      table.insert(edits[#edits].texts, block.code)
    end
  end
  return edits
end

-- }==

-- {== What the page promises ===============================================

local function fired_in(n)
  local before <const> = count "stat('Bullet', 'allocs')"
  frames(n)
  return count "stat('Bullet', 'allocs')" - before
end

local SPEED_IS <const> = [[all("Bullet", function(b) return math.abs((b.vx ^ 2 + b.vy ^ 2) ^ 0.5 - %d) < 0.1 end)]]
local IN_RING <const> = [[all("Drone", function(d)
  return math.abs(((d.x - 400) / 220) ^ 2 + ((d.y - 210) / 120) ^ 2 - 1) < 0.2
end)]]

-- By the number of the edit: `before` is called before it is made, and what it returns is given to `after`.
local promises <const> = {
  { -- twice as fast
    before = function() return fired_in(300) end,
    after = function(fired) check(fired_in(300) > 1.8 * fired, "the gun is no faster than %d in 300 frames", fired) end,
  },
  { -- nothing looks different
    before = function() until_it_is "live 'Bullet' > 5" end,
    after = function()
      frames(1)
      check(is(SPEED_IS, 780), "the bullets have another speed")
    end,
  },
  { -- all of them, at once
    before = function() until_it_is "live 'Bullet' > 5" end,
    after = function()
      frames(1)
      check(is(SPEED_IS, 60), "there are bullets that are not slow")
      frames(60)
    end,
  },
  { after = function()
    frames(1)
    check(is(SPEED_IS, 900), "there are bullets that are not fast")
  end },
  { -- the field is there at once
    before = function() until_it_is "live 'Drone' > 0" end,
    after = function()
      check(is "all('Drone', function(d) return d.hits == 0 end)", "there are drones without the field")
      until_it_is "any('Drone', function(d) return d.hits > 0 and d.g < 0.6 end)"
    end,
  },
  { -- gems from drones that were there before
    before = function()
      until_it_is "live 'Drone' > 3 and live 'Pickup' < 4"
      return { drones = count "stat('Drone', 'recycles')", gems = count "stat('Pickup', 'allocs')" }
    end,
    after = function(before)
      until_it_is("stat('Drone', 'recycles') > %d", before.drones)
      local drones <const> = count "stat('Drone', 'recycles')" - before.drones
      check(count "stat('Pickup', 'allocs')" - before.gems >= drones, "%d drones left too few gems", drones)
    end,
  },
  { -- into a ring
    before = function() until_it_is "live 'Drone' > 3" end,
    after = function()
      frames(1)
      check(is(IN_RING), "there are drones outside of the ring")
    end,
  },
  { -- silent until fewer than twelve are left
    before = function() until_it_is "live 'Bullet' > 20" end,
    after = function()
      check(count "live 'Bullet'" > 20, "bullets vanished")
      local allocs <const> = count "stat('Bullet', 'allocs')"
      repeat
        check(count "stat('Bullet', 'allocs')" == allocs, "the gun fires at %d bullets in the air",
          count "live 'Bullet'")
        frames(1)
      until count "live 'Bullet'" < 12
      frames(60)
      check(count "live 'Bullet'" <= 12 and fired_in(120) > 0, "the gun does not go on")
    end,
  },
  { after = function() frames(30) end }, -- the game goes on
  { after = function() frames(30) end },
  { before = function() until_it_is "live 'Drone' > 3" end },
  { after = function()
    frames(30)
    check(is(IN_RING), "the drones have left their ring")
  end },
}

-- }==

local function make(edit, promise)
  local before <const> = promise.before and promise.before()
  local old_state <const>, lost <const> = state(), count "live 'Drone'"
  apply(edit.diff)
  game.poll()
  check(state() == old_state, "objects or the game changed by this edit:\n%s", edit.diff)
  expect_told(edit.texts[1])
  if edit.texts[2] then
    check(live.frame(true) == "reverted", "nothing was taken back")
    expect_told(edit.texts[2])
    check(count "live 'Drone'" == lost, "drones are lost")
  end
  if promise.after then promise.after(before) end
end

return function(page)
  local edits <const> = edits_of(page)
  check(#edits == #promises, "%s has %d edits, %d are promised something", PAGE, #edits, #promises)
  host.run(("mkdir '%s/scripts' && cp -R scripts/shooter '%s/scripts/'"):format(host.folder, host.folder))
  live.start(host.folder .. "/scripts/shooter", PATIENCE)
  frames(WARM_UP)
  for i, edit in ipairs(edits) do make(edit, promises[i]) end
end
