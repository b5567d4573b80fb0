-- What a game stores: it is there in the next run, is replaced whole or not at all, and stays in its place.

local KIT <const> = [[local kit = { storage = require('spawnpool').storage }
kit.value = { 1, -2.5, 'x\0y\xff', true, false, math.mininteger, math.huge, 0.1, '', ['a b'] = {},
  [-3] = { { 'deep' } }, [false] = 1, [0.5] = 'half', list = { 10, 20, 30 } }
function kit.equal(a, b)
  if type(a) ~= 'table' or type(b) ~= 'table' then return a == b and math.type(a) == math.type(b) end
  for key, value in pairs(a) do if not kit.equal(value, b[key]) then return false end end
  for key in pairs(b) do if a[key] == nil then return false end end
  return true
end
function kit.refused(part, name, value)
  local done, why = kit.storage.save(name, value)
  assert(done == false and why:find(part, 1, true), tostring(why))
end
return kit]]

-- Plays one frame of a game, which must be fine; it sees `kit` and `storage`. What is refused is a warning as well.
local function play(code, before, err)
  return run { files = { ["kit.lua"] = KIT },
    main = "local kit = require 'kit' local storage = kit.storage\n" .. code .. "\nreturn {}",
    sh = (before or "") .. " XDG_DATA_HOME=${STORE:-$PWD/data} spawnpool --headless --frames 1 game",
    err = err or false }
end

test("what is stored is there in the next run, and shared tables stay shared, go deep and round in circles", function()
  play [[local value, why = storage.load 'score' assert(value == nil and why == 'none')
    assert(storage.save('score', kit.value) == true and kit.equal(storage.load 'score', kit.value))
    assert(storage.save('count', 5) and storage.save('A-b_9', 'x'))
    local t = { list = { 1, {} } } t.list[2].up = t
    local deep = t for _ = 1, 20000 do deep = { deep } end
    assert(storage.save('shared', { t, deep, t }))]]
  play [[assert(kit.equal(storage.load 'score', kit.value))
    local s = storage.load 'shared' local it = s[2] for _ = 1, 20000 do it = it[1] end
    assert(it == s[1] and s[3] == s[1] and s[1].list[2].up == s[1])
    assert(storage.load 'count' == 5 and storage.load 'A-b_9' == 'x')
    assert(storage.save('count', nil) and storage.save('never', nil))]]
  play([[local value, why = storage.load 'count' assert(value == nil and why == 'none')
    assert(storage.load 'A-b_9' == 'x')]], nil, "")
end)

test("what is no plain data is refused with its path", function()
  play [[assert(storage.save('s', 'old'))
    kit.refused('s[\'a b\'].co is a coroutine', 's', { ['a b'] = { co = coroutine.create(print) } })
    kit.refused('s.g is a userdata', 's', { g = require('spawnpool').pools })
    kit.refused('s[1] is an object; store its fields', 's', { require('spawnpool').pools:alloc 'Cube' })
    kit.refused('] is a key that is a table', 's', { [{}] = 1 })
    local called = false
    assert(storage.save('meta', setmetatable({ 1 }, { __pairs = function() called = true end })))
    assert(not called and storage.load 's' == 'old')]]
end)

test("names lead nowhere", function()
  play [[for _, name in ipairs { '', '..', '/etc/x', 'a.b', 'a\0b', 'a b', '\xc3\xa4', ('x'):rep(65), 'CON:' } do
      kit.refused('a name has 1 to 64', name, 1)
      local value, why = storage.load(name) assert(value == nil and why:find 'a name has')
    end
    assert(storage.save(('x'):rep(64), 1))
    for _, bad in ipairs { 5, {} } do assert(not pcall(storage.save, bad, 1)) end
    assert(not pcall(storage.load) and not pcall(storage.save, 'x'))]]
  equal(tonumber(sh "find data -type f | wc -l"), 1)
end)

