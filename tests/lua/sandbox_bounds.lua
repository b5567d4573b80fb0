-- What bounds the time of a call of each function that a game in the sandbox can reach and that is not stopped between
-- two instructions: see tests/slow/check_reach.c, which finds them. docs/sandbox.md shows the same list. A function
-- that is new gets its place here when it is known what bounds it.
local BOUNDS <const> = {
  -- Nothing in it depends on the size of anything.
  ["at once"] = [[assert coroutine.create coroutine.isyieldable coroutine.running coroutine.status coroutine.yield
    error getmetatable hits:__call ipairs math.abs math.acos math.asin math.atan math.ceil math.cos math.deg
    math.exp math.floor math.fmod math.log math.modf math.rad math.random math.randomseed math.sin math.sqrt
    math.tan math.tointeger math.type math.ult object.after object.every object.launch object:__newindex
    object:__tostring pools.after pools.every timer:__index timer:__tostring
    os.clock os.difftime pools.is_live pool.stats pool:__newindex pool:__tostring pools:__index pools:__newindex
    pools:__tostring rawequal rawget rawlen rawset setmetatable string.len type utf8_next coroutine.wrap
    class:__tostring snapshot:__gc snapshot:__index snapshot:__newindex snapshot:__tostring]],
  -- As long as its arguments are: a string has 64 MiB at most, a call a million values.
  ["the size of its arguments"] = [[math.max math.min select string.byte string.char string.lower string.pack
    string.packsize string.rep string.reverse string.sub string.unpack string.upper table.pack tonumber utf8.char
    utf8.codepoint utf8.codes utf8.len utf8.offset warn text:__add text:__div text:__idiv text:__mod text:__mul
    text:__pow text:__sub text:__unm debug.traceback os.date os.time require spawnpool.load]],
  -- As long as the function or metamethod that it calls, once.
  ["what it calls, once"] = [[pcall xpcall coroutine.resume coroutine.close coroutine_wrapped ipairs_next pairs next
    tostring object:__index object:__close object:__pairs pairs_of_object object.recycle object.run pool:__index
    pools.recycle pool.recycle super.recycle pools.alloc pool.alloc super.alloc pools.pool pools.run timer.stop]],
  -- It asks the watchdog as it goes on.
  ["the watchdog"] = [[load print string.find string.format string.gmatch gmatch_next string.gsub string.match
    table.concat table.insert table.move table.remove table.sort table.unpack each_filtered pools.take pool.take
    pools.update pool.within pool.overlaps pool.separate]],
  -- All objects of a pool or a manager, once: hooks that the watchdog has stopped cost next to nothing.
  ["the number of objects"] = [[each_of_pool each_of_pools pool.add pool.clear pool.each pool.nearest pool.prewarm
    pool.recycle_all pool.set pool.trim pools.clear pools.close pools:__close pools.each pools.recycle_all
    pools.remove pools.stats pools.configure pools.leaks pools:__gc pools.snapshot pools.restore pools.save
    pools.hash]],
  -- All that the game has in memory, once.
  ["the memory of the game"] = "collectgarbage",
  -- The tables that it is given, read raw, and the classes that there are. These are the library's own Lua code.
  ["the classes there are"] = [[spawnpool.class spawnpool.any spawnpool.fresh spawnpool.keep spawnpool.live
    spawnpool.new class:__newindex class:__pairs pairs_of_class]],
}

-- Some builds of Lua have these, at once.
local COMPATIBLE <const> = {}
for name in ("cosh frexp ldexp log10 pow sinh tanh"):gmatch "%w+" do COMPATIBLE["math." .. name] = true end

-- What is wrong, as text: `found` has the names as keys, `page` is the text of docs/sandbox.md.
return function(found, page)
  local wrong <const>, bound <const>, there <const> = {}, {}, {}
  for name in pairs(found) do there[name:gsub(":__index%.", "."):gsub(":__index:__index$", ":__index")] = true end
  for kind, names in pairs(BOUNDS) do
    local shown <const> = {}
    for name in (page:match("\n| " .. kind .. " | ([^|]*) |") or ""):gmatch "`([^`]+)`" do shown[name] = true end
    for name in names:gmatch "%S+" do
      if bound[name] then wrong[#wrong + 1] = name .. " has two bounds" end
      if not there[name] then wrong[#wrong + 1] = name .. " cannot be reached" end
      if not shown[name] then wrong[#wrong + 1] = ("docs/sandbox.md does not have %s under '%s'"):format(name, kind) end
      bound[name], shown[name] = kind, nil
    end
    for name in pairs(shown) do wrong[#wrong + 1] = ("docs/sandbox.md has %s under '%s'"):format(name, kind) end
  end
  for name in pairs(there) do
    if not bound[name] and not COMPATIBLE[name] then wrong[#wrong + 1] = name .. " has no bound" end
  end
  table.sort(wrong)
  return table.concat(wrong, "\n")
end
