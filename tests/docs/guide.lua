-- Plays docs/guide.md from its first block to its last, in games that run on: files are saved, each `diff` is an edit,
-- and a `text` block below it is what the game says then, a second one what it says in the frame after. A `diff wrong`
-- is taken back. What else the page tells of its games is in claims.lua.
local claims <const> = require "claims"
local game <const> = require "game"
local golden <const> = require "golden"
local pages <const> = require "pages"
local player <const> = require "player"

local check <const>, sh <const> = pages.check, player.sh
local said, running = {}, nil

function game.heard(kind, text) said[#said + 1] = (kind == "warning" and "warning: " or "") .. text end

local function start(path)
  said, running = {}, path
  check(game.open { path = player.path("/" .. path), patience = 1, seed = 1 }, "%s", table.concat(said, "\n"))
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

local function push(events)
  player.push(events)
  game.take()
end

-- A fresh run of the game looks as on a picture of the page.
local function expect_picture(name, arguments)
  local shown <const>, path <const> = "docs/" .. name, player.path "/picture.png"
  sh(('spawnpool --headless %s --screenshot "%s" %s 2>&1'):format(arguments, golden.target("$SP_ROOT/" .. shown, path),
    running))
  golden.expect(shown, path, 0.01)
end

local words <const> = { expect_picture = expect_picture, frames = frames, push = push, start = start }

-- Every live object with its number, place and speed.
local STATE <const> = [[(function()
  local out = {}
  for o in pools:each() do out[#out + 1] = ("%s %a %a %a %a"):format(o, o.x, o.y, o.vx, o.vy) end
  return table.concat(out, "\n")
end)()]]

-- The lines of a hunk as they were, and as they are to be.
local function sides(hunk)
  local old, new = "", ""
  for sign, line in hunk:gmatch "([-+ ]?)([^\n]*\n)" do
    if sign ~= "+" then old = old .. line end
    if sign ~= "-" then new = new .. line end
  end
  return old, new
end

-- Saves the file that a block is, or edits one: each hunk must be found once. Returns a function that takes it back.
local function change(block)
  local name <const>, hunks <const> = block.code:match "^%-%-%-? (%S+)\n(.*)$"
  if block.info == "lua" then return player.save("/" .. name, block.code) end
  local before <const> = player.read("/" .. name)
  local text = before
  for hunk in (hunks .. "@@\n"):gmatch "(.-)@@\n" do
    local old <const>, new <const> = sides(hunk)
    local from <const>, to <const> = text:find(old, 1, true)
    check(from and not text:find(old, to + 1, true), "%s does not have these lines once:\n%s", name, old)
    text = text:sub(1, from - 1) .. new .. text:sub(to + 1)
  end
  player.save("/" .. name, text)
  return function() player.save("/" .. name, before) end
end

-- Times and counts differ from run to run, and the copy lies elsewhere.
local function comparable(text)
  return (text:gsub(player.path("/"):gsub("%p", "%%%0"), ""):gsub("in [%d.]+ ms", "in N ms")
    :gsub("%d+ live objects?", "N live objects"):gsub("all %d+ objects kept", "all N objects kept")
    :gsub("before %d+:%d+:%d+", "before N"):gsub("#%d+", "#N"))
end

local function expect_said(block)
  local got <const>, want <const> = comparable(table.concat(said, "\n") .. "\n"), comparable(block.code)
  said = {}
  check(got:sub(-#want) == want, "line %d shows\n%s\nand the game says:\n%s", block.line, want, got)
end

-- Nothing in the game changes by an edit alone, and what new code says in the frame after is shown. A mistake is told
-- at once, while some seconds are played, or when a drop is clicked; it is taken back.
local function edit(block, texts)
  local before <const>, is_wrong <const> = running and claims.ask(STATE), block.info == "diff wrong"
  said = {}
  local undo <const> = change(block)
  if not running then return end
  local result <const>, line <const> = game.poll()
  if is_wrong then
    frames(200, true)
    if table.concat(said):find "reloaded main.lua" then
      push("click:" .. claims.ask "at 'Drop'")
      frames(1, true)
    end
  else
    local is_taken <const> = result == "reloaded" or block.info == "lua" -- which is not loaded before it is required
    check(is_taken and claims.ask(STATE) == before, "%s %s: %s", result, line, block.code)
  end
  if texts[1] then expect_said(texts[1]) end
  if texts[2] then
    check(frames(1, true) == "reverted", "nothing was taken back")
    expect_said(texts[2])
  end
  if is_wrong then
    undo()
    check(game.poll() == "reloaded", "the file as it was is not taken")
  end
end

-- Starts the game of a folder that is not the one that runs, when it has its main.lua.
local function change_game(folder)
  local file <close> = io.open(player.path("/" .. folder .. "/main.lua"))
  if folder == running then return end
  game.close()
  running = nil
  if file then
    start(folder)
    frames(300)
  end
end

-- The blocks of output behind the block number `i`.
local function texts_of(blocks, i)
  local texts <const> = {}
  while blocks[i + 1] and blocks[i + 1].info == "text" do
    i = i + 1
    texts[#texts + 1] = blocks[i]
  end
  return texts
end

return function(page)
  local counts <const> = { rain = 0, hop = 0, ["scripts/shooter"] = 0 }
  sh 'cp -R "$SP_ROOT/scripts" .'
  for i, block in ipairs(page.blocks) do
    local path <const> = block.code:match "^%-%-%-? (%S+/)"
    local folder <const> = path and (path:match "^scripts/%w+" or path:match "^%w+")
    if folder then
      change_game(folder)
      edit(block, texts_of(page.blocks, i))
      change_game(folder)
      if running then frames(90) end
      counts[folder] = counts[folder] + (block.info == "diff wrong" and 0 or 1)
      claims.act(claims.guide[folder][counts[folder]] or {}, words)
      block.used = true
    elseif block.code:find "^mkdir .*\ncp " then
      sh(block.code)
    end
  end
  local told <const> = tonumber(page.text:match "\nThese are (%d+) lines%.")
  check(select(2, sh("cat hop/*.lua hop/pools/*.lua"):gsub("\n", "")) == told, "the platformer has not %d lines", told)
  check(counts.rain == 12 and counts.hop == 11 and counts["scripts/shooter"] == 3, "%d blocks of the rain", counts.rain)
end