-- 'a' may replace its own.
test("a game stores a mebibyte in all", function()
  play [[assert(storage.save('a', ('x'):rep(600000)))
    kit.refused('too large', 'b', ('x'):rep(600000))
    assert(storage.save('a', ('y'):rep(1000000)))
    local t = {} for i = 1, 60000 do t[i] = { i } end
    kit.refused('d is too large: a game may store 1 MiB in all', 'd', t)
    assert(storage.load('a') == ('y'):rep(1000000) and storage.load 'b' == nil)
    assert(storage.save('a', nil) and storage.save('b', ('x'):rep(600000)))]]
end)

-- A full disk, as far as a test can have one: the process may write no larger files.
test("a write that fails leaves the old value", function()
  if counts_coverage "a write that fails" then return end
  play "assert(storage.save('a', { 'old' }))"
  play("kit.refused('too large', 'a', ('x'):rep(100000))\n"
    .. "assert(storage.load('a')[1] == 'old' and storage.save('b', 1))", "trap '' XFSZ; ulimit -f 8;")
  play "assert(storage.load('a')[1] == 'old' and storage.load 'b' == 1)"
  equal(tonumber(sh "find data -type f | wc -l"), 2) -- nothing half written is left
end)

test("without a folder games run and store nothing", function()
  play("kit.refused('no folder to store data in', 'a', 1) assert(storage.load 'a' == nil)",
    "STORE=/dev/null/x; HOME=/dev/null", { "warning: storage.save('a'): no folder to store data in" })
  play("kit.refused('in: neither XDG_DATA_HOME nor HOME can be used', 'a', 1)", "STORE=relative; HOME=relative")
end)

test("a folder that cannot be read is named with the cause, and nothing in it is replaced", function()
  play "assert(storage.save('a', 1))"
  sh "cd data/spawnpool && for it in *; do mv $it ../kept; echo mine >$it; done"
  play [[local value, why = storage.load 'a' assert(value == nil and why:find 'cannot read .*: Not a directory$')
    kit.refused('Not a directory', 'a', 2)]]
  sh "cd data/spawnpool && for it in *; do grep -q mine $it && rm $it && mv ../kept $it; done"
  play "assert(storage.load 'a' == 1)"
end)

test("what is damaged is not read", function()
  play "assert(storage.save('a', { 1, 2, { 'x' } }) and storage.save('b', 7))"
  sh [[cd data/spawnpool/*/ && cp a.data whole && for n in 0 20 28 40; do head -c $n whole > cut$n.data; done
    cp whole long.data && echo >> long.data
    cp whole bit.data && printf '\001' | dd of=bit.data bs=1 seek=40 conv=notrunc 2>&1
    head -c 2000000 /dev/zero >big.data; ln -s /etc/passwd link.data; mkdir folder.data; mkfifo pipe.data; rm whole]]
  play [[for _, name in ipairs { 'cut0', 'cut20', 'cut28', 'cut40', 'long', 'bit' } do
      local value, why = storage.load(name)
      assert(value == nil and why == 'damaged: it can no longer be read', name)
    end
    for _, name in ipairs { 'link', 'folder', 'pipe', 'big' } do
      local value, why = storage.load(name) assert(value == nil and why ~= 'none', name)
    end
    assert(storage.load 'a'[3][1] == 'x' and storage.load 'b' == 7)]]
end)

test("games of one name do not meet", function()
  play "assert(storage.save('a', 1))"
  sh "mkdir other && cp -R game other"
  save("/other/game/main.lua", "assert(require('kit').storage.load('a') == nil) return {}")
  sh "XDG_DATA_HOME=$PWD/data spawnpool --headless --frames 1 other/game"
end)

test("a check stores nothing", { main = "print(require('spawnpool').storage.save('a', 1)) return {}",
  sh = "XDG_DATA_HOME=$PWD/data spawnpool --check game; ! ls data 2>/dev/null",
  out = { "nothing is stored while a game is checked" }, err = false })
