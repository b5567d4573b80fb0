-- The file watcher: its reports for all the ways in which editors, tools and users change files, folders and links; and
-- its limits. Real files, and a clock that only the test moves. A script does it, its commands separated by ";";
-- names are relative to the folder of the test.
--
--   put NAME TEXT     write a file, and the folders that it needs
--   save NAME TEXT    the same, at a later tick of the file system's clock
--   open NAME, more TEXT, close     write a file in steps
--   rm NAME, rmdir NAME, mv FROM TO, ln TARGET NAME
--   time NAME SECONDS set both times of the file, in seconds since 1970
--   start [FOLDER [HOLDER]]     open the watch on the folder of the test, or on one in it; files must lie in HOLDER,
--                     "*": anywhere
--   SECONDS = CHANGES let time pass, then compare all that was reported since the last comparison: changes of a batch
--                     are separated by " | ", batches by " || "; "~" changed, "+" new, "-" gone
--   poll SECONDS COUNT, hurry COUNT     one poll, later, or now without the wait for files to settle: so many changes
local spec <const> = require "spec"
local games <const> = require "games"
local watching <const> = require "watching"

local WINDOWS <const> = package.config:sub(1, 1) == "\\"
local FRAME <const> = 1 / 60

-- What is wrong, as the scripts name it.
local PROBLEMS <const> = {
  LOOP = "it is a link that leads to itself; fix or remove it",
  OUT = "it is a link that leads out of the game's folder, and is not followed",
  OUTSIDE = "it is outside the game's folder; move it in, or trust the game",
  DEVICE = "it is a device, not a file; replace or remove it",
  DEEP = "it lies more than 16 folders deep, and is not watched",
  FULL = "there are more than 20000 files and folders here, and the rest is not watched; give the game a folder of " ..
    "its own",
}

local g, now, told, written

-- One poll, some seconds later; how many changes, and whether more are pending.
local function poll(seconds, hurry)
  now = now + seconds
  local changes <const>, pending <const> = watching.poll(now, hurry)
  if #changes > 0 then told[#told + 1] = table.concat(changes, " | ") end
  return #changes, pending
end

-- Lets time pass in frames, then compares all that was reported since the last call.
local function expect(seconds, changes)
  local ends <const> = now + seconds
  while now < ends do poll(FRAME) end
  spec.equal(table.concat(told, " || "), (changes:gsub("%f[%u]%u+%f[%]]", PROBLEMS)), "what is told")
  told = {}
end

local function start(folder, holder)
  local root <const> = g:path(folder or ""):gsub("/$", "")
  spec.equal(watching.open(root, holder ~= "*" and (holder and g:path(holder) or root) or nil), true)
  poll(0)
end

