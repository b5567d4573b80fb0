-- The actions of a player in each recipe of docs/cookbook.md, and the expected results; see play.lua. The keys
-- are the titles of the games. A game with several plans is started again for each, and keeps what it has stored.
local plans <const> = {}

plans["A ship that moves"] = { function(t)
  local ship <const> = t.first "Ship"
  t.hold("right", 30)
  local along <const> = ship.x - 400
  t.expect(along > 140 and ship.y == 300, "it moves to the right")
  t.hold("w", 30)
  local dx <const>, dy <const> = ship.x - 400 - along, 300 - ship.y
  t.expect(math.abs(dx - dy) < 1 and dx < along * 0.8, "it is as fast along the diagonal")
  t.frames(120)
  t.expect(ship.x == 786 and ship.y == 14, "it stays in the window")
end }

plans["Two players"] = { function(t)
  t.hold("w", 10)
  t.hold("down", 30)
  local y <const> = {}
  for paddle in t.first("Paddle").pool:each() do y[paddle.x == 100 and 1 or 2] = paddle.y end
  t.expect(y[1] < 120 and y[2] > 490, "each moves its own")
end }

plans["A camera"] = { function(t)
  local hero <const>, view <const> = t.first "Hero", t.view
  t.frames(2)
  t.expect(view:to_view(hero.x, hero.y) == 400, "the hero is in the middle")
  t.hold("right", 60)
  local x <const> = view:to_view(hero.x, hero.y)
  t.expect(hero.x > 1650 and x > 410 and x < 600, "the camera follows softly")
  t.frames(600)
  t.expect(view:to_world(800, 0) > 2999.9 and hero.x == 2986, "the camera ends with the world")
  t.shows "2986, 1500"
end }

plans["Animation"] = { function(t)
  t.shows "idle, frame 1"
  t.hold "right"
  local seen <const> = {}
  for _ = 1, 60 do
    t.frames(1)
    seen[t.first("Hero").frame] = true
  end
  t.expect(seen[2] and seen[3] and seen[4] and not seen[1], "it runs")
  t.let_go "right"
  t.shows "idle, frame 1"
end }

plans["Boxes: click to throw"] = { function(t)
  local crate <const> = t.first "Crate"
  t.click(640, 80)
  t.frames(1)
  t.expect(crate.x == 730 and crate.y == 80, "it ends at the wall, on the ground")
  t.expect(t.live "Coin" == 5, "it has met no coin on the way")
  for x = 700, 150, -10 do
    crate.x = x
    t.frames(1)
  end
  t.expect(t.live "Coin" == 0, "its box takes what it meets")
end }

plans["A font"] = { function(t)
  t.shows "Chapter one"
  t.shows "HOP"
end }

plans["A menu"] = { function(t)
  t.press("up", 1)
  t.shows "> Quit <"
  t.press("down", 1)
  t.press("down", 1)
  t.press("return", 1)
  t.shows "Options"
  t.point(400, 300)
  t.shows "> Options <"
  t.point(10, 250)
  t.press("mouse:left", 1)
  t.shows "Play"
end }

plans["A score"] = { function(t)
  t.frames(31)
  local gem <const> = t.first "Gem"
  while gem.alive do
    t.point(gem.x, 0)
    t.frames(1)
  end
  t.shows "000010"
  t.shows "+10"
  t.expect(t.live "Spark" == 12, "sparks fly")
  t.point(-100, 0)
  t.frames(400)
  t.shows "000010"
  t.expect(t.live "Gem" < 10, "gems that are missed are recycled")
end }

plans["Sound: space shoots"] = { function(t)
  t.shows "1 voices"
  t.point(300, 0)
  t.press "space"
  t.shows "2 voices"
  t.frames(70)
  local bomb <const> = t.first "Bomb"
  t.point(bomb.x, 0)
  t.frames(1)
  t.press("space", 120)
  t.expect(not bomb.alive, "the bomb is hit")
end }

plans["Space scores, Enter ends"] = {
  function(t)
    for _ = 1, 7 do t.press("space", 1) end
    t.shows "7, best 0"
    t.press "return"
    t.shows "0, best 7"
  end,
  function(t)
    t.shows "0, best 7"
    t.press "return"
    t.shows "0, best 7"
  end,
}

plans["S saves, L loads"] = {
  function(t)
    t.press "l"
    t.shows "0 balls: nothing to load"
    for i = 1, 3 do t.click(i * 100, 100) end
    t.frames(30)
    t.press "s"
    t.click(400, 100)
    t.shows "4 balls: saved"
  end,
  function(t)
    t.press "l"
    t.shows "3 balls: loaded"
    t.expect(t.first("Ball").y > 110, "they are where they were")
  end,
}

plans["Dodge"] = { function(t)
  for _ = 1, 2 do
    t.frames(2)
    t.point(400, 580)
    t.press("space", 60)
    t.expect(t.live "Player" == 1 and t.live "Rock" > 3, "it plays")
    t.shows "1.0 s"
    local rock <const> = t.first "Rock"
    t.point(rock.x // 1, rock.y // 1)
    t.frames(3)
    t.expect(t.live "Player" == 0 and t.live "Rock" == 0, "all of it has ended")
    t.shows "space: again"
  end
  t.frames(60)
  t.expect(t.live "Rock" == 0, "no more rocks")
end }

plans["Click: a missile that follows"] = { function(t)
  t.click(400, 550)
  t.click(200, 550)
  local missile <const> = t.first "Missile"
  local pool <const> = missile.pool
  t.frames(2)
  local target <const> = missile.target
  t.expect(target and t.live "Shield" == 6, "it has a target")
  target:recycle()
  t.expect(missile.target == nil, "the target has ended")
  t.frames(2)
  t.expect(missile.target ~= nil, "it takes another one")
  while missile.alive do t.frames(1) end
  t.frames(1)
  t.expect(pool:stats().recycles > 0 and t.live "Drone" == t.live "Shield", "each drone has its shield")
  t.expect(t.live "Drone" == 5, "another drone has come")
end }

plans["Bullet patterns"] = { function(t)
  t.frames(2)
  t.expect(t.live "Bullet" == 28, "a ring")
  t.point(400, 600)
  t.frames(600)
  local bullets <const> = t.live "Bullet"
  t.expect(bullets > 60 and bullets < 400, "they leave at the edge")
  t.first("Boss"):recycle()
  t.frames(900)
  t.expect(t.live "Bullet" == 0, "the boss fires no more")
end }

return plans
