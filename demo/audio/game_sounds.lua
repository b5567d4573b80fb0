-- Makes the sounds of the games: `make sounds` writes scripts/GAME/sounds/NAME.wav, from formulas only. Another folder
-- than scripts/ may be given. This script and the files it writes are in the public domain (CC0 1.0): copy them into
-- your own game.
--
-- A sound is a function of time that returns -1 to 1; the parts below are put together at the end.
local sin <const>, exp <const>, floor <const>, pi <const> = math.sin, math.exp, math.floor, math.pi

-- {== Parts =================================================================

-- Numbers from -1 to 1 without order, the same in every run: those of math.random differ between versions of Lua.
local function noise(seed)
  local state = seed
  return function()
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return state / 0x3fffffff - 1
  end
end

-- A tone whose frequency goes from `from` to `to` in `seconds`, and stays there. `wave` gets the phase, 0 to 1.
local function sweep(from, to, seconds, wave)
  return function(t)
    local cycles
    if t < seconds then
      cycles = from * t + (to - from) * t * t / (2 * seconds)
    else
      cycles = (from + to) / 2 * seconds + to * (t - seconds)
    end
    return wave(cycles % 1)
  end
end

local function pure(phase) return sin(2 * pi * phase) end
local function soft(phase) return sin(2 * pi * phase) + sin(4 * pi * phase) / 3 + sin(6 * pi * phase) / 6 end
local function hollow(phase) return sin(2 * pi * phase) + sin(6 * pi * phase) / 3 + sin(10 * pi * phase) / 5 end

-- Noise through a filter that lets frequencies below `from` pass, later those below `to`.
local function rumble(seed, from, to, seconds, rate)
  local random <const> = noise(seed)
  local low, lower = 0, 0
  return function(t)
    local share <const> = math.min(t / seconds, 1)
    local weight <const> = 1 - exp(-2 * pi * (from + (to - from) * share) / rate)
    low = low + (random() - low) * weight
    lower = lower + (low - lower) * weight
    return lower * 2.5
  end
end

-- Rises in `attack` seconds and falls to a third in each further `fall`.
local function shaped(tone, attack, fall)
  return function(t) return tone(t) * (t < attack and t / attack or exp(-(t - attack) / fall)) end
end

local function mix(...)
  local tones <const> = { ... }
  return function(t)
    local sum = 0
    for _, tone in ipairs(tones) do sum = sum + tone(t) end
    return sum
  end
end

local function later(delay, tone)
  return function(t) return t < delay and 0 or tone(t - delay) end
end

local function at(volume, tone)
  return function(t) return tone(t) * volume end
end

-- Notes one after the other, each `gap` seconds later.
local function notes(gap, fall, wave, ...)
  local tones <const> = {}
  for i, frequency in ipairs { ... } do
    tones[i] = later((i - 1) * gap, shaped(sweep(frequency, frequency, 1, wave), 0.004, fall))
  end
  return mix(table.unpack(tones))
end

-- }==

