-- A game of a page that is played in this process. What it says is kept until it is looked at.
local game <const> = require "game"
local pages <const> = require "pages"

local live <const> = {}
local said = {}

function game.heard(kind, text) said[#said + 1] = (kind == "warning" and "warning: " or "") .. text end

-- Returns the reports since `forget`, a line each.
function live.said() return table.concat(said, "\n") end

function live.forget() said = {} end

-- Starts a game; its calls are stopped after `patience` seconds.
function live.start(path, patience)
  live.forget()
  pages.check(game.open { path = path, patience = patience, seed = 1 }, "%s", live.said())
end

-- A frame, without a look at the files. What came of reloading, in a word; nothing may fail unless `may_fail`.
function live.frame(may_fail)
  pages.check(game.step() or may_fail, "the update of the game failed: %s", live.said())
  return (game.poll "rest")
end

function live.frames(count)
  for _ = 1, count do live.frame() end
end

return live
