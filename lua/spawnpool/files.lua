-- The files of a program: which have run, which required which, what each has made and what it has written elsewhere.
-- Every file of the game is loaded through `load` here, so that it can run again later.
--
-- While files run, what they may reach is looked at where one begins, requires another, or ends: the difference between
-- two looks was written by the file that ran. All that files have written elsewhere is in the journal, in the order of
-- time: read backwards it leads to the world in which a file began. What one file made is a part; a file is near the
-- parts that it requires, and those that they lead to.

local native <const> = ...
local answers <const> = native.use "spawnpool.answers"
local classes <const> = native.use "spawnpool.class"
local places <const> = native.use "spawnpool.places"

local debug <const> = native.debug()
local sub <const>, rawequal <const>, next <const> = string.sub, rawequal, next

local files <const> = { loaded = native.loaded(), journal = {} }
files.package = files.loaded.package

local MADE_MOST <const> = 16384 -- entries of a file that are compared; the tables beyond are data, one value each
local NEAR_MOST <const> = 400 -- tables and functions of a file that are looked at: the nearest to what it returns
local GROUND_MOST <const> = 1000 -- entries that are looked at of what the program has made beside its files

local records <const> = {} -- true path -> record
local by_id <const> = {}
local by_path = {} -- the same, sorted; shorter while a record is new
local by_module <const> = {} -- name -> record
local running <const> = {} -- frames of files on the stack, innermost last
local followed <const> = {} -- true paths of the folders whose files are tracked
local owners <const> = setmetatable({}, { __mode = "k" }) -- thing -> the part that made it
local grounded <const> = setmetatable({}, { __mode = "k" }) -- tables that no file has made, and files have changed
local written = setmetatable({}, { __mode = "k" }) -- thing -> key -> what a file wrote there since its capture
local written_cells = {} -- the same for variables: id -> { f, i, value }
local first <const> = {} -- parts that were there before any file: the globals, what is loaded, libraries, classes
local session -- what is known while files run, or nil

files.made = owners
files.order = {} -- records in the order in which they began

