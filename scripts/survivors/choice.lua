-- scripts/survivors/choice.lua
-- A new level: three upgrades to choose from, while everything stands still. Nobody there: it chooses by itself.
local spawnpool <const> = require "spawnpool"
local hero <const> = require "hero"
local person <const> = require "person"
local session <const> = require "session"
local weapons <const> = require "weapons"

local choice <const> = {}

local PATIENCE <const> = 0.8 -- seconds that it takes when it plays by itself

local upgrades <const> = {
  { "More bolts", "one more in each volley", "bolt", function() weapons.bolts = weapons.bolts + 1 end },
  { "Faster bolts", "fires more often", "bolt", function() weapons.pause = weapons.pause * 0.78 end },
  { "Piercing", "bolts go through one more", "bolt", function() weapons.pierce = weapons.pierce + 1 end },
  { "Blades", "two more around you", "blade", function() weapons.blades = weapons.blades + 2 end },
  { "Wave of light", "wider, and sooner", "wave", function()
    weapons.wave = weapons.wave == 0 and 150 or weapons.wave + 35
    weapons.wave_pause = math.max(weapons.wave_pause * 0.86, 1.2)
  end },
  { "Strength", "a quarter more damage", "brute", function() weapons.damage = weapons.damage * 1.25 end },
  { "Boots", "walk faster", "hero", function() hero.speed = hero.speed * 1.1 end },
  { "Magnet", "gems from farther away", "gem", function() hero.magnet = hero.magnet * 1.5 end },
  { "Lamp oil", "heals, and 20 more health", "light", function()
    hero.most = hero.most + 20
    hero.health = math.min(hero.health + 60, hero.most)
  end },
}

local offered -- three of them, or nil
local open_for = 0
local picked = 2 -- with a gamepad

---@return boolean
function choice.is_open() return offered ~= nil end

-- Three different ones.
local function offer()
  local list <const> = {}
  while #list < 3 do
    local one <const> = upgrades[math.random(#upgrades)]
    if one ~= list[1] and one ~= list[2] then list[#list + 1] = one end
  end
  return list
end

---@param number integer 1 to 3
function choice.take(number)
  local one <const> = (offered or offer())[number]
  if not one then return end
  one[4]()
  offered = nil
end

---@param dt number
function choice.update(dt)
  if not offered and session.choices > 0 and not session.over then
    session.choices = session.choices - 1
    offered, open_for, picked = offer(), 0, 2
    spawnpool.audio.play "level"
  elseif offered then
    open_for = open_for + dt
    if person.is_away() and open_for > PATIENCE then choice.take(math.random(3)) end
  end
end

-- {== Input =================================================================

---@param key string
function choice.key(key)
  local number <const> = math.tointeger(tonumber((key:gsub("keypad ", ""))))
  if offered and number then choice.take(number) end
  if offered and (key == "left" or key == "right") then choice.pad("dp" .. key) end
  if offered and (key == "space" or key == "return") then choice.take(picked) end
end

---@param button string
function choice.pad(button)
  if not offered then return end
  if button == "dpleft" then picked = math.max(picked - 1, 1) end
  if button == "dpright" then picked = math.min(picked + 1, 3) end
  if button == "a" then choice.take(picked) end
end

-- The cards: their unit fits three of them into any window.
local function layout(width, height)
  local u <const> = math.min(math.max(height / 620, 0.6), width / 640)
  return u, width / 2 - 304 * u, height / 2 - 100 * u
end

---@return boolean whether it was meant for a card
function choice.click(x, y)
  if not offered then return false end
  local u <const>, left <const>, top <const> = layout(spawnpool.view.width, spawnpool.view.height)
  local number <const> = (x - left) // (208 * u) + 1
  if number >= 1 and number <= 3 and y > top and y < top + 200 * u then choice.take(math.tointeger(number)) end
  return true
end

-- }==

-- Breaks a text at the space that is next to its middle, if it is wider than that.
local function broken(g, text, size, width)
  if g:measure(text, size) <= width then return text end
  local middle <const>, best = #text / 2, 0
  for at in text:gmatch "() " do
    if math.abs(at - middle) < math.abs(best - middle) then best = at end
  end
  return text:sub(1, best - 1) .. "\n" .. text:sub(best + 1)
end

local LEAST <const> = 9 -- points: smaller letters cannot be read

local function draw_card(g, u, x, y, one, number)
  local on <const> = number == picked
  g:color(0.06, 0.075, 0.13, 0.96)
  g:rect(x, y, 192 * u, 200 * u)
  g:color(1, 0.82, 0.45, on and 0.95 or 0.35)
  g:rect(x, y, 192 * u, 200 * u, "line")
  g:color(1, 0.85, 0.5, 0.14)
  g:circle(x + 96 * u, y + 62 * u, 42 * u)
  g:color(1, 0.9, 0.7)
  g:sprite(one[3], x + 96 * u, y + 62 * u, 0, 3.8 * u)
  g:color(1, 1, 1)
  local size <const> = math.max(13 * u, LEAST)
  local rise <const> = size > 13 * u and 16 * u or 0 -- larger letters take two lines
  g:text(x + 96 * u, y + 118 * u - rise, one[1], 20 * u, "center")
  g:color(0.75, 0.8, 0.95, 0.9)
  g:text(x + 96 * u, y + 148 * u - rise * 1.25, broken(g, one[2], size, 184 * u), size, "center")
  g:color(1, 0.82, 0.45, 0.8)
  g:text(x + 96 * u, y + 171 * u, tostring(number), math.max(15 * u, LEAST), "center")
end

function choice.draw(g)
  if not offered then return end
  local u <const>, left <const>, top <const> = layout(g.width, g.height)
  local rise <const> = 24 * u * math.max(0, 1 - open_for * 6)
  g:color(0, 0, 0.02, 0.55)
  g:rect(0, 0, g.width, g.height)
  g:color(1, 0.88, 0.6)
  g:text(g.width / 2, top - 52 * u, ("Level %d"):format(session.level), 32 * u, "center")
  for i = 1, 3 do draw_card(g, u, left + (i - 1) * 208 * u, top + rise, offered[i], i) end
end

return choice
