-- Pages that make a game: the files of their blocks are saved and played, also while they change, and look as on the
-- pictures of the page. `make golden` makes the pictures anew: look at them before they are committed.
local golden <const> = require "golden"
local host <const> = require "host"
local game <const> = require "game"
local live <const> = require "live"
local pages <const> = require "pages"
local player <const> = require "player"
local samples <const> = require "samples"

local check <const>, place <const>, play <const> = pages.check, samples.place, samples.play
local games <const> = {}

-- {== Files ====================================================================

-- Saves a block that begins with the name of its file. Returns the name, or nil for any other block.
local function save(block)
  local name <const> = block.code:match "^%-%- (%S+%.lua)\n"
  if name then
    host.run(("mkdir -p '%s'"):format(place(name:match "^(.*)/" or "")))
    pages.write(place(name), block.code)
  end
  return name
end

-- Saves the first blocks of Lua, or all; each must be a file.
local function save_blocks(page, count)
  local saved = 0
  for block in page:each "lua" do
    if saved == count then break end
    check(save(block), "line %d is not the name of a file", block.line)
    saved = saved + 1
  end
  return saved
end

-- Plays a saved game, which must look as on a picture of the page at its end. What it said, and its statistics.
local function take_picture(page, name, flags, picture)
  check(page.text:find(picture, 1, true), "%s does not show %s", page.path, picture)
  local shown <const> = "docs/" .. picture
  local out <const>, err <const> = play(("%s --screenshot '%s' --stats '%s' '%s'"):format(flags,
    golden.target(shown, place "picture.png"), place "stats", place(name)))
  golden.expect(shown, place "picture.png", 0.01)
  return out, err, pages.read(place "stats")
end

-- }==

