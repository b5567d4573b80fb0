-- The gallery of games: how it is laid out, and chosen from. A script stands for the player, and writes down what it is
-- asked to play.

local NAMES <const> = { "Platformer", "Garden", "Survivors", "Breakout", "Shooter", "Cubes", "Fireworks",
  "Footprints", "Random spawn", "Scenes", "Search vs queue", "Storm" }
local BACK <const> = 0x262638 -- of the chosen card

-- A game that was chosen in a frame is played after it: it is seen in the second picture.
local function press(events) player.press(events, 2) end

local function test(name, fn, args, program)
  player.test(name, function()
    save("/player", "#!/bin/sh\necho \"$@\" >>\"${0%/*}/asked\"\nexit 1\n")
    sh "chmod 700 player"
    run({ game = false, program = program or path "/player", args = args or "", err = false }, fn)
  end)
end

local function asked() return sh "cat asked" end

-- The name on a card, which begins with it: what games are about may name others.
local function name_on(card)
  for _, it in ipairs(host.texts()) do
    if it.text == NAMES[card] then return it end
  end
end

-- The chosen card, by its colour beside the name.
local function chosen()
  local w <const>, h <const> = host.window()
  for card = 1, #NAMES do
    local it <const> = name_on(card)
    local x <const>, y <const> = it and math.floor(it.x) - 3 or -1, it and math.floor(it.y) + 3 or -1
    if x >= 0 and x < w and y >= 0 and y < h and host.seen(x, y) == BACK then return card end
  end
end

local function expect_chosen(rows)
  for _, row in ipairs(rows) do
    press(row[1])
    equal(chosen(), row[2], tostring(row[1]))
  end
end

test("keys move over rows and columns and stop at the ends", function()
  expect_chosen { { "Left", 1 }, { "Up", 1 }, { "Right", 2 }, { "Down", 5 }, { "Down", 8 }, { "Down", 11 },
    { "Right", 12 }, { "Right", 12 }, { "Down", 12 }, { "Home", 1 }, { "End", 12 }, { "wheel:0,1", 9 },
    { "wheel:0,-1", 12 } }
  press "Return"
  expect(asked():find("/scripts/storm\n$"), asked())
  press { "Escape", "Right" }
  error "Escape does not quit"
end)

test("a gamepad chooses too", function()
  expect_chosen { { "pad1:in", 1 }, { "pad1:+dpdown pad1:-dpdown", 4 }, { "pad1:leftx=30000", 5 },
    { "pad1:leftx=32000", 5 }, { "pad1:leftx=0", 5 }, { "pad1:leftx=-30000", 4 } }
  press "pad1:+a pad1:-a"
  expect(asked():find("/scripts/breakout\n$"), asked())
  press "pad1:+b pad1:-b"
  error "B does not quit"
end)

-- The row was in the window: it stays where it is.
test("a click plays the card below it and scrolls nothing that is seen", function()
  local before <const> = name_on(5)
  press(("click:%d,%d"):format(math.floor(before.x), math.floor(before.y) - 20))
  expect(asked():find("/scripts/shooter\n$"), asked())
  equal({ chosen(), name_on(5).y }, { 5, before.y })
  press "click:3,300" -- between the cards
  equal({ chosen(), asked():match "\n." }, { 5 })
end)

-- The Escape that comes while the game is played is the game's.
test("the chosen game is played by the same player and the gallery is back", function()
  press "Right Return Escape"
  expect(asked():find("^%-%-size 320x240 %-%-full%-screen /[^\n]*/scripts/garden\n$"), asked())
  expect_seen "garden ended with an error, which is in the terminal"
end, "--size 320x240 --full-screen")

test("a player that cannot be started is told and the gallery stays", function()
  if host.tool == "valgrind" then return host.skip("gallery", "valgrind itself says what cannot be executed") end
  press "Return"
  expect_seen "platformer cannot be played: "
  expect(seen "Cubes")
end, "", "/nowhere/spawnpool")
