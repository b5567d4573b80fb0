-- The grammar of the modules of random projects: for each symbol the forms of its text, "3: form" for one that comes
-- three times as often, or a function that lists them for a module. In a form
--
--   $symbol    is a text of that symbol; $symbol* some, one after another
--   $=kind     is a new name, which the rest of the module knows; $it is that name again
--   $@kind     is a name that is known there; where none fits, an expression is nil, anything else is left out
--
-- Names tell what the game may do: it sets variables and entries whose names begin with "s" or "g", and nothing else,
-- so that what a module reads from others as it is loaded is what their texts say.
local grammar <const> = {}

-- {== Expressions =============================================================

grammar.d = { "0", "1", "2", "3" }
grammar.digit = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" }
grammar.n = { "1$digit$digit" }
grammar.it = { "" }

grammar.scalar = {
  "0", "1", "2", "3", "-1", "0.0", "-0.0", "1.0", "0/0", "1e300 * 1e300", '""', '"a"', '"b"', "true", "false", "nil",
  "math.maxinteger", '("long "):rep(20)',
}
grammar.foreign = {
  "math.floor", "math.ceil", "tostring", "tonumber", "string.format", "string.rep", "table.insert", "table.concat",
  "print", "select", "next", "type", "os.clock", "coroutine.yield", "utf8.char", "world.noop", "world.id", "math",
  "string",
}
grammar.made = {
  'string.gmatch("a b", "%a")', "coroutine.wrap(print)", "coroutine.create(print)", 'load "return 1"',
  'load("return 1, 2", "=loaded")',
}
grammar.leaf = { "5: $scalar", "2: $foreign", "$made", "2: $fun", "$@module.$member", "$@make($d)", "4: $@any" }
grammar.expr = { "5: $scalar", "2: $foreign", "$made", "2: $fun", "$@module.$member", "$@make($d)", "4: $@any",
  "3: $tab", "setmetatable($tab, $@table)" }
grammar.tab = { "2: {$entry*\n}", "{$item*\n}" }
grammar.entry = { "\n  $key = $expr," }
grammar.item = { "\n  $expr," }
grammar.key = { "2: s$d", "k$d", "t$d" }
grammar.member = { "f1", "f2", "k1", "k2", "t1", "noop", "C1" }
grammar.fun = { "function(p)$body" }
grammar.body = { "$write*\n  return $n$read*\nend" }
grammar.write = { "2: \n  $@state = p", "\n  $@table.s$d = p" }
grammar.read = { ", $@any" }

-- }==

-- {== Declarations ============================================================

grammar.decl = { "3: $state", "3: $value", "4: $lfun", "4: $factory", "6: $mfun", "6: $set", "2: $index",
  "12: $effect", "4: $import", "2: $class", "2: $block", "2: $hook", "-- a comment" }
grammar.state = { "6: local $=state = $expr", "local $=state" }
grammar.value = { "3: local $=value = $expr", "3: local $=value <const> = $expr", "local $=value" }
grammar.lfun = { "local function $=fun(p)$body" }
grammar.factory = {
  "local function $=make(p)\n  local k = p\n  return function(q)\n    k = q or k$body\nend\nM.$shared$d = $it",
}
grammar.shared = { "f", "k" }
grammar.mfun = { "2: function $@holder.f$d(p)$body", "function $@holder:f$d(p)$body" }
grammar.set = { "$@holder.$key = $expr" }
grammar.index = { "$@holder.__index = $@holder", "$@holder.__index = $@any" }
grammar.import = { 'local $=module = require("$file")', 'local $=module <const> = require "$file"',
  'local $=value = require("$file").$member' }
grammar.class = { 'local $=class = kit.class("$it", $base)', 'local $=class = kit.class("$it", $base)\nM.C1 = $it' }
grammar.base = { "$@class", "nil" }
grammar.block = { "do\n  local h = 0\n  function M.f$d(p)\n    h = h + 1$body\nend" }

-- Effects on what belongs to others: keys have the writer's name, so that two modules never write the same. Nothing is
-- set to nil: that takes away what the game has put there, and a fresh load does not show it.
grammar.effect = {
  "2: $@bus.registry.$me$d = $expr or 0", "$@bus.$me$d = $expr or 0", "world.names.$me$d = $expr or 0",
  "string.$me$d = $expr or 0", "math.$me$d = $expr or 0", "s_$me$d = $expr or 0", "2: G_$me$d = $expr or 0",
  "4: $@bus.on($handler)", "2: $@bus.handlers[#bus.handlers + 1] = $handler", "2: table.insert(world.list, $handler)",
  "2: world.list[#world.list + 1] = $handler",
}
grammar.handler = { "2: $@fun", "$foreign", "$fun" }

function grammar.me(project, module) return { module.type or module.name } end -- luacheck: ignore project

-- Modules and types before this one: no circle comes of requiring them.
function grammar.file(project, module) return project:before(module, "name") end

function grammar.parent(project, module) return project:before(module, "type") end

-- }==