-- {== Files =================================================================

local FADE <const> = 0.01 -- seconds at the end, so that it does not click

local function samples_of(seconds, rate, tone, loops)
  local list <const>, count <const> = {}, floor(seconds * rate)
  for i = 0, count - 1 do
    local t <const> = i / rate
    local value <const> = tone(t) * (loops and 1 or math.min((seconds - t) / FADE, 1))
    list[i + 1] = floor(math.max(-1, math.min(value, 1)) * 32767 + 0.5)
  end
  return list
end

-- The last part of a loop fades into what would come before its beginning.
local function close_loop(list, overlap)
  local count <const> = #list - overlap
  for i = 1, overlap do
    local share <const> = i / overlap
    list[i] = floor(list[i] * share + list[count + i] * (1 - share) + 0.5)
  end
  for i = #list, count + 1, -1 do list[i] = nil end
  return list
end

local function write(path, rate, list)
  local data <const> = {}
  for i, sample in ipairs(list) do data[i] = string.pack("<i2", sample) end
  local bytes <const> = table.concat(data)
  local file <close> = assert(io.open(path, "wb"))
  file:write("RIFF", string.pack("<I4", #bytes + 36), "WAVEfmt ", string.pack("<I4I2I2I4I4I2I2", 16, 1, 1, rate,
    rate * 2, 2, 16), "data", string.pack("<I4", #bytes), bytes)
end

local folder <const> = ... or "scripts"

---@param rate integer samples per second
---@param seconds number
local function make(game, name, rate, seconds, tone)
  write(("%s/%s/sounds/%s.wav"):format(folder, game, name), rate, samples_of(seconds, rate, tone))
end

local function make_loop(game, name, rate, seconds, overlap, tone)
  local list <const> = samples_of(seconds + overlap, rate, tone, true)
  write(("%s/%s/sounds/%s.wav"):format(folder, game, name), rate, close_loop(list, floor(overlap * rate)))
end

-- }==

-- {== shooter ===============================================================

make("shooter", "shot", 16000, 0.11, at(0.14, shaped(sweep(1500, 420, 0.09, hollow), 0.002, 0.04)))
make("shooter", "zap", 16000, 0.15, at(0.12, shaped(sweep(520, 260, 0.12, soft), 0.004, 0.06)))
make("shooter", "boom", 16000, 0.55, mix(
  at(0.42, shaped(rumble(7, 3400, 260, 0.3, 16000), 0.002, 0.13)),
  at(0.35, shaped(sweep(190, 48, 0.25, pure), 0.002, 0.12))))
make("shooter", "great", 16000, 1.1, mix(
  at(0.5, shaped(rumble(11, 2200, 120, 0.7, 16000), 0.004, 0.32)),
  at(0.45, shaped(sweep(120, 34, 0.5, pure), 0.003, 0.3))))
make("shooter", "gem", 22050, 0.42, at(0.24, notes(0.06, 0.11, soft, 784, 988, 1319)))
make("shooter", "ready", 16000, 0.55, at(0.22, shaped(sweep(180, 720, 0.4, soft), 0.12, 0.14)))
make("shooter", "lost", 16000, 1.2, mix(
  at(0.4, shaped(rumble(23, 4200, 150, 0.8, 16000), 0.003, 0.3)),
  at(0.35, shaped(sweep(620, 55, 0.9, hollow), 0.003, 0.35))))
make("shooter", "wave", 16000, 0.8, at(0.2, notes(0.12, 0.2, hollow, 262, 330, 392)))

-- }==

-- {== fireworks: a scale of bells, four basses, and the burst itself ==========

local function bell(frequency)
  return mix(
    at(0.3, shaped(sweep(frequency, frequency, 1, pure), 0.004, 0.34)),
    at(0.1, shaped(sweep(frequency * 2.01, frequency * 2.01, 1, pure), 0.002, 0.16)),
    at(0.05, shaped(sweep(frequency * 3.98, frequency * 3.98, 1, pure), 0.002, 0.06)))
end

for i, frequency in ipairs { 220, 262, 294, 330, 392, 440, 523, 587, 659, 784 } do
  make("fireworks", "bell" .. i, 8000, 0.85, bell(frequency))
end
for i, frequency in ipairs { 110, 131, 147 } do
  make("fireworks", "bass" .. i, 8000, 0.75, at(0.3, shaped(sweep(frequency, frequency, 1, soft), 0.012, 0.28)))
end
make("fireworks", "burst", 11025, 0.9, mix(
  at(0.5, shaped(rumble(41, 1500, 140, 0.5, 11025), 0.003, 0.2)),
  at(0.4, shaped(sweep(95, 38, 0.3, pure), 0.003, 0.16))))

-- }==

-- {== breakout: each row of bricks has its note ===============================

for i, frequency in ipairs { 392, 440, 523, 587, 659, 784, 880, 1047 } do
  make("breakout", "brick" .. i, 16000, 0.2, mix(
    at(0.2, shaped(sweep(frequency, frequency, 1, soft), 0.002, 0.05)),
    at(0.05, shaped(sweep(frequency * 3, frequency * 3, 1, pure), 0.001, 0.02))))
end
make("breakout", "paddle", 16000, 0.14, at(0.3, shaped(sweep(262, 196, 0.08, soft), 0.002, 0.05)))
make("breakout", "prize", 16000, 0.4, at(0.22, notes(0.05, 0.1, soft, 523, 784, 1047)))
make("breakout", "blast", 11025, 0.45, mix(
  at(0.4, shaped(rumble(53, 2400, 200, 0.3, 11025), 0.002, 0.1)),
  at(0.35, shaped(sweep(140, 48, 0.2, pure), 0.002, 0.1))))
make("breakout", "lost", 11025, 0.7, at(0.28, shaped(sweep(392, 82, 0.5, hollow), 0.004, 0.25)))
make("breakout", "level", 16000, 0.9, at(0.2, notes(0.09, 0.22, soft, 523, 659, 784, 1047)))

-- }==

-- {== survivors =============================================================

make("survivors", "bolt", 11025, 0.13, at(0.1, shaped(sweep(980, 420, 0.09, soft), 0.003, 0.045)))
make("survivors", "hit", 11025, 0.09, at(0.2, shaped(rumble(43, 2600, 700, 0.06, 11025), 0.001, 0.025)))
make("survivors", "nova", 11025, 0.7, mix(
  at(0.42, shaped(rumble(47, 2600, 160, 0.4, 11025), 0.004, 0.16)),
  at(0.3, shaped(sweep(150, 46, 0.35, pure), 0.003, 0.18))))
make("survivors", "gem", 16000, 0.12, at(0.12, shaped(sweep(1175, 1568, 0.05, pure), 0.003, 0.04)))
make("survivors", "level", 16000, 0.7, at(0.2, notes(0.07, 0.18, soft, 440, 554, 659, 880)))
make("survivors", "hurt", 11025, 0.3, at(0.34, shaped(sweep(260, 90, 0.2, hollow), 0.002, 0.09)))
make("survivors", "end", 11025, 1.4, at(0.26, notes(0.22, 0.35, hollow, 330, 262, 220, 165)))

-- }==

-- {== garden: each flower that opens has its note =============================

make("garden", "step", 11025, 0.07, at(0.12, shaped(rumble(61, 1800, 700, 0.05, 11025), 0.004, 0.02)))
make("garden", "push", 11025, 0.2, at(0.34, shaped(rumble(67, 500, 1500, 0.12, 11025), 0.04, 0.05)))
make("garden", "undo", 11025, 0.14, at(0.16, shaped(sweep(330, 495, 0.1, pure), 0.03, 0.04)))
for i, frequency in ipairs { 523, 587, 659, 784, 880, 1047 } do
  make("garden", "bloom" .. i, 16000, 0.6, at(0.7, bell(frequency)))
end
make("garden", "solved", 16000, 1.2, at(0.2, notes(0.11, 0.26, soft, 523, 659, 784, 1047, 1319)))

-- }==

-- {== platformer ==============================================================

make("platformer", "jump", 11025, 0.16, at(0.16, shaped(sweep(280, 620, 0.1, soft), 0.004, 0.06)))
make("platformer", "land", 11025, 0.1, at(0.34, shaped(rumble(71, 900, 260, 0.06, 11025), 0.002, 0.03)))
make("platformer", "drop", 16000, 0.3, at(0.16, notes(0.06, 0.09, pure, 988, 1319)))
make("platformer", "stomp", 11025, 0.2, mix(
  at(0.26, shaped(sweep(420, 120, 0.12, hollow), 0.002, 0.06)),
  at(0.2, shaped(rumble(73, 2400, 600, 0.08, 11025), 0.001, 0.03))))
make("platformer", "hurt", 11025, 0.5, at(0.28, shaped(sweep(520, 90, 0.35, hollow), 0.003, 0.16)))
make("platformer", "lamp", 16000, 0.8, at(0.2, notes(0.08, 0.22, soft, 440, 554, 659)))
make("platformer", "light", 11025, 2.4, mix(
  at(0.18, notes(0.16, 0.5, soft, 262, 330, 392, 523, 659, 784)),
  at(0.2, shaped(sweep(65, 131, 1.2, soft), 0.3, 0.8))))
local wave <const> = rumble(83, 380, 380, 1, 11025)
make_loop("platformer", "sea", 11025, 4, 0.8, function(t) return 0.3 * wave(t) * (0.6 + 0.4 * sin(pi * t / 2)) end)

-- }==

-- {== The others ============================================================

make("cubes", "drop", 16000, 0.14, at(0.2, shaped(sweep(240, 520, 0.08, pure), 0.004, 0.05)))
make("cubes", "break", 16000, 0.26, mix(
  at(0.24, shaped(rumble(3, 5200, 900, 0.12, 16000), 0.001, 0.05)),
  at(0.14, shaped(sweep(900, 300, 0.1, hollow), 0.001, 0.05))))
make("cubes", "ball", 22050, 0.3, at(0.22, notes(0.05, 0.08, pure, 660, 880)))

make("random_spawn", "heads", 22050, 0.5, at(0.2, notes(0.07, 0.14, pure, 988, 1319)))
make("random_spawn", "tails", 22050, 0.45, at(0.2, notes(0.07, 0.13, pure, 523, 392)))
make("random_spawn", "sun", 11025, 1.6, mix(
  at(0.5, shaped(rumble(5, 700, 90, 1.2, 11025), 0.03, 0.45)),
  at(0.3, shaped(sweep(98, 49, 1.2, soft), 0.02, 0.5))))

make("scenes", "toy", 22050, 0.32, at(0.22, notes(0.045, 0.09, pure, 587, 880)))
make("scenes", "back", 22050, 0.28, at(0.2, notes(0.05, 0.07, pure, 440, 294)))
make("scenes", "door", 16000, 0.8, at(0.45, shaped(rumble(13, 200, 2400, 0.5, 16000), 0.35, 0.12)))

make("footprints", "step", 16000, 0.09, at(0.11, shaped(rumble(17, 2600, 1200, 0.06, 16000), 0.012, 0.022)))
make("footprints", "throw", 16000, 0.22, at(0.3, shaped(rumble(19, 700, 2600, 0.15, 16000), 0.07, 0.04)))
make("footprints", "splat", 16000, 0.3, mix(
  at(0.36, shaped(rumble(29, 3600, 400, 0.1, 16000), 0.001, 0.05)),
  at(0.2, shaped(sweep(150, 70, 0.1, pure), 0.002, 0.06))))

make_loop("storm", "wind", 11025, 3.2, 0.6, at(0.55, rumble(31, 420, 420, 1, 11025)))
make("storm", "blast", 11025, 1.3, mix(
  at(0.5, shaped(rumble(37, 1800, 90, 0.9, 11025), 0.003, 0.38)),
  at(0.35, shaped(sweep(80, 32, 0.6, pure), 0.004, 0.4))))

make("search_vs_queue", "round", 16000, 0.16, at(0.16, shaped(sweep(740, 740, 1, pure), 0.003, 0.05)))

-- }==
