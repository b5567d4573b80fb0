-- The waves. A wave is a list of entries in order of time; each has a type and the position where it enters.
local spawnpool <const> = require "spawnpool"
local banner <const> = require "banner"
local enemies <const> = require "enemies"
local session <const> = require "session"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local waves <const> = {}

local PAUSE <const> = 0.9 -- seconds between a wave's end and the next one's name
local LEAD <const> = 0.8 -- between its name and its first enemy
local OVERLAP <const> = 0.75 -- the part of a formation after which the next one begins

local queue <const> = {} -- { at, type, x, phase } each
local next_entry, clock, pause = 1, 0, 0

-- {== Formations: each adds entries and returns when it ends ================

---@param at number
---@param type string
---@param x number
---@param phase? number
local function add(at, type, x, phase)
  queue[#queue + 1] = { at = at, type = type, x = x, phase = phase or 0 }
end

-- One behind the other.
local function chain(at, type, x, count)
  for i = 0, count - 1 do add(at + i * 0.28, type, x) end
  return at + count * 0.28
end

-- Two chains that cross.
local function braid(at, type, x, count)
  for i = 0, count - 1 do
    add(at + i * 0.32, type, x, 0)
    add(at + i * 0.32, type, x, math.pi)
  end
  return at + count * 0.32
end

-- A wedge, its point first.
local function wedge(at, type, x, count)
  for i = 0, count - 1 do
    local side <const> = (i + 1) // 2 * (i % 2 == 0 and 1 or -1)
    add(at + math.abs(side) * 0.2, type, stage.clamp(x + side * 52, 40, stage.width - 40))
  end
  return at + 1.2
end

-- At random positions.
local function scatter(at, type, _, count)
  for i = 0, count - 1 do add(at + i * 0.45, type, stage.width * (0.08 + 0.84 * math.random())) end
  return at + count * 0.45
end

-- }==

-- {== Waves =================================================================

-- Formation, type, initial number, and how many more per round of waves.
local PLAN <const> = {
  { { chain, "Drone", 7, 1 }, { chain, "Drone", 7, 1 }, { wedge, "Diver", 3, 1 }, { braid, "Drone", 5, 1 } },
  { { wedge, "Drone", 7, 2 }, { scatter, "Spinner", 1, 1 }, { scatter, "Diver", 5, 2 }, { braid, "Drone", 6, 1 } },
  { { scatter, "Spinner", 2, 1 }, { braid, "Drone", 6, 1 }, { scatter, "Diver", 6, 2 }, { wedge, "Drone", 9, 2 } },
  { { scatter, "Diver", 7, 2 }, { braid, "Drone", 6, 2 }, { scatter, "Carrier", 1, 0 } },
}

local function entry_before(a, b) return a.at < b.at end

local function plan_wave(number)
  local round <const> = (number - 1) // #PLAN
  local at = LEAD
  for i = #queue, 1, -1 do queue[i] = nil end
  for _, part in ipairs(PLAN[(number - 1) % #PLAN + 1]) do
    local formation <const>, type <const>, count <const>, more <const> = part[1], part[2], part[3], part[4]
    local finish <const> = formation(at, type, stage.width * (0.17 + 0.66 * math.random()), count + more * round)
    at = at + (finish - at) * OVERLAP
  end
  for i, entry in ipairs(queue) do entry.at = entry.at + i * 1e-6 end -- sort is not stable
  table.sort(queue, entry_before)
  next_entry, clock = 1, 0
end

function waves.start()
  next_entry, pause = #queue + 1, 0.3
end

local function enter(entry)
  local x <const> = entry.type == "Carrier" and stage.width / 2 or entry.x
  local enemy <const> = pools:alloc(entry.type, 0, x, entry.type == "Carrier" and -110 or -40)
  if enemy then enemy.phase = entry.phase end
end

local function next_wave()
  session.wave = session.wave + 1
  plan_wave(session.wave)
  spawnpool.audio.play "wave"
  banner.show(("WAVE %d"):format(session.wave), 1.5, 0.37, 0.95, 0.9)
  pause = PAUSE
end

---@param dt number
function waves.update(dt)
  if next_entry > #queue then
    if enemies.live() > 0 then return end
    pause = pause - dt
    if pause <= 0 then next_wave() end
    return
  end
  clock = clock + dt
  while next_entry <= #queue and queue[next_entry].at <= clock do
    enter(queue[next_entry])
    next_entry = next_entry + 1
  end
end

-- }==

return waves
