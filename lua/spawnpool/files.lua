-- The files of a program: which have run, which required which, what each has made and what it has changed elsewhere.
-- Every file of the game is loaded through `load` here, so that it can run again later.
--
-- While files run, what they may reach is looked at where one begins, requires another, or ends: the difference between
-- two looks was done by the file that ran. What one file made is a part; a file is near the parts that it requires, and
-- those that they lead to.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local places <const> = native.use "spawnpool.places"

local debug <const> = native.debug()
local rawequal <const>, rawget <const>, next <const> = rawequal, rawget, next
local METATABLE <const>, LIST <const>, CELL <const> = places.METATABLE, places.LIST, places.CELL
local is_index <const>, list_part <const>, surplus <const> = places.is_index, places.list_part, places.surplus

local lines <const> = {} -- the lines of texts, and what differs between two
local files <const> = { loaded = native.loaded(), lines = lines }
files.package = files.loaded.package

local CELLS_MOST <const> = 40000 -- a comparison of texts that would take more sees one change
local MADE_MOST <const> = 16384 -- entries of a file that are compared; the tables beyond are data, one value each
local NEAR_MOST <const> = 400 -- tables and functions of a file that are looked at: the nearest to what it returns
local GROUND_MOST <const> = 1000 -- entries that are looked at of what the program has made beside its files

local records <const> = {} -- true path -> records: a file that is required by two names runs twice
local by_id <const> = {}
local by_path = {} -- the same, sorted; shorter while a record is new
local by_module <const> = {} -- name -> record
local running <const> = {} -- frames of files on the stack, innermost last: { record, image, parts, is_near }
local followed <const> = {} -- true paths of the folders whose files are tracked
local owners <const> = setmetatable({}, { __mode = "k" }) -- thing -> the part that made it
local grounded <const> = setmetatable({}, { __mode = "k" }) -- tables that no file has made, and files have changed
local first <const> = {} -- parts that were there before any file: the globals, what is loaded, libraries, classes
local session -- what is known while files run, or nil
local writes_loaded = false -- a text names `package`: what it does to package.loaded is looked at

files.made = owners
files.order = {} -- records in the order in which they ran: those that run again keep their places among the others