-- {== The guide ================================================================

local GUIDE_BLOCKS <const> = 11
local GUIDE_PICTURES <const> = { -- after so many blocks
  { "guide-1.png", 1, 200, 1 }, { "guide-2.png", 4, 600, 4 }, { "guide-3.png", 9, 584, 3 },
}

local function expect_pictures(page)
  for _, row in ipairs(GUIDE_PICTURES) do
    local picture <const>, blocks <const>, frames <const>, seed <const> = table.unpack(row)
    host.run(("rm -r '%s'"):format(place "rain"))
    save_blocks(page, blocks)
    take_picture(page, "rain", ("--frames %d --seed %d"):format(frames, seed), picture)
  end
  local _, _, frames <const>, seed <const> = table.unpack(GUIDE_PICTURES[#GUIDE_PICTURES])
  local command <const> = "\nbuild/spawnpool --headless --frames %d --seed %d --screenshot rain.png rain\n"
  check(page.text:find(command:format(frames, seed), 1, true), "the command of the last picture is not on the page")
end

local function push(events)
  player.push(events)
  game.take()
end

-- S and L of the last step: the drops and the points are those of the save again.
local function expect_saves()
  local STATE <const> = "local pools = require('spawnpool').pools return pools:hash() .. ' ' .. pools:pool('Drop').live"
  live.start(place "rain")
  live.frames(240)
  local before <const> = game.ask(STATE)
  push "s"
  live.frames(120)
  check(game.ask(STATE) ~= before)
  push "l"
  check(game.ask(STATE) == before and not before:find " 0$", "%s, not %s", game.ask(STATE), before)
  live.frames(120)
  check(live.said() == "", live.said())
end

-- The game runs after every block. Only the first has a type without a class.
function games.guide(page)
  for i = 1, GUIDE_BLOCKS do
    check(save_blocks(page, i) == i)
    local _, err <const> = play("--frames 600 --seed 1 " .. place "rain")
    check((err ~= "") == (i == 1), "block %d: %s", i, err)
  end
  local _, checked <const> = host.run(("%s/spawnpool --check '%s'"):format(host.build, place "rain"))
  check(checked:find "checked 5 files: no problems", checked)
  expect_saves()
  local out <const> = play("--frames 1200 --seed 3 --stats - " .. place "rain")
  local drop <const>, hail <const> = samples.pool_of(out, "Drop"), samples.pool_of(out, "Hail")
  check(drop.recycles > 30 and hail.recycles > 3, out)
  check(drop.total == 16, "prealloc says 16, and there are %d", drop.total)
  check(samples.pool_of(out, "Splash").allocs == 8 * (drop.recycles + hail.recycles), out)
  expect_pictures(page)
end

-- Makes the edit of a `diff` block: one line.
local function edit(diff)
  local name <const>, hunk <const> = diff.code:match "^%-%-%- (%S+)(\n.*)"
  local from <const>, to <const> = hunk:match "\n%-([^\n]*)", hunk:match "\n%+([^\n]*)"
  local text <const> = pages.read(place(name))
  local first <const>, last <const> = text:find(from, 1, true)
  check(first and not text:find(from, last, true), "%s has no one line '%s'", name, from)
  pages.write(place(name), text:sub(1, first - 1) .. to .. text:sub(last + 1))
end

local FIRST_DROP <const> = [[for drop in require("spawnpool").pools:pool("Drop"):each() do
  return drop.x .. " " .. drop.y
end]]

local function click_first_drop()
  local x <const>, y <const> = game.ask(FIRST_DROP):match "(%d+)%S* (%d+)"
  push(("click:%s,%s"):format(x, y))
  live.frame(true)
end

local function without_time(text) return (text:gsub("before %d+:%d+:%d+", "before N")) end

-- The errors that the reader is told to make read as they are shown, with names as seen from where the player was
-- started.
function games.guide_errors(page)
  local count = 0
  save_blocks(page)
  live.start(place "rain")
  live.frames(180)
  for diff in page:each "diff" do
    local shown <const> = page:find("text", "", diff).code
    live.forget()
    count = count + 1
    edit(diff)
    game.poll()
    for _ = 1, 200 do live.frame(true) end -- more than the probation
    local needs_click <const> = live.said():find("reloaded main.lua", 1, true)
    if needs_click then click_first_drop() end
    local text <const> = live.said():gsub(host.folder:gsub("%p", "%%%0") .. "/", "") .. "\n"
    check(without_time(text):find(without_time(shown), 1, true),
      "line %d shows\n%sbut it is\n%s", diff.line, shown, text)
    if needs_click then -- with nothing to go back to it stops
      live.start(place "rain")
      live.frames(180)
      click_first_drop()
      check(not game.step(), "the game has not stopped")
    end
    save_blocks(page)
    check(game.poll() == "reloaded", "the files as they were are not taken")
    live.frames(180)
  end
  check(count == 3, "the page has %d edits", count)
end

-- Every drop that ends is heard, and every hailstone.
function games.guide_sound(page)
  save_blocks(page)
  local copy <const> = page:find("sh", "mkdir rain/sounds").code:gsub(" rain/", " " .. place "rain/")
  local copied <const> = host.run("set -e\n" .. copy)
  check(copied == 0, "the sound of the page cannot be copied")
  edit(page:find("diff sound", ""))
  local out <const>, err <const> = play("--frames 600 --seed 1 --stats - " .. place "rain")
  local ends <const> = samples.pool_of(out, "Drop").recycles + samples.pool_of(out, "Hail").recycles
  check(err == "" and ends > 10 and samples.pool_of(out, "Voice").allocs == ends, "%s%s", out, err)
end

-- From its first step on, the game grows while it runs. A module is saved with the block that requires it.
function games.guide_grows(page)
  local ASK <const> = "local pools = require('spawnpool').pools "
    .. "return pools:pool '%s'.live .. ' ' .. pools:stats '%s'.allocs"
  local function drops() return game.ask(ASK:format("Drop", "Drop")):match "^%d+" end
  local function play_on(count)
    for _ = 1, count do check(live.frame() == "nothing", "%s", live.said()) end
  end
  local steps = 0
  for block in page:each "lua" do
    local name <const> = save(block)
    if name:find "/pools/" or name:find "/main%.lua$" then
      steps = steps + 1
      if steps == 1 then
        live.start(place "rain")
        play_on(120)
      else
        local before <const> = drops()
        local result <const>, line <const> = game.poll()
        check(result == "reloaded" and drops() == before and before ~= "0", "%s %s", result, line)
        check(steps ~= 2 or line:find(": new: Drop; ", 1, true), line) -- a class that is new is named
        play_on(300)
      end
    end
  end
  for _, type in ipairs { "Splash", "Hail" } do
    check(not game.ask(ASK:format(type, type)):find " 0$", "no %s was allocated", type)
  end
end

-- }==

-- {== Pages for those who come from somewhere else =============================

-- Uses the results of a row's example once more, hooks of the class too, then removes them. Callbacks are kept, and
-- called later.
local AFTER_ROW <const> = [[
  local again = pools:alloc('Bullet', 1)
  if again then again:recycle() end
  %s
  for name, value in pairs(Bullet) do
    if type(value) == 'function' then Bullet[name] = nil end
  end
  %s]]

-- Every row of a table that ends in code is an example; with a section "Calls", those in it alone. The first block of
-- the page stands before each. Those with managers of their own close them.
local function expect_rows(page, least)
  local head <const> = page:find("lua", "").code
  local calls <const> = page.text:match "\n(## Calls\n.-\n)## " or page.text:match "\n(## Calls\n.*)"
  local after <const> = AFTER_ROW:format(
    head:find("spawnpool.new()", 1, true) and "pools:close()" or "pools:recycle_all()",
    head:find "local game" and "draws[#draws + 1] = game.draw" or "")
  local code <const> = {}
  for row in ("\n" .. (calls or page.text)):gmatch "\n(|[^\n]*)" do
    local example <const> = row:match ".*|.-`([^`]+)` |$"
    code[#code + 1] = example and ("do\n%s\n%s\n%s\nend\n"):format(head, example, after)
  end
  check(#code >= least, "%s has %d examples", page.path, #code)
  pages.write(place "main.lua", ([[local draws, game = {}, {}
    function game.load() %s end
    function game.draw(g) for _, draw in ipairs(draws) do draw(g) end end
    return game]]):format(table.concat(code)))
  local _, err <const> = play("--frames 2 " .. host.folder)
  check(err == "", err)
end

-- Saves the game of a page: every block of Lua behind the first is a file of it.
local function save_game(page)
  local files, first = 0, true
  for block in page:each "lua" do
    local name <const> = save(block)
    check(first or name, "line %d is not the name of a file", block.line)
    files, first = files + (name and 1 or 0), false
  end
  check(files >= 3, "the game has %d files", files)
end

function games.from_other_pools(page) expect_rows(page, 60) end

-- No compiler for C# is asked for: the brackets must match, and the class has the name of its file.
local function expect_csharp(block)
  local open <const>, closing <const> = {}, { ["("] = ")", ["["] = "]", ["{"] = "}" }
  for bracket in block.code:gmatch "[%[%](){}]" do
    if closing[bracket] then
      open[#open + 1] = closing[bracket]
    else
      check(table.remove(open) == bracket, "line %d: a bracket too many", block.line)
    end
  end
  check(#open == 0, "line %d: a bracket is missing", block.line)
  check(block.code:find(("public class %s :"):format(block.code:match "^// ([^.]+)"), 1, true),
    "line %d: no class of that name", block.line)
end

-- An object that nobody sees shoots ten times a second, from anywhere.
function games.from_unity(page)
  local scripts = 0
  for block in page:each "csharp" do
    expect_csharp(block)
    scripts = scripts + 1
  end
  check(scripts == 3, "%d scripts", scripts)
  expect_rows(page, 25)
  save_game(page)
  local out <const>, err <const>, stats <const> = take_picture(page, "turret", [[--frames 900 --seed 1 --exec '
    local c = pools:alloc("Shot", 0, 0, -5000, 0) c.vx = 0
    c:every(0.1, function() pools:alloc("Shot", 1.5, math.random(50, 750), 580, -math.pi / 2) end)
    c:after(14.5, function() print(require("tally").score > 5) end)']], "from-unity.png")
  check(err == "" and out:find "true", out .. err)
  local rock <const> = samples.pool_of(stats, "Rock")
  check(samples.pool_of(stats, "Shot").recycles > 100 and rock.recycles > 10 and rock.total == 16, stats)
end

-- Plays what is said of pools in LuaJIT, and compiles what LÖVE would run, with the Lua that LÖVE has.
local function run_in_luajit(page)
  local code <const> = {}
  for block in page:each "lua luajit" do code[#code + 1] = block.code end
  check(#code >= 3, "%d blocks", #code)
  pages.write(place "jit.lua", table.concat(code))
  for block in page:each "lua love" do pages.write(place(("love%d.lua"):format(block.line)), block.code) end
  if host.run "command -v luajit" ~= 0 then return host.skip("docs", page.path .. ": no luajit here") end
  local status <const>, out <const>, problem <const> = host.run(([[build=$(cd %s && pwd) && cd '%s' &&
    LUA_PATH="$build/lua/?.lua;;" luajit jit.lua && for f in love*.lua; do luajit -b "$f" out || exit 1; done]]):format(
    host.build, host.folder))
  local said <const> = "Bullet#1 (stale): the life that this reference names is over\n"
  check(status == 0 and out == "" and problem:find(said, 1, true) and problem:find "^spawnpool: jit.lua:", problem)
end

-- The game in LÖVE was played once by hand.
function games.from_love(page)
  expect_rows(page, 20)
  save_game(page)
  local out <const>, err <const>, stats <const> = take_picture(page, "fireworks",
    [[--frames 500 --seed 1 --exec 'pools:pool("Rocket"):burst(400, 300) print("burst")']], "from-love.png")
  check(err == "" and out:find "burst", out .. err)
  local rocket <const>, spark <const> = samples.pool_of(stats, "Rocket"), samples.pool_of(stats, "Spark")
  check(rocket.expired >= 9 and spark.allocs == 80 * (1 + rocket.expired) and spark.total == 256, stats)
  run_in_luajit(page)
end

-- }==

return games
