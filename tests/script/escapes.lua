-- The sandbox: ways out of it, one row for each rule. A row that gets out, hangs or takes all memory fails by its
-- code. reach.lua calls each function that a game can reach, tests/fuzz/hostile calls them with values
-- of every kind, and paths.lua tries names of files.
local spec <const> = require "spec"
local games <const> = require "games"

local WINDOWS <const>, SLOW <const> = package.config:sub(1, 1) == "\\", (os.getenv "SP_TEST_TOOL" or "") ~= ""

local HEAD <const> = [[
local spawnpool <const> = require 'spawnpool'
local pools <const> = spawnpool.pools
spawnpool.class 'Cube'
local Looper <const> = spawnpool.class('Looper', { limit = 2 })
local function loop() while true do end end
local LONG <const> = setmetatable({}, { __len = function() return 1 << 50 end })
]]

-- The error of a stop cannot be caught, so each row is a call of `update` of its own. The next one must go well.
local MAIN <const> = HEAD .. [[
local OUT <const> = '%s'
local tried = false
return { update = function()
if tried then
  collectgarbage() pools:recycle_all() pools:clear()
  local o = pools:alloc 'Cube' print('on', o.alive, o:recycle()) return
end
tried = true
local r <const> = table.pack((function() local _ = OUT;
%s
end)())
for i = 1, r.n do r[i] = tostring(r[i]) end
print(table.concat(r, ' '))
end }]]

local function make(row, options)
  local code <const>, result <const> = row[1], row[2]
  local is_stopped <const> = result:find "^stopped" or row.hook
  options.patience = is_stopped and (SLOW and 0.1 or 0.03) or 20
  options.memory_limit = (row.memory or result:find "memory" and 8 or 128) << 20
  options["secret.lua"] = "return 'the secret'"
  options["inner/inside.lua"] = "return 'inside'"
  options["inner/again.lua"] = "return require 'again'"
  local g <const> = games.make(options)
  g:write("inner/main.lua", MAIN:format(g:path "", code))
  return g
end

-- `result`: what the code returns as text, or a part of the error it raises; "stopped": that of the watchdog. After a
-- hook its caller goes on.
local function try(row, options)
  local code <const>, result <const> = row[1], row[2] == "stopped" and "stopped: " or row[2]
  local g <const> = make(row, options)
  spec.equal(g:open(g:path "inner"), nil)
  spec.equal(g:begin(), true)
  local done <const>, told <const> = g:update(), g:told()
  if row.hook then
    spec.equal(done, true, code)
    spec.contains(told, result, "stopped: ")
  else
    spec.contains(told, done and "print: " .. result or result)
    local is_placed = not row.places
    for _, place in ipairs(row.places or {}) do is_placed = is_placed or told:find(place, 1, true) ~= nil end
    spec.equal(is_placed, true, told)
    spec.equal(told:sub(1, 7), done and "print: " or "error: ", code)
  end
  spec.equal(told:find("the secret", 1, true), nil, code)
  spec.equal(g:update() and g:tick(1) and g:told(), "print: on\ttrue\ttrue\n", code)
end

local function try_all(rows, counted)
  for i, row in ipairs(rows) do
    try(row, { reload = i % 2 == 0 or nil, no_signal = counted or row.counted })
  end
end

