-- The player while its game is edited: real files, saved in all the ways that editors and tools save them. See
-- assets.lua for pictures and sounds.
local player <const> = require "player"
local spec <const> = require "spec"
local host <const> = require "host"

local test <const>, run <const>, sh <const> = player.test, player.run, player.sh
local save <const>, start <const>, await <const>, stop <const> = player.save, player.start, player.await, player.stop

local WINDOW <const> = "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software" -- that nobody sees
local UNSEEN <const> = "--headless --realtime "

-- A main.lua that says which version of it runs, once; all are of one size.
local function version(number)
  return ([[local version <const> = %d
    local shown
    return { update = function()
      if shown ~= version then shown = version print('version ' .. version) end
    end }]]):format(number)
end

local function spark(number)
  return ("print('spark %d') return require('spawnpool').class('Spark', { prealloc = %d })\n"):format(number, number)
end

local function start_versions(args, env)
  save("main.lua", version(1))
  start(args, env)
  await "version 1\n"
end

local function shell(command) return sh("cd game && " .. command) end

local function count(part) return select(2, player.said():gsub(part, "")) end

-- {== Ways to save ===============================================================

-- In place; and what an editor does that is slow between emptying the file and writing it: nobody wants the nothing, or
-- the half, that is there meanwhile.
local function in_place() save("main.lua", version(2)) end

local function in_pieces()
  local text <const> = version(2)
  local file <close> = io.open(player.path "main.lua", "wb")
  file:setvbuf "no"
  host.nap(0.06)
  file:write(text:sub(1, #text // 2))
  host.nap(0.01)
  file:write(text:sub(#text // 2 + 1))
end

local function from_copy(commands)
  return function()
    save("copy", version(2))
    shell(commands)
  end
end

for way, save_so in pairs {
  ["in place"] = in_place,
  ["in pieces"] = in_pieces,
  ["by rename"] = from_copy "mv copy main.lua",
  ["restored by rename"] = from_copy "touch -d 2001-09-09 copy && mv copy main.lua",
  ["restored in place"] = from_copy "cat copy >main.lua && touch -d 2001-09-09 main.lua",
  ["by replacing"] = from_copy "rm main.lua && cp copy main.lua",
  ["by sed -i"] = function() shell "sed -i 's/> = 1/> = 2/' main.lua" end,
} do
  test("saved " .. way .. ", the new code runs", function()
    start_versions()
    save_so()
    await "version 2\n"
    stop(0, { reloads = 1 })
  end)
end

test("a checkout runs what was checked out", function()
  if not player.can("command -v git", "no git") then return end
  local git <const> = "GIT_CONFIG_GLOBAL=/dev/null git -c user.name=a -c user.email=a@b.c -c core.autocrlf=false "
    .. "-c commit.gpgsign=false "
  save("main.lua", version(2))
  save("pools/Spark.lua", spark(2))
  shell(git .. "init -q . && " .. git .. "add -A && " .. git .. "commit -qm two && git rm -q pools/Spark.lua")
  save("main.lua", version(1))
  shell(git .. "add -A && " .. git .. "commit -qm one")
  start()
  await "version 1\n"
  shell "git checkout -q HEAD~1"
  await("spark 2\n", "version 2\n") -- in a folder that was not there before
  stop(0)
end)

-- Half a second later the touch has been looked at too.
test("a touch runs nothing", function()
  save("pools/Spark.lua", spark(1))
  save("main.lua", "require('spawnpool').pools:pool('Spark') print('main runs') return {}")
  start()
  await "main runs\n"
  shell "touch main.lua"
  host.nap(0.02)
  save("pools/Spark.lua", spark(2))
  await "reloaded pools/Spark.lua in"
  stop(0, { reloads = 1, refused_reloads = 0, reverted_reloads = 0 })
  spec.equal(count "main runs", 1)
end)

test("a wrong setting is not told again until it is another one", function()
  local WRONG <const> = "title must be a string"
  local function main(title) save("main.lua", "require 'other' return { title = " .. title .. " }") end
  main "5"
  save("other.lua", "return 1")
  start()
  await(WRONG)
  save("other.lua", "return 2")
  await "reloaded other.lua"
  spec.equal(count(WRONG), 1)
  main "'mended'"
  await "reloaded main.lua"
  main "5"
  await(WRONG)
  stop(0)
end)

test("objects of main.lua's own classes do not run its callbacks", function()
  local main <const> = [[local spawnpool = require "spawnpool"
    spawnpool.class("Box", {})
    return { load = function() spawnpool.pools:alloc "Box" print "version 1" end, update = function()
        return 1
      end }]]
  save("main.lua", main)
  start()
  await "version 1\n"
  save("main.lua", (main:gsub("return 1", "return 2")))
  await "reloaded main.lua in "
  await " ms: update; all 1 object kept\n"
  stop(0)
end)

test("a new class file runs by itself, also in a new folder", function()
  start_versions()
  save("pools/Spark.lua", spark(1))
  await "spark 1\n"
  save("pools/Spark.lua", spark(2))
  await "spark 2\n"
  stop(0)
  spec.make_folder(player.path "pools")
  sh "rm game/pools/*"
  start_versions()
  save("pools/Spark.lua", spark(3))
  await "spark 3\n"
  stop(0, { reloads = 1, refused_reloads = 0, reverted_reloads = 0 })
end)

test("a file that is gone keeps its code until it is back", function()
  start_versions()
  sh "rm game/main.lua"
  await "main.lua was deleted: its last code stays\n"
  save("main.lua", version(2))
  await "version 2\n"
  stop(0, { reloads = 1, refused_reloads = 0, reverted_reloads = 0 })
end)

-- }==

-- {== Trouble ====================================================================

test("a broken save is reported, and fixed by the next", function()
  start_versions()
  save("main.lua", "return { update = ")
  await("main.lua:1: unexpected symbol near <eof>",
    "warning: not reloaded: main.lua; still running the previous version\n")
  save("main.lua", version(3))
  await("reloaded main.lua in", "version 3\n")
  stop(0, { reloads = 1, refused_reloads = 1, reverted_reloads = 0 })
end)

test("a broken save that stays is an error", function()
  start_versions()
  save("main.lua", "return { update = ")
  await "not reloaded"
  stop(1)
end)

test("a file that is still rejected stays on the screen, and an error, after a good edit of another", function()
  local function lit(name) return player.picture(name).lit(0, 150, 320, 90, player.EMPTY) end
  local function edits(fixed)
    save("main.lua", "return { draw_below = require 'part' }")
    save("part.lua", "return function() end")
    return {
      [5] = function() save("main.lua", "return {") player.push "F5" end,
      [10] = function() save("part.lua", "return function() local x end") player.push "F5" end,
      [15] = fixed and function() save("main.lua", fixed) player.push "F5" end,
    }
  end
  local args <const> = "--frames 300 --size 320x240 --screenshot out.png" -- news of a reload are shown for 4 s
  run { args = args, at = edits(), out = false, err = false, status = 1 }
  player.expect(lit "/out.png" > 200, "nothing says that main.lua is still rejected")
  run { args = args, at = edits "return {}", out = false, err = false }
  spec.equal(lit "/out.png", 0)
end)

test("an endless loop is stopped and taken back", function()
  start_versions()
  save("main.lua", "return { update = function() while true do end end }")
  await("stopped: it ran for more than 2 s",
    "main.lua is reverted to the version before ", "until the next save\n")
  save("main.lua", version(3))
  await "version 3\n"
  stop(0, { reloads = 2, refused_reloads = 0, reverted_reloads = 1 })
end)

test("a first load that fails starts when it is mended", function()
  save("main.lua", "return { load = ")
  start()
  await "main.lua:1:"
  save("main.lua", "return { load = function(args) print('got', #args, args[2]) end }")
  await "got\t2\ttwo\n"
  stop(0, { reloads = 1, refused_reloads = 0, reverted_reloads = 0 })
end)

test("a module may be what is mended", function()
  save("parts.lua", "return { name = nil .. '' }")
  save("main.lua", "local parts = require 'parts' return { load = function() print('name', parts.name) end }")
  start()
  await "parts.lua:1:"
  save("parts.lua", "return { name = 'mended' }")
  await "name\tmended\n"
  stop(0)
end)

-- An error of code that is not new stops the game: nothing could be taken back. It goes on, and does not begin again.
test("a game that has stopped goes on when it is mended", function()
  save("main.lua", "n = 0 return { load = function() n = 7 end, update = function() error('in update') end }")
  start()
  await "main.lua:1: in update"
  save("main.lua", "return { load = function() n = 0 end, update = function() print('n', n) end }")
  await "n\t7\n"
  stop(0)
end)

test("a game that nobody mends ends with its frames", function()
  save("main.lua", "return { update = ")
  start(UNSEEN .. "--frames 10")
  player.await_end(1)
end)

test("where nothing is watched an error is the end", function()
  save("main.lua", "return { update = ")
  start(UNSEEN .. "--no-watch")
  player.await_end(1)
  player.expect_stats { frame = 0 }
end)

-- An edit that asks for too much memory is refused and has changed nothing; its undo and smaller edits go through.
test("an edit that asks for too much memory changes nothing", function()
  local function cube(settings)
    save("pools/Cube.lua", "return require('spawnpool').class('Cube', { " .. settings .. " })\n")
  end
  local usual <const> = "prealloc = 5, limit = 90, fields = { hp = 9, note = 'a' }"
  local greedy <const> = "prealloc = 4000000, grow = 7, idle_limit = 5000000, overflow = 'oldest', order = 'lifo', "
    .. "fields = { health = 9, note = require('spawnpool').fresh(function() return 'b' end) }"
  save("main.lua", [[-- Prints the state of all cubes whenever it has changed.
    local pools <const> = require('spawnpool').pools
    local shown
    local function value(o, name) return o[name] end
    local function state()
      local cubes <const> = pools:pool 'Cube'
      local line = ('cubes: %d live, %d idle, %d made, limit %s, idle_limit %s, grow %d, %s;'):format(cubes.live,
        cubes.idle, cubes:stats().created, cubes.limit, cubes.idle_limit, cubes.grow, cubes.overflow)
      for o in cubes:each() do
        local there, hp = pcall(value, o, 'hp')
        line = ('%s #%d %s %s %.1f'):format(line, o.id, there and hp or 'health ' .. o.health, o.note, o.x)
      end
      return line
    end
    return {
      load = function() for i = 1, 3 do pools:alloc('Cube', 0, 20 * i, 20).hp = i end end,
      update = function()
        local now <const> = state()
        if now ~= shown then print(now) end
        shown = now
      end,
    }]])
  cube(usual)
  start(UNSEEN .. "--memory 64")
  await "cubes: 3 live, 2 idle, 5 made, limit 90, idle_limit nil, grow 32, refuse; #1 1 a 20.0 #2 2 a 40.0"
  for _ = 1, 2 do
    cube(greedy)
    await("cannot change the pool of 'Cube': the allocator refused", "not reloaded: pools/Cube.lua")
    cube(usual) -- the undo
    await "Cube.lua" -- whatever it says of it
    spec.equal(count "cubes:", 1)
  end
  cube(greedy)
  await "not reloaded: pools/Cube.lua"
  cube "prealloc = 50, limit = 90, grow = 7, fields = { health = 8, note = 'c' }"
  await "cubes: 3 live, 47 idle, 50 made, limit 90, idle_limit nil, grow 7, refuse; #1 health 8 a 20.0 #2 health 8 a"
  cube(usual)
  await "cubes: 3 live, 47 idle, 50 made, limit 90, idle_limit nil, grow 32, refuse; #1 9 a 20.0 #2 9 a 40.0"
  stop(0, { refused_reloads = 3 })
  spec.equal(count "cubes:", 3)
end)

-- }==

-- {== Asking for it ==============================================================

local function ticking(name)
  return ("local n = 0 return { update = function() n = n + 1 if n %% 20 == 0 then print('%s ticks') end end }")
    :format(name)
end

-- A second, and the edit would have been seen long ago.
test("without watching only a signal reloads", function()
  save("main.lua", ticking "old")
  start(UNSEEN .. "--no-watch")
  await "old ticks\n"
  save("main.lua", ticking "new")
  await("old ticks\n", "old ticks\n", "old ticks\n")
  player.signal "USR1"
  await "new ticks\n"
  stop(0, { reloads = 1, refused_reloads = 0, reverted_reloads = 0 })
end)

test("a signal tries again what was refused", function()
  start_versions()
  save("main.lua", "error('not now')")
  await "not reloaded"
  player.signal "USR1"
  await "not reloaded"
  stop(1, { reloads = 0, refused_reloads = 2, reverted_reloads = 0 })
end)

test("statistics have the output to themselves", function()
  save("main.lua", "return { update = function() end }")
  run {
    sh = [[: >out && : >err && { spawnpool --headless --realtime --frames 3600 --stats - game >out 2>err & } && p=$! &&
      until grep -q frame out; do kill -0 $p || exit 3; sleep 0.02; done; echo 'return {}' >game/main.lua &&
      until grep -q reloaded err; do kill -0 $p || exit 3; sleep 0.02; done; kill -INT $p && wait $p &&
      ! grep -v '^{' out && cat out]],
    out = { '"reloads":1,"refused_reloads":0,"reverted_reloads":0,"reload":"reloaded main.lua in' },
  }
end)

test("a window with an error goes on when it is mended", function()
  save("main.lua", "return { draw = function(g) g:nothing() end }")
  start("--size 200x150", WINDOW)
  await "nothing"
  save("main.lua", version(2))
  await "version 2\n"
  stop(0)
end)

test("a reload may pause the game", function()
  start_versions("--size 200x150 --pause-on-reload", WINDOW)
  save("main.lua", [[local n = 0 return { update = function() print('update') end,
    draw = function() n = n + 1 if n == 20 then print('drawn') end end }]])
  await("reloaded main.lua", "drawn\n")
  stop(0)
  spec.equal(count "\nupdate\n", 0)
end)

-- The game edits itself before the first frame, in which the key is taken.
test("the reload key reloads at once", function()
  save("main.lua", [[return { load = function() local f = assert(io.open('game/main.lua', 'w'))
    f:write "return { update = function() print 'new' end }" f:close() end }]])
  run { args = "--frames 1 --trust --no-watch", events = "+F5", out = { "new\n" }, err = false }
end)

-- }==

-- {== Another folder =============================================================

-- The second wall of the sandbox stands in front of a folder that was not there when the game began.
test("a folder that is replaced is told, and comes back", function()
  if not player.can("! spawnpool --version | grep 'sandbox:.* no '", "no Landlock or no seccomp here") then return end
  save("main.lua", "print 'first' return {}")
  start(UNSEEN .. "--frames 100000")
  await "first\n"
  sh "mv game before && mkdir game && echo \"print 'second' return {}\" >game/main.lua"
  await "is another folder now, which the sandbox may not read: put the first one back, or start again"
  sh "rm -r game && mv before game"
  save("main.lua", "print 'third' return {}")
  await "third\n"
  stop(0)
  spec.equal(count "second\n", 0)
end)

-- }==
