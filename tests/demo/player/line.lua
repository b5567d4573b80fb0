-- The command line: what the player does besides playing, and wrong lines.

test("version and help", {
  { sh = "spawnpool --version | grep -E '^spawnpool 0\\.[0-9].*Lua 5\\.4.*SDL 2\\.'", out = { "spawnpool" } },
  { sh = "spawnpool --help", out = { "usage: spawnpool [options] PATH [-- args]", "spawnpool init", "spawnpool games",
    "--headless", "--frames N", "--size WxH", "--check", "--memory MiB", "1024 by default" } },
})

-- {== What there is, and wrong lines ============================================

local INSTALL <const> = [[mkdir -p bin share/spawnpool && ln -s $SP_ROOT/scripts share/spawnpool &&
  cp $(command -v spawnpool) bin]]

test("games are listed with what they are", function()
  sh(INSTALL)
  run { sh = "bin/spawnpool games", out = { "\nshooter          one ship or two, four kinds of enemies" } }
  sh "[ $(bin/spawnpool games | grep -c '^[a-z_]* *[a-z].*[.?]$') = $(ls -d $SP_ROOT/scripts/*/main.lua | wc -l) ]"
  run { sh = "rm -r share && bin/spawnpool games", status = 2, err = { "no games were installed" } }
end)

test("bash completes options, games and files", function()
  sh(INSTALL)
  local complete <const> = [[export PLAYER=$PWD/bin/spawnpool; cd $SP_ROOT
    export LC_ALL=LOCALE; bash --norc -c 'shopt -s progcomp
    . demo/completion/spawnpool.bash; COMP_WORDS=(x "$@"); COMP_CWORD=$#
    _spawnpool "$PLAYER" "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}" 2>/dev/null; echo "${COMPREPLY[@]}"' x ]]
  local locales <const> = { "C" }
  if can("locale -a | grep -qix tr_TR.utf8", "no Turkish locale") then locales[2] = "tr_TR.UTF-8" end
  for typed, completed in pairs {
    ["--head"] = "--headless", sho = "shooter", i = "init", ["--seed i"] = "", ["--record-input sho"] = "",
    ["--trace sho"] = "shooter", ["shooter -- sho"] = "", ["scripts/shooter/ses"] = "scripts/shooter/session.lua",
  } do
    for _, name in ipairs(locales) do
      run { sh = complete:gsub("LOCALE", name) .. typed, out = completed .. "\n" }
    end
  end
end)

-- What a recording says of a run.
test("options stand anywhere and take equals, and the rest is the game's", function()
  run { main = "return {}", sh = "spawnpool --headless game --frames=0 --size=1X2 --seed=18446744073709551615 "
    .. "--memory 64 --record-input in -- --frames hard --" }
  expect(player.read("/in"):find('"seed":"ffffffffffffffff","width":1,"height":2,.*,"memory":67108864,'
    .. '"arguments":%["%-%-frames","hard","%-%-"%]}\n{"kind":"file","frame":0,"name":"main.lua",'
    .. '"text":"return {}"}\n{"kind":"hash","frame":0,"hash":"%x+"}\n'
    .. '{"kind":"end","frame":0}\n$'), player.read "/in")
end)

local LONG <const> = ("a"):rep(255)

-- Each message is the answer to each of its command lines.
local WRONG <const> = {
  ["--exec needs a value"] = { "rain --exec" },
  ["--exec may be given 64 times"] = { ("--exec x=1 "):rep(65) .. "rain" },
  ["no game given: spawnpool pack GAME"] = { "pack" },
  ["no game given: spawnpool [options] PATH"] = { "--headless", "-- rain" },
  ["one PATH only"] = { "rain snow" },
  ["--synctest cannot be combined with --sound"] = { "--synctest --sound a.wav rain" },
  ["--accept belongs to --check"] = { "--accept rain" },
  ["--why looks into a recording: add --replay FILE"] = { "--why Dot#1 rain" },
  ["--why needs an object"] = { "--why Dot rain", "--why Dot#0.x rain", "--why Dot#1. rain" },
  ["--trust does not go with pack"] = { "pack --trust rain" },
  ["'--check'"] = { "--chek rain" },
  ["'--frames'"] = { "--farmes=3 rain" },
  ["unknown option '-v'\n"] = { "-v rain" }, -- what is far from all of them has no nearest
  ["games takes no PATH, got 'rain'"] = { "games rain" },
  ["--frames needs a whole number, got '"] = { "--frames -3 rain", "--frames 1e3 rain", "--frames '' rain" },
  ["--seed needs"] = { "--seed 18446744073709551616 rain", "--seed ' 1' rain" },
  ["--size needs"] = { "--size 640 rain", "--size 0x480 rain", "--size 640x rain", "--size 99999x480 rain" },
  ["--memory needs"] = { "--memory 0 rain", "--memory 18446744073709551615 rain" },
  ["--screenshot needs a file name"] = { "--screenshot '' rain", "--screenshot @3 rain" },
  ["whole frames from 1, got '"] = { "--screenshot a.png@0 rain", "--screenshot a.png@1.5 rain" },
  ["too long"] = { "--screenshot " .. LONG:rep(5) .. " rain" },
  ["--sound needs a file name"] = { "--sound '' rain" },
  ["--frames needs a value"] = { "--frames --headless rain" },
  ["--headless takes no value"] = { "--headless=yes rain" },
  ["--pause-on-reload needs a window"] = { "--pause-on-reload --headless rain" },
  ["asks for frame 20"] = { "rain --frames 10 --screenshot a.png@20" },
}

test("a wrong line is refused with what is wrong", function()
  local commands <const>, problems <const> = { "unset DISPLAY WAYLAND_DISPLAY" }, {}
  for problem, lines in pairs(WRONG) do
    for _, line in ipairs(lines) do
      problems[#problems + 1] = problem
      commands[#commands + 1] = ("spawnpool %s 2>&1; echo \"status $?\""):format(line)
    end
  end
  local at = 0
  for said, status in sh(table.concat(commands, "\n")):gmatch "(.-)status (%d+)\n" do
    at = at + 1
    local is_fine <const> = status == "2" and said:find "^spawnpool: [^\n]*\n[^\n]*\n$"
      and said:find(problems[at], 1, true)
    expect(is_fine, "%s: status %s\n%s", commands[at + 1], status, said)
  end
  equal(at, #problems)
end)

test("what cannot be opened or written is one clear line", function()
  local no_display <const> = "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER spawnpool "
  run { status = 2, out = "",
    { sh = no_display, err = { "no display was found", "no game given", "spawnpool games lists them" } },
    { err = { "main.lua" } },
    { game = "nowhere", err = { "nowhere" }, err_lines = 1 },
    { main = "return {}", sh = no_display .. "--frames 1 game", err = { "spawnpool: cannot open a window: ",
      "--headless plays without one\n" } },
    { args = "--screenshot no/such/place.png", err = { "no/such/place.png" }, err_lines = 1 },
    { args = "--stats no/such/place", err = { "no/such/place" }, err_lines = 1 },
    { args = "--sound /nowhere/a.wav",
      err = "spawnpool: cannot write the sound to '/nowhere/a.wav': No such file or directory\n" },
  }
end)

test("texts of --exec run in order after load, and what they return is told", {
  { main = "return { load = function() score = 1 print 'load' end, update = function() print 'update' end }",
    args = "--frames 1 --exec 'score = score + 1' --exec 'score, pools.time' --exec='print(sel)'",
    out = "load\n2\t0.0\nnil\nupdate\n" },
  { main = "return {}", args = "--frames 1 --stats - --exec '6 * 7'", out = { '"final":true' }, err = "42\n" },
})

test("an error in a text of --exec ends a headless run with 1", {
  main = "return { update = function() print 'update' end }", status = 1, out = "",
  { args = "--frames 1 --exec 'x = = 1' --exec 'print(1)'", err = "unexpected symbol near '='\n" },
  { args = "--frames 1 --exec 'for i = 1, 2 do'", err = "--exec: the code is incomplete\n" },
})

test("a check plays nothing, and every problem is a line on stderr", {
  { sh = "spawnpool --check nowhere", status = 2, out = "", err = { "no such file or folder" } },
  { main = "print 'main' return { load = function() print 'load' end }", sh = "spawnpool --check game",
    out = "main\nchecked 1 file: no problems\n" },
  { sh = [[cp -R $SP_ROOT/scripts . && rm -r scripts/*/recordings &&
    for game in scripts/*/; do spawnpool --check $game || exit 1; done]] },
  { files = { ["main.lua"] = "local input = require('spawnpool').input.down\nreturn 5",
      ["a.lua"] = "\nlocal x = = 1", ["b.lua"] = "return (" },
    sh = "spawnpool --check game", status = 1, out = "checked 3 files: 3 problems\n",
    err = "game/main.lua:1: main.lua must return a table of callbacks (load, update, draw, ...), got number\n"
      .. "game/a.lua:2: unexpected symbol near '='\ngame/b.lua:1: unexpected symbol near <eof>\n" },
})

-- }==

-- {== init =======================================================================

test("a new game is complete, plays, and has no problems", function()
  local made <const> = run { sh = "spawnpool init new", out = { "Play it:   " } }.out
  for name in ("main.lua colors.lua pools/Ball.lua pools/Spark.lua .luarc.json .luacheckrc .gitignore "
    .. ".spawnpool/meta.lua"):gmatch "%S+" do
    expect(made:find("made new/" .. name .. "\n", 1, true) and #player.read("/new/" .. name) > 0, name)
  end
  sh [[for f in meta class.d player.d sandbox.d; do
    cmp new/.spawnpool/$f.lua $SP_ROOT/lua/spawnpool/$f.lua || exit 1; done;
    cmp new/.luacheckrc $SP_ROOT/lua/spawnpool/luacheck.lua]]
  run { sh = "spawnpool --check new" }
  run { game = "new", args = "--frames 900 --exec 'pools:stats(\"Ball\").live'", out = "3\n" }
  if can("command -v luacheck", "no luacheck here") then sh "cd new && luacheck -q ." end
end)

test("a new game of a kind plays and is packed at once", function()
  for _, kind in ipairs { "arcade", "platformer", "puzzle" } do
    sh(([[rm -rf new && spawnpool init new --template %s && spawnpool --check new && spawnpool pack --for zip new &&
      test -f dist/new.zip && [ $(wc -l <new/main.lua) -le 60 ] ]]):format(kind))
    run { game = "new", args = "--frames 300" }
    if can("command -v luacheck", "no luacheck here") then sh "cd new && luacheck -q ." end
  end
  run { sh = "spawnpool init other --template shooter", status = 2, err = { "arcade, platformer or puzzle" } }
end)

test("a new game is played by the command that init prints, and takes no folder with files", function()
  sh [[spawnpool init "it's a game" | sed -n 's/^Play it: *//p' >play && sh -c "$(cat play) --headless --frames 3"]]
  run { status = 2, out = "",
    { sh = "spawnpool init \"it's a game\"", err = { "the folder is not empty" } },
    { sh = "spawnpool init play", err = { "Not a directory" } },
    { sh = "spawnpool init play/new", err = { "play/new" }, err_lines = 1 },
  }
end)

-- }==

test("luacheck and editors know the sandbox, and nothing else", {
  setup = [[cp $SP_ROOT/tests/lua/sandbox_names.lua game/main.lua && cp $SP_ROOT/lua/spawnpool/luacheck.lua game
    { echo 'return [==['; cat $SP_ROOT/lua/spawnpool/sandbox.d.lua; echo ']==]'; } >game/annotations.lua]],
  args = "--frames 1",
  out = "luacheck knows and there is not: \nthere is and is not known to luacheck: \n"
    .. "an editor knows and there is not: \nthere is and is not known to an editor: \n",
})
