-- Sprite sheets: what is drawn and read of them, also when they are edited.

-- A sheet whose frames, 16 x 16, lie at these places side by side and show for 0.1 s each; tags are JSON.
local function frame(x) return ('{"frame":{"x":%d,"y":0,"w":16,"h":16},"duration":100}'):format(x) end
local function tag(name, rest) return ('{"name":"%s",%s}'):format(name, rest) end
local function sheet(tags, places)
  local frames <const> = {}
  for i, x in ipairs(places or { 0, 16 }) do frames[i] = frame(x) end
  return ('{"frames":[%s],"meta":{"frameTags":[%s]}}'):format(table.concat(frames, ","), tags)
end
local RUN <const> = tag("run", '"from":0,"to":1,"direction":"forward"')

-- The sheet, whose left frame is red, and whose right one green.
local function save_sheet(json)
  paint("sprites/hero.png", 32, 16, RED, GREEN)
  save("sprites/hero.json", json)
end

-- A game with one object of a class, the global `o`, in the middle of 64 x 64; `more` are entries of its table.
local function game(class, more)
  return ([[local spawnpool = require 'spawnpool'
    local n = 0
    spawnpool.class('Hero', { sprite = 'hero', radius = 16, %s })
    return { width = 64, height = 64, load = function() o = spawnpool.pools:alloc('Hero', 0, 32, 32) end, %s }]])
    :format(class, more or "")
end

-- Both halves of the object are looked at in the pictures after these frames.
local function expect_colors(main, colors)
  run({ main = main, headless = true, args = "--screenshot out.png" }, function()
    local now = 3
    for _, row in ipairs(colors) do
      frames(row[1] - now)
      now = row[1]
      expect_pixels(scene(), { { 22, 32, row[2] }, { 42, 32, row[3] or row[2] } })
    end
  end)
end

test("frames follow each other and begin again", function()
  local main <const> = game "animation = 'run'"
  save_sheet(sheet(RUN))
  expect_colors(main, { { 3, RED }, { 9, GREEN }, { 15, RED } }) -- 0.1 s are 6 frames
  expect_colors(game "g = 1", { { 9, RED } }) -- without an animation
  -- By name: in the order of the file, whatever the names.
  save_sheet(('{"frames":{"b":%s,"a":%s},"meta":{"frameTags":[%s]}}'):format(frame(16), frame(0), RUN))
  expect_colors(main, { { 3, GREEN }, { 9, RED } })
  -- Trimmed frames lie where they were: each is one half of 32 x 16, and the other half is clear.
  local function trimmed(x)
    return ('{"frame":{"x":%d,"y":0,"w":16,"h":16},"duration":100,"trimmed":true,'):format(x)
      .. ('"spriteSourceSize":{"x":%d,"y":0,"w":16,"h":16},"sourceSize":{"w":32,"h":16}}'):format(x)
  end
  save_sheet(('{"frames":[%s,%s],"meta":{"frameTags":[%s]}}'):format(trimmed(0), trimmed(16), RUN))
  expect_colors(main, { { 3, RED, 0 }, { 9, 0, GREEN } })
end)

test("classes and tags have frames, a pace, directions and repetitions", function()
  local function expect_frames(class, tags, places, expected)
    save_sheet(sheet(tags, places))
    run { main = game(class, "update = function() n = n + 1 if n % 6 == 3 then print(o.frame) end end"), events = "",
      args = "--frames 45", out = expected:gsub(".", "%0\n") }
  end
  for class, expected in pairs { ["{ fps = 10 }"] = "12121212", ["{ frames = 1 }"] = "11111111",
    ["{ frames = { 2, 1, 2, 9 }, fps = 10, loop = false }"] = "21222222" } do
    expect_frames("animation = " .. class, "", nil, expected)
  end
  for rest, expected in pairs {
    ['"to":1,"direction":"forward"'] = "12121212", ['"to":1,"direction":"reverse"'] = "21212121",
    ['"to":2,"direction":"pingpong"'] = "12321232", ['"to":2,"direction":"pingpong_reverse"'] = "32123212",
    ['"to":0,"direction":"pingpong"'] = "11111111", ['"to":2,"repeat":"1"'] = "12333333",
    ['"to":1,"repeat":"2"'] = "12122222", ['"to":1,"repeat":"-1"'] = "12121212",
    -- More than fit are repeated for ever; with 4 frames a round this product has no bits left.
    ['"to":1,"repeat":"4611686018427387904"'] = "12121212", ['"to":1,"repeat":1e300'] = "12121212",
  } do
    expect_frames("animation = 'run'", tag("run", '"from":0,' .. rest), { 0, 16, 0 }, expected)
  end
end)