-- {== Class files =============================================================

grammar.type = { 'local spawnpool <const> = require "spawnpool"\nlocal $=type <const> = spawnpool.class("$it", {'
  .. "$setting*\n  fields = {$field*\n  },\n  methods = {$method*\n  },\n})" }
grammar.setting = { "4: \n  $count = $size,", '\n  order = "$order",', '\n  overflow = "$overflow",',
  '2: \n  extends = "$parent",' }
grammar.count = { "limit", "idle_limit", "prealloc", "grow", "radius" }
grammar.size = { "1", "2", "8", "40" }
grammar.order = { "fifo", "lifo" }
grammar.overflow = { "refuse", "oldest", "grow" }
grammar.field = {
  "2: \n    n$d = $plain,", "2: \n    n$d = spawnpool.live($plain),", "\n    n$d = spawnpool.keep($plain),",
  "\n    n$d = spawnpool.any($plain),", "\n    n$d = spawnpool.fresh(function() return { $plain } end),",
  "\n    n$d = spawnpool.ref,",
}
grammar.plain = { "0", "1", "2.5", "7", "true", '"red"' }
grammar.method = { "\n    m$d = function(p)$body," }

-- Hooks of a class for the begin and the end of an object; each reports a number that shows which version ran.
grammar.hook = {
  "function $@type:on_spawn(o) o.x = $n end", "function $@type:on_despawn(o) world.despawned = $n end",
  "function $@type:alloc(...) local o <const>, why <const> = $@type.super.alloc(self, ...) "
    .. "if o then o.y = $n end return o, why end",
  "function $@type:recycle(o) world.recycled = $n return $@type.super.recycle(self, o) end",
}

-- }==

-- {== Modules that all others require =========================================

grammar.bus = [[
M.handlers = { kind = "list" }

M.registry = {}

function M.on(f)
  M.handlers[#M.handlers + 1] = f
  return $n
end

function M.emit(...)
  for _, f in ipairs(M.handlers) do f(...) end
  return $n
end]]
grammar.kit = [[
function M.noop()
  return $n
end

function M.make(p)
  local k = p
  return function(q)
    k = q or k
    return k, $n
  end
end

function M.class(name, base)
  local c = { name = name, subs = {} }
  c.__index = c
  for key, value in pairs(base or {}) do
    if type(value) == "function" and not key:find "^[sg]" then c[key] = value end
  end
  if base then base.subs[name] = c end
  return setmetatable(c, { __call = function(self, ...) return setmetatable({ $n, ... }, c) end })
end]]

-- }==

-- {== Edits that must fail ====================================================

grammar.mistake = { "60: $error", "while true do end" }
grammar.error = {
  "local = 1", "end", "error 'half way'", "error({})", "local none = nil .. 1", "print(unknown.entry)",
  'require "nowhere"', "G_new = 1 string.mine = 1 error 'late'", "bus.on(print) world.names.left = 1 error 'later'",
}
grammar.late = { "function $@type:on_spawn() error 'late' end" } -- it loads, and fails then

-- }==

-- Each form as often as its number says.
for symbol, forms in pairs(grammar) do
  local all <const> = {}
  for _, form in ipairs(type(forms) == "table" and forms or {}) do
    local times <const>, text <const> = form:match "^(%d+): (.*)"
    for _ = 1, tonumber(times) or 1 do all[#all + 1] = text or form end
  end
  if #all > 0 then grammar[symbol] = all end
end

return grammar
