-- What the player writes: screenshots, statistics, and how far it is.

local COUNTING <const> = [[local n = 0
  return { update = function() n = n + 1 end,
  draw = function(g) g:color(n / 255, 0, 1) g:rect(10, 10, 5, 5) end }]]

test("a screenshot is the frame asked for, and an at sign may belong to its name", function()
  run { main = COUNTING, args = "--frames 40 --size 120x90", pixels = { { 12, 12, 0x2800ff }, { 30, 30, EMPTY } } }
  run { args = "--frames 40 --size 120x90 --screenshot tenth@2x.png@10" }
  local tenth <const> = player.picture "/tenth@2x.png"
  equal({ tenth.w, tenth.h, tenth.at(12, 12) }, { 120, 90, 0x0a00ff })
end)

-- It cannot be compressed: the memory that it is encoded into must be large enough for that too.
test("a screenshot of noise is whole", function()
  run { args = "--frames 1 --size 512x480 --screenshot out.png", main = [[return { draw = function(g)
    for i = 0, 512 * 480 - 1 do
      g:color(math.random(), math.random(), math.random()) g:rect(i % 512, i // 512, 1, 1)
    end end }]] }
  expect(#read "/out.png" > 512 * 480 * 3)
end)

test("a terminal gets no control characters of a game; a pipe and a file get all", function()
  local said <const> = [[print("a\27]52;c;eA==\7b\127c\u{9b}d\155e\tf") warn "@on" error("\27[2J")]]
  run { main = said, status = 1, out = { "a\27]52;c;eA==\7b\127c\u{9b}d\155e\tf" }, err = { "\27[2J" } }
  if not can("command -v script", "no `script` here: nothing was shown in a terminal") then return end
  local shown <const> =
    sh "script -qc 'spawnpool --headless --frames 1 game; spawnpool --check game; true' /dev/null"
  expect(shown:find("a?]52;c;eA==?b?c?d?e\tf", 1, true) and not shown:find "[\27\7\127\155]", "%q", shown)
end)

-- Lines of JSON as Lua tables: there are no brackets in the strings of these games.
local function read_lines(text)
  local lines <const> = {}
  for line in text:gmatch "[^\n]+" do
    line = line:gsub('"([%w_]+)":', "%1="):gsub("%[", "{"):gsub("%]", "}")
    lines[#lines + 1] = assert(load("return " .. line))()
  end
  return lines
end

-- What the game prints does not get between the lines on the output.
test("statistics are lines of JSON", function()
  local game <const> = [[local pools = require('spawnpool').pools
    require('spawnpool').class('Spark', { limit = 4 })
    return { update = function() pools:alloc('Spark', 1e6) end, load = function() print('hello') end }]]
  local lines <const> = read_lines(run { main = game, args = "--frames 150 --stats -", err = "hello\n" }.out)
  local first <const>, last <const>, spark <const> = lines[1], lines[3], lines[3].pools[1]
  equal({ first.frame, lines[2].frame, last.frame, #lines }, { 60, 120, 150, 3 })
  equal({ first.final, lines[2].final, last.final }, { false, false, true })
  equal({ first.time, lines[2].time, last.time }, { 1.0, 2.0, 2.5 })
  expect(first.fps > 0 and first.frame_ms.p50 > 0 and first.frame_ms.p99 >= first.frame_ms.p50)
  expect(last.lua_bytes > 10000 and last.bytes > last.lua_bytes and #last.pools == 1)
  equal({ spark.type, spark.live, spark.peak, spark.allocs, spark.refused, spark.evicted, spark.recycles,
    spark.expired }, { "Spark", 4, 4, 4, 146, 0, 0, 0 })
  equal({ spark.total, spark.created, spark.destroyed }, { spark.live + spark.idle, spark.total, 0 })
  run { args = "--frames 3 --stats s.jsonl", out = "hello\n" }
  equal(read_lines(read "/s.jsonl")[1].final, true)
end)

test("statistics are UTF-8, whatever a type is called", {
  main = [[local pools = require('spawnpool').pools
    pools:alloc 'b\xffd\xe2\x82' pools:alloc 'big "A"\n'
    return {}]],
  args = "--stats -", out = { '"type":"b\\ufffdd\\ufffd\\ufffd"', '"type":"big \\"A\\"\\u000a"' }, err = false,
})
