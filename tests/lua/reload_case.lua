-- A case: a project that is loaded, used and edited, as a list of steps that can be played again, written down and made
-- shorter. A step is { act = "Lua text" }, what the game does; { see = "Lua expression" }, what must be true; or {
-- files = { name = text or false } }, what is saved (false: removed) before one reload; with `is_damaged` a text that
-- may be refused although Lua would load it. Modules and globals can be named in both texts. Names that begin with
-- "pools." are class files. Whoever reloads is given as a table like spawnpool.reload.
local pools_of_case <const> = require "reload_pools"
local programs <const> = require "reload_program"
local universe <const> = require "reload_universe"
local worlds <const> = require "reload_world"

local cases <const> = {}

local PATIENCE <const> = 0.3 -- seconds; the endless loops of a case last so long

-- {== Failures ================================================================

local function fail(kind, format, ...)
  error({ kind = kind, text = kind .. ": " .. format:format(...) }, 0)
end

-- }==

-- {== The game ================================================================

local Case <const> = {}
Case.__index = Case

-- Names that the game's actions see beside the globals.
local function new_tools(game, pools)
  local tools <const> = { game = game, pools = pools }
  -- Sets a variable that the function shares, as a function of the file could.
  function tools.set_local(fn, name, value)
    for i = 1, 255 do
      local its <const> = debug.getupvalue(fn, i)
      if its == name then debug.setupvalue(fn, i, value) end
      if not its then return end
    end
  end
  function tools.closure(value) return function() return value end end
  function tools.thread(value)
    local co <const> = coroutine.create(function(held) coroutine.yield() return held end)
    coroutine.resume(co, value)
    return co
  end
  local function find(_, name)
    local module <const> = package.loaded[name]
    if module ~= nil then return module end
    return _G[name]
  end
  return setmetatable(tools, { __index = find, __newindex = _G })
end

local function roots_of(it)
  return function()
    for i, object in ipairs(it.pools.things) do it.game.fields[i] = object.held end
    return { _G, it.game }
  end
end

-- }==

-- {== Files ===================================================================

local function save(it, name, text)
  if not text then
    os.remove(it.folder .. "/" .. name)
  else
    if name:find "/" then worlds.make_folder(it.folder .. "/" .. name:match "^(.*)/") end
    worlds.write(it.folder, name, text)
  end
  it.disk[name] = text or nil
end

local function overlay(base, more)
  local all <const> = {}
  for name, text in pairs(base) do all[name] = text end
  for name, text in pairs(more) do all[name] = text or all[name] end
  return all
end

-- }==

