-- The command line: what the player does besides playing, and wrong lines.

test("version and help", function()
  local version <const> = run { sh = "spawnpool --version" }.out
  expect(version:find "^spawnpool 0%.[^\n]*Lua 5%.4[^\n]*SDL 2%.[^\n]*\n$", version)
  run { sh = "spawnpool --help", out = { "usage: spawnpool [options] PATH [-- args]",
    "spawnpool init [--template KIND] DIR", "spawnpool games", "--headless", "--realtime", "--frames N", "--seed N",
    "--size WxH", "by default the game's, or", "--exec LUA", "--check" } }
  run { sh = "spawnpool --help", out = { "--screenshot", "--stats", "--trust", "--memory MiB", "1024 by default",
    "--version" } }
end)

-- {== Games ======================================================================

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
  local complete <const> = [[export PLAYER=$PWD/bin/spawnpool; cd $SP_ROOT; bash --norc -c 'shopt -s progcomp
    . demo/completion/spawnpool.bash; COMP_WORDS=(x "$@"); COMP_CWORD=$#
    _spawnpool $PLAYER "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}" 2>/dev/null; echo "${COMPREPLY[@]}"' x ]]
  for typed, completed in pairs {
    ["--head"] = "--headless", ["--si"] = "--size", sho = "shooter", i = "init", ["--seed i"] = "",
    ["--record-input sho"] = "", ["--trace sho"] = "shooter",
    ["shooter -- sho"] = "", ["scripts/shooter/ses"] = "scripts/shooter/session.lua",
  } do
    run { sh = complete .. typed, out = completed .. "\n" }
  end
end)

-- }==

-- {== Options ====================================================================

-- What a recording says of a run.
test("options stand anywhere and take equals, and the rest is the game's", function()
  run { main = "return {}", sh = "spawnpool --headless game --frames=0 --size=1X2 --seed=18446744073709551615 "
    .. "--memory 64 --record-input in -- --frames hard --" }
  expect(player.read("/in"):find('"seed":"ffffffffffffffff","width":1,"height":2,.*,"memory":67108864,'
    .. '"arguments":%["%-%-frames","hard","%-%-"%]}\n{"kind":"file","frame":0,"name":"main.lua",'
    .. '"text":"return {}"}\n{"kind":"hash","frame":0,"hash":"%x+"}\n'
    .. '{"kind":"end","frame":0}\n$'), player.read "/in")
  run { sh = "spawnpool game --headless --frames 1 --trust --record-input in" }
  expect(player.read("/in"):find
    '"width":800,"height":600,.*"memory":1073741824,"trust":true,"arguments":%[%]}\n', player.read "/in")
end)

test("an at sign may belong to the file name", function()
  run { main = "return {}", args = "--screenshot icon@2x.png" }
  run { args = "--screenshot late@2x.png@7" }
  equal(sh "ls", "game\nicon@2x.png\nlate@2x.png\n")
end)

local LONG <const> = ("a"):rep(255)

-- Each message is the answer to each of its command lines.
local WRONG <const> = {
  ["--exec needs a value"] = { "rain --exec" },
  ["--exec may be given 64 times"] = { ("--exec x=1 "):rep(65) .. "rain" },
  ["no folder given: spawnpool init DIR"] = { "init" },
  ["one PATH only"] = { "init a b", "rain snow" },
  ["--synctest cannot be combined with --trust"] = { "--synctest --trust rain" },
  ["--synctest cannot be combined with --no-timeline"] = { "--synctest --no-timeline rain" },
  ["--synctest cannot be combined with --sound"] = { "--synctest --sound a.wav rain" },
  ["'--check'"] = { "--chek rain" },
  ["'--headless'"] = { "--haedless rain" },
  ["'--help'"] = { "--hel" },
  ["'--frames'"] = { "--frame rain", "--farmes=3 rain" },
  ["'--size'"] = { "-size rain" },
  ["'--no-watch'"] = { "--nowatch rain" },
  ["unknown option '-v'\n"] = { "-v rain" }, -- what is far from all of them has no nearest
  ["unknown option '--completion'\n"] = { "--completion" },
  ["unknown option '--aaa"] = { "--" .. LONG },
  ["games takes no PATH, got 'rain'"] = { "games rain" },
  ["--frames needs a whole number, got 'many'"] = { "--frames many rain" },
  ["--frames needs a whole number, got '"] = { "--frames -3 rain", "--frames 1e3 rain", "--frames '' rain" },
  ["--seed needs"] = { "--seed 18446744073709551616 rain", "--seed ' 1' rain" },
  ["--size needs"] = { "--size 640 rain", "--size 0x480 rain", "--size 640x rain", "--size x480 rain",
    "--size 640x480x2 rain", "--size 99999x480 rain" },
  ["--memory needs"] = { "--memory 0 rain", "--memory 18446744073709551615 rain" },
  ["--screenshot"] = { "--screenshot '' rain", "--screenshot @3 rain" },
  ["whole frames from 1, got '"] = { "--screenshot a.png@0 rain", "--screenshot a.png@1.5 rain" },
  ["too long"] = { "--screenshot " .. LONG:rep(5) .. " rain" },
  ["--stats"] = { "--stats '' rain" },
  ["no game given"] = { "--headless", "-- rain" },
  ["--frames needs a value"] = { "rain --frames", "--frames --headless rain" },
  ["--headless takes no value"] = { "--headless=yes rain" },
  ["--pause-on-reload needs a window"] = { "--pause-on-reload --headless rain" },
  ["frame 20"] = { "rain --frames 10 --screenshot a.png@20" },
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

-- }==

-- {== Wrong lines ================================================================

-- Without a display it names the way out.
test("usage errors exit with 2", function()
  local no_display <const> = "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER spawnpool "
  run { sh = no_display, status = 2, out = "", err = { "no display was found", "no game given",
    "spawnpool games lists them" } }
  run { status = 2, out = "", err = { "main.lua" } }
  run { game = "nowhere", status = 2, out = "", err = { "nowhere" }, err_lines = 1 }
  for _, display in ipairs { no_display, "SDL_VIDEODRIVER=nonsense spawnpool " } do
    run { main = "print('never') return {}", sh = display .. "--frames 1 game", status = 2, out = "",
      err = { "spawnpool: cannot open a window: ", "--headless plays without one\n" } }
  end
  run { main = "return {}", env = "SDL_VIDEODRIVER=nonsense", args = "--screenshot out.png" } -- it needs none
end)

-- }==

-- {== --exec =====================================================================

test("texts of --exec run in order after load", function()
  run {
    main = "return { load = function() score = 1 print 'load' end, update = function() print 'update' end }",
    args = "--frames 1 --exec 'score = score + 1' --exec 'score, pools.time' --exec='print(sel)'",
    out = "load\n2\t0.0\nnil\nupdate\n",
  }
  local stats <const> = run { main = "return {}", args = "--frames 1 --stats - --exec '6 * 7'", err = "42\n" }.out
  expect(stats:find "^{[^\n]*\n$", stats)
end)

test("an error in a text of --exec ends a headless run with 1", function()
  run { main = "return { update = function() print 'update' end }", status = 1, out = "",
    { args = "--frames 1 --exec 'x = = 1' --exec 'print(1)'", err = "unexpected symbol near '='\n" },
    { args = "--frames 1 --exec 'error(\"my reason\")'", err = { "my reason" } },
    { args = "--frames 1 --exec 'for i = 1, 2 do'", err = "--exec: the code is incomplete\n" },
    { main = "error 'in main'", args = "--frames 1 --exec 'print(1)'", err = { "in main" } },
  }
end)

-- }==

-- {== --check ====================================================================

test("a check plays nothing and counts", {
  { sh = "spawnpool --check", status = 2, out = "", err = false },
  { sh = "spawnpool --check nowhere", status = 2, out = "", err = { "no such file or folder" } },
  { main = "print 'main' return { load = function() print 'load' end }", sh = "spawnpool --check game",
    out = "main\nchecked 1 file: no problems\n" },
  { sh = [[cp -R $SP_ROOT/scripts . && rm -r scripts/*/recordings &&
    for game in scripts/*/; do spawnpool --check $game || exit 1; done]] },
})

test("every problem is a line on stderr", {
  files = { ["main.lua"] = "local input = require('spawnpool').input.down\nreturn 5", ["a.lua"] = "\nlocal x = = 1",
    ["b.lua"] = "return (" },
  sh = "spawnpool --check game", status = 1, out = "checked 3 files: 3 problems\n",
  err = "game/main.lua:1: main.lua must return a table of callbacks (load, update, draw, ...), got number\n"
    .. "game/a.lua:2: unexpected symbol near '='\ngame/b.lua:1: unexpected symbol near <eof>\n",
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

for _, kind in ipairs { "arcade", "platformer", "puzzle" } do
  test("a new game of a kind plays and is packed at once: " .. kind, function()
      run { setup = "spawnpool init new --template " .. kind,
      sh = "spawnpool --check new && spawnpool pack --for zip new",
      out = { "checked 1 file: no problems\n" } }
    run { game = "new", args = "--frames 300" }
    sh "test -f dist/new.zip && [ $(wc -l <new/main.lua) -le 60 ]"
    if can("command -v luacheck", "no luacheck here") then sh "cd new && luacheck -q ." end
  end)
end

test("there is no other kind of new game", {
  { sh = "spawnpool init new --template shooter", status = 2, err = { "arcade, platformer or puzzle" } },
  { sh = "spawnpool --template arcade game", status = 2, err = { "--template belongs to init" } },
})

-- The command that it prints is run.
test("a new game is played by the command that init prints", function()
  sh [[spawnpool init "it's a game" | sed -n 's/^Play it: *//p' >play && sh -c "$(cat play) --headless --frames 3"]]
end)

test("a folder for a new game must be empty", function()
  sh "mkdir new && spawnpool init new && echo here >a_file"
  run { sh = "spawnpool init new", status = 2, out = "", err = { "the folder is not empty" } }
  run { sh = "spawnpool init a_file", status = 2, err = { "Not a directory" } }
  run { sh = "spawnpool init a_file/new", status = 2, err_lines = 1 }
end)

test("a game in a folder called like a command can still be played", function()
  sh "mkdir init && echo 'print(5) return {}' >init/main.lua && cp -r init games"
  for _, game in ipairs { "./init", "init", "./games" } do
    run { sh = "spawnpool --headless --frames 1 " .. game, out = "5\n" }
  end
end)

-- }==

-- {== What editors know ==========================================================

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

test("luacheck and editors know the sandbox, and nothing else", {
  files = { ["main.lua"] = read "tests/lua/sandbox_names.lua", ["luacheck.lua"] = read "lua/spawnpool/luacheck.lua",
    ["annotations.lua"] = "return [==[" .. read "lua/spawnpool/sandbox.d.lua" .. "]==]" },
  args = "--frames 1",
  out = "luacheck knows and there is not: \nthere is and is not known to luacheck: \n"
    .. "an editor knows and there is not: \nthere is and is not known to an editor: \n",
})

-- Each line of a game asks for something that the sandbox has not: every one is marked, in a new game's own settings.
test("luacheck marks what the sandbox would refuse", function()
  if not can("command -v luacheck", "no luacheck here") then return end
  sh "spawnpool init new"
  save("/new/slips.lua", "local a = io.open\nlocal b = os.execute\nlocal c = debug.getinfo\n"
    .. "local d = package.loadlib\nlocal e = dofile\nlocal f = loadfile\nlocal g = string.dump\n"
    .. "local h = package.path\n")
  save("/new/fine.lua", "return os.time() + math.pi + #package.loaded + utf8.len \"\"\n")
  for _, command in ipairs { "cd new && luacheck .", "cd new/pools && luacheck ../slips.lua" } do
    equal(sh(command .. " --no-color --codes --only 1 | grep -c ' (W1[0-9]*) '"), "8\n")
  end
end)

-- }==
