-- The games in scripts/, and recordings for tests: their head, their lines, and input at random.
local player <const> = require "player"

local recorded <const> = {}

-- `keys`: those that a game knows. `frames`: of its recording in tests/demo/golden. `share`: of the frames that others
-- play, as a hundred thousand objects take their time. `made`, `heard`: the least that happens in so much of ten
-- seconds of random input, objects and events. `argument`: for fewer objects.
recorded.games = {
  { name = "breakout", keys = "Space A", made = 1500, heard = 200, frames = 600 },
  { name = "cubes", keys = "C S P R A", made = 200, heard = 200, frames = 300 },
  { name = "fireworks", keys = "Space", made = 90000, heard = 200, frames = 240 },
  { name = "footprints", keys = "C X A R", made = 1500, heard = 200, frames = 300 },
  { name = "garden", keys = "Space Z Y R", made = 30, heard = 200, frames = 600, pad = true },
  { name = "platformer", keys = "Space Up A D", made = 60, heard = 200, frames = 900, pad = true },
  { name = "random_spawn", keys = "H T S R", made = 1600, heard = 200, frames = 300 },
  { name = "scenes", keys = "D 1 2 E A C", made = 140, heard = 200, frames = 600 },
  { name = "search_vs_queue", keys = "R", share = 10, made = 130, heard = 15, frames = 30 },
  { name = "shooter", keys = "Space S", made = 1600, heard = 200, frames = 900, pad = true },
  { name = "storm", keys = "Space 1 2", share = 10, made = 90000, heard = 15, frames = 120, argument = "3000" },
  { name = "survivors", keys = "1 2 3 D", made = 1500, heard = 200, frames = 900 },
}

-- The first line, with these members in place of the usual ones: { step = "0.5" }.
function recorded.head(members)
  local all <const> = {
    { "format", '"spawnpool-recording"' }, { "version", "2" }, { "player", '"x"' }, { "game", '"game"' },
    { "files", '"0"' }, { "seed", '"1"' }, { "width", "800" }, { "height", "600" }, { "density", "1" },
    { "step", ("%.17g"):format(1 / 60) }, { "start", "1600000000" }, { "memory", "1073741824" }, { "arguments", "[]" },
  }
  for i, member in ipairs(all) do
    all[i] = ('"%s":%s'):format(member[1], members and members[member[1]] or member[2])
  end
  return "{" .. table.concat(all, ",") .. "}\n"
end

-- A line: recorded.line(7, "key_down", '"key":"Left"').
function recorded.line(frame, kind, fields)
  return ('{"frame":%d,"kind":"%s"%s}\n'):format(frame, kind, fields and "," .. fields or "")
end

local function one_of(list) return list[math.random(#list)] end

local function random_events(frame, keys)
  local x <const>, y <const> = math.random(0, 799), math.random(0, 449)
  local choice <const> = math.random(#keys + 4)
  local key <const> = keys[choice] or choice == #keys + 1 and "Left" or choice == #keys + 2 and "Right"
  return recorded.line(frame, "mouse_move", ('"x":%d,"y":%d,"dx":1,"dy":-1'):format(x, y))
    .. (key and recorded.line(frame, one_of { "key_down", "key_up" }, ('"key":"%s"'):format(key))
      or recorded.line(frame, one_of { "mouse_down", "mouse_up" }, ('"x":%d,"y":%d,"button":1'):format(x, y)))
end

local PAD <const> = { [1] = { "pad_added" }, [5] = { "pad_axis", '"axis":0,"value":-32768' },
  [25] = { "pad_axis", '"axis":0,"value":0' }, [30] = { "pad_down", '"button":"dpright"' },
  [60] = { "pad_up", '"button":"dpright"' }, [65] = { "pad_down", '"button":"a"' }, [95] = { "pad_up", '"button":"a"' },
  [99] = { "pad_removed" } }

-- Frames have 1 step, but now and then some others, none too, as in a window that is paused or late. `begins_with_pad`:
-- the first hundred frames have a gamepad, and no other input.
function recorded.random(it, frames, seed, begins_with_pad)
  local keys <const>, lines <const> = {}, {}
  for key in it.keys:gmatch "%S+" do keys[#keys + 1] = key end
  math.randomseed(seed)
  lines[1] = recorded.head { player = '"' .. player.sh "spawnpool --version":match "%d[%d.]+" .. '"',
    game = '"' .. it.name .. '"', seed = ('"%x"'):format(seed),
    arguments = it.argument and begins_with_pad ~= nil and ('["%s"]'):format(it.argument) }
  for frame = 1, frames - 1 do
    local has_pad <const> = begins_with_pad and frame < 100
    if has_pad and PAD[frame] then lines[#lines + 1] = recorded.line(frame, table.unpack(PAD[frame])) end
    if math.random(6) == 1 and not has_pad then lines[#lines + 1] = random_events(frame, keys) end
    if math.random(50) == 1 then
      lines[#lines + 1] = recorded.line(frame, "steps", ('"count":%d'):format(one_of { 1, 1, 0, 1, 2, 3 }))
    end
  end
  return table.concat(lines) .. recorded.line(frames, "end")
end

return recorded