test("a sheet is reloaded, also larger, and a broken one keeps the last good one", function()
  local function standing(at, places) return sheet(tag("run", ('"from":%d,"to":%d'):format(at, at)), places) end
  local function expect_frame(json, number)
    save("sprites/hero.json", json)
    press "F5"
    equal(ask "return o.frame", number)
  end
  local many <const> = {}
  for i = 1, 200 do many[i] = 16 end
  save_sheet(standing(0))
  run({ main = game "animation = 'run'", args = "--no-watch",
    out = { "reloaded sprites/hero.json", "reloaded sprites/hero.png", "reloaded sprites/hero.json",
      "reloaded sprites/other.png", "reloaded sprites/other.json" },
    err = { "sprites/hero.json: line 1 is not JSON; its last good picture stays until you save it again" } }, function()
      expect_frame(standing(1), 2.0)
      expect_frame('{ "frames": oops', 2.0)
      paint("sprites/hero.png", 32, 16, GREEN, RED) -- with the last good sheet
      press "F5"
      expect_frame(standing(0), 1.0)
      expect_frame(standing(199, many), 200.0)
      paint("sprites/other.png", 32, 16, RED, GREEN) -- a sheet may come later
      press "F5"
      save("sprites/other.json", standing(0))
      press "F5"
    end)
end)

test("objects choose animation and frame", function()
  save_sheet(sheet(RUN .. "," .. tag("stand", '"from":1,"to":1')))
  run {
    main = game("animation = 'run'", [[update = function() n = n + 1
      if n == 1 then o.animation = 'stand' assert(o.frame == 2 and o.animation == 'stand') end
      if n == 2 then o.animation = 'run' assert(o.frame == 1) end
      if n > 2 and n < 20 then o.animation = 'run' end -- which it does already
      if n == 9 then assert(o.frame == 2) end
      if n == 20 then o.frame = 1 assert(o.frame == 1 and o.animation == 'run') end
      if n == 25 then assert(o.frame == 1) end
      if n == 27 then assert(o.frame == 2) o.animation = nil assert(o.frame == 2 and o.animation == nil) end
      if n == 35 then assert(o.frame == 2) o.frame = 1 assert(o.frame == 1) o:recycle()
        o = spawnpool.pools:alloc 'Hero' assert(o.animation == 'run' and o.frame == 1)
        assert(o.pool:set('animation', 'stand') == 1 and o.frame == 2)
        for _, bad in ipairs { 0, 1.5, 'x', 65536 } do assert(not pcall(function() o.frame = bad end)) end
        for _, bad in ipairs { 1, true } do assert(not pcall(function() o.animation = bad end)) end
        print 'done' end end]]),
    args = "--frames 40", out = "done\n",
  }
end)

test("what is no sheet is said, and the game goes on", function()
  local function one(rest) return '{"frames":[{"frame":' .. rest .. "}]}" end
  for i, row in ipairs {
    { '{\n\n"frames": [ oops ]}', "line 3 is not JSON" },
    { '{"frames":7}', "there is no list 'frames'" },
    { '{"frames":[]}', "a sheet has 1 to 4096 frames, this one 0" },
    { '{"frames":[{}]}', "frame 1 has no 'frame'" },
    { one '{"x":1e99,"y":0,"w":1,"h":1}', "'x' must be a whole number" },
    { one '{"x":0,"y":0,"w":8,"h":8},"rotated":true', "frame 1 is rotated" },
    { one '{"x":0,"y":0,"w":8,"h":8},"duration":0', "'duration' must be" },
    { sheet '{"from":0,"to":1}', "a tag needs a name" },
    { sheet(tag("run", '"from":0,"to":2')), "'to' must be a whole number from 0 to 1" },
    { sheet(tag("walk", '"from":0,"to":1')), "sprite 'hero' has no animation 'run'" },
    { sheet(tag("run", '"from":0,"to":0'), { 24 }), "sprites/hero.json: frame 1 lies outside of the PNG" },
  } do
    save_sheet(row[1])
    run { main = game "animation = 'run'", args = "--screenshot out.png", err = { row[2] }, events = "",
      err_lines = i < 10 and 2 or 1 }
  end
end)

test("settings are checked", {
  { main = "require('spawnpool').class('A', { animation = { fpss = 1 } }) return {}", status = 1,
    err = { "animation has no entry 'fpss' (did you mean 'fps'?)" } },
  { main = [[local s = require('spawnpool') s.class('A', { animation = {}, fields = { frame = 1 } })
      s.pools:alloc 'A' return {}]], status = 1,
    err = { "class 'A': 'frame' is built in, for its animation: choose another name" } },
  { main = [[local s = require('spawnpool') s.class('A', { animation = 'run' })
      s.class('B', { extends = 'A', animation = false, fields = { frame = 1 } })
      print(s.pools:alloc('A').frame, s.pools:alloc('B').frame) return {}]],
    out = "1\t1\n", err = { "sprite 'circle' has no frames: sprites/circle.json would list them" } },
})