-- {== Nothing that games may not have =========================================

local LIBRARIES <const> = {
  { "local t = {} for k in pairs(io) do t[#t + 1] = k end table.sort(t)\n" ..
    "return dofile, loadfile, string.dump, require 'io' == io, table.concat(t, ' '), getmetatable(io.stdout)",
    "nil nil nil true stderr stdout spawnpool.stream" },
  { "local t = {} for k in pairs(os) do t[#t + 1] = k end table.sort(t) return table.concat(t, ' ')",
    "clock date difftime getenv time" },
  { "return os.getenv 'HOME', os.getenv 'PATH', pcall(os.getenv)", "nil nil false bad argument #1 to 'os.getenv' ("
    .. "string expected, got no value)" },
  { "local t = {} for k in pairs(debug) do t[#t + 1] = k end table.sort(t)\n" ..
    "return #t, t[1], t[2], require('debug') == debug, (debug.traceback('at'):find('^at\\nstack traceback:'))",
    "2 getinfo traceback true 1" },
  -- No function comes out, by no letter, of no value.
  { "local kinds = {} for k in pairs(debug.getinfo(1)) do kinds[#kinds + 1] = k end table.sort(kinds)\n" ..
    "return table.concat(kinds, ' '), debug.getinfo(1, 'l').currentline > 0, debug.getinfo(999),\n" ..
    "pcall(debug.getinfo, 1, 'f'), pcall(debug.getinfo, print, 'S'), pcall(debug.getinfo, 1, '>S')",
    "currentline lastlinedefined linedefined short_src source what true nil false false false bad argument #2 to "
    .. "'debug.getinfo' (the sandbox has 'S' and 'l'; a trusted game has all of Lua)" },
  { "return package.loadlib, package.searchers, package.searchpath, package.cpath, package.path",
    "nil nil nil nil ?.lua;?/init.lua" },
  { "package.path = '../?.lua;' .. OUT .. '?.lua;lib/../../?.lua' return pcall(require, 'secret')",
    "false module 'secret' not found:" },
  { "package.preload.mine = function(...) return { ... } end\n" ..
    "return require('mine')[1], require 'mine' == require 'mine'",
    "mine true" },
  { "local code, all = '\\27Lua' .. ('x'):rep(100), {}\n" ..
    "for _, mode in ipairs { 'b', 'bt', 't' } do local _, why = load(code, 'c', mode) all[why] = true end\n" ..
    "return next(all)", "attempt to load a binary chunk (mode is 't') true" },
  { "local once = '\\27Lua' return load(function() local c = once once = nil return c end, 'c', 'b')",
    "nil attempt to load a text chunk (mode is 'b')" },
  { "return load('return 1 + 1')(), load('return ...', 'c', 't', {})(5), load('return x', 'c', nil, { x = 3 })(),\n" ..
    "#table.pack(load(function() end)()), pcall(load('return x', 'c', 't', nil))",
    "2 5 3 0 false [string \"c\"]:1: attempt to index a nil value (upvalue '_ENV')" },
  { "return select(2, load(function() return {} end)):match 'reader .*'", "reader function must return a string" },
  { "local ok = pcall(require, 'spawnpool.reload') return ok, package.loaded['spawnpool.files']", "false nil" },
}

local METATABLES <const> = {
  { "local m, n = getmetatable(''), 0 for _ in pairs(m) do n = n + 1 end return n, m.__index == string", "9 true" },
  { "local Cube <const>, cubes <const> = spawnpool.class 'Cube', pools:pool 'Cube'\n" ..
    "local kinds = { pools:alloc 'Cube', pools, cubes, cubes:within(0, 0, 1), spawnpool.keep(1), Cube.super }\n" ..
    "for i, it in ipairs(kinds) do kinds[i] = getmetatable(it):match '^spawnpool.(.*)' end\n" ..
    "return table.concat(kinds, ' '), pcall(setmetatable, Cube.super, {}), pcall(setmetatable, Cube, { __gc = print })",
    "object pools pool list field class false false cannot change a protected metatable" },
  { "return (pcall(function() return pools.__gc end)), pools:pool('Cube').__index, (pcall(rawget, pools, 1))",
    "false nil false" },
  -- A walk over a class lends no table of the library.
  { "local Cube, lent = spawnpool.class 'Cube', 0\n" ..
    "for _, v in ipairs { pairs(Cube) } do if type(v) == 'table' and v ~= Cube then lent = lent + 1 end end\n" ..
    "return lent", "0" },
  { "local m = {} local t = setmetatable({}, m) m.__gc = function() while true do end end\n" ..
    "t = nil collectgarbage() return 'nothing ran'", "nothing ran" },
  { "setmetatable(_G, { __index = function(_, k) return 'made ' .. k end, __newindex = error })\n" ..
    "local o = pools:alloc('Cube', 1) pools:update(0.5) pools:configure {} return nothing, o.alive",
    "made nothing true" },
  { "local m = getmetatable '' m.__index = function() return function() return 'mine' end end\n" ..
    "local r, o = ('x'):upper(), pools:alloc 'Cube' pcall(pools.alloc, pools, 7) pools:stats() m.__index = string\n" ..
    "return r, o.alive", "mine true" },
}

local FILES <const> = {
  { "for _, name in ipairs { '../secret', '...secret', './a', '/etc/passwd', 'a/../../secret', 'a\\\\b', '', '.',\n" ..
    "  'a.', '.a', 'a..b', 'a\\0b', 'C:secret', 'secret', 'a//b', 'a/', 'a./b', 'nothing' } do\n" ..
    "  local ok, why = pcall(require, name) if ok or not why:find 'not found' then return name, ok, why end end\n" ..
    "return pcall(require, 12) or pcall(require, nil) or pcall(require, {})", "false" },
  -- Lua's own require takes a zero byte for the end of the name.
  { "return require('inside\\0/../../secret')", "inside" },
  { "spawnpool.new({ path = OUT .. '?.lua' }):alloc 'secret'", "outside the game's folder" },
  { "spawnpool.new { path = '/etc/passwd\\0?' }", "'path' must be a file name" },
  -- The line that an error names is not read from a file outside.
  { "load('error \"none of it\"', '@' .. OUT .. 'secret.lua')()", "none of it" },
  { "error(OUT .. 'secret.lua:1: none of it', 0)", "none of it" },
}

spec.test("no library, no metatable and no file outside is reached", function()
  try_all(LIBRARIES)
  try_all(METATABLES)
  try_all(FILES)
end)

-- }==

