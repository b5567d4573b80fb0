-- Every game in scripts/ is played while it is edited and while its hooks fail: a copy of its folder, frames back to
-- back as the player makes them, keys and clicks at random. Every trouble says beforehand what may be reported;
-- anything else fails the test. In the suites that is 15 seconds of game time each; `make soak-games` makes it an
-- hour, and then memory must be flat too (SP_SOAK_FRAMES, SP_SOAK_SEED, SP_SOAK_GAME).
local recorded <const> = require "recorded"

local FRAMES <const>, FRAMES_OF_MANY <const>, TROUBLE_EACH <const> = 900, 600, 75
local LOOKS <const> = 20 -- at counts and memory, in a run
local FLAT_FROM <const> = 18000 -- frames: in less a game has not seen all that it has
local LUA_SLACK <const> = 32768 -- bytes that may come and go with what is alive
local PROCESS_SLACK <const> = 6.0e6 -- and what malloc keeps
local PATIENCE <const> = 60 -- seconds: slow tools
local BRIEF <const> = 0.02 -- seconds, for a loop that never ends
local SETTLED <const> = 121 -- frames after which new code counts as good
local HOOK_FRAMES <const> = 60 -- in which a hook fails whenever it is called
local KEY_EACH <const> = 20 -- frames
local PAUSE_MOST <const> = 1200 -- frames for which a game may pause itself

-- Parts of the frames for games of many objects, and a word for one to have fewer.
local SHARES <const>, ARGUMENTS <const> = { fireworks = 10, survivors = 4 }, { survivors = "60" }

local s -- the play: its keys and files, and what happened

-- {== What is told ===============================================================

-- What came of an edit, beside the error itself.
local function is_outcome(text)
  return text:find "^not reloaded: " or text:find("to the version before", 1, true)
end

-- A type without a class is made all the same: that warning is meant.
local function is_meant(kind, text)
  if kind == "warning" then return text:find "^unknown type " or s.expected and is_outcome(text) end
  return kind ~= "error" or s.expected and text:find(s.expected, 1, true)
end

host.heard = function(kind, text)
  if not is_meant(kind, text) then
    s.surprise = s.surprise or ("frame %d, trouble %d: not expected (but '%s'): %s"):format(s.frames, s.troubles,
      s.expected or "nothing", text)
  end
  if kind == "error" then s.errors = s.errors + 1 end
end

-- }==

