-- The files of a program: which have run, which required which, and what each has created. Every file of the game is
-- loaded through `load` here, so that it can run again later.

local native <const> = ...
local image <const> = native.use "spawnpool.image"
local classes <const> = native.use "spawnpool.class"

local debug <const> = native.debug()

local files <const> = { loaded = native.loaded() }
files.package = files.loaded.package

local records <const> = {} -- true path -> records: a file that is required by two names is loaded twice
local by_id <const> = {}
local by_path = {} -- the same, sorted; shorter while a record is new
local running <const> = {} -- records whose chunk is on the stack, innermost last
local followed <const> = {} -- true paths of the folders whose files are tracked
local session -- records what happens while files run, or nil
-- Knowledge of the heap from the last session, until a collection: programs require one file after the other.
local last <const> = setmetatable({}, { __mode = "v" })

local LOOK_MOST <const> = 20000 -- entries watched for changes while a file runs: those nearest to the modules

-- {== Records ==============================================================

-- Links do not move while files run: within a session a path is resolved once.
local function true_path(path)
  local known <const> = session and session.paths
  if not known then return native.realpath(path) or path end
  known[path] = known[path] or native.realpath(path) or path
  return known[path]
end

-- Returns the record of a file that has run, or has tried to; nil for others.
function files.find(path) return (files.all_of(path) or {})[1] end

-- Returns all records of a file, one for each name that it was required by; nil for unknown files. It may be a link by
-- now.
function files.all_of(path) return records[true_path(path)] or records[path] end

local function new_record(path, real)
  local record <const> = {
    id = #by_id + 1, path = path, real = real,
    uses = {}, -- names of the modules that it requires
    modules = {}, declares = {}, -- names that it is required by; names of its classes
    version = 0, -- successful loads
  }
  by_id[record.id] = record
  records[real] = records[real] or {}
  table.insert(records[real], record)
  return record
end

-- `module` is the name that it is required by. Another name for the same file loads it once more.
local function record_of(path, module)
  local real <const> = true_path(path)
  for _, record in ipairs(records[real] or {}) do
    if not module or record.modules[module] or next(record.modules) == nil then return record end
  end
  return new_record(path, real)
end

-- Returns how often the file of a class was loaded; 0 when its file is not tracked.
function files.version_of(class)
  local version = 0
  for _, record in ipairs(by_id) do
    if record.declares[class] then version = math.max(version, record.version) end
  end
  return version
end

-- Sets the current text of the file.
function files.set_text(record, text)
  record.text = text
  native.texts()[record.path] = text
end

-- Adds a file that has not run yet; `class` is the class that it is named after.
function files.add(path, class)
  local record <const> = record_of(path)
  record.class = class or record.class
  return record
end

-- Returns all records by path, in the same order in every run.
function files.sorted()
  if #by_path < #by_id then
    by_path = table.move(by_id, 1, #by_id, 1, {})
    table.sort(by_path, function(a, b) return a.path < b.path or a.path == b.path and a.id < b.id end)
  end
  return by_path
end

function files.running() return running[#running] end

-- }==

-- {== Folders ==============================================================

function files.is_followed(path)
  local real <const> = true_path(path)
  for _, folder in ipairs(followed) do
    if real:sub(1, #folder + 1) == folder .. "/" then return true end
  end
  return false
end

-- Finds modules in followed folders for a program with the standard `package`.
local function search(name)
  local path <const> = files.package.searchpath(name, files.package.path)
  if not path then return nil end -- the next searcher reports what was tried
  if not files.is_followed(path) then return nil end
  return files.load(path, "module", name), path
end

-- Tracks the files of this folder from now on.
function files.follow(real)
  followed[#followed + 1] = real
end

-- Installs the searcher in a program with the standard `require`, once.
function files.add_searcher()
  local searchers <const> = files.package.searchers
  if searchers[2] ~= search then table.insert(searchers, 2, search) end
end

-- }==

-- {== Sessions =============================================================

-- Returns the values that are always reached, the nearest first: modules, and what files have created, including one
-- that is running again. The second list has tables whose entries are reached, but which are not part of the game.
local function roots(extra)
  local list <const>, stores <const> = { _G, files.loaded }, classes.stores()
  if extra ~= nil then list[3] = extra end
  for _, record in ipairs(by_id) do
    local img <const> = record.image
    if img and type(img.result) == "table" then list[#list + 1] = img.result end
    if img then stores[#stores + 1] = img.functions end
  end
  return list, stores
end

-- Looks at the heap. Without `is_last` new tables are tracked from now on.
local function look_at(shot, log, extra, is_last)
  local list <const>, stores <const> = roots(extra)
  native.look(shot, not is_last and list, stores, log)
end

-- Returns the record of the file that created a table or function when it ran in this session, or nil.
function files.maker_of(value) return by_id[native.made_by(value)] end

-- Returns a file through which a trusted file may have stored the value: that of the first function in it, or nil.
local function author_of(value)
  local maker <const> = files.maker_of(value)
  if maker then return maker end
  if type(value) == "function" then
    local source <const> = debug.getinfo(value, "S").source
    return source:sub(1, 1) == "@" and files.find(source:sub(2)) or nil
  end
  if type(value) ~= "table" then return nil end
  for _, entry in next, value do
    if type(entry) == "function" then return author_of(entry) end
  end
  return nil
end

-- Returns the file that has changed something since the last look: the one that ran, unless trusted files ran too. A
-- trusted file that may have done it is not trusted again.
local function doer_of(value, record)
  if #session.unsure == 0 then return record end
  local author <const> = author_of(value)
  if author and (author == record or session.trusted[author]) then return author end
  for _, trusted in ipairs(session.unsure) do trusted.is_suspect = true end
  return record or session.unsure[#session.unsure]
end

local function stores_of(record)
  local stores <const> = {}
  for name, declarer in pairs(session.declared_by) do
    if declarer == record then stores[name] = classes.store(name) end
  end
  return stores
end

local function take_image(record, result)
  local img <const> = image.take(record, result, stores_of(record), session.is_staged)
  image.add_effects(img, session.effects[record] or {})
  return img
end

local function note_effect(record, effect)
  if session.is_ending or effect.value == nil then return end
  if session.made[record] then -- it did more than before
    session.made[record] = nil
    session.done[record] = take_image(record, session.results[record])
    session.on_done(record)
  end
  local img <const> = session.done[record]
  if img then -- it ended without a look
    image.add_effect(img, effect.thing, effect.key, effect.before, effect.value)
  else
    local effects <const> = session.effects[record] or {}
    session.effects[record] = effects
    effects[#effects + 1] = effect
  end
end

local function is_module(name)
  for _, record in ipairs(by_id) do
    if record.modules[name] then return true end
  end
  return false
end

-- Returns the file whose effect a change is, or nil. A file's entry in package.loaded under another name than its own
-- is its effect; the rest was done by `require`. File-locals are not effects.
local function whose_effect(thing, key, value, record)
  if type(thing) ~= "table" then return nil end
  local doer
  if thing == files.loaded then
    doer = files.maker_of(value) or record
    return doer and not doer.modules[key] and not doer.uses[key] and not is_module(key) and doer or nil
  end
  doer = doer_of(value, record)
  return doer ~= files.maker_of(thing) and doer or nil
end

-- Attributes the changes since the last look to `record`, or to no file if nil. Tracks new tables, except at the end.
local function look(record, extra, is_last)
  local log <const> = session.log
  local from <const> = log.n
  local maker <const> = native.maker(0)
  look_at(session.shot, log, extra, is_last)
  for at = from + 1, log.n, 4 do
    local thing <const>, key <const>, value <const> = log[at], log[at + 1], log[at + 3]
    local doer <const> = whose_effect(thing, key, value, record)
    if doer then note_effect(doer, { thing = thing, key = key, before = log[at + 2], value = value }) end
  end
  session.unsure, session.is_current = {}, true
  native.maker(maker)
end

-- Begins to record what files do; nothing is undone unless `files.undo` is called. Objects that are allocated meanwhile
-- are listed in `staged`.
function files.begin(staged)
  native.begin_births()
  local shot <const> = last.shot or native.shot(classes.not_entered(), LOOK_MOST)
  session = {
    shot = shot, log = { n = 0 },
    effects = {}, -- record -> its changes outside of itself
    declared_by = {}, -- name of a class -> record
    trusted = {}, -- records that run without a look before and after: they change nothing outside of themselves
    paths = {}, -- path -> true path
    unsure = {}, -- trusted records that ran since the last look
    done = {}, order = {}, -- record -> image; records in the order in which they ended
    results = {}, -- record -> result of the file
    uses = {}, -- { record, module } pairs that were found
    made = {}, -- record -> value -> the same value of the previous run, for files that created the same again
    staged = staged or {}, is_staged = {}, -- objects; and which record allocated each
  }
  native.stage(session.staged)
  look_at(shot, last.shot and { n = 0 })
  last.shot = nil -- a reload joins functions to other file-locals, and a file may fail
  session.is_current = true -- nothing has happened since the last look
  return session
end

-- Prepares the next session's knowledge of the heap, in a frame before the one in which it begins.
function files.prepare()
  local shot <const> = native.shot(classes.not_entered(), LOOK_MOST)
  look_at(shot)
  last.shot = shot
end

function files.finish()
  session = nil
  native.stage(nil)
  native.finish_births()
end

-- A file with unchanged text that changed nothing outside of itself is trusted to do so again: two looks for each of a
-- hundred files would take most of the time of a reload.
function files.trust(record)
  session.trusted[record] = record.image and #record.image.effects == 0 and not record.is_suspect
end

-- Changes until now belong to no file.
function files.take_note() look(nil) end

-- Finds changes that trusted files made unexpectedly.
function files.catch_up()
  if #session.unsure > 0 then look(nil) end
end

-- Records the changes since the last look; `undo` restores everything that has changed since `begin`: globals, tables,
-- file-locals.
function files.look_around()
  if not session then return end
  session.is_ending = true -- changes that will be undone are no file's effects
  look(nil)
end

function files.undo()
  if not session then return end
  native.undo(session.log)
  for _, use in ipairs(session.uses) do use.record.uses[use.module] = nil end
  for name, record in pairs(session.declared_by) do
    if not record.image or not record.image.stores[name] then record.declares[name] = nil end
  end
end

-- }==

-- {== Running ==============================================================

-- Restores `running`, even if memory ran out meanwhile.
local Popper <const> = {
  __close = function(it)
    for i = #running, it.depth + 1, -1 do running[i] = nil end
    native.maker(it.maker)
  end,
}

-- Values created since the last look must not be attributed to another file. A trusted file that trusted ones require
-- gets a look of its own when it has run.
local function needs_look(record)
  local parent <const> = running[#running]
  return not session.is_current and not (session.trusted[record] and (not parent or session.trusted[parent]))
end

local function run_chunk(record, chunk, ...)
  if needs_look(record) then look(running[#running]) end
  if session.trusted[record] then session.unsure[#session.unsure + 1] = record end
  session.is_current = false
  image.note(session.staged, session.is_staged, running[#running])
  local _ <close> = setmetatable({ depth = #running, maker = native.maker(record.id) }, Popper)
  running[#running + 1] = record
  return native.call(chunk, ...)
end

-- A file may set its entry in package.loaded itself, and return nothing.
local function result_of(record, result)
  for name in pairs(result == nil and record.modules or {}) do
    if files.loaded[name] ~= nil and files.loaded[name] ~= true then return files.loaded[name] end
  end
  return result
end

-- A file with unchanged text usually creates the same values again; then the previous ones stay.
local function keep_image(record, result)
  local made <const> = {}
  if not session.known or not session.trusted[record] or record.image.is_partial
    or not native.is_remade(record.image, record.id, result, stores_of(record), session.known, made) then
    return false
  end
  session.done[record], session.made[record] = record.image, made
  return true
end

local function finish_run(record, ...)
  local result <const> = result_of(record, (...))
  if session.trusted[record] then
    native.look(session.shot, { result }, {}, nil) -- later writes into it belong to other files
    session.unsure[#session.unsure + 1] = record -- again: there may have been a look while it ran
  else
    local is_last <const> = session.is_single and not running[1]
    for name in next, is_last and session.declared_by or {} do native.stop(session.shot, classes.find(name)) end
    look(record, result, is_last)
  end
  if running[#running] then session.is_current = false end -- the file that required it continues
  local maker <const> = native.maker(0)
  session.results[record] = result
  image.note(session.staged, session.is_staged, record)
  if not keep_image(record, result) then session.done[record] = take_image(record, result) end
  session.order[#session.order + 1] = record
  if session.on_done then session.on_done(record) end
  native.maker(maker)
  return ...
end

local Session <const> = { __close = function() files.finish() end }

-- Runs a chunk of `record` in the session, or in one of its own, whose results take effect at once.
function files.run(record, chunk, ...)
  record.args = table.pack(...)
  if session then return finish_run(record, run_chunk(record, chunk, ...)) end
  local _ <close> = setmetatable({}, Session)
  files.begin().is_single = true
  local results <const> = table.pack(finish_run(record, run_chunk(record, chunk, ...)))
  for _, done in ipairs(session.order) do files.keep(done, session.done[done]) end
  -- With several files, one may have entered a new class of another; the next session must enter none.
  if #session.order == 1 or next(session.declared_by) == nil then last.shot = session.shot end
  return table.unpack(results, 1, results.n)
end

-- Makes the image the current one of its record.
function files.keep(record, img)
  if img ~= record.image then image.settle(img) end
  record.image = img
  record.version = record.version + 1
end

local function load_plainly(path)
  local text <const>, why <const> = native.read(path)
  local chunk <const>, wrong <const> = native.compile(text or error(why, 0), path)
  return chunk or error(wrong, 0)
end

-- Returns the function that runs a file, for any loader: `kind` is "module", "class" or "main". Raises errors.
function files.load(path, kind, name)
  if not files.is_followed(path) then return load_plainly(path) end
  local record <const> = record_of(path, kind == "module" and name or nil)
  if kind == "module" then record.modules[name] = true end
  if kind == "class" then record.class = name end
  if kind == "main" then record.main = true end
  local chunk = session and session.chunks and session.chunks[record]
  if not chunk then
    local text <const>, why <const> = native.read(path)
    if not text then error(why, 0) end
    local wrong
    chunk, wrong = native.compile(text, path)
    if not chunk then error(wrong, 0) end
    record.chunk = chunk
    files.set_text(record, text)
  end
  return function(...) return files.run(record, chunk, ...) end
end

-- }==

-- {== Classes ==============================================================

-- From now on, class declarations are attributed to their files.
function files.track_classes()
  classes.track {
    declared = function(name)
      local record <const> = running[#running]
      if not record then return end
      record.declares[name] = true
      session.declared_by[name] = record
    end,
    wrote = function(name, store, key, before, value)
      local record <const> = running[#running]
      if record and session.declared_by[name] ~= record then
        note_effect(record, { thing = store, key = key, before = before, value = value })
      end
    end,
    path = function() -- where the running class file looks for others
      local record <const> = running[#running]
      return record and record.class and record.path:gsub("[^/]*$", "?.lua") or nil
    end,
    declares = function(name) return running[#running] and running[#running].declares[name] end,
  }
end

-- }==

-- {== require ==============================================================

local function circle(name, from)
  local names <const> = {}
  for i = from, #running + 1 do names[#names + 1] = (running[i] or running[from]).path end
  return ("circular require of '%s': %s"):format(name, table.concat(names, " -> "))
end

-- function -> names of the modules that it is known to use, because most calls of `require` are repeated
files.noted_uses = setmetatable({}, { __mode = "k" })

local function note_use(name, caller)
  local source <const> = caller and caller.source or ""
  local users <const> = source:sub(1, 1) == "@" and files.all_of(source:sub(2)) or { running[#running] }
  for _, user in ipairs(users) do
    if session and not user.uses[name] then session.uses[#session.uses + 1] = { record = user, module = name } end
    user.uses[name] = true
  end
  if not caller then return end
  local noted <const> = files.noted_uses[caller.func] or {}
  files.noted_uses[caller.func] = noted
  noted[name] = true
end

-- Called before `require(name)` does its work: by C, on behalf of the function at level 3.
function files.on_require(name)
  if type(name) ~= "string" then return end
  note_use(name, debug.getinfo(3, "Sf"))
  for i, record in ipairs(running) do
    if record.modules[name] and files.loaded[name] == nil then error(circle(name, i), 3) end
  end
end

-- }==

return files
