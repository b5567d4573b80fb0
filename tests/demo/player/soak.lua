-- Every game in scripts/ is played while it is edited and while its hooks fail: a copy of its folder, frames back to
-- back as the player makes them, keys and clicks at random. Every trouble says beforehand what may be reported;
-- anything else fails the test. In the suites that is 15 seconds of game time each; `make soak-games` makes it an
-- hour, and then memory must be flat too (SP_SOAK_FRAMES, SP_SOAK_SEED, SP_SOAK_GAME).
local recorded <const> = require "recorded"

local FRAMES <const>, TROUBLE_EACH <const> = 900, 75
local LOOKS <const> = 20 -- at counts and memory, in a run
local FLAT_FROM <const> = 18000 -- frames: in less a game has not seen all that it has
local PATIENCE <const> = 60 -- seconds: slow tools
local SETTLED <const> = 121 -- frames after which new code counts as good
local HOOK_FRAMES <const> = 60 -- in which a hook fails whenever it is called
local PAUSE_MOST <const> = 1200 -- frames for which a game may pause itself

-- Parts of the frames for games of many objects, and a word for one to have fewer.
local SHARES <const>, ARGUMENTS <const> = { fireworks = 15, survivors = 6 }, { survivors = "60" }

local s -- the play: its keys and files, what may be reported, and what happened

