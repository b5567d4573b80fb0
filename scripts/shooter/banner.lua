-- Large letters made of pooled dots: they fly to their positions, rest for a while, and fall apart into sparks.
local spawnpool <const> = require "spawnpool"
local stage <const> = require "stage"

local pools <const> = spawnpool.pools
local banner <const> = {}

local STEP <const> = 12 -- points between two dots
local FLIGHT <const> = 0.4 -- seconds until a dot is at its position

-- Rows from top to bottom.
local LETTERS <const> = {
  A = { ".##.", "#..#", "####", "#..#", "#..#" },
  E = { "####", "#...", "###.", "#...", "####" },
  G = { "####", "#...", "#.##", "#..#", "####" },
  M = { "#...#", "##.##", "#.#.#", "#...#", "#...#" },
  O = { "####", "#..#", "#..#", "#..#", "####" },
  R = { "###.", "#..#", "###.", "#.#.", "#..#" },
  V = { "#..#", "#..#", "#..#", "#..#", ".##." },
  W = { "#...#", "#...#", "#.#.#", "##.##", "#...#" },
  [" "] = { "..", "..", "..", "..", ".." },
  ["0"] = { "####", "#..#", "#..#", "#..#", "####" },
  ["1"] = { ".#.", "##.", ".#.", ".#.", "###" },
  ["2"] = { "####", "...#", "####", "#...", "####" },
  ["3"] = { "####", "...#", ".###", "...#", "####" },
  ["4"] = { "#..#", "#..#", "####", "...#", "...#" },
  ["5"] = { "####", "#...", "####", "...#", "####" },
  ["6"] = { "####", "#...", "####", "#..#", "####" },
  ["7"] = { "####", "...#", "..#.", ".#..", ".#.." },
  ["8"] = { "####", "#..#", "####", "#..#", "####" },
  ["9"] = { "####", "#..#", "####", "...#", "####" },
}

local function width_of(text)
  local columns = -1
  for letter in text:gmatch "." do columns = columns + #LETTERS[letter][1] + 1 end
  return columns * STEP
end

-- Starts near its position, and decelerates so that it arrives with no speed left.
local function add_dot(x, y, lifetime, r, g, b)
  local from_x <const>, from_y <const> = x + math.random(-160, 160), y + math.random(-90, 90)
  local dot <const> = pools:alloc("Dot", lifetime, from_x, from_y)
  if not dot then return end
  dot.goal_x, dot.goal_y = x, y
  dot.vx, dot.vy = (x - from_x) * 2 / FLIGHT, (y - from_y) * 2 / FLIGHT
  dot.ax, dot.ay = -dot.vx / FLIGHT, -dot.vy / FLIGHT
  dot.r, dot.g, dot.b, dot.a = r, g, b, 0
end

local function add_letter(rows, left, top, lifetime, r, g, b)
  for row, pattern in ipairs(rows) do
    for column = 1, #pattern do
      if pattern:sub(column, column) == "#" then
        add_dot(left + (column - 1) * STEP, top + (row - 1) * STEP, lifetime + column * 0.015, r, g, b)
      end
    end
  end
end

-- Writes a text in the middle of the frame for some seconds.
---@param text string
---@param seconds number
function banner.show(text, seconds, r, g, b)
  local left = (stage.width - width_of(text)) / 2 + STEP / 2
  local top <const> = stage.height * 0.36
  for letter in text:gmatch "." do
    local rows <const> = LETTERS[letter]
    add_letter(rows, left, top, seconds + left / stage.width * 0.3, r, g, b)
    left = left + (#rows[1] + 1) * STEP
  end
end

function banner.update()
  for dot in pools:pool("Dot"):each() do
    local age <const> = dot.age
    if age < FLIGHT then
      dot.a = age / FLIGHT
    elseif dot.ax ~= 0 or dot.ay ~= 0 then
      dot.x, dot.y, dot.a = dot.goal_x, dot.goal_y, 0.95
      dot.vx, dot.vy, dot.ax, dot.ay = 0, 0, 0, 0
    end
  end
end

return banner