-- {== Memory and time =========================================================

local ENDS <const> = {
  { "local s = 'x' while true do s = s .. s end", "not enough memory" },
  { "for i = 1, 1e9 do pools:alloc 'Cube' end", "memory" },
  { "pools:pool('Cube'):prewarm(1 << 24)", "memory" },
  { "collectgarbage 'stop' local s = ('x'):rep(5000) for i = 1, 4e4 do local _ = s .. i end return 'collected'",
    "collected" },
  { "local function f(s) return (s:gsub('.', f)) end f 'x'", "C stack overflow" },
  { "require 'again'", "again.lua" },
  { "os.date(('%c'):rep(1 << 24))", "not enough memory" },
  { "return ('x'):rep((1 << 26) + 1)", "not enough memory", memory = 1024 },
  { "(('('):rep(1 << 20)):find('%b()')", "stopped" },
  { "local s = ('a'):rep(1 << 22) s:find(s:sub(1, 1 << 21) .. 'b', 1, true)", "stopped" },
  { "(('a'):rep(1 << 20)):find('[' .. ('b'):rep(1 << 20) .. ']?c')", "stopped" },
  { "local s = ('a'):rep(1 << 20) s:find('^(' .. ('a'):rep(1 << 18) .. '.-)%1b')", "stopped" },
  { "xpcall(error, function() while true do end end)", "stopped" },
  { "error(setmetatable({}, { __tostring = function() while true do end end }))", "stopped" },
  { "error(setmetatable({}, { __tostring = function(e) error(e) end }))", "(error object is a table value)" },
  { "load('while true do end', '=spawnpool.class')()", "library's own" },
  { "table.sort(setmetatable({}, { __len = function() return (1 << 31) - 2 end }), pcall)", "array too big" },
  { "local t, a = {}, ('\\0'):rep(1 << 22) local b = a .. 'b' for i = 1, 1e3, 2 do t[i], t[i + 1] = b, a end\n" ..
    "table.sort(t)", "stopped" },
  { "coroutine.wrap(function() table.sort({ 3, 2, 1 }, coroutine.yield) end)()",
    "attempt to yield across a C-call boundary" },
  { "local t = {} for i = 1, 1e5 do t[i] = '' end setmetatable(t, { __tostring = table.concat })\n" ..
    "local u = {} for i = 1, 1e5 do u[i] = t end print(table.unpack(u))", "stopped" },
  -- Compiling counts no instructions: only what reads the text can stop it.
  { "local rest = ('a=a '):rep(1 << 21) load(function() local piece = rest rest = nil return piece end)", "stopped",
    counted = true },
  { "load(collectgarbage)", "stopped" },
  -- The stack of newer Luas cannot be read while it grows: there the callback is named instead of the line.
  { "local m = {} m.__call = setmetatable({}, m) m.__call()", "stopped",
    places = { "GAME/inner/main.lua:16: stopped", "error: update: stopped" } },
  { "local p = pools:pool 'Cube' for i = 1, 8000 do p:alloc() end p:overlaps(p, rawequal)", "stopped" },
  { "pools:alloc('Cube'):every(1 / 60, type) pools:update(1e11)", "stopped" },
  { "local Heir = spawnpool.class 'Heir'\n" ..
    "function Heir:on_despawn(_, why) if why == 'expired' then self:alloc(0.01) end end\n" ..
    "for _ = 1, 10 do pools:alloc('Heir', 0.01) end pools:update(1e11)", "stopped" },
  { "local o, co = pools:alloc 'Cube' o:run(function() co = coroutine.running() coroutine.yield(9) end)\n" ..
    "return coroutine.resume(co), coroutine.close(co), o:recycle()", "true true true" },
}

-- `loop` never ends. Each ends the call, whatever is around it; a hook or a timer ends, and its caller goes on.
local LOOPS <const> = {
  { "while true do pcall(('a'):rep(99).gsub, ('a'):rep(99), ('.-'):rep(20) .. 'b') end", "stopped" },
  { "while true do xpcall(loop, loop) end", "stopped" },
  { "coroutine.wrap(function() coroutine.wrap(function() coroutine.wrap(loop)() end)() end)()", "stopped" },
  { "xpcall(coroutine.wrap(loop), loop)", "stopped" },
  { "while true do coroutine.resume(coroutine.create(loop)) end", "stopped" },
  { "local co <const> = coroutine.create(function()\n" ..
    "  local x <close> = setmetatable({}, { __close = loop }) coroutine.yield()\nend)\n" ..
    "coroutine.resume(co) coroutine.close(co)", "stopped" },
  { "local x <close> = setmetatable({}, { __close = loop }) loop()", "stopped" },
  { "local x <close> = setmetatable({}, { __close = coroutine.wrap(loop) }) loop()", "stopped" },
  { "local function f() pcall(f) pcall(f) end f()", "stopped" },
  { "local function f(n) if n == 0 then loop() end return 1 + f(n - 1) end pcall(f, 190000)", "stopped" },
  { "function Looper:alloc() loop() end while true do pcall(pools.alloc, pools, 'Looper') end", "stopped" },
  { "function Looper:on_despawn() loop() end while true do pools:alloc('Looper'):recycle() end", "stopped" },
  { "function Looper:on_despawn() coroutine.wrap(loop)() end pools:alloc('Looper'):recycle()", "stopped", hook = true },
  { "pools:alloc('Looper'):run(function() coroutine.yield(0.1) loop() end) pools:update(1)", "stopped", hook = true },
  { "local cube <const> = pools:alloc('Looper')\ncube:run(function()\n" ..
    "  local x <close> = setmetatable({}, { __close = loop }) coroutine.yield(9) end) cube:recycle()", "stopped",
    hook = true },
  { "function Looper:on_despawn() loop() end\nprint(xpcall(function() pools:alloc('Looper'):recycle()\n" ..
    "error('later', 0) end, function(m) return 'handled ' .. m end))", "print: false\thandled later\n", hook = true },
}

local CALLED_TEXT <const> = "local s, t = (' '):rep(1 << 20), {} getmetatable('').__call = string.pack\n"

-- Functions of Lua in C whose work the game chooses: they are stopped as Lua is, or know their result.
local REPEATS <const> = {
  { "table.insert(LONG, 1, 0)", "stopped" },
  { "table.remove(LONG, 1)", "stopped" },
  { "table.move({}, 1, 1 << 50, 1 << 51, {})", "stopped" },
  { "table.move(LONG, 1, 1 << 50, 2)", "stopped" },
  { "table.concat(setmetatable({}, { __index = type }), '', 1, 1 << 24) loop()", "memory" },
  { "table.concat(setmetatable({}, { __metatable = '', __index = getmetatable }), '', 1, 1 << 62)", "stopped" },
  { "table.sort(LONG)", "array too big" },
  { "package.path = ('a/?;'):rep(1 << 18) require 'nothing'", "stopped" },
  { "return #(''):rep(1 << 62), #(''):rep(1 << 62, ''), ('ab'):rep(3, '-'), pcall(string.rep, 'xx', 1 << 62)",
    "0 0 ab-ab-ab false resulting string too large" },
  { "return (string.pack(('c1000000'):rep(9000), table.unpack({}, 1, 9000)))", "got nil" },
  { "while true do pcall(table.move, {}, 1, 1 << 50, 1 << 51, {}) end", "stopped" },
  -- A text that can be called: each call passes over all of it in C.
  { CALLED_TEXT .. "table.unpack(setmetatable({}, { __index = tostring, __tostring = s }), 1, 9e5)", "stopped" },
  { CALLED_TEXT .. "table.move(setmetatable({}, { __index = tostring, __tostring = s }), 1, 1e6, 1, {})", "stopped" },
  { CALLED_TEXT .. "for i = 1, 1e5 do t[i] = setmetatable({}, { __tostring = s }) end\n" ..
    "local _ = ('%s'):rep(#t):format(table.unpack(t))", "stopped" },
  { CALLED_TEXT .. "for i = 1, 1e5 do t[i] = s end table.sort(t, string.packsize)", "stopped" },
  { CALLED_TEXT .. "t = setmetatable({}, { __index = tostring, __tostring = s })\n" ..
    "local _ = ('x'):rep(1 << 20):gsub('.', t)", "stopped" },
  { "local o = setmetatable({}, { __tostring = function() return 'o' end })\n" ..
    "return ('%5s|%-3d|%%|%s'):format('a', 3, o), pcall(string.format, '%s'), pcall(string.format, '%d', o)",
    "    a|3  |%|o false false bad argument #2 to 'string.format' (number expected, got table)" },
  { "local t = { 1, 2, 3 } table.insert(t, 4) table.insert(t, 1, 0) local gone <const> = table.remove(t, 2)\n" ..
    "table.move(t, 2, 4, 1) table.move(t, 1, 3, 2) return gone, table.concat(t, ' '), table.concat(t, ',', 2, 3),\n" ..
    "table.concat({}), table.remove {}, table.remove({}, 0), table.remove({}, 1), #table.move(t, 1, 4, 1, {}),\n" ..
    "(pcall(table.insert, t, 9, 1)), (pcall(table.remove, t, 9)), (pcall(table.insert, t)),\n" ..
    "(pcall(table.concat, {{}}))",
    "1 2 2 3 4 2,3  nil nil nil 4 false false false false" },
  { "table.insert(nil, 1)", "bad argument #1 to 'insert' (table expected, got nil)" },
  { "table.concat({ {} })", "invalid value (at index 1) in table for 'concat'" },
}

-- With all of Lua, they do not come back: the host is told of the function.
local HANGS <const> = {
  rep = "return #(''):rep(1 << 62), #(''):rep(1 << 62, '')",
  concat = "table.concat(setmetatable({}, { __metatable = '', __index = getmetatable }), '', 1, 1 << 62)",
}

spec.test("nothing takes all memory or all the time", function() try_all(ENDS) end)
spec.test("no loop goes on", function() try_all(LOOPS) end)
spec.test("no loop goes on where instructions are counted", function() try_all(LOOPS, true) end)

spec.test("what functions in C repeat is stopped", function() try_all(REPEATS) end)
spec.test("what functions in C repeat is stopped where instructions are counted", function() try_all(REPEATS, true) end)

spec.test("a text of many lines is stopped among them", function()
  for _, counted in ipairs { false, true } do
    local g <const> = make({ "io.stdout:write(('\\n'):rep(1 << 24))", "stopped" }, { no_signal = counted })
    spec.equal({ n = 3, g:open(g:path "inner"), g:begin(), g:update() }, { n = 3, nil, true, false })
    spec.contains(g:told(), "stopped: ")
  end
end)

spec.test("what does not come back is told to the host", function()
  for name, code in pairs(WINDOWS and {} or HANGS) do
    local g <const> = make({ code, "stopped" }, { hang_after = 0.1, trust = true })
    spec.contains(g:hang(g:path "inner"), (": '%s' did not come back within "):format(name))
  end
end)

-- }==

