-- A game that is played and edited: runs a random project (played_project.lua), keeps what it must have
-- (played_features.lua), and compares after each edit. Raises { text = what is wrong }.
local features <const> = require "played_features"
local folders <const> = require "reload_kit"
local projects <const> = require "played_project"

local random_of <const>, want <const> = features.random, features.want
local STEP <const> = 1 / 64
local PROBATION <const> = 120 -- frames
local TURNS <const> = 12

local Game <const> = {}
Game.__index = Game

-- {== States: what the game must have =========================================

local function module_of(game, file)
  return file.class and game.pools:pool(file.class).class or package.loaded[file.name]
end

-- Half of the calls go through what the game has held since the feature began.
function Game:call(s, name, ...)
  self.calls = self.calls + 1
  name = name .. s.f.key
  local f <const> = self.calls % 2 == 0 and s.held[name] or module_of(self, s.file)[name]
  if not f then want(nil, "a function", "%s of %s", name, s.file.path) end
  return f(...)
end

function Game:each_state()
  local keys <const> = {}
  for key in pairs(self.states) do keys[#keys + 1] = key end
  table.sort(keys)
  local i = 0
  return function()
    i = i + 1
    return self.states[keys[i]]
  end
end

-- The game calls what it holds, what the module has now, or the function itself.
local function caller(game, s)
  local name <const> = "work" .. s.f.key
  if s.f.key % 3 == 0 then return s.held[name] end
  if s.f.key % 3 == 1 then return function() s.held[name]() end end
  return function() module_of(game, s.file)[name]() end
end

function Game:begin(file, f, is_added)
  local s <const> = { f = f, file = file, is_added = is_added, held = {} }
  for name, entry in pairs(file.class and {} or module_of(self, file)) do
    if type(entry) == "function" and name:match "%d+$" == tostring(f.key) then s.held[name] = entry end
  end
  self.states[f.key] = s
  features[f.kind].begin(self, s)
  if s.held["work" .. f.key] then s.timer = self.pools:every(STEP, caller(self, s)) end
end

-- An edit has gone through.
function Game:accept(file, record)
  local is_in <const> = {}
  for _, f in ipairs(record.features) do is_in[f.key] = true end
  for _, f in ipairs(file.running.features) do
    local s <const> = self.states[f.key]
    if not is_in[f.key] then
      self.states[f.key] = nil
      if s.timer then s.timer:stop() end
      if features[f.kind].gone then features[f.kind].gone(self, s) end
    end
  end
  file.running = record
  for _, f in ipairs(record.features) do
    if self.states[f.key] then self.states[f.key].f = f else self:begin(file, f, true) end
  end
end

function Game:check_versions(what)
  for _, file in ipairs(self.project.files) do
    local version <const> = file.running.version
    want(module_of(self, file).version(), version, "%s: the version of %s", what, file.path)
    if file.held then want(file.held(), version, "%s: the version of %s that is held", what, file.path) end
  end
end

function Game:check(what)
  self:check_versions(what)
  for s in self:each_state() do
    local done <const>, wrong <const> = pcall(features[s.f.kind].check, self, s)
    if not done then
      error({ text = ("%s: %s: %s"):format(what, s.file.path, type(wrong) == "table" and wrong.text or wrong) }, 0)
    end
  end
end

-- }==

-- {== Play ====================================================================

-- One frame; what the poll after it says.
function Game:frame()
  self.pools:update(STEP)
  for s in self:each_state() do
    if features[s.f.kind].work then features[s.f.kind].work(self, s) end
  end
  return self.reload.poll()
end

function Game:quiet_frame()
  local result <const> = self:frame()
  want(result and not result.note and result.line or nil, nil, "what a poll says")
end

function Game:play(random)
  for _ = 1, 1 + random.below(6) do
    local acting <const> = {}
    for s in self:each_state() do
      for name in pairs(features[s.f.kind].acts or {}) do acting[#acting + 1] = ("%s %s"):format(s.f.key, name) end
    end
    table.sort(acting)
    local key <const>, name <const> = (random.pick(acting) or ""):match "^(%d+) (.*)"
    if key then
      local s <const> = self.states[tonumber(key)]
      self.say("-- %s: %s%s", s.file.path, name, key)
      features[s.f.kind].acts[name](self, s, random)
    end
    if random.one_in(2) then self:quiet_frame() end
  end
  for _ = 1, random.one_in(8) and PROBATION + 20 or 1 do self:quiet_frame() end
end

-- Each handler is heard as often as it must be.
function Game:fire_all(random)
  for s in self:each_state() do
    for _ = 1, s.f.kind == "bus" and 3 or 0 do features.bus.acts.fire(self, s, random) end
  end
end

-- }==

-- {== Edits ===================================================================

local function write(game, file, record)
  file.disk = record
  local text <const> = projects.text(file, record)
  game.say("-- save %s:\n%s", file.path, text)
  folders.write(game.folder, file.path, text)
end

-- Those whose text on the disk is not the one that runs; the one that is bad.
function Game:pending()
  local list <const>, bad = {}, nil
  for _, file in ipairs(self.project.files) do
    if file.disk ~= file.running then
      list[#list + 1] = file
      if file.disk.fault or file.is_bad then bad = file end
    end
  end
  return list, bad
end

-- Plays on until the edit fails, and sees that it is taken back.
function Game:await_revert(files)
  local before <const> = {}
  for _, file in ipairs(files) do before[file], file.running = file.running, file.disk end
  self:check_versions "before it fails"
  local result
  for _ = 1, 6 do
    result = self:frame()
    if result then break end
  end
  want(result and result.reverted, true, "that a poll says what went back (%s)", result and result.line)
  want(result.ok, false, "ok of '%s'", result.line)
  for file, record in pairs(before) do
    file.running = record
    local names <const> = result.line:gsub("\\", "/"):find(file.path, 1, true) ~= nil -- Windows has other slashes
    want(names or #files > 1, true, "that '%s' names %s", result.line, file.path)
  end
end

-- Saves pairs { file, record }. With a bad file on the disk a save is tried with it, then alone.
function Game:save(list, what)
  for _, edit in ipairs(list) do
    write(self, edit[1], edit[2])
    edit[1].is_bad = what == "failing" and edit == list[1] or nil
  end
  local pending <const>, bad <const> = self:pending()
  local result <const> = self.reload.now(function() self:check "after a reload without memory" end)
  if bad and bad.disk.fault and (what == "broken" or bad == list[1][1]) then
    want(result and result.ok, false, "ok of a broken save")
    self:check "after a broken save"
    return
  end
  if #pending > 0 or result then
    want(result and result.ok, true, "ok of a good save (%s)", result and result.line .. " " .. tostring(result.error))
  end
  if bad and bad.is_bad then
    self:await_revert(pending)
  else
    for _, file in ipairs(pending) do
      if file ~= bad then self:accept(file, file.disk) end
    end
  end
  self:check("after " .. what)
end

-- The bad file is mended: as it was, or by another good edit; or another file is saved first.
function Game:mend(bad, count, random)
  local other <const> = random.pick(self.project.files)
  if count == 1 and other ~= bad and random.one_in(3) then
    self.say "-- another save beside a bad one"
    return self:save({ self.project:quiet(other, random, bad.is_bad) }, "a save beside a bad one")
  end
  local as_it_was <const> = bad.running
  if random.one_in(2) then return self:save({ { bad, as_it_was } }, "mending a file as it was") end
  bad.disk = as_it_was -- what the author starts from
  return self:save({ self.project:quiet(bad, random) }, "mending a file")
end

function Game:edit(random)
  local pending <const>, bad <const> = self:pending()
  if bad then return self:mend(bad, #pending, random) end
  local file <const>, dice <const> = random.pick(self.project.files), random.below(10)
  if dice == 0 then return self:save(self.project:broken(file, random), "broken") end
  local fails <const> = dice < 3 and self.project:failing(file, random)
  if not fails then return self:save(self.project:good(file, random)) end
  local other <const> = random.pick(self.project.files)
  local beside <const> = other ~= file and random.one_in(3) and self.project:quiet(other, random, true) or nil
  return self:save({ fails, beside }, "failing")
end

-- }==

-- `reload`: the library, whose `now` gets a function that checks that nothing has changed; `turns`: which of them are
-- played, nil for all; `say(format, ...)` hears what happens.
return function(seed, reload, turns, say)
  local random <const> = random_of(seed)
  local self <const> = setmetatable({ reload = reload, states = {}, calls = 0, folder = folders.folder(),
    say = function(...) say(string.format(...) .. "\n") end }, Game)
  self.project = projects.new(seed, random)
  folders.make_folder(self.folder .. "/pools")
  folders.make_folder(self.folder .. "/lib")
  for _, file in ipairs(self.project.files) do
    write(self, file, file.disk)
    file.running = file.disk
  end
  self.pools = require("spawnpool").new { step = STEP, path = self.folder .. "/pools/?.lua" }
  _G.POOLS = self.pools
  package.path = self.folder .. "/?.lua;" .. package.path
  reload.watch(self.folder)
  require "main"
  for _, file in ipairs(self.project:in_order()) do
    for _, f in ipairs(file.running.features) do self:begin(file, f) end
    file.held = not file.class and module_of(self, file).version
  end
  self:check "at the start"
  for turn = 1, TURNS do
    local its <const> = random_of(seed * 1000 + turn)
    if not turns or turns[turn] then
      self:play(its)
      self:check "before an edit"
      self:edit(its)
      self:fire_all(its)
    end
  end
  self:play(random)
  self:check "at the end"
  folders.remove(self.folder)
end