-- {== Frames =====================================================================

local function press_something()
  local x <const>, y <const>, key <const> = math.random(0, 799), math.random(0, 449), s.keys[math.random(#s.keys + 2)]
  push(("move:%d,%d"):format(x, y))
  push(key or ("click:%d,%d"):format(x, y))
end

local function is_paused() return ask "return require('spawnpool').pools.paused" end

-- The hands rest for five seconds of twenty, in which a game may play by itself. True when the game is stopped then.
local function play()
  if s.frames % KEY_EACH == 0 and s.frames % 1200 < 900 then press_something() end
  local _, _, stopped <const> = host.frame()
  if not stopped and not is_paused() then s.ticks = s.ticks + 1 end
  s.frames = s.frames + 1
  expect(not s.surprise, "%s", s.surprise)
  return stopped
end

local function frame() expect(not play(), "the game has stopped") end

-- }==

-- {== Troubles ===================================================================

local function save(file, text) player.save(file.path, text) end

local function expect_poll(file, want) equal(host.poll "now", want, ("frame %d, %s"):format(s.frames, file.path)) end

-- The text is another one each time, and so is every function in it.
local function edit(file)
  save(file, ("local edited <const> = %d do local _ = edited end "):format(s.edits) .. file.text)
  expect_poll(file, "reloaded")
  s.edits = s.edits + 1
end

local function edit_badly(file, before, expected)
  save(file, "local edited <const> = 0\n" .. file.text) -- the good version is known to be in force
  expect_poll(file, "reloaded")
  s.expected = expected
  save(file, before .. file.text)
  expect_poll(file, "refused")
  s.expected = nil
  for _ = 1, 5 do frame() end
  save(file, file.text)
  expect_poll(file, "reloaded")
  s.edits, s.refused = s.edits + 2, s.refused + 1
end

-- New code that fails in the next frame: the file's class, whatever the file calls it, gets an update that fails. The
-- version before is back.
local function edit_fatally(file)
  for _ = 1, SETTLED do frame() end
  local code <const>, class <const> = file.text:match "^(.*\n)return (.*)$"
  save(file, ("%s\nlocal soaked <const> = %sfunction soaked:update() error 'soak: late' end\nreturn soaked\n")
    :format(code, class))
  expect_poll(file, "reloaded")
  s.expected = "soak: late"
  local played = 0
  repeat
    expect(not play(), "the game has stopped")
    played = played + 1
  until not is_paused() or played == PAUSE_MOST
  expect_poll(file, "reverted")
  save(file, file.text)
  host.poll "now"
  s.expected = nil
  s.edits, s.reverted = s.edits + 1, s.reverted + 1
end

local function fail_in_hook(type, hook)
  s.expected = "soak: hook"
  expect(host.eval(([[local c = spawnpool.class '%s'
    for name, f in pairs(c) do if name == '%s' then soak_was = f end end
    c.%s = function() error 'soak: hook' end]]):format(type, hook, hook)))
  local errors <const> = s.errors
  for _ = 1, HOOK_FRAMES do
    play()
    s.stops = s.stops + (host.resume() and 1 or 0)
  end
  expect(host.eval(("spawnpool.class('%s').%s = soak_was soak_was = nil"):format(type, hook)))
  play()
  s.expected = nil
  s.hook_faults = s.hook_faults + (s.errors > errors and 1 or 0)
end

local function type_what_never_ends()
  host.budget(BRIEF)
  s.expected = "stopped: "
  expect(not host.eval "while true do end")
  host.budget(PATIENCE)
  s.expected = "not enough memory"
  expect(not host.eval "return #('x'):rep((1 << 31) - 1)")
  s.expected = nil
end

local HAS_POOL <const> = "return require('spawnpool').pools:stats('%s').created > 0"

-- A class file whose type has a pool, from a random one on; or nil.
local function class_file()
  local first <const> = math.random(#s.files)
  for i = 0, #s.files - 1 do
    local file <const> = s.files[(first + i) % #s.files + 1]
    if file.type and ask(HAS_POOL:format(file.type)) then return file end
  end
end

local HOOKS <const> = { "on_despawn", "on_spawn", "update", "recycle", "alloc", "on_create" }

local TROUBLES <const> = {
  edit,
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

local function resident()
  local file <close> = io.open "/proc/self/status"
  return file and tonumber(file:read "a":match "VmRSS:%s*(%d+)") * 1024 or 0
end

-- What is held after a full collection, in bytes.
local function measure()
  local lua <const>, pools <const> = host.measure()
  return { lua = lua, pools = pools, process = resident() }
end

local function most_of(looks, first, last)
  local most <const> = { lua = 0, pools = 0, process = 0 }
  for i = first, last do
    for name, bytes in pairs(looks[i]) do most[name] = math.max(most[name], bytes) end
  end
  return most
end

local function tell(name, looks, seconds)
  local before <const>, after <const> = most_of(looks, 1, LOOKS // 2), most_of(looks, LOOKS // 2 + 1, LOOKS)
  print(("%-16s %7d frames %6.1f s  %d allocs"):format(name, s.frames, seconds, select(3, host.measure())))
  for _, what in ipairs { "edits", "refused", "reverted", "hook_faults", "stops", "errors" } do
    print(("%-16s %s %d"):format("", what, s[what]))
  end
  for _, what in ipairs { "lua", "pools", "process" } do
    print(("%-16s %s %d, %d KiB"):format("", what, before[what] // 1024, after[what] // 1024))
  end
end

-- What the second half of a run holds at most, against the first half.
local function expect_flat(looks)
  local before <const>, after <const> = most_of(looks, 1, LOOKS // 2), most_of(looks, LOOKS // 2 + 1, LOOKS)
  local slack <const> = { lua = LUA_SLACK, pools = before.pools / 10, process = PROCESS_SLACK }
  for what, bytes in pairs(before) do
    expect(after[what] <= bytes + slack[what], "%s has grown: %d, %d", what, bytes, after[what])
  end
end

-- }==

local function open(it)
  local seed <const> = tonumber(os.getenv "SP_SOAK_SEED") or 1
  math.randomseed(seed)
  s = { keys = {}, files = {}, frames = 0, ticks = 0, troubles = 0, edits = 0, refused = 0, reverted = 0,
    hook_faults = 0, errors = 0, stops = 0 }
  for key in it.keys:gmatch "%S+" do s.keys[#s.keys + 1] = key end
  sh(('cp -R "$SP_ROOT/scripts/%s/." game'):format(it.name))
  for path in sh("cd game && find * -name '*.lua' | LC_ALL=C sort"):gmatch "[^\n]+" do
    s.files[#s.files + 1] = { path = path, text = read(path), type = path:match "pools/([^.]+)" }
  end
  expect(host.open({ "spawnpool", "--headless", "--no-watch", "--seed=" .. seed, player.path "", "--",
    ARGUMENTS[it.name] or it.argument },
    player.path "/", { patience = PATIENCE }))
end

-- Frames of the run: fewer with slow tools, and where each is much work; trouble comes more often then.
local function usual_frames(share) return (share > 1 and FRAMES_OF_MANY or FRAMES) // (host.tool ~= "" and 5 or 1) end

for _, it in ipairs(recorded.games) do
  test(it.name .. " is played on through edits and faults", function()
    local chosen <const>, share <const> = os.getenv "SP_SOAK_GAME", SHARES[it.name] or it.share or 1
    if chosen and chosen ~= "" and chosen ~= it.name then return end
    local frames <const> = (tonumber(os.getenv "SP_SOAK_FRAMES") or usual_frames(share)) // share
    local each <const> = math.min(TROUBLE_EACH // share, frames // 12 + 1) -- each kind at least once
    local looks <const>, start <const> = {}, os.clock()
    open(it)
    for look = 1, LOOKS do
      while s.frames < frames * look // LOOKS do
        frame()
        if s.frames // each > s.troubles then trouble() end
      end
      check()
      if frames >= FLAT_FROM then looks[look] = measure() end
    end
    if frames >= FLAT_FROM then
      tell(it.name, looks, os.clock() - start)
      expect_flat(looks)
    end
    expect(not select(3, host.frame()), "the game has stopped")
  end)
end