-- {== Records ==============================================================

local function true_path(path) return native.realpath(path) or path end

-- Returns the record of a file that has run, or has tried to; nil for others.
function files.find(path) return (files.all_of(path) or {})[1] end

-- Returns all records of a file, one for each name that it was required by; nil for unknown files. It may be a link by
-- now.
function files.all_of(path) return records[path] or records[true_path(path)] end

local function new_record(path, real)
  local record <const> = {
    id = #by_id + 1, path = path, real = real, source = "@" .. path,
    uses = {}, -- names of the modules that it requires
    visitors = {}, -- records of files that have changed something in what it made
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

-- A text is going to run.
function files.note_text(text)
  writes_loaded = writes_loaded or text:find("package", 1, true) ~= nil
end

-- Sets the current text of the file.
function files.set_text(record, text)
  record.text = text
  files.note_text(text)
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

-- Returns what is known here: no part of the game, although a debugger may hold it.
function files.own_tables()
  local list <const> = { files, records, by_id, by_path, by_module, running, followed, owners, grounded, files.order,
    files.noted_uses, first, session }
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

-- {== Effects ==============================================================

-- An effect is what a file has changed outside of itself: { holder, key, before, after }. `cell` says where a variable
-- is: { f, i, name }. Of a LIST all integer keys are one place: `added` and `removed` are elements.

-- Adds a change to the effects of an image; several changes of one place are one, from its first value to its last.
local function note(image, holder, key, before, after, cell)
  local of_holder <const> = image.noted[holder] or {}
  image.noted[holder] = of_holder
  local e = of_holder[key]
  if not e then
    e = { holder = holder, key = key, before = before, cell = cell }
    of_holder[key] = e
    image.effects[#image.effects + 1] = e
  end
  if key == LIST then
    e.added = table.move(surplus(after, before), 1, #after, #(e.added or {}) + 1, e.added or {})
    e.removed = table.move(surplus(before, after), 1, #before, #(e.removed or {}) + 1, e.removed or {})
  end
  e.after = after
end

-- Integer keys of a table have changed: `was` maps them to what they held, nil as METATABLE.
local function note_list(image, thing, was)
  local former <const> = places.indices(thing)
  for key, value in next, was do former[key] = value ~= METATABLE and value or nil end
  local before <const>, after <const> = list_part(former), list_part(thing)
  if before and after then
    note(image, thing, LIST, before, after)
  else
    for key, value in next, was do
      note(image, thing, key, value ~= METATABLE and value or nil, rawget(thing, key))
    end
  end
end

-- Entries that `require` made, and those that a file makes in its own tables, are no effects.
local function is_effect(record, thing, key)
  if rawequal(thing, files.loaded) then
    return not by_module[key] and not record.uses[key]
  end
  return owners[thing] ~= record
end

-- Adds the changes of a log of native.changes.
local function note_all(frame, log)
  local image <const>, record <const>, lists <const> = frame.image, frame.record, {}
  for at = 1, log.n, 4 do
    local thing <const>, key <const>, before <const> = log[at], log[at + 1], log[at + 2]
    if is_effect(record, thing, key) then
      if owners[thing] then owners[thing].visitors[record] = true else grounded[thing] = true end
      if type(thing) == "function" then
        local name <const> = debug.getupvalue(thing, key)
        note(image, debug.upvalueid(thing, key), CELL, before, log[at + 3], { f = thing, i = key, name = name })
      elseif is_index(key) then
        lists[thing] = lists[thing] or {}
        lists[thing][key] = before == nil and METATABLE or before
      else
        note(image, thing, key, before, log[at + 3])
      end
    end
  end
  for thing, was in next, lists do note_list(image, thing, was) end
end

-- }==

-- {== Comparing ============================================================

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
    local owner <const> = owners[thing]
    for _, other in ipairs(owner and owner.things or {}) do
      is_there[thing] = is_there[thing] or rawequal(other, thing)
    end
    if not is_there[thing] then things[#things + 1] = thing end
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
  first[4].is_shared = true -- each file that declares a class has changed it, and is near nobody for that
  first[5] = new_part {}
end

-- Looks at a part: what has changed since the last look was done by the file of `frame`, or by the game.
local function note_changes_of(part, frame)
  local capture <const> = session.captures[part]
  local log <const> = capture and native.changes(capture)
  if log and frame then note_all(frame, log) end
  if log and not frame and part.id then session.is_surprised = true end
  if part.things and (log or not capture) then session.captures[part] = native.capture_things(part.things) end
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
  if frame.is_near[part] or frame.is_trusted and part ~= first[4] then return end
  frame.is_near[part] = true
  frame.parts[#frame.parts + 1] = part
  note_changes_of(part, frame_near(part, depth - 1))
  for name in next, part.uses do
    if by_module[name] then approach(depth, by_module[name]) end
  end
  for visitor in next, part.is_shared and {} or part.visitors do approach(depth, visitor) end
end

-- Attributes all changes until now to the files on the stack.
local function note_changes()
  local frame <const> = running[#running]
  for _, part in ipairs(frame and frame.parts or {}) do note_changes_of(part, frame) end
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
  }
  for i = 1, #first - 1 do session.captures[first[i]] = first[i].capture end
  native.stage(session.staged)
  find_ground()
  return session
end

function files.finish()
  for i = 1, session and #first - 1 or 0 do first[i].capture = session.captures[first[i]] end -- most stays the same
  session = nil
  native.stage(nil)
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

local function roots_of(image)
  local roots <const> = {}
  local function add(value)
    local kind <const> = type(value)
    if kind == "table" or kind == "function" or kind == "thread" then roots[#roots + 1] = value end
  end
  add(image.result)
  for _, timer in ipairs(image.timers) do add((native.timer(timer))) end
  for _, e in ipairs(image.effects) do
    add(e.key ~= LIST and e.key ~= CELL and e.key or nil)
    if e.key == LIST then
      for _, value in ipairs(e.added) do add(value) end
    else
      add(e.after)
    end
  end
  return roots
end

-- A file requires another one, which may reach what the first has put elsewhere: that is a part, too.
local function take_early(frame)
  local image <const> = frame.image
  if #image.effects == frame.seen_effects then return end
  frame.seen_effects = #image.effects
  local capture <const> = native.capture_new(roots_of(image), owners, NEAR_MOST, session.whole)
  local visitors <const> = frame.record.visitors
  local part <const> = { things = native.things(capture), uses = {}, visitors = visitors, is_shared = true }
  for _, thing in ipairs(part.things) do owners[thing] = frame.record end
  session.captures[part] = capture
  frame.early[#frame.early + 1] = part
end

-- Takes what other files have put into the things of an image out of its contents.
local function take_out_effects(image, of)
  local record <const> = of.record
  for _, visitor in ipairs(of.nested) do
    for _, e in ipairs(session.done[visitor] and session.done[visitor].effects or {}) do
      if owners[e.holder] == record and e.key ~= CELL then
        local entries <const> = files.open_image(image).tables[e.holder]
        if entries and e.key == LIST then
          local list <const> = surplus(list_part(entries) or {}, e.added)
          for key in next, entries do
            if is_index(key) then entries[key] = list[key] end
          end
        elseif entries and e.key ~= METATABLE then
          entries[e.key] = e.before
        end
      end
    end
  end
end

-- Finds what the file made: what is reachable through it alone.
local function take_image(frame, result)
  local image <const>, record <const> = frame.image, frame.record
  for _, part in ipairs(frame.early) do
    for _, thing in ipairs(part.things) do owners[thing] = nil end
  end
  image.result = result
  image.capture, image.is_partial = native.capture_new(roots_of(image), owners, MADE_MOST, session.whole)
  local things = native.things(image.capture)
  for _, thing in ipairs(things) do owners[thing] = record end
  image.things = things
  if #things > NEAR_MOST then things = table.move(things, 1, NEAR_MOST, 1, {}) end
  record.things = things
  session.captures[record] = #things == #image.things and image.capture or native.capture_things(things)
  take_out_effects(image, frame)
end

-- Returns the file that has made a value, or defines the first function in it; nil: none.
local function file_of_value(value)
  local owner <const> = value ~= nil and files.owner_of(value)
  if owner then return owner end
  if type(value) == "function" then
    local source <const> = debug.getinfo(value, "S").source
    return source:sub(1, 1) == "@" and files.find(source:sub(2)) or nil
  end
  for _, entry in next, type(value) == "table" and value or {} do
    if type(entry) == "function" then return file_of_value(entry) end
  end
  return nil
end

-- Opens an image for a merge: `tables`, `metas` and `cells` have what it made, with contents; `made` has each.
function files.open_image(image)
  if image.capture and not image.tables then
    image.tables, image.metas, image.cells = native.contents(image.capture)
    image.made = {}
    for _, thing in ipairs(image.things) do image.made[thing] = true end
  end
  return image
end

-- Adds to an image what has been found of its effects since it was taken.
local function take_more(record, image)
  local capture <const> = native.capture_new(roots_of(image), owners, MADE_MOST, session.whole)
  local parts <const> = { native.contents(capture) }
  files.open_image(image)
  for i, part in ipairs { image.tables, image.metas, image.cells } do
    for key, value in next, parts[i] do part[key] = value end
  end
  for _, thing in ipairs(native.things(capture)) do
    image.made[thing], image.things[#image.things + 1], owners[thing] = true, thing, record
  end
end

-- Adds what files have changed far away, in things that no look has seen: `log` has all changes since the session
-- began. Things in `is_known` were looked at. `edited` has done what nobody else did. Returns a table whose keys are
-- the doers.
function files.note_rest(edited, log, is_known)
  local rests <const>, is_near <const> = {}, {}
  local function add(part)
    for _, thing in ipairs(part.things or {}) do is_near[thing] = true end
  end
  for part in next, session.captures do add(part) end
  for _, part in ipairs(first) do add(part) end
  for at = 1, log.n, 4 do
    local thing <const> = log[at]
    local holder <const> = type(thing) == "function" and debug.upvalueid(thing, log[at + 1]) or thing
    local is_seen = is_near[thing] or is_known[holder]
    for _, image in next, session.done do is_seen = is_seen or image.noted[holder] ~= nil end
    local author <const> = not is_seen and (file_of_value(log[at + 3]) or file_of_value(log[at + 1]))
    local doer <const> = author and session.done[author] and author or edited
    if not is_seen and doer then
      rests[doer] = rests[doer] or { n = 0 }
      grounded[thing] = type(thing) == "table" or nil
      table.move(log, at, at + 3, rests[doer].n + 1, rests[doer])
      rests[doer].n = rests[doer].n + 4
    end
  end
  for doer, rest in next, rests do
    note_all({ image = session.done[doer], record = doer }, rest)
    take_more(doer, session.done[doer])
  end
  return rests
end

-- A file that changed nothing outside of itself, but for its classes, is trusted not to do so again while its text is
-- the same: looking at all that it may reach would take most of the time of a reload.
function files.trust(list)
  session.trusted = {}
  for _, record in ipairs(list) do
    local is_trusted = record.image ~= nil
    for _, e in ipairs(record.image and record.image.effects or {}) do
      is_trusted = is_trusted and rawequal(e.holder, classes.roots()[1])
    end
    session.trusted[record] = is_trusted
  end
end

-- Returns whether a trusted file has changed something all the same.
function files.is_surprised()
  for _, part in ipairs(session.is_surprised and {} or by_id) do
    if session.done[part] and session.captures[part] and native.changes(session.captures[part]) then return true end
  end
  return session.is_surprised == true
end

function files.new_image()
  return { effects = {}, noted = {}, timers = {} }
end

-- }==

-- {== Running ==============================================================

-- Restores the stack, even if memory ran out meanwhile.
local Popper <const> = {
  __close = function(it)
    for i = #running, it.depth + 1, -1 do running[i] = nil end
  end,
}

local Session <const> = { __close = function() files.finish() end }

-- A file may set its entry in package.loaded itself, and return nothing.
local function result_of(record, result)
  for name in pairs(result == nil and record.modules or {}) do
    if files.loaded[name] ~= nil and files.loaded[name] ~= true then return files.loaded[name] end
  end
  return result
end

-- Discards the last look at a thing, so that changes made since then are attributed to no file.
local function forget_capture(thing)
  if owners[thing] then session.captures[owners[thing]] = nil end
end

local function begin_run(record)
  note_changes()
  note_staged()
  if running[1] then take_early(running[#running]) end
  if session.on_begin then session.on_begin(record, forget_capture) end
  running[#running + 1] = {
    record = record, image = files.new_image(), parts = {}, is_near = { [record] = true },
    early = {}, seen_effects = 0, nested = {}, is_trusted = session.trusted and session.trusted[record],
  }
  for i, part in ipairs(first) do
    if i ~= 2 or writes_loaded then approach(#running, part) end
  end
  for i = 1, #running - 1 do
    for _, part in ipairs(running[i].early) do approach(#running, part) end
  end
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
  if frame.is_trusted then
    approach(#running, frame.record)
  else
    outer.is_near[frame.record] = true
    outer.parts[#outer.parts + 1] = frame.record
  end
  outer.nested[#outer.nested + 1] = frame.record
end

local function last_in_order(record)
  local order <const> = files.order
  for i = #order, 1, -1 do
    if order[i] == record then table.remove(order, i) end
  end
  order[#order + 1] = record
end

local function finish_run(record, ...)
  local frame <const> = running[#running]
  note_changes()
  note_staged()
  local result <const> = result_of(record, (...))
  if session.check then session.check(record, result) end
  take_image(frame, result)
  running[#running] = nil
  pass_on(frame)
  last_in_order(record)
  session.done[record] = frame.image
  if session.on_done then session.on_done(record, forget_capture) end
  if not session.is_transaction then files.keep(record, frame.image) end
  return ...
end

-- Runs a chunk of `record`. Outside of a transaction its results take effect at once.
function files.run(record, chunk, ...)
  record.args = table.pack(...)
  local _ <close> = not session and setmetatable({}, Session) or nil
  if not session then files.begin() end
  local _ <close> = setmetatable({ depth = #running }, Popper)
  begin_run(record)
  return finish_run(record, native.call(chunk, ...))
end

-- Makes the image the current one of its record; `tables` has what goes on as its own as keys.
function files.keep(record, image, tables)
  for t in next, tables or {} do owners[t] = record end
  record.image = image
  record.version = record.version + 1
end

-- A thing may go on as another file's: it is looked at as a part of that alone.
function files.sort_things()
  for _, record in ipairs(files.order) do
    local things <const> = {}
    for _, thing in ipairs(record.things or {}) do things[#things + 1] = owners[thing] == record and thing or nil end
    record.things = things
  end
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
  if kind == "module" then record.modules[name], by_module[name] = true, record end
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
        if record.declares[name] and record ~= running[#running].record then approach(#running, record) end
      end
    end,
    path = function() -- where the running class file looks for others
      local record <const> = running[1] and running[#running].record
      return record and record.class and record.path:gsub("[^/]*$", "?.lua") or nil
    end,
    declares = function(name) return running[1] and running[#running].record.declares[name] end,
  }
end

-- }==

-- {== require ==============================================================

local function circle(name, from)
  local names <const> = {}
  for i = from, #running + 1 do names[#names + 1] = (running[i] or running[from]).record.path end
  return ("circular require of '%s': %s"):format(name, table.concat(names, " -> "))
end

-- function -> names of the modules that it is known to use, because most calls of `require` are repeated
files.noted_uses = setmetatable({}, { __mode = "k" })

local function note_use(name, caller)
  local source <const> = caller and caller.source or ""
  local users = source:sub(1, 1) == "@" and files.all_of(source:sub(2))
  users = users or { running[1] and running[#running].record or nil }
  for _, user in ipairs(users) do user.uses[name] = true end
  if not caller then return end
  local noted <const> = files.noted_uses[caller.func] or {}
  files.noted_uses[caller.func] = noted
  noted[name] = true
end

-- Called before `require(name)` does its work: by C, on behalf of the function at level 3.
function files.on_require(name)
  if type(name) ~= "string" then return end
  note_use(name, debug.getinfo(3, "Sf"))
  for i, frame in ipairs(running) do
    if frame.record.modules[name] and files.loaded[name] == nil then error(circle(name, i), 3) end
  end
  if running[1] and files.loaded[name] ~= nil and by_module[name] then approach(#running, by_module[name]) end
end

-- }==

-- {== Lines ================================================================

function lines.of(text)
  local list <const> = {}
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do list[#list + 1] = line end
  return list
end

-- Returns the lines of a function from those of its file, as a text.
function lines.of_function(f, list)
  local info <const> = debug.getinfo(f, "S")
  return table.concat(list, "\n", math.min(info.linedefined, #list + 1), math.min(info.lastlinedefined, #list))
end

-- length[i][j]: of the longest common part of a from i and b from j.
local function common_lengths(a, b, from, a_to, b_to)
  local length <const> = {}
  for i = a_to + 1, from, -1 do
    length[i] = { [b_to + 1] = 0 }
    for j = b_to, from, -1 do
      length[i][j] = i > a_to and 0 or a[i] == b[j] and length[i + 1][j + 1] + 1
        or math.max(length[i + 1][j], length[i][j + 1])
    end
  end
  return length
end

-- Returns what differs between two texts: a list of { from, to, now_from, now_to }, ranges of lines that may be empty.
function lines.hunks(before, now)
  local a <const>, b <const> = lines.of(before), lines.of(now)
  local from, a_to, b_to = 1, #a, #b
  while from <= a_to and from <= b_to and a[from] == b[from] do from = from + 1 end
  while a_to >= from and b_to >= from and a[a_to] == b[b_to] do a_to, b_to = a_to - 1, b_to - 1 end
  if (a_to - from + 1) * (b_to - from + 1) > CELLS_MOST then return { { from, a_to, from, b_to } } end
  local length <const>, hunks <const> = common_lengths(a, b, from, a_to, b_to), {}
  local i, j = from, from
  while i <= a_to or j <= b_to do
    local i0 <const>, j0 <const> = i, j
    while (i <= a_to or j <= b_to) and not (i <= a_to and j <= b_to and a[i] == b[j]) do
      if j > b_to or i <= a_to and length[i + 1][j] >= length[i][j + 1] then i = i + 1 else j = j + 1 end
    end
    if i > i0 or j > j0 then hunks[#hunks + 1] = { i0, i - 1, j0, j - 1 } end
    while i <= a_to and j <= b_to and a[i] == b[j] do i, j = i + 1, j + 1 end
  end
  return hunks
end

-- }==

return files
