-- docs/guide.md is played from its first block to its last, in games that run on: files are saved, each `diff` is
-- an edit, and a `text` block below it is what the game says then, a second one what it says in the frame after. A
-- `diff wrong` is taken back. The shooter is a copy. What else the page tells of its games is in `STEPS` and `HOPS`.
local examples <const> = require "examples"
local game <const> = require "game"
local golden <const> = require "golden"
local host <const> = require "host"
local pages <const> = require "pages"
local player <const> = require "player"

local check <const>, read <const>, write <const> = pages.check, pages.read, pages.write
local place <const>, play <const>, pool_of <const> = examples.place, examples.play, examples.pool_of

-- {== The game =================================================================

local said = {}

function game.heard(kind, text) said[#said + 1] = (kind == "warning" and "warning: " or "") .. text end

local function start(path)
  said = {}
  check(game.open { path = place(path), patience = 1, seed = 1 }, "%s", table.concat(said, "\n"))
end

-- Plays frames. What came of reloading in the last one; nothing may fail unless `may_fail`.
local function frames(count, may_fail)
  local result
  for _ = 1, count do
    check(game.step() or may_fail, "the update of the game failed: %s", table.concat(said, "\n"))
    result = game.poll "rest"
  end
  return result
end

local HELP <const> = [[
  local pools <const> = require("spawnpool").pools
  local function live(type) return pools:pool(type).live end
  local function all(type, fn)
    for object in pools:pool(type):each() do
      if not fn(object) then return false end
    end
    return live(type) > 0
  end
  return ]]

-- A fresh run of a game looks as on a picture of the page.
local function expect_picture(picture, arguments, name)
  local shown <const> = "docs/" .. picture
  play(("%s --screenshot '%s' '%s'"):format(arguments, golden.target(shown, place "picture.png"), place(name)))
  golden.expect(shown, place "picture.png", 0.01)
end

local function ask(expression, ...) return game.ask((HELP .. expression):format(...)) end

local function is(expression, ...) return ask(expression, ...) == true end

local function count(expression, ...) return math.tointeger(ask(expression, ...)) end

-- Every live object with its number, place and speed.
local function state()
  return ask [[(function()
    local out = {}
    for o in pools:each() do out[#out + 1] = ("%%s %%a %%a %%a %%a"):format(o, o.x, o.y, o.vx, o.vy) end
    return table.concat(out, "\n")
  end)()]]
end

local function push(key)
  player.push(key)
  game.take()
end

-- }==

-- {== Edits ====================================================================

-- The lines of a hunk as they were, and as they are to be.
local function sides(hunk)
  local old <const>, new <const> = {}, {}
  for sign, line in hunk:gmatch "([-+ ]?)([^\n]*\n)" do
    if sign ~= "+" then old[#old + 1] = line end
    if sign ~= "-" then new[#new + 1] = line end
  end
  return table.concat(old), table.concat(new)
end

-- Applies a block to a file: each hunk must be found once. Returns a function that takes it back.
local function apply(block)
  local name <const>, hunks <const> = block.code:match "^%-%-%- (%S+)\n(.*)$"
  local path <const> = place(name)
  local before <const> = read(path)
  local text = before
  for hunk in (hunks .. "@@\n"):gmatch "(.-)@@\n" do
    local old <const>, new <const> = sides(hunk)
    local from <const>, to <const> = text:find(old, 1, true)
    check(from and not text:find(old, to + 1, true), "%s does not have these lines once:\n%s", name, old)
    text = text:sub(1, from - 1) .. new .. text:sub(to + 1)
  end
  write(path, text)
  return function() write(path, before) end
end

-- Times and counts differ from run to run, and the copy lies elsewhere.
local function comparable(text)
  return (text:gsub(host.folder:gsub("%p", "%%%0") .. "/", ""):gsub("in [%d.]+ ms", "in N ms")
    :gsub("%d+ live objects?", "N live objects"):gsub("all %d+ objects kept", "all N objects kept")
    :gsub("more than [%d.]+ s", "more than N s"):gsub("before %d+:%d+:%d+", "before N"):gsub("#%d+", "#N"))
end

local function expect_said(block)
  local got <const>, want <const> = comparable(table.concat(said, "\n") .. "\n"), comparable(block.code)
  said = {}
  check(got:sub(-#want) == want, "line %d shows\n%s\nand the game says:\n%s", block.line, want, got)
end

-- }==

-- {== Rain =====================================================================

local function click_a_drop()
  local x <const>, y <const> = ask([[(function()
    for drop in pools:pool("Drop"):each() do return drop.x .. " " .. drop.y end
  end)()]]):match "(%d+)%S* (%d+)"
  player.push(("click:%s,%s"):format(x, y))
  game.take()
  frames(1, true)
end

-- Makes a mistake, which must be told as the page does, and takes it back.
local function make_mistake(block, texts)
  said = {}
  local undo <const> = apply(block)
  game.poll()
  frames(200, true) -- more than the probation
  local needs_click <const> = table.concat(said):find("reloaded main.lua", 1, true)
  if needs_click then click_a_drop() end
  expect_said(texts[1])
  if needs_click then -- with nothing to go back to it stops
    start "rain"
    frames(180)
    click_a_drop()
    check(not game.step(), "the game has not stopped")
  end
  undo()
  check(game.poll() == "reloaded", "the file as it was is not taken")
  frames(180)
end

-- S and L: the drops are those of the save again. And the whole game plays as its settings say.
local function expect_saves()
  start "rain"
  frames(240)
  local before <const> = count "pools:hash()"
  push "s"
  frames(120)
  check(count "pools:hash()" ~= before)
  push "l"
  check(count "pools:hash()" == before and is "live 'Drop' > 0", "the save is not what is loaded")
  local out <const> = play("--frames 1200 --seed 3 --stats - " .. place "rain")
  local drop <const>, hail <const> = pool_of(out, "Drop"), pool_of(out, "Hail")
  local ends <const> = drop.recycles + hail.recycles
  check(drop.recycles > 30 and hail.recycles > 3 and drop.total == 16, out)
  check(pool_of(out, "Splash").allocs == 8 * ends and pool_of(out, "Voice").allocs == ends, out)
  local _, checked <const> = host.run(("%s/spawnpool --check '%s'"):format(host.build, place "rain"))
  check(checked:find "checked 5 files: no problems", checked)
end

-- What is so after a step of the rain, by its number.
local STEPS <const> = {
  [1] = function() expect_picture("guide-1.png", "--frames 200 --seed 1", "rain") end,
  [4] = function() expect_picture("guide-2.png", "--frames 600 --seed 4", "rain") end,
  [8] = function() expect_picture("guide-3.png", "--frames 584 --seed 3", "rain") end,
  [11] = expect_saves,
}

-- }==

-- {== The shooter ==============================================================

local function edit_shooter(block, texts)
  local as_it_was <const>, drones <const> = state(), count "live 'Drone'"
  said = {}
  apply(block)
  game.poll()
  check(state() == as_it_was, "objects changed by this edit:\n%s", block.code)
  expect_said(texts[1])
  if texts[2] then
    check(frames(1, true) == "reverted", "nothing was taken back")
    expect_said(texts[2])
    check(count "live 'Drone'" == drones, "drones are lost")
  end
  frames(90)
end

-- }==

-- {== The platformer ===========================================================

local function hero(condition) return ("all('Hero', function(it) return %s end)"):format(condition) end

-- Checks of the platformer, by the number of the block that they follow.
local HOPS <const> = {
  [5] = function()
    push "+Space"
    frames(15)
    check(is(hero "it.y < 52"), "there is no jump")
    push "-Space"
    frames(60)
  end,
  [8] = function()
    start "hop"
    frames(2)
    check(count "live 'Drop'" == 4 and count "live 'Lamp'" == 1, "the level has no drops")
  end,
  [11] = function()
    start "hop"
    frames(600)
    check(is(hero "it.y == 74") and count "live 'Crab'" == 1, "nobody stands on the ground")
  end,
}

-- Saves or edits a file of the platformer.
local function edit_platformer(block, number)
  if block.info == "diff" then apply(block) else check(examples.save(block), "no name of a file") end
  if number == 2 then start "hop" end
  if number > 2 then
    local result <const>, line <const> = game.poll()
    check(result == "reloaded" or block.info ~= "diff", "%s %s", result, line)
  end
  if number > 1 then frames(30) end
  if HOPS[number] then HOPS[number]() end
  return number
end

-- The page says how long the whole game is.
local function expect_length(page)
  local text <const> = examples.shell("cat '%s'/*.lua '%s'/*.lua", place "hop", place "hop/pools")
  local _, lines <const> = text:gsub("\n", "")
  local told <const> = tonumber(page.text:match "\nThese are (%d+) lines%.")
  check(lines == told and told <= 120, "the platformer has %d lines", lines)
end

-- }==

-- Saves or edits a file of the rain. A module is not reloaded before a file requires it.
local function edit_rain(block, step)
  local name <const> = block.info == "diff" and apply(block) and "" or check(examples.save(block), "no name of a file")
  if step == 1 then start "rain" end
  local drops <const> = step > 1 and count "live 'Drop'"
  if name:find "/flood" then return step end
  local result <const>, line <const> = game.poll()
  check(step == 1 or result == "reloaded" and count "live 'Drop'" == drops and drops > 0, "%s %s", result, line)
  check(step ~= 2 or line:find(": new: Drop; ", 1, true), line) -- a class that is new is named
  frames(step == 1 and 120 or 300)
  if STEPS[step] then STEPS[step]() end
  return step + 1
end

return function(page)
  local step, edits, hops, is_shooter = 1, 0, 0, false
  for i, block in ipairs(page.blocks) do
    local texts <const> = {}
    for k = i + 1, i + 2 do
      local text <const> = page.blocks[k]
      if #texts == k - i - 1 and text and text.info == "text" then texts[#texts + 1] = text end
    end
    local is_edit <const> = block.language == "diff"
    block.used = block.used or is_edit or block.info == "lua"
    if is_edit and block.code:find "^%-%-%- scripts/shooter/" then
      if edits == 0 then
        examples.shell("mkdir '%s' && cp -R scripts/shooter '%s'", place "scripts", place "scripts/")
        start "scripts/shooter"
        frames(300) -- the first wave is there
      end
      edits, is_shooter = edits + 1, true
      edit_shooter(block, texts)
    elseif block.info == "diff wrong" then
      make_mistake(block, texts)
    elseif block.code:find "^%-%-%-? hop/" then
      hops = edit_platformer(block, hops + 1)
    elseif is_edit or block.info == "lua" then
      if is_shooter then
        start "rain"
        frames(300)
        is_shooter = false
      end
      step = edit_rain(block, step)
    elseif block.code:find "^mkdir .*\ncp " then
      examples.shell("set -e\n" .. block.code:gsub("%f[%w]rain/", place "rain/"):gsub("%f[%w]hop%f[/%s]", place "hop"))
    end
  end
  expect_length(page)
  check(step == 12 and edits == 3 and hops == 11, "%d steps, %d edits, %d hops", step, edits, hops)
end
