-- scripts/fireworks/show.lua
-- The music, and the rockets that play it. Time is counted in frames: 18 are an eighth note, so that a rocket that
-- leaves now bursts exactly on a beat. Four chords repeat; a part of the show says how many of a bar's eighths burst.
local spawnpool <const> = require "spawnpool"
local shells <const> = require "shells"
local stage <const> = require "stage"

local pools <const>, audio <const> = spawnpool.pools, spawnpool.audio
local show <const> = {}

local EIGHTH <const> = 18 -- frames
local FLIGHT <const> = 4 -- eighths
local STRUM <const> = 3 -- frames between the bursts of a chord
local STEP <const> = 1 / 60

-- Bells are named by their place in the scale A C D E G A C D E G.
local CHORDS <const> = { { 1, 4, 6, 7 }, { 2, 6, 7, 9 }, { 2, 4, 5, 7 }, { 3, 5, 8, 10 } }
local BASS <const> = { 1, 2, 2, 3 }

-- Which of eight eighths have a rocket, how large it is, how many there are at once, and for how many bars.
local PARTS <const> = {
  { beats = "x...x...", size = 0.85, rockets = 1, bars = 2 },
  { beats = "x..x..x.", size = 0.9, rockets = 1, bars = 2 },
  { beats = "x.xxx.xx", size = 0.95, rockets = 1, bars = 2 },
  { beats = "x...x.x.", size = 1.1, rockets = 2, bars = 2, kind = "willow" },
  { beats = "xxxxxxxx", size = 1, rockets = 2, bars = 4 },
  { beats = "xxxxxxxx", size = 1.08, rockets = 3, bars = 4 },
  { beats = "x...x...", size = 0.8, rockets = 1, bars = 2, kind = "heart" },
}

local frame, bar, part, bars_left = 0, 0, 1, 0
local kind_at = 0

-- {== Rockets ===============================================================

local function next_kind()
  kind_at = kind_at % #shells.names + 1
  return shells.names[kind_at]
end

-- Decelerates so that it stands still where it bursts.
---@param frames integer until it bursts
local function launch(x, y, frames, size, kind, note)
  local time <const> = frames * STEP
  local from <const> = stage.horizon + 10
  local rocket <const> = pools:alloc("Rocket", time, x + (math.random() - 0.5) * 60, from)
  if not rocket then return end
  rocket.vx = (x - rocket.x) / time
  rocket.vy, rocket.ay = 2 * (y - from) / time, -2 * (y - from) / (time * time)
  rocket.size, rocket.kind, rocket.color = size, kind, math.random(#shells.colors)
  rocket.note = note
end

-- A rocket to a place, which bursts on the next beat after its flight.
function show.send(x, y)
  local left <const> = EIGHTH - frame % EIGHTH
  launch(x, math.min(y, stage.horizon - 60), left + EIGHTH * 2, 0.6 + 0.4 * math.random(), next_kind(),
    CHORDS[bar % 4 + 1][math.random(4)])
end

-- A fan of nine that opens from left to right.
function show.salvo()
  for i = 0, 8 do
    local x <const> = stage.width * (0.1 + 0.1 * i)
    local y <const> = stage.horizon * (0.22 + 0.012 * (i - 4) ^ 2)
    launch(x, y, EIGHTH * 3 - frame % EIGHTH + i * EIGHTH // 2, 0.9, "peony", i + 1)
  end
end

-- }==

-- {== The score =============================================================

-- Rockets of one eighth: its notes go up and down the chord, and high notes burst high.
local function fire(now, eighth)
  local chord <const> = CHORDS[bar % 4 + 1]
  for i = 1, now.rockets do
    local step <const> = (eighth * 2 + i * 3 + bar) % #chord + 1
    local x <const> = stage.width * (0.14 + 0.72 * ((eighth * 0.31 + i * 0.37 + bar * 0.23 + 0.08 * math.random()) % 1))
    local y <const> = stage.horizon * (0.66 - 0.05 * chord[step] + 0.12 * (math.random() - 0.5))
    local size <const> = now.size * (0.75 + 0.35 * math.random())
    launch(x, y, EIGHTH * FLIGHT + (i - 1) * STRUM, size, now.kind or next_kind(), chord[step])
  end
end

local function next_bar()
  bar = bar + 1
  bars_left = bars_left - 1
  if bars_left > 0 then return end
  part = part % #PARTS + 1
  bars_left = PARTS[part].bars
end

local function beat(eighth)
  local now <const> = PARTS[part]
  if eighth == 0 or eighth == 4 and now.rockets > 1 then
    audio.play("bass" .. BASS[bar % 4 + 1], { volume = 0.8 })
  end
  if now.beats:sub(eighth + 1, eighth + 1) == "x" then fire(now, eighth) end
end

function show.start()
  part, bar, frame = 1, 0, 0
  bars_left = PARTS[1].bars
end

function show.update()
  if frame % EIGHTH == 0 then
    local eighth <const> = frame // EIGHTH % 8
    if eighth == 0 and frame > 0 then next_bar() end
    beat(eighth)
  end
  frame = frame + 1
end

-- }==

return show
