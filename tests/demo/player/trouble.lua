-- What goes wrong around the player: streams that are closed, disks that are full, files and folders that nobody can
-- read, pictures that are none, more output than is usual.

local TALKING <const> = "return { update = function() print 'line' end }"
local HEADLESS <const> = "spawnpool --headless --frames 10 "

test("a closed pipe ends the run quietly", function()
  local line <const> = "{ spawnpool --headless game; echo $? >status; } | head -n 1; cat status"
  run { main = TALKING, sh = line, out = "line\n141\n" } -- 128 + SIGPIPE
  run { sh = "trap '' PIPE; " .. line, out = "line\n2\n", err = "spawnpool: cannot write to the standard output\n" }
end)

test("closed streams let nothing into other files", {
  { main = TALKING, sh = HEADLESS .. "--stats stats game <&- >&-; echo $?; grep -c line stats; wc -l <stats",
    out = "2\n0\n1\n", err = false },
  { sh = HEADLESS .. "game <&- 2>&-", out = TALKING:match "'(.*)'":gsub("$", "\n"):rep(10) },
})

test("a full disk is one clear line", function()
  if not can("test -w /dev/full", "no /dev/full") then return end
  run { main = "return {}", status = 2, err = { "spawnpool: cannot ", "No space left on device" }, err_lines = 1,
    { args = "--screenshot /dev/full" }, { args = "--stats /dev/full" } }
  run { main = TALKING, sh = HEADLESS .. "game >/dev/full", status = 2,
    err = "spawnpool: cannot write to the standard output\n" }
end)

-- No file may grow, which is a disk that is full from here on; what the player says goes into a pipe.
test("a picture that cannot be written leaves the one before", function()
  if counts_coverage "a picture that cannot be written" then return end
  sh "mkdir out && echo before >out/old.png && chmod 600 out/old.png && ln -s old.png out/link.png"
  run { main = "return {}", out = { "File too large\n2\n" },
    sh = ("((ulimit -f 0; %s --screenshot out/link.png game) 2>&1; echo $?) | cat"):format(HEADLESS) }
  run { sh = "cd out && ls -A && cat old.png", out = "link.png\nold.png\nbefore\n" }
  run { args = "--screenshot out/link.png" }
  run { sh = "cd out && ls -A && head -c 4 old.png | tail -c 3 && stat -c ' %a' old.png",
    out = "link.png\nold.png\nPNG 600\n" }
end)

-- The test says that the end of a picture failed, as it does where a graphics driver is broken or lost.
test("where the graphics driver fails, the game goes on without it", function()
  if host.tool == "valgrind" then return host.skip("trouble", "drivers of OpenGL leak") end
  run({ main = player.DRAWN:format "width = 100, height = 60", gl = 1, args = "--size 100x60",
    err = { "warning: the graphics driver failed (the test says so): the game is drawn without it from now on\n" } },
    function()
      if host.renderer "fails" ~= "opengl" then return host.skip("trouble", "no OpenGL off the screen") end
      player.frames(3)
      equal(host.renderer(), "software")
      expect_pixels(draw "g:color(1, 0, 0) g:rect(10, 10, 50, 40)", { { 20, 20, RED }, { 5, 5, BLACK } })
    end)
end)

-- A library between the program and SDL says that it is older.
test("an SDL that is too old is named", function()
  save("/old.c", [[typedef struct { unsigned char major, minor, patch; } version;
    void SDL_GetVersion(version *v) { v->major = 2, v->minor = 0, v->patch = 10; }]])
  if host.tool == "asan" or host.tool == "valgrind" then return end
  if not can("cc -shared -fPIC old.c -o old.so", "no compiler") then return end
  run { main = "return {}", env = "LD_PRELOAD=./old.so", args = "--screenshot out.png", status = 2, err_lines = 1,
    err = { "SDL 2.0.10 is too old: SDL 2.0.18 or newer is needed" } }
end)

test("what does not fit on the disk makes the run fail", function()
  if not can("test -c /dev/full && ! echo >/dev/full", "no /dev/full") then return end
  run { main = "return {}", status = 2, err_lines = 1,
    { args = "--sound /dev/full", err = { "cannot write the sound: No space left on device" } },
    { args = "--frames 1 --sound /dev/full", err = { "cannot write the sound: No space left on device" } },
    { args = "--stats /dev/full", err = { "statistics" } },
  }
end)

-- The player as somebody for whom the rights of files count.
local AS_NOBODY <const> = [[
  $([ $(id -u) = 0 ] && printf 'setpriv\n--reuid=65534\n--regid=65534\n--clear-groups\n') \
    ./player --headless --frames 1 ]]

test("a game that may not be read says so", function()
  save("main.lua", "return {}")
  sh "cp $(command -v spawnpool) player && chmod 755 player . .. 2>/dev/null; chmod 711 .."
  if counts_coverage "files of somebody else"
    or not can(AS_NOBODY .. "--version", "no other user can be taken, or gets there") then return end
  run { sh = "mkdir closed && cp game/main.lua closed && chmod 000 closed && " .. AS_NOBODY .. "closed", status = 2,
    err = { "closed: Permission denied" }, err_lines = 1 }
  run { sh = "chmod 000 game/main.lua; " .. AS_NOBODY .. "game", status = 1, err = { "main.lua: Permission denied" } }
end)