-- {== Records ==============================================================

local function true_path(path) return native.realpath(path) or path end

-- Returns the record of a file that has run, or has tried to; nil for others. It may be a link by now.
function files.find(path) return records[path] or records[true_path(path)] end

local function record_of(path)
  local real <const> = true_path(path)
  local record = records[real]
  if not record then
    record = {
      id = #by_id + 1, path = path, real = real, source = "@" .. path,
      uses = {}, -- names of the modules that it requires
      visitors = {}, -- records of files that have changed something in what it made
      modules = {}, declares = {}, -- names that it is required by; names of its classes
    is_root = false, -- required by the program, or in a call
      version = 0, -- successful loads
    }
    by_id[record.id], records[real] = record, record
  end
  return record
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

-- A file has another name now: it is the one that it was.
function files.rename(record, path)
  records[record.real] = nil
  record.former_source = record.source -- of the functions that there are
  record.path, record.real, record.source = path, true_path(path), "@" .. path
  native.texts()[path] = record.text
  records[record.real], by_path = record, {}
end

-- Returns all records by path, in the same order in every run.
function files.sorted()
  if #by_path < #by_id then
    by_path = table.move(by_id, 1, #by_id, 1, {})
    table.sort(by_path, function(a, b) return a.path < b.path or a.path == b.path and a.id < b.id end)
  end
  return by_path
end

-- Returns the record of a module that is tracked, or nil.
function files.of_module(name) return by_module[name] end

-- Returns what is known here: no part of the game, although a debugger may hold it.
function files.own_tables()
  local list <const> = { files, records, by_id, by_path, by_module, running, followed, owners, grounded, files.order,
    files.noted_uses, first, session, files.journal, written }
  for _, part in ipairs(first) do list[#list + 1] = part end
  for _, record in ipairs(by_id) do
    list[#list + 1] = record
    list[#list + 1] = record.image
  end
  for caller in next, files.noted_uses do list[#list + 1] = files.noted_uses[caller] end
  return list
end

-- Returns the file that runs, or nil.
function files.running() return running[1] and running[#running].record end

-- Returns the file that made a table or function when it ran last, or nil.
function files.owner_of(thing) return owners[thing] and owners[thing].id and owners[thing] or nil end

-- }==

-- {== Folders ==============================================================

function files.is_followed(path)
  local real <const> = true_path(path)
  for _, folder in ipairs(followed) do
    if sub(real, 1, #folder + 1) == folder .. "/" then return true end
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

-- {== The journal ===========================================================

-- An entry of the journal has what a file wrote between two looks: { record =, n =, thing, key, before, after ... }, as
-- native.changes lists it.

-- Entries that `require` made, and those that a file makes in its own tables, are not written elsewhere.
local function is_elsewhere(record, thing, key)
  if rawequal(thing, files.loaded) then return not by_module[key] and not record.uses[key] end
  return owners[thing] ~= record
end

local function entry_of(frame)
  local journal <const> = files.journal
  local last = journal[#journal]
  if not last or last.frame ~= frame then
    last = { record = frame.record, frame = frame, n = 0 }
    journal[#journal + 1] = last
  end
  return last
end

-- Returns what a file wrote last in a place, and whether any did since the place was captured.
function files.written_at(thing, key)
  if type(thing) == "function" then
    local cell <const> = written_cells[debug.upvalueid(thing, key)]
    return cell and cell.value, cell ~= nil
  end
  local of <const> = written[thing]
  local value <const> = of and of[key]
  if value == nil then return nil, false end
  return value ~= places.NOTHING and value or nil, true
end

function files.note_written(thing, key, value)
  if type(thing) == "function" then
    written_cells[debug.upvalueid(thing, key)] = { f = thing, i = key, value = value }
    return
  end
  local of <const> = written[thing] or {}
  written[thing] = of
  if value == nil then value = places.NOTHING end
  of[key] = value
end

-- Adds the changes of a log of native.changes.
local function note_all(frame, log)
  local record <const> = frame.record
  for at = 1, log.n, 4 do
    local thing <const>, key <const> = log[at], log[at + 1]
    if is_elsewhere(record, thing, key) then
      if owners[thing] then owners[thing].visitors[record] = true else grounded[thing] = true end
      local entry <const> = entry_of(frame)
      table.move(log, at, at + 3, entry.n + 1, entry)
      entry.n = entry.n + 4
      frame.has_written = true
      files.note_written(thing, key, log[at + 3])
    end
  end
end

-- }==

-- {== Looking ==============================================================

local function new_part(things)
  local part <const> = { things = things, uses = {}, visitors = {} }
  for _, thing in ipairs(things) do owners[thing] = part end
  return part
end

-- Finds the tables reachable from the globals that no file has made, the nearest, and those of the rest that files have
-- changed.
local function find_ground()
  local roots <const> = {}
  for _, value in next, _G do
    if type(value) == "table" and not owners[value] then roots[#roots + 1] = value end
  end
  local things <const>, is_there <const> = native.things((native.capture_new(roots, owners, GROUND_MOST))), {}
  for _, thing in ipairs(things) do is_there[thing] = true end
  for thing in next, grounded do
    if not is_there[thing] and not owners[thing] then things[#things + 1] = thing end
  end
  first[5].things = things
end

local function find_first()
  local libraries <const> = { debug.getmetatable("") }
  for name, library in next, files.loaded do
    if type(library) == "table" and library ~= _G and not by_module[name] then libraries[#libraries + 1] = library end
  end
  first[1], first[2] = new_part { _G }, new_part { files.loaded }
  first[3], first[4] = new_part(libraries), new_part(classes.roots())
  for _, library in ipairs(libraries) do -- what is in them is theirs
    for _, value in next, library do
      local meta <const> = type(value) == "table" and debug.getmetatable(value)
      if type(value) == "table" then owners[value] = owners[value] or first[3] end
      if meta then owners[meta] = owners[meta] or first[3] end
    end
  end
  owners[files.noted_uses] = first[3]
  first[4].is_shared = true -- each file that declares a class has changed it, and is near nobody for that
  first[5] = new_part {}
end

-- Few files that run again are looked at in full.
local function things_of(part)
  local is_whole <const> = session.looks_far and part.image and not session.chunks[part]
  return is_whole and part.image.things or part.things
end

-- Looks at a part: what has changed since the last look was written by the file of `frame`, or by the host.
local function look_at(part, frame)
  local capture <const> = session.captures[part]
  local log <const> = capture and native.changes(capture)
  if log and frame then note_all(frame, log) end
  if part.things and (log or not capture) then session.captures[part] = native.capture_things(things_of(part)) end
end

-- Returns the innermost file on the stack below `depth` that is near the part.
local function frame_near(part, depth)
  for i = depth, 1, -1 do
    if running[i].is_near[part] then return running[i] end
  end
  return nil
end

-- The file at `depth` of the stack may reach the part from now on, and what leads from there.
local function approach(depth, part)
  local frame <const> = running[depth]
  if frame.is_near[part] then return end
  frame.is_near[part] = true
  frame.parts[#frame.parts + 1] = part
  look_at(part, frame_near(part, depth - 1))
  for name in next, part.uses do
    if by_module[name] then approach(depth, by_module[name]) end
  end
  for visitor in next, part.is_shared and {} or part.visitors do approach(depth, visitor) end
end

-- Attributes all changes until now to the files on the stack.
local function look()
  local frame <const> = running[#running]
  for _, part in ipairs(frame and frame.parts or {}) do look_at(part, frame) end
end

-- Begins to record what files do. `whole`: a capture of all that is there, or nil.
function files.begin(whole)
  if not first[1] then find_first() end
  for caller in next, files.noted_uses do files.noted_uses[caller] = nil end
  session = {
    captures = setmetatable({}, { __mode = "k" }), -- part -> what it held at the last look
    whole = whole, done = {}, -- record -> its new image
    declared_by = {}, -- name of a class -> record
    staged = {}, is_staged = {}, -- objects and timers that were made; and which record made each
    begun = {}, finished = {}, is_begun = {}, -- records, as they begin and end
  }
  if not whole then files.settle_ground() end
  native.stage(session.staged)
  find_ground()
  answers.begin()
  return session
end

-- The globals and the tables that lead from there are as they should be found by the next files that run. Values that
-- files have written stay what they wrote.
function files.settle_ground(is_new)
  if is_new then
    written, written_cells = setmetatable({}, { __mode = "k" }), {}
    find_ground()
  end
  for _, part in ipairs(first) do part.capture = native.capture_things(part.things) end
end

-- Returns what sets all that is known of written places back to what it is now.
function files.copy_written()
  local copy <const>, cells <const> = setmetatable({}, { __mode = "k" }), {}
  for thing, of in next, written do
    copy[thing] = {}
    for key, value in next, of do copy[thing][key] = value end
  end
  for id, cell in next, written_cells do cells[id] = cell end
  return function() written, written_cells = copy, cells end
end

-- Does something that no file has done.
function files.unseen(fn)
  look()
  fn()
  for part, capture in next, session.captures do
    if native.changes(capture) then session.captures[part] = native.capture_things(things_of(part)) end
  end
end

function files.finish(is_undone)
  if session and not session.whole and not is_undone then files.settle_ground() end
  for _, entry in ipairs(session and files.journal or {}) do entry.frame = nil end
  session = nil
  native.stage(nil)
  answers.finish()
end

-- Calls fn(thing, key, was, live) for each place that the game has changed since files ran.
function files.each_change(fn)
  local function each(capture)
    local log <const> = capture and native.changes(capture)
    for at = 1, log and log.n or 0, 4 do
      local thing <const>, key <const> = log[at], log[at + 1]
      local is_requires <const> = rawequal(thing, files.loaded)
      local _, is_written <const> = files.written_at(thing, key)
      if not is_written and not is_requires then fn(thing, key, log[at + 2], log[at + 3]) end
    end
  end
  for _, part in ipairs(first) do each(part.capture) end
  for _, record in ipairs(by_id) do each(record.image and record.image.capture) end
  for thing, of in next, written do
    for key, value in next, of do
      if value == places.NOTHING then value = nil end
      local live <const> = places.get(thing, key)
      if not native.same(value, live) then fn(thing, key, value, live) end
    end
  end
  for _, cell in next, written_cells do
    local live <const> = places.get(cell.f, cell.i)
    if not native.same(cell.value, live) then fn(cell.f, cell.i, cell.value, live) end
  end
end

-- Attributes the objects and timers that were made since the last call to the file that runs.
local function note_staged()
  local frame <const> = running[#running]
  local staged <const>, is_staged <const> = session.staged, session.is_staged
  local first_new = #staged + 1
  while first_new > 1 and not is_staged[staged[first_new - 1]] do first_new = first_new - 1 end
  for i = first_new, #staged do
    is_staged[staged[i]] = frame and frame.record or true
    if frame and native.timer(staged[i]) then table.insert(frame.image.timers, staged[i]) end
  end
end

local function roots_of(frame)
  local roots <const>, image <const> = {}, frame.image
  local function add(value)
    local kind <const> = type(value)
    if kind == "table" or kind == "function" or kind == "thread" then roots[#roots + 1] = value end
  end
  add(image.result)
  for _, timer in ipairs(image.timers) do add((native.timer(timer))) end
  for _, entry in ipairs(frame.has_written and files.journal or {}) do
    for at = 1, entry.frame == frame and entry.n or 0, 4 do
      if type(entry[at]) == "table" then add(entry[at + 1]) end
      add(entry[at + 3])
    end
  end
  return roots
end

-- A file requires another one, which may reach what the first has put elsewhere: that is a part, too.
local function take_early(frame)
  if not frame.has_written then return end
  local capture <const> = native.capture_new(roots_of(frame), owners, NEAR_MOST, session.whole)
  local visitors <const> = frame.record.visitors
  local part <const> = { things = native.things(capture), uses = {}, visitors = visitors, is_shared = true }
  for _, thing in ipairs(part.things) do owners[thing] = frame.record end
  session.captures[part] = capture
  frame.early[#frame.early + 1] = part
end

-- Finds what the file made: what is reachable through it alone.
local function take_image(frame, result)
  local image <const>, record <const> = frame.image, frame.record
  for _, part in ipairs(frame.early) do
    for _, thing in ipairs(part.things) do owners[thing] = nil end
  end
  image.result = result
  image.capture, image.is_partial = native.capture_new(roots_of(frame), owners, MADE_MOST, session.whole)
  local things <const> = native.things(image.capture)
  for _, thing in ipairs(things) do
    owners[thing], written[thing] = record, nil
    local i = next(written_cells) and type(thing) == "function" and 1
    while i and debug.getupvalue(thing, i) do
      written_cells[debug.upvalueid(thing, i)] = nil
      i = i + 1
    end
  end
  image.things = things
  record.things = #things > NEAR_MOST and table.move(things, 1, NEAR_MOST, 1, {}) or things
  session.captures[record] = #things == #record.things and image.capture or native.capture_things(record.things)
end

-- Opens an image for a comparison: `tables`, `metas` and `cells` have what it made, with contents.
function files.open_image(image)
  if image.capture and not image.tables then
    image.tables, image.metas, image.cells = native.contents(image.capture)
    image.made = {}
    for _, thing in ipairs(image.things) do image.made[thing] = true end
  end
  return image
end

function files.new_image()
  return { timers = {}, nested = {}, answers = {} }
end

-- }==

-- {== Running ==============================================================

-- Restores the stack, even if memory ran out meanwhile.
local Popper <const> = {
  __close = function(it, wrong)
    local frame <const> = running[it.depth + 1]
    for i = #running, it.depth + 1, -1 do running[i] = nil end
    if wrong ~= nil and frame and session and session.on_error then session.on_error(frame.record, wrong) end
    answers.enter(running[1] and running[#running] or nil)
  end,
}

-- No file runs: without memory, what closes them may not have been called.
function files.unwind()
  for i = #running, 1, -1 do running[i] = nil end
end

local Session <const> = { __close = function() files.finish() end }

-- A file may set its entry in package.loaded itself, and return nothing.
local function result_of(record, result)
  for name in next, result == nil and record.modules or {} do
    if files.loaded[name] ~= nil and files.loaded[name] ~= true then return files.loaded[name] end
  end
  return result
end

local function begin_run(record)
  look()
  note_staged()
  if running[1] then
    take_early(running[#running])
    table.insert(running[#running].image.nested, record)
  end
  local frame <const> = {
    record = record, image = files.new_image(), parts = {}, is_near = { [record] = true }, early = {},
    was = record.image,
  }
  frame.image.parent = running[1] and running[#running].record
  frame.text = session.texts and session.texts[record]
  running[#running + 1] = frame
  session.begun[#session.begun + 1], session.is_begun[record] = record, true
  entry_of(frame)
  for _, part in ipairs(first) do approach(#running, part) end
  for i = 1, #running - 1 do
    for _, part in ipairs(running[i].early) do approach(#running, part) end
  end
  answers.enter(frame)
  if session.on_begin then session.on_begin(frame) end
end

-- The file that required this one is near it, and all that it was near.
local function pass_on(frame)
  local outer <const> = running[#running]
  if not outer then return end
  for _, part in ipairs(frame.parts) do
    if not outer.is_near[part] then
      outer.is_near[part] = true
      outer.parts[#outer.parts + 1] = part
    end
  end
  outer.is_near[frame.record] = true
  outer.parts[#outer.parts + 1] = frame.record
end

-- Those that began for the first time come behind the one that began before them.
function files.put_in_order(begun)
  local order <const>, place <const> = files.order, {}
  for i, record in ipairs(order) do place[record] = i end
  for i, record in ipairs(begun) do
    if not place[record] then
      local at <const> = i > 1 and place[begun[i - 1]] or #order
      table.insert(order, at + 1, record)
      for k = at + 1, #order do place[order[k]] = k end
    end
  end
end

local function finish_run(record, ...)
  local frame <const> = running[#running]
  if session.on_end then session.on_end(frame) end
  look()
  note_staged()
  local result <const> = result_of(record, (...))
  if session.check then session.check(record, result) end
  take_image(frame, result)
  running[#running] = nil
  answers.enter(running[#running])
  pass_on(frame)
  session.done[record], session.finished[#session.finished + 1] = frame.image, record
  if not session.is_transaction then
    files.put_in_order { record }
    files.keep(record, frame.image)
  end
  return ...
end

-- Runs a chunk of `record`. Outside of a transaction its results take effect at once.
function files.run(record, chunk, ...)
  record.args = record.args or table.pack(...)
  local _ <close> = not session and setmetatable({}, Session) or nil
  if not session then files.begin() end
  local _ <close> = setmetatable({ depth = #running }, Popper)
  begin_run(record)
  return finish_run(record, native.call(chunk, table.unpack(record.args, 1, record.args.n)))
end

-- Makes the image the current one of its record.
function files.keep(record, image)
  for _, thing in ipairs(image.things) do owners[thing] = record end
  record.image, record.is_out = image, nil
  record.version = record.version + 1
end

-- The tables and functions of an image are these now, and hold what they should be found with.
function files.set_things(record, image, things)
  image.things, image.capture = things, native.capture_things(things)
  image.tables, image.metas, image.cells, image.made = nil, nil, nil, nil
  for _, thing in ipairs(things) do owners[thing] = record end
  record.things = #things > NEAR_MOST and table.move(things, 1, NEAR_MOST, 1, {}) or things
end

-- Returns what another name of the file has loaded: one file on disk is one file.
local function known_result(record, name)
  for other in next, record.modules do
    local value <const> = other ~= name and files.loaded[other]
    if value then return value end
  end
  return nil
end

local function load_plainly(path)
  local text <const>, why <const> = native.read(path)
  local chunk <const>, wrong <const> = native.compile(text or error(why, 0), path)
  return chunk or error(wrong, 0)
end

-- Returns the function that runs a file, for any loader: `kind` is "module", "class" or "main". Raises errors.
function files.load(path, kind, name)
  if not files.is_followed(path) then return load_plainly(path) end
  local record <const> = record_of(path)
  if kind == "module" then
    local known = known_result(record, name)
    local is_planned <const> = session and session.chunks and session.chunks[record]
    record.modules[name], by_module[name] = true, record
    record.is_root = record.is_root or not session
    if session and session.on_use then session.on_use(record) end
    if known == nil and session and session.is_transaction and not is_planned and record.image then
      known = record.image.result
    end
    if known ~= nil and (not is_planned or session.done[record]) then return function() return known end end
  end
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
      local frame <const> = running[#running]
      if not frame then return end
      frame.record.declares[name] = true
      session.declared_by[name] = frame.record
    end,
    found = function(name)
      if not running[1] then return end
      for _, record in ipairs(by_id) do
        if record.declares[name] and record ~= running[#running].record then
          if session.on_use then session.on_use(record) end
          approach(#running, record)
        end
      end
    end,
    path = function() -- where the running class file looks for others
      local record <const> = running[1] and running[#running].record
      local folder <const> = record and record.class and string.match(record.path, "^(.*/)[^/]*$")
      return folder and folder .. "?.lua" or nil
    end,
    declares = function(name) return running[1] and running[#running].record.declares[name] end,
  }
end

-- }==

-- {== require ==============================================================

local function circle(name, from)
  local names <const> = {}
  for i = from, #running + 1 do names[#names + 1] = (running[i] or running[from]).record.path end
  return string.format("circular require of '%s': %s", name, table.concat(names, " -> "))
end

-- function -> names of the modules that it is known to use, because most calls of `require` are repeated
files.noted_uses = setmetatable({}, { __mode = "k" })

local function note_use(name, caller)
  local source <const> = caller and caller.source or ""
  local user = sub(source, 1, 1) == "@" and files.find(sub(source, 2)) or running[1] and running[#running].record
  for _, record in ipairs(user and {} or by_id) do user = record.former_source == source and record or user end
  if user then user.uses[name] = true end
  if not caller then return end
  local noted <const> = files.noted_uses[caller.func] or {}
  files.noted_uses[caller.func] = noted
  noted[name] = true
end

-- Called before `require(name)` does its work: by C, on behalf of the function at level 3.
function files.on_require(name)
  if type(name) ~= "string" then return end
  note_use(name, debug.getinfo(3, "Sf"))
  local record <const> = by_module[name]
  for i, frame in ipairs(running) do
    if frame.record == record and record and files.loaded[name] == nil then error(circle(name, i), 3) end
  end
  if not record then return end
  record.is_root = record.is_root or not session
  if session and session.on_use then session.on_use(record) end
  if not session and record.is_out and files.put_in then files.put_in(record) end
  local frame <const> = running[#running]
  if frame and files.loaded[name] ~= nil then
    table.insert(frame.image.nested, record)
    approach(#running, record)
  end
end

-- }==

return files
