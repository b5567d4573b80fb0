-- The games in scripts/ under the hands of a person: keys, mouse and gamepad, as the window would send them. The games
-- run in this process, one step at a time.
local player <const> = require "player"
local spec <const> = require "spec"
local game <const> = require "game"

local expect <const>, equal <const>, near <const> = player.expect, spec.equal, spec.near

-- A test that plays scripts/NAME, in a window of this size; nothing may go wrong in it.
local function test(name, what, fn, width, height, argument)
  player.test(name .. " " .. what, function()
    game.open { path = "scripts/" .. name, width = width, height = height, argument = argument }
    fn()
    local errors <const>, _, stopped <const> = game.close()
    equal({ errors, stopped }, { 0, false })
  end)
end

local function push(events)
  player.push(events)
  game.take()
end

local function steps(count, draws)
  for _ = 1, count do
    game.step()
    if draws then game.show() end
  end
end

-- Steps until fn() is true, `most` times at most.
local function steps_until(most, fn)
  for _ = 1, most do
    if fn() then return end
    game.step()
  end
end

-- An expression of the game; `live`, `stat` and `place` are about a type: its live objects, a number of its statistics,
-- a field of its first live object.
local function ask(expression, ...)
  return game.ask([[local pools = require("spawnpool").pools
    local function live(type) return pools:pool(type).live end
    local function stat(type, name) return pools:stats(type)[name] end
    local function place(type, field)
      for object in pools:pool(type):each() do return object[field] end
    end
    return ]] .. expression:format(...))
end

local function live(type) return ask("live %q", type) end
local function allocs(type) return ask("stat(%q, 'allocs')", type) end
local function stat(type, name) return ask("stat(%q, %q)", type, name) end
local function place(type, field) return ask("place(%q, %q)", type, field) end

-- {== The shooter ================================================================

test("shooter", "obeys keys and mouse", function()
  push "+left"
  steps(20)
  local x <const> = place("Ship", "x")
  expect(x < 330, "%g", x)
  push "-left"
  local bullets <const> = allocs "Bullet"
  steps(100)
  near(place("Ship", "x"), x, 40)
  equal(allocs "Bullet", bullets)
  push "+space"
  steps(30)
  expect(allocs "Bullet" > bullets)
  push "-space move:600,400"
  steps(90)
  near(place("Ship", "x"), 600, 2)
  near(place("Ship", "y"), 400, 2)
end)

test("shooter", "plays itself after five seconds", function()
  push "right +space"
  steps(60)
  push "-space"
  steps(1)
  local bullets <const> = allocs "Bullet"
  steps(280)
  equal(allocs "Bullet", bullets)
  steps(180)
  expect(allocs "Bullet" > bullets)
end)

-- Nobody steers, and a touch now and then keeps the autopilot away.
test("shooter", "begins again when it is lost", function()
  for _ = 1, 400 do
    if allocs "Ship" >= 3 and live "Ship" == 0 then break end
    push "s"
    steps(60)
  end
  local ships <const> = allocs "Ship"
  equal(ships, 3.0)
  steps(90)
  equal(allocs "Ship", ships)
  push "click:10,10"
  equal({ allocs "Ship", live "Drone" }, { ships + 1, 0.0 })
end)

test("shooter", "obeys a gamepad", function()
  game.plug_in()
  game.axis("leftx", -32768)
  steps(20)
  local x <const> = place("Ship", "x")
  expect(x < 330, "%g", x)
  game.axis("leftx", 0)
  local bullets <const> = allocs "Bullet"
  game.button("dpright", true)
  steps(30)
  expect(place("Ship", "x") > x + 20)
  equal(allocs "Bullet", bullets)
  game.button("dpright", false)
  game.button("a", true)
  steps(30)
  expect(allocs "Bullet" > bullets)
  game.plug_out()
end)

-- }==

