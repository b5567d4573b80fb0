-- Makes the pictures of the games for the gallery: `make thumbnails` writes scripts/GAME/thumbnail.png, one moment of
-- each. ImageMagick reduces them to 320x200 pixels and 128 colours: 40 KB each at most.
local player <const> = ...

-- The moment: a frame, of a recording or not, and what follows the command line. `size` is that of a game whose view is
-- not 16:10: its middle is taken. Of a `pixel` game a part is taken that needs no reduction: where it begins.
local moments <const> = {
  { "breakout", 1360 },
  { "cubes", 400, size = "800x600" },
  { "fireworks", 2080 },
  { "footprints", 400, size = "800x600" },
  { "garden", 205, size = "640x360", more = "--exec 'require(\"play\").enter(4, true)' -- 4", pixel = "+130+60" },
  { "platformer", 603, size = "640x360", replay = "all-six-rooms.input", pixel = "+80+110" },
  { "random_spawn", 240, size = "800x600" },
  { "scenes", 240 },
  { "search_vs_queue", 700, size = "800x600" },
  { "shooter", 600 },
  { "storm", 240, more = "-- 30000" },
  { "survivors", 3200, more = "-- 60" },
}

local REDUCE <const> = "convert '%s' -gravity center -crop 16:10 +repage -filter Lanczos -resize '320x200!' +dither "
  .. "-colors 128 -strip -define png:compression-level=9 PNG8:scripts/%s/thumbnail.png"

local CUT <const> = "convert '%s' -crop 320x200%s +repage -strip -define png:compression-level=9 "
  .. "PNG8:scripts/%s/thumbnail.png"

local SHOOT <const> = "%s --headless %s --size %s --screenshot '%s@%d' scripts/%s %s"

local whole <const> = os.tmpname() .. ".png"
for _, moment in ipairs(moments) do
  local game <const>, frame <const> = moment[1], moment[2]
  local size <const>, more <const> = moment.size or "960x600", moment.more or ""
  local begin <const> = moment.replay and ("--replay scripts/%s/recordings/%s"):format(game, moment.replay)
    or "--seed 1 --frames " .. frame
  assert(os.execute(SHOOT:format(player, begin, size, whole, frame, game, more)), game)
  local pixel <const> = moment.pixel
  assert(os.execute(pixel and CUT:format(whole, pixel, game) or REDUCE:format(whole, game)), game)
end
os.remove(whole)