-- {== What a reload must do ===================================================

-- Why the new universe cannot follow the old one: a module no longer returns the table that others hold.
local function type_problem(old, new)
  for name, value in pairs(new.results) do
    local before <const> = old.results[name]
    if type(before) == "table" and type(value) ~= "table" then return "refused" end
    if before and type(before) ~= type(value) then return "either" end
  end
  return nil
end

local function try(it, texts)
  local new <const>, wrong <const> = universe.load(texts, it.names)
  if not new then return "refused", wrong end
  return type_problem(it.program.universe, new) or "ok", new
end

-- Returns the expected result of the saved files: "ok" and a universe, "refused", "either" and a universe, or "same".
local function expected(it, saved)
  local texts, all, differs, has_more = {}, {}, false, false
  for name, text in pairs(it.disk) do
    if not it.good[name] then texts[name], all[name] = text, text end -- nobody has required it yet
  end
  local has_saved = false
  for name in pairs(saved) do
    texts[name] = it.disk[name]
    has_saved = has_saved or it.disk[name] ~= nil
  end
  for name, text in pairs(texts) do all[name] = text end
  for name, text in pairs(it.refused) do -- what has gone back waits for a save
    if not all[name] and (has_saved or not it.back[name]) then all[name], has_more = text, true end
  end
  for name, text in pairs(all) do differs = differs or it.good[name] ~= nil and it.good[name] ~= text end
  if not differs then return "same" end
  local verdict <const>, new <const> = try(it, overlay(it.good, all))
  if verdict == "refused" and has_more then
    local alone <const>, other <const> = try(it, overlay(it.good, texts))
    for name, text in pairs(texts) do
      if it.good[name] and it.good[name] ~= text then return alone, other end
    end
    return "same"
  end
  return verdict, new
end

local function note_refused(it, saved)
  for name in pairs(saved) do
    local text <const> = it.disk[name]
    local is_loop <const> = text and text:find("while true do end", 1, true)
    it.refused[name] = it.good[name] and text ~= it.good[name] and not is_loop and text or nil
    it.back[name] = nil
  end
end

local function take_over(it, new, saved)
  for name, file in pairs(new.file) do
    it.good[file] = new.texts[file]
    local is_known = false
    for _, known in ipairs(it.names) do is_known = is_known or known == name end
    if not is_known then it.names[#it.names + 1] = name end
  end
  for name, text in pairs(it.refused) do
    if it.good[name] == text then it.refused[name] = nil end
  end
  note_refused(it, saved)
end

-- Every other time in the middle of what the game does.
local function reload_once(it)
  local is_inside <const> = (it.count.ok + it.count.refused) % 2 == 1
  local done, result
  if is_inside then done, result = it.pools:inside(it.reload.now) else done, result = pcall(it.reload.now) end
  if not done then fail("raised", "reload.now() raised %s", tostring(result)) end
  while it.reload.poll() do end -- one poll tells one thing
  return result
end

-- Reloads with memory refused, if the reloader has `refuse` for that: it says whether all is refused from some point
-- on. A reload that fails must have changed nothing, unless even its way back has no memory: that is made up for at the
-- next poll. Returns the result of one that came through; a file that could not be read comes with the next one.
local function reload_with_little(it, before)
  local on <const> = it.reload.refuse()
  local done <const>, result = pcall(it.reload.now)
  if it.reload.relent() == 0 and done then
    while it.reload.poll() do end -- one poll tells one thing
    return result
  end
  it.count.refused_memory = (it.count.refused_memory or 0) + 1
  local came_through <const> = done and result and result.ok
  if not came_through then
    if not on then it.program:refuse(before, it.program:capture()) end
    result = on and it.reload.poll() or nil
  end
  for _ = 1, 3 do
    local more <const> = it.reload.now()
    if not result or not result.ok then result = more or result end
  end
  while it.reload.poll() do end
  -- It may have come through, and have had no memory to say so: the oracle looks.
  return result or (on and { ok = true } or nil)
end

-- A refusal names a file of the project, and a line where Lua names one.
local function check_message(message, why)
  if type(message) ~= "string" then fail("message", "refused without one") end
  local names_line <const> = message:find "[%w/]+%.lua:%d+"
  if not names_line and (not message:find "[%w/]+%.lua" or tostring(why):find "%.lua:%d+:") then
    fail("message", "%s does not say where; %s", message, tostring(why))
  end
end

-- Returns whether the texts before the last edit must run again: they come back when newer code fails.
local function must_come_back(it, type)
  local verdict, new
  if it.versions[1] then verdict, new = try(it, overlay(it.good, it.versions[#it.versions])) end
  return verdict == "ok" and universe.one_life(new, type)
end

-- Returns the newest of the versions that ran before which has other texts of just these files.
local function version_of(it, files)
  local names <const> = table.concat(files, " ")
  for k = #it.versions, 1, -1 do
    local list <const> = {}
    for name, text in pairs(it.versions[k]) do
      if it.good[name] ~= text then list[#list + 1] = name end
    end
    table.sort(list)
    if table.concat(list, " ") == names then return k end
  end
  fail("reverted", "the texts that run now have never run together: %s went back", names)
end

-- Takes over that a version has come back. What ran instead is still on the disk: the next save starts from there.
local function go_back(it, before, files)
  local k <const> = version_of(it, files)
  local verdict <const>, new <const> = try(it, overlay(it.good, it.versions[k]))
  if verdict == "refused" then fail("reverted", "to what cannot be loaded: %s", tostring(new)) end
  it.count.reverted = it.count.reverted + 1
  it.program:accept(before, it.program:capture(), new)
  it.pools:check_in_force(new)
  for _, name in ipairs(files) do it.refused[name], it.back[name] = it.good[name], true end
  it.versions = table.move(it.versions, 1, k - 1, 1, {})
  take_over(it, new, {})
end

-- Lets objects of each type live, by which new code that fails is found: the version before must come back.
local function use_types(it)
  _G.world.recycled, _G.world.despawned = nil, nil
  local before <const> = it.program:capture()
  local files
  local function is_taken_back()
    local told = it.reload.poll()
    while told do
      if told.reverted and files then fail("reverted", "twice at once") end
      files = told.reverted and told.files or files
      told = it.reload.poll()
    end
    return files ~= nil
  end
  local failing <const> = it.pools:live_once(it.program.universe, is_taken_back)
  is_taken_back()
  if files then
    go_back(it, before, files)
    return use_types(it)
  end
  for _, type in ipairs(failing) do
    if must_come_back(it, type) then fail("kept", "code of %s that fails is not taken back", type) end
    it.is_over = true -- errors of the game may take it back at any time from now on
  end
end

local function check_edit(it, saved, is_damaged)
  local old <const> = it.program.universe
  local seen <const> = it.pools:seen(old)
  local before <const> = it.program:capture()
  for name, text in pairs(saved) do save(it, name, text) end
  local verdict, new <const> = expected(it, saved)
  local result <const> = it.reload.refuse and reload_with_little(it, before) or reload_once(it)
  local after <const> = it.program:capture()
  if is_damaged and verdict == "ok" then verdict = "either" end
  local went_through <const> = result and result.ok and verdict ~= "same"
  if verdict == "ok" and not result then fail("unseen", "reload.now() saw no edit") end
  if verdict == "ok" and not went_through then fail("rejected", "%s", tostring(result.error)) end
  if verdict == "refused" and went_through then fail("accepted", "although %s", tostring(new)) end
  if verdict == "same" and result and not result.ok and next(it.refused) == nil then
    fail("rejected", "the text is the one in force: %s", result.error)
  end
  it.pools:compare(seen, old, went_through and new or old)
  it.pools:check_in_force(went_through and new or old)
  if went_through then
    it.count.ok = it.count.ok + 1
    it.program:accept(before, after, new)
    it.versions[#it.versions + 1] = overlay(it.good, {})
    take_over(it, new, saved)
    use_types(it)
  else
    it.count.refused = it.count.refused + 1
    it.program:refuse(before, after)
    if verdict == "refused" and result then check_message(result.error, new) end
    note_refused(it, saved)
  end
end

-- }==

-- {== Playing =================================================================

-- Opens a project: `case` has `names` of modules, in the order in which they are required, and `files`.
function cases.open(case, reload)
  local it <const> = setmetatable({
    folder = worlds.folder(), reload = reload, names = { table.unpack(case.names) },
    disk = {}, good = {}, versions = {}, refused = {}, back = {}, count = { ok = 0, refused = 0, reverted = 0 },
    path = package.path, game = { fields = {} },
  }, Case)
  it.pools = pools_of_case.open(it.folder)
  function it.game.hold(i, value) it.pools.things[i].held = value end
  it.tools = new_tools(it.game, it.pools)
  package.path = ("%s/?.lua;%s/?/init.lua;%s"):format(it.folder, it.folder, it.path)
  for name, text in pairs(case.files) do save(it, name, text) end
  reload.watch(it.folder)
  reload.patience(PATIENCE)
  universe.settle()
  assert(not universe.opaque()[it.game], "the game is a part of what was there before")
  local opaque <const> = universe.opaque()
  opaque[it], opaque[it.tools], opaque[it.pools] = true, true, true
  _G.world = universe.new_world()
  it.program = programs.open(it.folder, roots_of(it), universe.opaque)
  return it
end

-- Requires the modules. False when they cannot be loaded, by a fresh load either.
function Case:start()
  local new <const>, wrong <const> = universe.load(overlay(self.disk, {}), self.names)
  if not new then return false, wrong end
  for _, name in ipairs(self.names) do
    local type <const> = name:match "^pools%.(.*)"
    if type then self.pools:load(type) else require(name) end
  end
  for name, file in pairs(new.file) do self.good[file] = self.disk[file] end
  self.program:accept(nil, self.program:capture(), new)
  return true
end

function Case:act(text)
  local chunk <const> = load(text, "=game", "t", self.tools)
  if chunk then pcall(chunk) end
end

function Case:see(text)
  local chunk <const> = assert(load("return " .. text, "=see", "t", self.tools))
  local done <const>, value <const> = pcall(chunk)
  if not done or not value then fail("see", "%s is %s", text, tostring(value)) end
end

function Case:step(step)
  if step.act then
    self:act(step.act)
  elseif step.see then
    self:see(step.see)
  else
    check_edit(self, step.files, step.is_damaged)
  end
end

function Case:close()
  self.reload.unwatch()
  self.pools:close()
  package.path = self.path
  worlds.remove(self.folder)
  universe.restore()
end

-- Opens, starts and closes a case; `body(it)` plays it. Returns the counts of edits, and the failure, if any: { kind,
-- text }.
function cases.play(case, reload, body)
  local it <const> = cases.open(case, reload)
  local done <const>, wrong <const> = pcall(function()
    if it:start() then body(it) end
  end)
  it:close()
  if done then return it.count end
  return it.count, type(wrong) == "table" and wrong or { kind = "broken", text = "broken: " .. tostring(wrong) }
end

-- Plays the steps of a case that is known.
function cases.replay(case, reload)
  return cases.play(case, reload, function(it)
    for _, step in ipairs(case.steps) do it:step(step) end
  end)
end

-- }==

return cases