-- {== What it has instead =====================================================

-- The library's own Lua code also calls functions that the game may have put in place of Lua's. They must not be given
-- anything that games may not have: everything that the arguments lead to is examined.
local SPYING <const> = [[
local seen <const>, todo <const>, bad <const> = {}, {}, {}
local gmt <const>, nxt <const>, typ <const>, raw <const> = getmetatable, next, type, rawget
local function note(v) if typ(v) == 'table' and not seen[v] then seen[v] = true todo[#todo + 1] = v end end
local real <const> = { pack = table.pack, unpack = table.unpack }
local function spy(f)
  return function(...) local a = real.pack(...) for i = 1, a.n do note(a[i]) end return f(...) end
end
local mine <const> = { [todo] = true, [seen] = true, [bad] = true, [real] = true }
for _, t in nxt, { string, table, math, utf8, coroutine, _G } do
  for k, v in nxt, t do if typ(v) == 'function' and k ~= 'require' then t[k] = spy(v) end end
end
local function look()
  local own = {}
  while #todo > 0 do
    local t = todo[#todo] todo[#todo] = nil
    for _, name in nxt, mine[t] and {} or { 'upvaluejoin', 'sethook', 'rewrite', 'realpath', 'compile' } do
      if typ(raw(t, name)) == 'function' then own[#own + 1] = name end
    end
    if not mine[t] then for k, v in nxt, t do note(k) note(v) end note(gmt(t)) end
  end
  return own
end
local m = require 'part' spawnpool.class('Sub', { extends = 'Cube', fields = { heat = spawnpool.live(1) } })
return { update = function() local o = pools:alloc 'Sub' o:after(0, function() end) pools:update(1)
  pools:stats() pools:leaks { older_than = 0 } pools:configure {} pcall(pools.alloc, pools, 'Nobody')
  local own = look() print(#own, m.n, own[1]) end }]]

spec.test("functions that the game replaced are given no means to get out", function()
  local part <const> = "return { n = %d, f = function() return 1 end }"
  local g <const> = games.start { HEAD .. SPYING, ["part.lua"] = part:format(1), reload = true }
  spec.equal(g:save("part.lua", part:format(2)), "reloaded")
  g:told()
  spec.equal(g:update(), true)
  spec.contains(g:told(), "print: 0\t2\tnil")
end)

spec.test("trusted games have everything", function()
  local g <const> = games.start {
    "print(type(io.open), type(os.getenv), type(debug.getinfo), type(package.loadlib), type(dofile),\n" ..
    "type(string.dump), load(string.dump(function() return 7 end), 'c', 'b')()) return {}", trust = true,
  }
  spec.equal(g:told(), "print: function\tfunction\tfunction\tfunction\tfunction\tfunction\t7\n")
end)

spec.test("finalisers are not called, which is told", function()
  local told <const> = "warning: GAME/main.lua:%d: __gc is not called in the sandbox: <close> ends a block, " ..
    "on_despawn a life\n"
  local g <const> = games.start { [[
local ran = 0
local m = { __gc = function() ran = ran + 1 end }
local t = setmetatable({}, m) print(getmetatable(t) == m, m.__gc ~= nil)
t = setmetatable(setmetatable({}, {}), m)
t = nil collectgarbage() collectgarbage() print(ran) return {}]] }
  spec.equal(g:told(), told:format(3) .. "print: true\ttrue\n" .. told:format(4) .. "print: 0\n")
end)

-- A logger asks whose line called it, a collection asks for the streams when it loads, a template compiles text, a
-- runner of tests writes dots, catches errors and stands in for modules.
spec.test("libraries of others find what they look for", function()
  local g <const> = games.start { [[
package.path = "lib/?.lua;" .. package.path
package.preload.network = function(name, how) return { name, how } end
local log <const>, render <const>, runner <const> = require "log", require "template", require "runner"
log.info("begun", 1)
print(render("<%= who %>, %s!", { who = "Ann" }), require("network")[1], os.getenv "HOME")
runner.run { function() end, function() error "no" end }
return {}]],
    ["lib/log.lua"] = [[
local out <const>, eol <const> = io.stderr, package.config:match "^(.)" == "/" and "\n" or "\r\n"
return { info = function(...)
  local info <const> = debug.getinfo(2, "Sl")
  out:write(("[%s:%d] "):format(info.short_src:match "[^/]*$", info.currentline), ..., eol)
end }]],
    ["lib/template.lua"] = [[
return function(text, env)
  local code <const> = "return (" .. ("%q"):format(text):gsub("<%%=(.-)%%>", '" .. (%1) .. "') .. ")"
  return assert(load(code, "=template", "t", env))()
end]],
    ["lib/runner.lua"] = [[
local stdout <const> = io.stdout
stdout:setvbuf "no"
return { run = function(tests)
  local failed = 0
  for _, test in ipairs(tests) do
    local ok <const>, trace <const> = xpcall(test, debug.traceback)
    if not ok then failed = failed + 1 assert(trace:find "stack traceback:") end
    stdout:write(ok and "." or "F"):flush()
  end
  stdout:write("\n", #tests, " tests, ", failed, " failed\n", "the rest")
end }]],
  }
  spec.equal(g:told(), "warning: [main.lua:4] begun\nprint: Ann, %s!\tnetwork\tnil\nprint: .\nprint: F\n" ..
    "print: \nprint: 2 tests, 1 failed\n")
end)

spec.test("require finds the game's own modules", function()
  local g <const> = games.start {
    "local a, file = require 'a' print(a, file ~= nil)\n" ..
    "print(require 'lib.b', require 'lib', require 'with-dash_1') print(require 'a' == a) return {}",
    ["a.lua"] = "print(...) return 'module a'",
    ["lib/b.lua"] = "return 'module b'", ["lib/init.lua"] = "return 'the library'",
    ["with-dash_1.lua"] = "return 'dashed'",
  }
  spec.equal(g:told(), "print: a\tGAME/a.lua\nprint: module a\ttrue\n" ..
    "print: module b\tthe library\tdashed\tGAME/with-dash_1.lua\nprint: true\n")
end)

-- }==