local COMMANDS <const> = {
  put = function(name, text) g:write(name, text) end,
  save = function(name, text) watching.save(g:path(name), text) end,
  open = function(name) written = io.open(g:path(name), "wb") end,
  more = function(text) written:write(text):flush() end,
  close = function() written:close() end,
  rm = function(name) assert(os.remove(g:path(name))) end,
  rmdir = function(name) spec.remove(g:path(name)) end,
  mv = function(from, to)
    if WINDOWS then os.remove(g:path(to)) end
    assert(os.rename(g:path(from), g:path(to)))
  end,
  ln = function(target, name) spec.link(target, g:path(name)) end,
  time = function(name, seconds) spec.equal(watching.set_time(g:path(name), seconds // 1), true) end,
  start = function(folder, holder) start(folder, holder ~= "" and holder or nil) end,
  poll = function(seconds, count) spec.equal(poll(seconds), count // 1) end,
  hurry = function(count) spec.equal(poll(0, true), count // 1) end,
}

local function play(script)
  for line in script:gmatch "%s*([^;]+)" do
    local seconds <const>, changes <const> = line:match "^([%d.]+) = ?(.*)$"
    if seconds then
      expect(tonumber(seconds), changes)
    else
      local command <const>, name <const>, rest <const> = line:match "^(%l+) ?(%S*) ?(.*)$"
      COMMANDS[command](name, rest)
    end
  end
end

local function begin()
  g, now, told = games.make { nil }, 0, {}
  watching.refuse(0)
end

-- A script, or a function. Windows has links for few users.
local function test(name, script)
  if WINDOWS and (type(script) == "function" or script:find "ln ") then return end
  spec.test(name, function()
    begin()
    if type(script) == "function" then script() else play(script) end
    spec.equal(watching.close(), true, "memory is given back")
  end, 2)
end

-- {== Saves ===================================================================

local ONE <const> = "put a.lua one; time a.lua 1000000000"
local OLD <const> = ONE .. "; put old two; time old 500000000"
local LIBRARY <const> = "put lib/one one; put lib/two two; ln lib/one a.lua; ln lib/two next"

-- How "two" may come into a.lua, where "one" was: that is one change, and told once.
for name, row in pairs {
  ["in place"] = { ONE, "save a.lua two" },
  ["in place, and an older time"] = { ONE, "save a.lua two; time a.lua 500000000" },
  ["emptied first"] = { ONE, "open a.lua; 0.15 =; more two; close" },
  ["in parts"] = { ONE, "open a.lua; 0.02 =; more t; 0.03 =; more w; 0.03 =; more o; close" },
  ["longer first"] = { ONE, "save a.lua longer; 0.03 =; save a.lua two" },
  ["by a rename"] = { ONE, "save a.lua.tmp two; 0.3 =; mv a.lua.tmp a.lua" },
  ["by renames, with a backup"] = { ONE, "mv a.lua a.lua~; 0.02 =; save a.lua two; rm a.lua~" },
  ["by deleting it first"] = { ONE, "rm a.lua; 0.03 =; save a.lua two" },
  ["by an older file"] = { OLD, "mv old a.lua" },
  ["in what it links to"] = { LIBRARY, "save lib/one two" },
  ["as a link to another file"] = { LIBRARY, "mv next a.lua" },
  ["as a link instead of a file"] = { ONE .. "; put lib/two two", "rm a.lua; ln lib/two a.lua" },
} do
  test("a save is told once: " .. name, row[1] .. "; start; " .. row[2] .. "; 1 = ~ a.lua [two]; 5 =")
end

-- }==

-- {== Changes =================================================================

for _, row in ipairs {
  { "what is there at first is not reported",
    "put main.lua return {}; put pools/Bullet.lua one; start; 5 =" },
  { "new times, and the same text again, are nothing",
    "put a.lua one; start; time a.lua 1000000000; 2 =; time a.lua 2000000000; 2 =; save a.lua one; 2 =" },
  { "a deleted file is reported once, and is new when it comes back",
    "put a.lua one; start; rm a.lua; 5 = - a.lua; save a.lua one; 1 = + a.lua [one]" },
  { "an empty file is reported when it stays empty",
    "put a.lua one; start; save a.lua; save b.lua; 0.18 =; 1 = ~ a.lua [] | + b.lua []; save a.lua one; " ..
    "1 = ~ a.lua [one]" },
  { "a pause between polls does not make a file settle",
    "put a.lua one; start; open a.lua; poll 0.1 0; more half; poll 60 0; more way; close; 1 = ~ a.lua [halfway]" },
  { "a poll in a hurry reports at once, and only once",
    "put a.lua one; put b.lua one; start; save a.lua other; put new/deep/c.lua; rm b.lua; hurry 3; " ..
    "5 = ~ a.lua [other] | - b.lua | + new/deep/c.lua []; hurry 0" },
  { "a save waits until it is still",
    "put a.lua one; start; save a.lua longer; 0.04 =; 0.03 = ~ a.lua [longer]" },
  { "files saved one after the other are one batch, by path",
    "put a.lua master; put b/c.lua master; put b/d.lua master; put e.lua master; start; rm a.lua; 0.02 =; " ..
    "put a.lua branch; 0.02 =; rm b/c.lua; 0.02 =; put b/c.lua branch; 0.02 =; rm b/d.lua; 0.02 =; " ..
    "put b/d.lua master; 0.02 =; rm e.lua; 0.02 =; put e.lua branch; " ..
    "1 = ~ a.lua [branch] | ~ b/c.lua [branch] | ~ e.lua [branch]" },
  { "a new folder with a file in it is watched at once",
    "start; put pools/more/A.lua new; put pools/B.lua new; 0.1 = + pools/B.lua [new] | + pools/more/A.lua [new]" },
  { "a file that is made right after the folder was listed is found",
    "start; put pools/A.lua new; poll 0.02 0; put pools/B.lua new; 1 = + pools/A.lua [new] | + pools/B.lua [new]" },
  { "a deleted folder is the end of each of its files",
    "put pools/A.lua one; put pools/more/B.lua one; put main.lua one; start; 5 =; rmdir pools; " ..
    "2 = - pools/A.lua | - pools/more/B.lua; put pools/A.lua one; 2 = + pools/A.lua [one]" },
  { "a folder in the place of another is compared with it",
    "put pools/A.lua one; put pools/B.lua one; put other/A.lua one; put other/B.lua other; put other/C.lua other; " ..
    "start; mv pools .old; mv other pools; " ..
    "1 = - other/A.lua | - other/B.lua | - other/C.lua | ~ pools/B.lua [other] | + pools/C.lua [other]" },
  { "the root may be missing, go and come back",
    "start game; 1 =; put game/main.lua one; 1 = + main.lua [one]; rmdir game; 1 = - main.lua; " ..
    "put game/main.lua one; 1 = + main.lua [one]" },
  { "a root that becomes a link out of the game is not listed",
    "put game/sprites/a.lua one; put other/b.lua one; start game/sprites game; 1 =; mv game/sprites game/before; " ..
    "ln ../other game/sprites; 3 = + . [OUT] | - a.lua; rm game/sprites; ln before game/sprites; 3 = + a.lua [one]" },
  { "a linked root is followed, also to another place",
    "put one/a.lua one; put two/a.lua two; put two/b.lua two; ln one game; ln two next; start game; " ..
    "save one/a.lua another; 1 = ~ a.lua [another]; mv next game; 1 = ~ a.lua [two] | + b.lua [two]" },
  { "files that editors leave behind are not reported",
    "start; put a.lua~ x; put .a.lua.swp x; put .#a.lua x; put #a.lua# x; put x.swp/a.lua x; put a.lua.swp x; " ..
    "put a.txt x; put .lua x; put .git/a.lua x; put b~/a.lua x; put 4913/a.lua x; put a.luac x; 5 =" },
  { "folders are watched sixteen deep",
    "put d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x.lua one; put d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x.lua one; start; " ..
    "5 = + d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d [DEEP]" },
  { "links to folders are not followed, and those that lead out are reported once",
    "put game/a.lua one; put game/real/b.lua one; put lib/c.lua one; ln ../lib game/lib; ln real game/inner; " ..
    "ln . game/self; ln .. game/real/up; ln / game/real/root; start game; 5 = + lib [OUT] | + real/root [OUT]; " ..
    "save lib/c.lua other; save game/inner/b.lua other; put lib/d.lua new; 5 = ~ real/b.lua [other]; rm game/lib; " ..
    "put game/lib/d.lua new; 5 = + lib/d.lua [new]" },
  { "a folder may become a link that leads out, and a folder again",
    "put game/a.lua one; put game/sub/deep/b.lua one; start game; mv game/sub away; ln ../away game/sub; " ..
    "put away/deep/c.lua new; put away/more/d.lua new; 8 = + sub [OUT] || ~ sub/deep/b.lua [OUTSIDE]; " ..
    "rm game/sub; mv away game/sub; 8 = + sub/deep/c.lua [new] | + sub/more/d.lua [new] || ~ sub/deep/b.lua [one]" },
  { "a link that leads to itself is a problem, which is reported once",
    "put a.lua one; start; rm a.lua; ln a.lua a.lua; ln b.lua b.lua; 10 = ~ a.lua [LOOP] | + b.lua [LOOP]; " ..
    "rm a.lua; put a.lua one; 1 = ~ a.lua [one]; rm b.lua; 1 = - b.lua" },
  { "outside a sandbox links lead anywhere but not to devices",
    "put game/a.lua one; put b two; start game *; ln ../b game/out.lua; ln /dev/zero game/device.lua; " ..
    "5 = + device.lua [DEVICE] | + out.lua [two]" },
} do
  test(row[1], row[2])
end

-- }==

-- {== Limits ==================================================================

test("a second save that the times do not show is told", function()
  play "put a.lua one; time a.lua 1000000000; start"
  watching.scribble(g:path "a.lua", "two")
  expect(1, "~ a.lua [two]")
  watching.scribble(g:path "a.lua", "six")
  expect(3, "~ a.lua [six]")
end)

test("a file that changes while it is read is told once with its last text", function()
  play "put a.lua one; start"
  for _, text in ipairs { "two", "", "longer than it was" } do
    play "save a.lua half"
    watching.meddle(g:path "a.lua", text)
    expect(3, ("~ a.lua [%s]"):format(text))
  end
end)

test("a change of any byte is told", function()
  local text <const> = ("x"):rep(61)
  g:write("a.lua", text)
  start()
  for i = 1, #text do
    g:write("a.lua", text:sub(1, i - 1) .. "y" .. text:sub(i + 1))
    spec.equal(poll(FRAME, true), 1)
  end
end)

test("a file that is never still is told after a second", function()
  play "put noise.lua; put quiet.lua one; start; save quiet.lua other; open noise.lua"
  while now < 3 and #told == 0 do
    play "more x"
    poll(0.03)
  end
  play "close"
  spec.equal(now >= 1 and now <= 1.2, true)
  spec.contains(told[1], "~ noise.lua [xxx", "~ quiet.lua [other]")
end)

local function name_of(i) return ("f%02d/file%04d.lua"):format(i * 7 % 3, i) end

local function start_with(files)
  for i = 0, files - 1 do g:write(name_of(i), "one") end
  start()
end

-- Settled is what has been still for 40 ms: of few files an edit is told within a frame of that. The files, the seconds
-- of a frame, and of the longest wait.
for _, row in ipairs { { 200, FRAME, 0.040 + FRAME }, { 1000, 1 / 1000, 0.005 + 16 / 60 } } do
  local files <const>, frame <const>, most <const> = table.unpack(row)
  test(("an edit among %d files is told soon, in frames of %.4f s"):format(files, frame), function()
    start_with(files)
    for i = 0, 9 do
      local text <const> = ("%d at %g"):format(i, frame)
      told = {}
      for _ = 1, i do spec.equal((poll(frame)), 0) end
      g:write(name_of(i * 83 % files), text)
      watching.pass_date()
      local began <const> = now
      while now < began + 2 and poll(frame) == 0 do end
      spec.equal(now - began <= most, true)
      spec.contains(told[1], text)
    end
  end)
end

-- They were still for long when the first poll saw some of them.
test("hundreds of changed files are told in one batch", function()
  local count, batches = 0, 0
  start_with(1500)
  expect(1, "")
  for i = 0, 1499, 2 do g:write(name_of(i), "other") end
  watching.pass_date()
  for _ = 1, 60 do
    local changes <const> = poll(FRAME)
    count, batches = count + changes, batches + (changes > 0 and 1 or 0)
  end
  spec.equal({ count, batches }, { 750, 1 })
end)

test("a folder without end is watched up to a limit", function()
  g:write("a/main.lua", "one")
  os.execute(("cd '%s' && mkdir b && touch $(seq -f b/%%g.lua 200) && for i in $(seq 100); do cp -al b b$i; done")
    :format(g:path ""))
  start()
  expect(1, "+ . [FULL]")
  g:write("a/main.lua", "other")
  expect(10, "~ a/main.lua [other]")
end)

test("a watch that is refused memory is not open", function()
  local calls = 0
  for i = 0, 59 do g:write(name_of(i), "one") end
  repeat
    calls = calls + 1
    watching.refuse(calls)
  until watching.open(g:path "")
  spec.equal(calls > 100, true)
end)

-- Edits of each kind, with any one call refused.
test("refused memory in a poll loses nothing", function()
  local refusals = 0
  repeat
    begin()
    play "put a.lua one; put b.lua one; start"
    refusals = refusals + 1
    watching.refuse(refusals)
    play "put a.lua other; rm b.lua; put new/c.lua new; ln loop.lua loop.lua"
    for _ = 1, 300 do poll(FRAME) end
    local reports <const> = table.concat(told, " | ") .. " |"
    for _, it in ipairs { "~ a.lua [other]", "- b.lua", "+ new/c.lua [new]", "+ loop.lua [it is a link" } do
      local _, count <const> = reports:gsub(it:gsub("%p", "%%%0"), "")
      spec.equal(count, 1, ("call %d, %s in %s"):format(refusals, it, reports))
    end
    local refused <const> = watching.refuse(0)
    spec.equal(watching.close(), true)
  until not refused
  spec.equal(refusals > 5, true)
end)

-- }==