-- {== Reports and frames =========================================================

-- A type without a class is made all the same: that warning is meant.
local function is_meant(kind, text)
  local is_outcome <const> = text:find "^not reloaded: " or text:find("to the version before", 1, true)
  if kind == "warning" then return text:find "^unknown type " or s.expected and is_outcome end
  return kind ~= "error" or s.expected and text:find(s.expected, 1, true)
end

host.heard = function(kind, text)
  if not is_meant(kind, text) then
    s.surprise = s.surprise or ("frame %d, trouble %d: not expected (but '%s'): %s"):format(s.frames, s.troubles,
      s.expected or "nothing", text)
  end
end

local function press_something()
  local x <const>, y <const>, key <const> = math.random(0, 799), math.random(0, 449), s.keys[math.random(#s.keys + 2)]
  push(("move:%d,%d"):format(x, y))
  push(key or ("click:%d,%d"):format(x, y))
end

local function is_paused() return ask "return require('spawnpool').pools.paused" end

-- The hands rest for five seconds of twenty, in which a game may play by itself. True when the game is stopped then.
local function play()
  if s.frames % 20 == 0 and s.frames % 1200 < 900 then press_something() end
  local _, _, stopped <const> = host.frame()
  if stopped then
    s.ticks = host.check() -- the frame may have failed before its tick, or behind it
  elseif not is_paused() then
    s.ticks = s.ticks + 1
  end
  s.frames = s.frames + 1
  expect(not s.surprise, "%s", s.surprise)
  return stopped
end

local function play_on(count)
  for _ = 1, count do expect(not play(), "the game has stopped") end
end

-- }==

-- {== Troubles ===================================================================

-- Saves a file, of which `outcome` must come.
local function edit(file, text, outcome)
  player.save(file.path, text)
  equal(host.poll "now", outcome, ("frame %d, %s"):format(s.frames, file.path))
end

-- The text is another one each time, and so is every function in it.
local function edit_well(file)
  edit(file, ("local edited <const> = %d do local _ = edited end "):format(s.frames) .. file.text, "reloaded")
end

local function edit_badly(file, before, expected)
  edit(file, "local edited <const> = 0\n" .. file.text, "reloaded") -- the good version is known to be in force
  s.expected = expected
  edit(file, before .. file.text, "refused")
  s.expected = nil
  play_on(5)
  edit(file, file.text, "reloaded")
end

-- New code that fails in the next frame: the file's class, whatever the file calls it, gets an update that fails. The
-- version before is back.
local function edit_fatally(file)
  play_on(SETTLED)
  local code <const>, class <const> = file.text:match "^(.*\n)return (.*)$"
  edit(file, ("%s\nlocal soaked <const> = %sfunction soaked:update() error 'soak: late' end\nreturn soaked\n")
    :format(code, class), "reloaded")
  s.expected = "soak: late"
  local played = 0
  repeat
    play_on(1)
    played = played + 1
  until not is_paused() or played == PAUSE_MOST
  equal(host.poll "now", "reverted", file.path)
  player.save(file.path, file.text)
  host.poll "now"
  s.expected = nil
end

local function fail_in_hook(type, hook)
  s.expected = "soak: hook"
  expect(host.eval(([[local c = spawnpool.class '%s'
    for name, f in pairs(c) do if name == '%s' then soak_was = f end end
    c.%s = function() error 'soak: hook' end]]):format(type, hook, hook)))
  for _ = 1, HOOK_FRAMES do
    play()
    host.resume()
  end
  expect(host.eval(("spawnpool.class('%s').%s = soak_was soak_was = nil"):format(type, hook)))
  play()
  s.expected = nil
end

local function type_what_never_ends()
  host.budget(0.02)
  s.expected = "stopped: "
  expect(not host.eval "while true do end")
  host.budget(PATIENCE)
  s.expected = "not enough memory"
  expect(not host.eval "return #('x'):rep((1 << 31) - 1)")
  s.expected = nil
end

-- A class file whose type has a pool, from a random one on; or nil.
local function class_file()
  local first <const> = math.random(#s.files)
  for i = 0, #s.files - 1 do
    local file <const> = s.files[(first + i) % #s.files + 1]
    if file.type and ask(("return require('spawnpool').pools:stats('%s').created > 0"):format(file.type)) then
      return file
    end
  end
end

local HOOKS <const> = { "on_despawn", "on_spawn", "update", "recycle", "alloc", "on_create" }

local TROUBLES <const> = {
  edit_well,
  function(file) edit_badly(file, "local broken <const> =\n", "near") end,
  function(file) edit_badly(file, "error 'soak: refused' ", "soak: refused") end,
  function(_, class) if class then edit_fatally(class) end end,
  function(_, class) if class then fail_in_hook(class.type, HOOKS[math.random(#HOOKS)]) end end,
  type_what_never_ends,
}

-- One trouble, each kind in turn; the game plays on within it, and all is well again at the end.
local function trouble()
  local kind <const>, turn <const> = s.troubles % #TROUBLES, s.troubles // #TROUBLES
  s.troubles = s.troubles + 1
  TROUBLES[kind + 1](s.files[turn % #s.files + 1], class_file())
end

-- }==

-- {== Looking ====================================================================

-- Counts against each other and against walks; and time against the ticks that were made.
local function check()
  local ticks <const>, step <const> = host.check()
  equal(ticks, s.ticks)
  equal(ask "return require('spawnpool').pools.time", s.ticks * step)
end

-- Raises the most that each half of a run has held after full collections, in bytes; the process, as malloc keeps some.
local function measure(most)
  local status <close> = io.open "/proc/self/status"
  local process <const> = status and tonumber(status:read "a":match "VmRSS:%s*(%d+)") * 1024 or 0
  local lua <const>, pools <const> = host.measure()
  for what, bytes in pairs { lua = lua, pools = pools, process = process } do
    most[what] = math.max(most[what] or 0, bytes)
  end
end

local function expect_flat(name, first, second)
  local slack <const> = { lua = 32768, pools = first.pools / 10, process = 6.0e6 }
  for what, bytes in pairs(first) do
    print(("%-16s %7d frames  %s: %d, %d KiB"):format(name, s.frames, what, bytes // 1024, second[what] // 1024))
    expect(second[what] <= bytes + slack[what], "%s has grown: %d, %d", what, bytes, second[what])
  end
end

-- }==

local function open(it)
  local seed <const> = tonumber(os.getenv "SP_SOAK_SEED") or 1
  math.randomseed(seed)
  s = { keys = {}, files = {}, frames = 0, ticks = 0, troubles = 0 }
  for key in it.keys:gmatch "%S+" do s.keys[#s.keys + 1] = key end
  sh(('cp -R "$SP_ROOT/scripts/%s/." game'):format(it.name))
  for file in sh("cd game && find * -name '*.lua' | LC_ALL=C sort"):gmatch "[^\n]+" do
    s.files[#s.files + 1] = { path = file, text = read(file), type = file:match "pools/([^.]+)" }
  end
  expect(host.open({ "spawnpool", "--headless", "--no-watch", "--seed=" .. seed, path "", "--",
    ARGUMENTS[it.name] or it.argument }, path "/", { patience = PATIENCE }))
end

for _, it in ipairs(recorded.games) do
  test(it.name .. " is played on through edits and faults", function()
    local chosen <const>, share <const> = os.getenv "SP_SOAK_GAME", SHARES[it.name] or it.share or 1
    if chosen and chosen ~= "" and chosen ~= it.name then return end
    local usual <const> = FRAMES // (host.tool ~= "" and 5 or 1) -- fewer with slow tools
    local frames <const> = (tonumber(os.getenv "SP_SOAK_FRAMES") or usual) // share
    local each <const> = math.min(TROUBLE_EACH // share, frames // 12 + 1) -- each kind at least once
    local halves <const> = { {}, {} }
    open(it)
    for look = 1, LOOKS do
      while s.frames < frames * look // LOOKS do
        play_on(1)
        if s.frames // each > s.troubles then trouble() end
      end
      check()
      if frames >= FLAT_FROM then measure(halves[look * 2 > LOOKS and 2 or 1]) end
    end
    if frames >= FLAT_FROM then expect_flat(it.name, halves[1], halves[2]) end
    expect(not select(3, host.frame()), "the game has stopped")
  end)
end
