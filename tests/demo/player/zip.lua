-- A game in a zip plays as the same game in a folder does; a zip that is damaged or meant to harm is refused in a line.

local function crc32(text)
  local sum = 0xffffffff
  for i = 1, #text do
    sum = sum ~ text:byte(i)
    for _ = 1, 8 do sum = sum >> 1 ~ (0xedb88320 & -(sum & 1)) end
  end
  return sum ~ 0xffffffff
end

-- Writes a zip of files in a list: { name, text, flags =, method =, size =, made =, kind = }, which may lie.
local function write_zip(path, files)
  local parts <const>, list <const>, at = {}, {}, 0
  for i, file in ipairs(files) do
    local name <const>, text <const> = file[1], file[2] or ""
    local head <const> = ("<I2I2I2I2I2I4I4I4I2I2"):pack(20, file.flags or 0, file.method or 0, 0, 0x21, crc32(text),
      #text, file.size or #text, #name, 0)
    parts[i] = "PK\3\4" .. head .. name .. text
    list[i] = ("<c4I2"):pack("PK\1\2", (file.made or 3) << 8 | 20) .. head
      .. ("<I2I2I2I4I4"):pack(0, 0, 0, (file.kind or 0x8000) << 16, at) .. name
    at = at + #parts[i]
  end
  local whole <const> = table.concat(list)
  save(path, table.concat(parts) .. whole
    .. ("<c4I2I2I2I2I4I4I2"):pack("PK\5\6", 0, 0, #files, #files, #whole, at, 0))
end

local MAIN <const> = [[
local part = require 'lib.part'
local pools <const> = require('spawnpool').pools
return { width = 60, height = 40, draw = function(g) g:sprite('red', 30, 20, 0, 8) end,
  update = function() pools:alloc('Dot', 1) print(part, pools:pool('Dot').class.radius) end }
]]
local DOT <const> = "return require('spawnpool').class('Dot', { radius = 7 })"

local function game_files(before)
  local files <const> = { { before .. "lib/part.lua", "return 'a part'" }, { before .. "main.lua", MAIN },
    { before .. "pools/Dot.lua", DOT } }
  paint("/red.png", 8, 8, RED)
  files[4] = { before .. "sprites/red.png", read "/red.png" }
  return files
end

-- In the second zip it lies in a folder, as some programs write it, beside a file that they add.
test("a game that lies in a zip has its modules, classes and pictures", function()
  for _, before in ipairs { "", "lantern-1.0/" } do
    local files <const> = game_files(before)
    if before ~= "" then files[5] = { "__MACOSX/lantern-1.0/._main.lua", "junk" } end
    write_zip("/lantern.zip", files)
    run { sh = "spawnpool --headless --frames 2 --screenshot shot.png lantern.zip && spawnpool --check lantern.zip",
      out = "a part\t7\na part\t7\nchecked 3 files: no problems\n" }
    expect_pixels(picture "/shot.png", { { 30, 20, RED } })
  end
end)

test("an error in a zip is placed in it, with its line, and it is not trusted with files", function()
  write_zip("/game.zip", { { "main.lua", "local function f()\n  error 'boom'\nend\nf()" } })
  run { sh = "spawnpool --headless --frames 1 game.zip", status = 1, out = false,
    err = { "game.zip/main.lua:2: boom", "error 'boom'" } }
  run { sh = "spawnpool --trust --headless game.zip", status = 2, err = { "unpack game.zip" } }
end)

local HOSTILE <const> = {
  { "not a zip", nil },
  { "no main.lua", { { "readme.txt", "x" } } },
  { "no main.lua", { { "a/main.lua", "x" }, { "b/main.lua", "x" } } },
  { "may lead out", { { "main.lua", "return {}" }, { "../x.lua", "x" } } },
  { "may lead out", { { "main.lua", "return {}" }, { "/etc/x.lua", "x" } } },
  { "may lead out", { { "main.lua", "return {}" }, { "C:/x.lua", "x" } } },
  { "may lead out", { { "main.lua", "return {}" }, { "a\\x.lua", "x" } } },
  { "is a link", { { "main.lua", "return {}" }, { "x.lua", "/etc/passwd", kind = 0xa000 } } },
  { "is encrypted", { { "main.lua", "return {}", flags = 1 } } },
  { "by a method", { { "main.lua", "return {}", method = 12 } } },
  { "to more than 64 MiB", { { "main.lua", "return {}" }, { "big", "x", method = 8, size = 1 << 30 } } },
  { "200 times its size", { { "main.lua", "return {}" }, { "big", "x", method = 8, size = 2 << 20 } } },
  { "is damaged", { { "main.lua", "return {}" }, { "x.lua", "x", method = 8, size = 1 << 20 } } },
  { "in it twice", { { "main.lua", "return {}" }, { "main.lua", "return {}" } } },
}
-- Each file is within its bounds, all together are not.
local many <const> = { { "main.lua", "return {}" } }
for i = 1, 5 do many[i + 1] = { "big" .. i, ("x"):rep(400000), method = 8, size = 60 << 20 } end
HOSTILE[#HOSTILE + 1] = { "more than 256 MiB", many }

test("a zip that is damaged, or meant to harm, is refused in one line", function()
  save("/not.zip", "this is text")
  for i, case in ipairs(HOSTILE) do
    if case[2] then write_zip(("/%d.zip"):format(i), case[2]) end
    local name <const> = case[2] and i .. ".zip" or "not.zip"
    run { sh = "spawnpool --headless --frames 1 " .. name, status = 2, out = "", err = { case[1] }, err_lines = 1 }
  end
end)