-- {== A gamepad ==================================================================

local function input(call) return ask("require('spawnpool').input." .. call) end

test("shooter", "has a gamepad that comes and goes", function()
  equal({ input "pad()", input "pad('a')", input "axis('leftx')" }, { false, false, 0.0 })
  for _ = 1, 2 do
    game.plug_in()
    equal({ input "pad()", input "pad('a')" }, { true, false })
    game.button("a", true)
    equal(input "pad('a')", true)
    game.plug_out()
    equal({ input "pad()", input "pad('a')" }, { false, false }) -- nobody holds it
  end
end)

player.test("a game is told of buttons once, by their names", function()
  player.save("heard.lua", "return {}")
  player.save("main.lua", [[local heard = require 'heard'
    return { pad_pressed = function(name) heard[#heard + 1] = '+' .. name end,
    pad_released = function(name) heard[#heard + 1] = '-' .. name end }]])
  game.open { path = player.path "" }
  game.plug_in()
  game.button("leftshoulder", true)
  equal(input "pad('a', 'leftshoulder')", true)
  game.button("leftshoulder", false)
  equal(ask "table.concat(require('heard'), ' ')", "+leftshoulder -leftshoulder")
  game.plug_out()
  game.close()
end)

test("shooter", "has sticks that rest in the middle and reach one", function()
  game.plug_in()
  for _, row in ipairs { { 5000, 0 }, { 32767, 1 }, { -32768, -1 } } do
    game.axis("leftx", row[1])
    near(input "axis('leftx')", row[2])
  end
  game.axis("righty", 8000) -- just out of the middle: small, not a jump
  local small <const> = input "axis('righty')"
  expect(small > 0 and small < 0.1, "%g", small)
  near(input "axis('lefttrigger')", 0)
  game.axis("lefttrigger", 32767)
  near(input "axis('lefttrigger')", 1)
  game.plug_out()
end)

test("shooter", "releases the gamepad when it loses the focus", function()
  game.plug_in()
  game.button("a", true)
  game.axis("leftx", 32767)
  push "unfocus"
  equal({ input "pad('a')", input "axis('leftx')", input "pad()" }, { false, 0.0, true })
  game.plug_out()
end)

test("shooter", "blames wrong names of buttons with right ones", function()
  for call, message in pairs { pad = "no button is called .jump.; names are like",
    axis = "no axis is called .jump.; names are like" } do
    equal(ask("select(2, pcall(require('spawnpool').input.%s, 'jump')):find %q ~= nil", call, message), true)
  end
end)

-- }==

-- {== Small games ================================================================

test("cubes", "obeys keys and mouse", function()
  steps(200)
  local cubes <const> = allocs "Cube"
  push "+c"
  equal(allocs "Cube", cubes + 1)
  push "+p"
  equal(allocs "Cube", cubes + 1)
  local spheres <const> = allocs "Sphere"
  push "+s"
  equal(allocs "Sphere", spheres + 1)
  push "+r"
  equal({ live "Cube", live "Sphere" }, { 0.0, 0.0 })
  push "click:400,200"
  equal(live "Sphere", 1.0)
  push "click:400,200"
  equal(live "Sphere", 0.0)
end)

-- A sun takes its rings along and another takes its seat; moons go, comets stay.
test("random_spawn", "obeys keys and mouse", function()
  local function bodies() return live "Moon" + live "Comet" end
  equal(bodies(), 36.0)
  push "h"
  equal(bodies(), 37.0)
  push "t t"
  equal(bodies(), 35.0)
  local rings <const>, suns <const>, comets <const> = live "Ring", allocs "Sun", live "Comet"
  push "click:100,300"
  equal({ allocs "Sun", live "Sun", live "Ring", live "Comet" }, { suns + 1, 4.0, rings, comets })
  push "s"
  equal(allocs "Sun", suns + 2)
  push "r"
  equal(live "Coin", 5.0)
  steps(60)
end)

test("footprints", "obeys keys and mouse", function()
  steps(240)
  expect(live "Footprint" > 20)
  push "c"
  equal({ live "Footprint", live "Row" }, { 0.0, live "Walker" })
  push "x"
  steps(1)
  equal(live "Row", live "Walker")
  push "a a"
  steps(400)
  expect(live "Walker" >= 5)
  push "click:400,300"
  expect(live "Snowball" >= 1)
  steps(40)
  expect(live "Splat" >= 1)
  push "r"
  equal(live "Splat", 0.0)
  steps(60)
end)

test("footprints", "knows who is last, also between two frames", function()
  steps(240)
  local walkers <const> = live "Walker"
  expect(walkers >= 3)
  push "x x"
  equal(live "Walker", walkers - 2)
end)

-- They survive, and nothing is made in the other scene; or they are cleared, and made again.
test("scenes", "keeps its toys or clears them", function()
  push "d d d"
  equal({ live "Lantern", live "Balloon", stat("Lantern", "total") }, { 2.0, 1.0, 10.0 })
  push "2"
  steps(60)
  equal({ live "Firefly", live "Lantern", stat("Lantern", "created") }, { 0.0, 2.0, 10.0 })
  expect(live "Fish" > 0)
  push "e"
  equal(live "Lantern" + live "Balloon", 2.0)
  push "a"
  equal(live "Lantern" + live "Balloon", 0.0)
  push "d c 1"
  steps(60)
  equal({ live "Lantern" + live "Balloon", stat("Lantern", "destroyed"), stat("Lantern", "created") },
    { 0.0, 10.0, 20.0 })
end)

-- At most 15 wait; the rest of those that come back are destroyed.
test("scenes", "has a queue with an end", function()
  push(("d "):rep(40))
  equal(live "Lantern", 20.0)
  push "a"
  equal({ stat("Lantern", "idle"), stat("Lantern", "destroyed") }, { 15.0, 5.0 })
  push "click:400,200"
  equal(live "Lantern", 1.0)
end)

-- The first ball is on the paddle, then served; nobody hits it: it is lost, and the next one waits.
test("breakout", "obeys keys and mouse", function()
  push "move:200,300"
  steps(2)
  near(place("Ball", "x"), 200, 1)
  push "click:700,300"
  steps(120)
  expect(place("Ball", "y") < 560)
  push "+left"
  steps_until(240, function() return live "Ball" == 0 or allocs "Ball" >= 2 end)
  equal(allocs "Ball", 2.0)
  steps(60)
  expect(place("Ball", "x") < 70)
end)

test("breakout", "is cleared by hundreds of balls", function()
  local bricks <const> = live "Brick"
  equal(bricks, 924.0)
  steps_until(3600, function() return allocs "Brick" ~= bricks end)
  expect(allocs "Brick" > bricks and stat("Ball", "peak") >= 100) -- those of the second level
end)

-- A rocket of the show ends 72 frames after it leaves: on an eighth note.
test("fireworks", "obeys keys and mouse and bursts on the beat", function()
  steps(10)
  local rockets <const> = allocs "Rocket"
  push "click:100,200"
  equal(allocs "Rocket", rockets + 1)
  push "space"
  equal(allocs "Rocket", rockets + 10)
  steps(60)
  expect(allocs "Mirror" >= 1)
  for _ = 1, 300 do
    local before <const> = stat("Rocket", "expired")
    steps(1)
    local time <const> = ask "pools.time"
    if time > 4 and stat("Rocket", "expired") > before then
      local beat <const> = math.floor(time * 60 + 0.5) % 18
      expect(beat <= 1, "%d frames after the beat", beat)
    end
  end
end)

-- It plays by itself until a level is reached: then everything stands still.
test("survivors", "obeys keys and chooses upgrades", function()
  push "+right"
  steps(60)
  expect(place("Hero", "x") > 120)
  push "-right"
  steps_until(3600, function() return ask "pools.paused" end)
  equal(ask "pools.paused", true)
  expect(stat("Gem", "recycles") >= 6)
  push "1"
  steps(1)
  equal(ask "pools.paused", false)
end)

-- }==

-- {== The storm, with few enough to be quick ======================================

local function test_storm(what, fn) test("storm", what, fn, 1280, 720, "3000") end

-- How many are in the air.
local function flying() return ask "live 'Mote' + live 'Scrap' + live 'Leaf' + live 'Ember' + live 'Blur'" end

-- Those that end during a step are made up for in the next.
local function expect_flying(count) near(flying(), count, count // 50) end

test_storm("has as many as were asked for", function()
  steps(2, true)
  expect_flying(3000)
  local leaves <const> = allocs "Leaf"
  steps(240, true)
  expect_flying(3000)
  expect(allocs "Leaf" > leaves) -- lives end, others begin
end)

test_storm("has digits and arrows that set the number", function()
  push "4"
  steps(4, true)
  expect_flying(10000)
  push "1"
  steps(10, true)
  expect_flying(1000)
  push "+right"
  steps(60, true)
  push "-right"
  expect(flying() > 4000)
end)

-- 640 points wide, in the middle, 44 above the lower edge; then the mouse is far beyond its end, and beside it.
test_storm("has a slider that is dragged by the mouse", function()
  push "down:500,676"
  steps(8, true)
  expect(flying() > 3500 and flying() < 5500)
  push "move:0,300"
  steps(10, true)
  expect_flying(1000)
  push "up:0,300 move:900,676"
  steps(10, true)
  expect_flying(1000)
end)

-- The mean speed across of those within 100 points of the middle of the picture, and how many they are.
local function speed_near_middle(type)
  local text <const> = ask([[(function() local n, sum = 0, 0
    for o in pools:pool(%q):each() do
      if (o.x - 640) ^ 2 + (o.y - 360) ^ 2 <= 100 * 100 then n, sum = n + 1, sum + math.abs(o.vx) end
    end
    return n .. ' ' .. (n > 0 and sum / n or 0) end)()]], type)
  local count <const>, mean <const> = text:match "(%S+) (%S+)"
  return tonumber(mean), tonumber(count)
end

test_storm("has blasts that throw leaves out of the way", function()
  steps(60, true)
  local calm <const>, before <const> = speed_near_middle "Mote"
  push "click:640,360"
  local thrown <const>, after <const> = speed_near_middle "Mote"
  expect(before > 10 and after == before and thrown > calm * 3, "%d, %d, %g, %g", before, after, calm, thrown)
  steps(20, true)
  local _, left <const> = speed_near_middle "Mote"
  expect(left < before / 2, "%d of %d", left, before)
end)

test_storm("has squalls that move all and are over again", function()
  steps(60, true)
  local calm <const> = speed_near_middle "Scrap"
  push "+space"
  expect(speed_near_middle "Scrap" > calm + 100)
  steps(240, true)
  expect(speed_near_middle "Scrap" < calm + 100)
end)

-- The sky is the first thing in the picture, and as large as that.
test_storm("shakes one picture", function()
  equal({ game.draw "local g = ... g:shake(3, -2)" }, { 643.0, 358.0 })
  equal({ game.draw "" }, { 640.0, 360.0 })
end)

-- }==
