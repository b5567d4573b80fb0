-- `spawnpool pack`: a finished game as files for the machines of others.

local MAIN <const> = [[local part = require 'lib.part'
return { id = 'org.test.packed', title = 'A <game> & more', version = '1.5', icon = 'sprites/icon.png',
  update = function() require('spawnpool').pools:alloc('Dot', 1) end, draw = function(g) g:sprite('icon', 9, 9) end,
  load = function(args) print(part, args[1]) end }]]

local function save_game()
  save("main.lua", MAIN)
  save("lib/part.lua", "return 'a part'")
  save("pools/Dot.lua", "return require('spawnpool').class('Dot', { radius = 2 })")
  paint("sprites/icon.png", 32, 32, RED)
  save("notes.txt", "buy milk")
  save("sprites/big.psd", ("x"):rep(3000))
  save("LICENSE", "free")
  save(".git/config", "secret")
end

local PACK <const> = "spawnpool pack --for zip,linux --out %s game"

-- Returns a recording without its head and the texts of the game, which only a game in a folder has.
local function played(path) return (read(path):gsub("^.-\n", ""):gsub('{"kind":"file"[^\n]*\n', "")) end

test("a packed game plays as the game itself, and has no more than a game can use", function()
  if host.tool == "asan" then return end -- the sanitizer has to be the first library of a program
  save_game()
  expect_text(sh(PACK:format "out"), { "left out: ", "notes.txt", "sprites/big.psd", "out/game.zip", "out/game  ",
    "it needs " })
  local zip <const> = read "/out/game.zip"
  for part, is_in in pairs { ["pools/Dot.lua"] = true, LICENSE = true, ["sprites/icon.png"] = true,
    ["notes.txt"] = false, [".git"] = false, ["big.psd"] = false } do
    equal(zip:find(part, 1, true) ~= nil, is_in)
  end
  sh "spawnpool --headless --frames 120 --record-input own game -- x"
  for _, program in ipairs { "out/game", "spawnpool out/game.zip", "(cd / && $OLDPWD/out/game" } do
    local at_root <const> = program:find "%(cd"
    run { sh = program .. " --headless --frames 120 --record-input " .. (at_root and "$OLDPWD/" or "") .. "packed -- x"
      .. (at_root and ")" or ""), out = "a part\tx\n" }
    equal(played "/packed", played "/own", program)
  end
end)

test("the same game gives the same bytes, with no path of this machine in them", function()
  save_game()
  sh(PACK:format "one")
  sh "cp -r game other && touch -d 2001-01-01 other/main.lua && rm -r game && mv other game"
  sh(PACK:format "two")
  sh "cmp one/game two/game && cmp one/game.zip two/game.zip"
  if counts_coverage "paths of this machine" then return end -- where the counts go is one
  local bytes <const> = read "/one/game"
  for _, path in ipairs { player.path "/", host.root .. "/", host.root .. "\0" } do
    expect(not bytes:find(path, 1, true), "%s is in the packed game", path)
  end
end)

test("a packed game that lacks libraries names all of them in one line", function()
  if host.tool == "asan" then return end -- the sanitizer has to be the first library of a program
  save_game()
  sh(PACK:format "out")
  local bytes <const> = read "/out/game":gsub("libcjson%.so%.1", "libcjsOn.so.7"):gsub("libSDL2%-2", "libSDL9-2")
  save("/out/broken", bytes)
  run { sh = "chmod +x out/broken && out/broken --headless --frames 1", status = 127, err_lines = 1,
    err = { "needs what is not installed here:", "libSDL9-2.0.so.0", "libcjsOn.so.7" } }
end)

test("a packed game that needs newer libraries names them and says what to do", function()
  if host.tool == "asan" then return end
  save_game()
  sh(PACK:format "out")
  local bytes <const> = read "/out/game"
  local player_at <const> = bytes:find("\127ELF", 2, true)
  save("/out/newer", bytes:sub(1, player_at - 1) .. bytes:sub(player_at):gsub("GLIBC_2%.(%d%d)\0", "GLIBC_9.%1\0"))
  run { sh = "chmod +x out/newer && out/newer --headless --frames 1", status = 127, err_lines = 1,
    err = { "newer needs newer libraries than those here: GLIBC_9.", " of libc.so.6", "pack it on the oldest one" } }
end)

test("what cannot be packed is one line, and nothing is written", function()
  save_game()
  if not counts_coverage "a pack that cannot be written" then
    run { sh = "(trap '' XFSZ; ulimit -f 1; spawnpool pack --for zip,linux game)", status = 2, out = false,
      err = { "cannot write dist/game" }, err_lines = 1 }
  end
  run { out = false, err_lines = 1,
    { sh = "mkdir empty && spawnpool pack --for zip empty", status = 2, err = { "no main.lua" } },
    { sh = "spawnpool pack --for zip,mac game", status = 2, err = { "not 'mac'" } },
    { sh = "spawnpool pack --for zip game/main.lua", status = 2, err = { "pack takes a folder" } },
    { sh = "echo x >file && spawnpool pack --for zip --out file game", status = 2, err = { "cannot write file" } },
    { main = MAIN:gsub("org.test", "a/b"), sh = "spawnpool pack --for zip game", status = 1,
      err = { "id must have", "nothing was packed" }, err_lines = 2 },
  }
  equal(sh "find dist -type f -o -name '.spawnpool*' | grep -v 'game.zip$' | wc -l", "0\n")
end)
