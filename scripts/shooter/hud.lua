-- The numbers over the frame. Texts are built when their number changes, and kept.
local spawnpool <const> = require "spawnpool"
local person <const> = require "person"
local session <const> = require "session"
local ship <const> = require "ship"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local hud <const> = {}

local kept <const> = {} -- format -> { number, text }
local points <const> = {} -- number -> "+number": there are few different ones

---@param format string
---@param number integer
---@return string
local function text_of(format, number)
  local entry = kept[format]
  if not entry then
    entry = { number = nil, text = "" }
    kept[format] = entry
  end
  if entry.number ~= number then entry.number, entry.text = number, format:format(number) end
  return entry.text
end

local function draw_popups(g)
  local u <const> = stage.unit
  for popup in pools:pool("Popup"):each() do
    local value <const> = popup.value
    if not points[value] then points[value] = ("+%d"):format(value) end
    g:color(1, 0.93, 0.75, popup.a)
    g:text(popup.x * u, (popup.y - 8) * u, points[value], 15 * stage.text, "center")
  end
end

local function draw_lives(g)
  local u <const> = stage.text
  g:color(1, 1, 1, 0.9)
  for i = 1, session.lives do g:sprite("ship", g.width - (18 + i * 30) * u, 30 * u, -math.pi / 2, 2.4 * u) end
  g:color(0.71, 0.95, 0.42, 0.9)
  for _, pilot in ipairs(ship.pilots) do
    for i = 1, pilot.power do g:rect(g.width - (28 + i * 14) * u, (44 + 8 * pilot.number) * u, 10 * u, 4 * u) end
  end
end

local function draw_carrier(g)
  for carrier in pools:pool("Carrier"):each() do
    local part <const> = math.max(carrier.health / carrier.most, 0)
    local width <const> = g.width * 0.4
    g:color(1, 0.4, 0.62, 0.2)
    g:rect((g.width - width) / 2, 18 * stage.text, width, 6 * stage.text)
    g:color(1, 0.4, 0.62, 0.95)
    g:rect((g.width - width) / 2, 18 * stage.text, width * part, 6 * stage.text)
  end
end

-- The first of the texts that the window is wide enough for.
local function fitting(g, size, ...)
  local text
  for i = 1, select("#", ...) do
    text = select(i, ...)
    if g:measure(text, size) < g.width - 24 * stage.text then break end
  end
  return text
end

local function draw_help(g)
  local u <const> = stage.text
  if session.over then
    g:color(0.9, 0.93, 1, 0.85)
    g:text(g.width / 2, g.height * 0.36 + 90 * stage.unit,
      text_of("%d points. Space or click: play again", session.score), 16 * u, "center")
  elseif person.are_all_away() then
    local size <const> = 13 * u
    g:color(0.75, 0.8, 1, 0.7)
    g:text(16 * u, g.height - 28 * u, fitting(g, size,
      "Autopilot. Arrows or mouse to fly, space or button to fire, 2 for two players, F1 help",
      "Autopilot. Arrows or mouse: you fly"), size)
  elseif session.players == 2 and session.wave < 2 then
    g:color(0.75, 0.8, 1, 0.7)
    g:text(16 * u, g.height - 28 * u, "WASD and space; arrows and return; or two gamepads", 13 * u)
  end
end

function hud.draw(g)
  local u <const> = stage.text
  draw_popups(g)
  g:color(0.9, 0.95, 1, 0.95)
  g:text(16 * u, 12 * u, text_of("%07d", session.score), 24 * u)
  g:color(0.65, 0.72, 0.95, 0.8)
  g:text(17 * u, 42 * u, text_of("best %07d", session.best), 13 * u)
  if session.times > 1 then
    g:color(0.71, 0.95, 0.42, 0.4 + 0.6 * math.min(session.chain_left, 1))
    g:text(140 * u, 12 * u, text_of("x%d", session.times), 24 * u)
  end
  draw_lives(g)
  draw_carrier(g)
  draw_help(g)
end

return hud