-- Spaces, quotes, letters that are not ASCII, and bytes that are no UTF-8.
test("a folder may have any name", function()
  for _, name in ipairs { "it's a", "gr\u{fc}\u{df}", "b\xff\xfe", "per%cent", "-dash" } do
    local quoted <const> = "'./" .. name:gsub("'", "'\\''") .. "'"
    save("/" .. name .. "/main.lua", "print(require 'part') return {}")
    save("/" .. name .. "/part.lua", "return 7")
    local out <const> = run { args = "--screenshot " .. quoted .. "/shot.png", game = quoted }.out
    expect(out:find "^7\t" and #read("/" .. name .. "/shot.png") > 0, "%s: %s", name, out)
  end
end)

-- The head of a PNG of this size.
local function hollow(w, h)
  return "\x89PNG\r\n\x1a\n" .. "\0\0\0\rIHDR" .. (">I4I4"):pack(w, h) .. "\8\6\0\0\0\0\0\0\0\0\0\0\0IEND\0\0\0\0"
end

test("bad pictures are warnings and the game runs", function()
  sh "mkdir -p game/sprites/folder.png && ln -s nowhere game/sprites/gone.png && : >game/sprites/empty.png"
  paint("/whole.png", 9, 5, 0x112233, 0x445566)
  local whole <const> = read "/whole.png"
  save("sprites/cut.png", whole:sub(1, -20))
  save("sprites/bit.png", whole:sub(1, 49) .. string.char(whole:byte(50) ~ 4) .. whole:sub(51))
  for i, size in ipairs { { 20000, 20000 }, { 8193, 1 }, { 8192, 2049 }, { 0xffffffff, 0xffffffff }, { 0, 5 },
    { 8192, 2048 } } do save(("sprites/huge%d.png"):format(i), hollow(table.unpack(size))) end
  local err <const> = run { main = "print 'runs' return {}", out = "runs\n", err = false, err_lines = 10 }.err
  for name, problem in pairs { huge1 = "20000 x 20000 pixels; a sprite has 8192 on a side and 16777216 in all at most",
    huge2 = "8193 x 1 ", huge3 = "8192 x 2049 ", huge4 = "4294967295 x 4294967295 ", huge5 = "0 x 5 ",
    huge6 = "the file is damaged", bit = "the file is damaged",
    cut = "the file is cut off; a checker is drawn instead\n",
    empty = "not a PNG file; a checker is drawn instead\n",
    gone = "it is a link to 'nowhere', which does not exist; fix or remove it; a checker" } do
    expect(err:find(("sprites/%s.png: %s"):format(name, problem), 1, true), err)
  end
  run { args = "--screenshot out.png", out = "runs\n", err = err }
end)

test("an error in a callback of a query keeps its inner trace and its hint", { status = 1,
  main = [[local s = require 'spawnpool' local pools = s.pools
    local function deep() return strng.rep('x', 3) end
    s.class("A", { radius = 5 })
    return { load = function() pools:alloc("A", 0, 5, 5) pools:alloc("A", 0, 6, 5) end,
      update = function() pools:pool("A"):overlaps(pools:pool("A"), function() deep() end) end }]],
  err = { "main.lua:2: attempt to index a nil value (global 'strng')", "  at game/main.lua:2 in deep\n",
    "  at game/main.lua:5 in update\n", "  hint: did you mean 'string'?\n" } })

test("a huge message is cut", { main = "error(('x'):rep(100000))", status = 1, err = { "xx... (100" } })

test("a call of LÖVE is answered with the one here", {
  { main = "return { draw = function(g) g:print('x', 5, 5) end }", status = 1,
    err = { "  hint: that is g:text(x, y, s) here\n" } },
  { main = "return { draw = function() love.graphics.print('x') end }", status = 1,
    err = { "  hint: no LÖVE here" } },
})

test("a check finds names of sprites and sounds that no file has", function()
  paint("sprites/hero.png", 8, 8, 0xff0000)
  paint("sprites/halo.glow.png", 8, 8, 0xff0000)
  run {
    files = { ["sounds/hit.wav"] = "", ["pools/Foe.lua"] = [[local spawnpool = require "spawnpool"
      return spawnpool.class("Foe", { sprite = "hro", sound = { spawn = "hit", recycle = "hot" } })]] },
    main = [[local spawnpool = require "spawnpool" -- sprite = "of a comment"
      --[=[ g:sprite("of a comment", 1, 2) ]=]
      return { draw = function(g) g:sprite("halo", 1, 2) g:sprite("cirle", 1, 2) g:sprite("hero" .. 1, 2, 3) end,
        update = function() spawnpool.audio.play "boom" end }]],
    sh = "spawnpool --check game", status = 1, err_lines = 4, out = "checked 2 files: 4 problems\n",
    err = { "game/main.lua:3: there is no sprite 'cirle' (did you mean 'circle'?)\n",
      "game/main.lua:4: there is no sound 'boom'\n",
      "game/pools/Foe.lua:2: there is no sprite 'hro' (did you mean 'hero'?)\n",
      "game/pools/Foe.lua:2: there is no sound 'hot' (did you mean 'hit'?)\n" },
  }
end)
