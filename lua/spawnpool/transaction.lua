-- Runs files again, all or nothing, as a start in small: what the game has changed is put aside, what files wrote since
-- the first of them began is taken back, they run and find what they found at the start, and the game's changes come
-- back. On any error everything is put back, and the old code goes on.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"
local lines <const> = native.use "spawnpool.lines"
local places <const> = native.use "spawnpool.places"
local plan <const> = native.use "spawnpool.plan"

local same <const>, get <const>, set <const> = native.same, places.get, places.set

local transaction <const> = {}

local FAR_MOST <const> = 8 -- files that run again, up to which all that the others made is looked at
local REST <const> = 8192 -- KiB that files may allocate before the collector works beside them

-- Loaded with the first edit: a game starts without them.
local function hints() return native.use "spawnpool.hints" end
local function ids() return native.use "spawnpool.ids" end
local function comparison() return native.use "spawnpool.comparison" end
local function changes() return native.use "spawnpool.changes" end
local function pairing() return native.use "spawnpool.pairing" end

-- {== Before and after =====================================================

local function protected(fn, ...)
  local results <const> = table.pack(native.protect(fn, ...))
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

-- Calls fn with the functions named `name` of a file: in its result, in its classes.
local function each_offered(record, name, fn)
  local result <const> = record.image.result
  local offered <const> = { type(result) == "table" and rawget(result, name) or nil }
  for class in pairs(record.declares) do
    local store <const> = classes.store(class)
    if store then offered[#offered + 1] = rawget(store, name) end
  end
  for _, offer in ipairs(offered) do
    if type(offer) == "function" then fn(offer) end
  end
end

-- Returns whether an error of this function cannot reject the new text of its file, because the text no longer has it.
local function fixes_itself(record, before, text)
  local code <const> = lines.of_function(before, lines.of(record.text))
  return text ~= nil and not string.find(string.gsub(text, "\r\n", "\n"), code, 1, true)
end

-- An older version that comes back is rejected by nothing.
local function ask_before(try)
  for _, record in ipairs(try.list) do
    if record.image and not try.asked[record] then
      try.asked[record] = true
      each_offered(record, "before_reload", function(before)
        local done <const>, value <const> = native.protect(before)
        if done then
          try.values[record] = value
        elseif try.kind == "return" or fixes_itself(record, before, try.texts[record]) then
          native.report("error", value)
        else
          error(value, 0)
        end
      end)
    end
  end
end

-- Passes the results of before_reload to after_reload of the new code, and raises its errors. A file that ran for the
-- first time gets nothing.
function transaction.call_after_reload(report)
  for _, record in ipairs(report.files) do
    if record.version > 1 then
      each_offered(record, "after_reload", function(after) protected(after, report.values[record]) end)
    end
  end
end

-- }==

-- {== Checking =============================================================

local function check_class(session, record)
  if session.declared_by[record.class] == record then return end
  local other
  for name, by in pairs(session.declared_by) do
    if by == record and (other == nil or name < other) then other = name end
  end
  error(string.format("%s:1: the file declares %s, not class '%s': a class file is named after its class", record.path,
    other and string.format("class '%s'", other) or "no class", record.class), 0)
end

local function check_result(record, result)
  local was <const> = record.image and record.image.result
  if record.main and type(result) ~= "table" then
    local wrong <const> = record.path .. ":1: main.lua must return a table of callbacks (load, update, draw, ...), got "
      .. type(result)
    error(wrong .. hints().line(hints().of(wrong)), 0)
  end
  if type(was) == "table" and type(result) ~= "table" then
    error(string.format("%s:1: the file returns %s now; it returned a table before, which others use", record.path,
      result == nil and "nothing" or "a " .. type(result)), 0)
  end
end

local function check_all(try)
  for _, record in ipairs(try.ran) do
    if record.class then check_class(try.session, record) end
  end
  for name, record in pairs(try.session.declared_by) do
    local wrong <const> = classes.check_super(name)
    if wrong then error(string.format("%s: %s", record.path, wrong), 0) end
  end
end

-- }==

-- {== The world of the start ===============================================

-- The elements that an entry added to a list are added to that of today, those that it took out are taken out.
local function redo_list(t, quads, put)
  local entry <const> = quads.entry
  local list = places.list_part(t)
  local fits, part <const> = true, list and table.move(list, 1, #list, 1, {}) or {}
  for _, at in ipairs(quads) do
    fits, part[entry[at + 1]] = fits and same(rawget(t, entry[at + 1]), entry[at + 2]), entry[at + 3]
  end
  if fits and places.list_part(part) then list = nil end
  if not list then
    for _, at in ipairs(quads) do put(t, entry[at + 1], entry[at + 3]) end
    return
  end
  local before <const>, after <const> = {}, {}
  for _, at in ipairs(quads) do before[#before + 1], after[#after + 1] = entry[at + 2], entry[at + 3] end
  for _, value in ipairs(places.surplus(before, after)) do
    for i, other in ipairs(list) do
      if same(other, value) then
        table.remove(list, i)
        break
      end
    end
  end
  for _, value in ipairs(places.surplus(after, before)) do list[#list + 1] = value end
  for i = 1, math.max(#list, #(places.list_part(t) or {})) do
    if not same(rawget(t, i), list[i]) then put(t, i, list[i]) end
  end
end

-- Writes again what a file had written, without running it: a new entry of the journal. `on_other`: called if the file
-- would have found there what it did not find in its last run.
local function redo(entry, on_other)
  local new <const>, lists <const>, order <const> = { record = entry.record, n = 0 }, {}, {}
  local function put(thing, key, value)
    new[new.n + 1], new[new.n + 2], new[new.n + 3], new[new.n + 4] = thing, key, get(thing, key), value
    new.n = new.n + 4
    set(thing, key, value)
    files.note_written(thing, key, value)
  end
  for at = 1, entry.n, 4 do
    local thing <const>, key <const> = entry[at], entry[at + 1]
    if type(thing) == "table" and places.is_index(key) then
      if not lists[thing] then lists[thing], order[#order + 1] = { entry = entry }, thing end
      table.insert(lists[thing], at)
    else
      local found <const> = get(thing, key)
      if entry[at + 2] == nil and found ~= nil and not same(found, entry[at + 3]) then on_other(entry.record) end
      put(thing, key, entry[at + 3])
    end
  end
  for _, t in ipairs(order) do redo_list(t, lists[t], put) end
  files.journal[#files.journal + 1] = new
end

-- Puts in again what the file wrote, and the files that it required.
local function put_in(record, on_other)
  local entries <const> = record.is_out
  if not entries then return end
  record.is_out = nil
  for _, nested in ipairs(record.image and record.image.nested or {}) do put_in(nested, on_other) end
  for _, entry in ipairs(entries) do redo(entry, on_other) end
end
function files.put_in(record) put_in(record, function() end) end

-- Takes back what files have written since the first of the plan began. Remembers it in those that do not run again.
local function withdraw(try)
  local journal <const> = files.journal
  local first
  for i = #journal, 1, -1 do first = try.set[journal[i].record] and i or first end
  if not first then return end
  try.withdrawn = table.move(journal, first, #journal, 1, {})
  for i = #journal, first, -1 do
    local entry <const>, record <const> = journal[i], journal[i].record
    for at = entry.n - 3, 1, -4 do set(entry[at], entry[at + 1], entry[at + 2]) end
    local list <const> = try.set[record] and (try.wrote[record] or {}) or record.is_out or {}
    table.insert(list, 1, entry)
    if try.set[record] then try.wrote[record] = list else record.is_out = list end
    journal[i] = nil
  end
end

-- }==

-- {== Running ==============================================================

local function run_again(try, record)
  local session <const> = try.session
  if session.is_begun[record] then return end
  local args <const> = record.args or { n = 0 }
  local result <const> = files.run(record, session.chunks[record], table.unpack(args, 1, args.n))
  for name in pairs(record.modules) do
    if files.loaded[name] == nil then files.loaded[name] = result == nil and true or result end
  end
end

-- A file is required, or a class of it is looked up: what it wrote at the start is there from now on.
local function on_use(try)
  return function(record)
    if not record.is_out then return end
    files.unseen(function()
      put_in(record, function(other) -- it runs, too
        if other.image then try.others[other], try.is_anew = true, true end
      end)
    end)
  end
end

-- A class is looked up while files run: the file that declares it runs first, if it has not run yet.
local function runs_first(try)
  return function(name)
    for _, record in ipairs(try.list) do
      if record.declares[name] or record.class == name then run_again(try, record) end
    end
    for _, record in ipairs(files.order) do
      if record.is_out and record.declares[name] then try.session.on_use(record) end
    end
  end
end

local function begin_runs(try)
  local session <const> = files.begin(try.whole)
  session.chunks, session.is_transaction = try.chunks, true
  session.check, session.texts, try.session = check_result, try.texts, session
  session.on_use, session.looks_far = on_use(try), #try.list <= FAR_MOST
  function session.on_error(record, wrong)
    if try.texts[record] then try.wrong = try.wrong or wrong end
  end
  classes.stage(runs_first(try))
  for _, record in ipairs(try.list) do
    for name in pairs(record.modules) do files.loaded[name] = nil end
  end
end

-- The files begin as at the start; between them comes what the others had written.
local function run_in_order(try)
  local tops <const>, is_known <const> = plan.tops_of(try), {}
  local function begin(record)
    is_known[record] = true
    if tops[record] then
      protected(run_again, try, record)
    elseif record.is_out and (record.is_root or not (record.image and record.image.parent)) then
      try.session.on_use(record)
    end
  end
  for _, record in ipairs(table.move(files.order, 1, #files.order, 1, {})) do begin(record) end
  for _, record in ipairs(try.list) do
    if not is_known[record] then begin(record) end
  end
end

-- Those that nobody reached run last, if they were required in a call. One whose `require` at file scope is gone does
-- not run; it begins anew when it is required again.
local function run_rest(try)
  for _, record in ipairs(try.list) do
    local parent <const> = record.image and record.image.parent
    if not try.session.done[record] then
      local is_dropped <const> = parent and try.session.done[parent] and not record.is_root
      if is_dropped and not record.class and not record.main then
        try.dropped[record] = true
      else
        protected(run_again, try, record)
      end
    end
  end
end

local function run_all(try)
  begin_runs(try)
  if try.collects then native.collect(true, REST) end
  ids().watch(try, function()
    run_in_order(try)
    run_rest(try)
  end)
  if try.collects then native.collect(false) end
  if try.wrong then error(try.wrong, 0) end -- whoever caught it
  try.ran = {}
  for _, record in ipairs(try.session.finished) do
    if try.session.done[record] then try.ran[#try.ran + 1] = record end
  end
end

-- }==

-- {== Comparing ============================================================

-- A file with unchanged text usually makes the same again; then what it made before stays.
local function find_remade(m, try, record, is)
  local was <const> = record.image
  if try.texts[record] or not was or not was.capture or was.ghosts and next(was.ghosts) then return nil end
  local map <const> = native.remade(was.capture, is.capture, m.kept, try.sources)
  if not map then return nil end
  local function is_like(a, b) return same(a, b) or b ~= nil and (rawequal(map[b], a) or rawequal(m.pred[b], a)) end
  if not is_like(was.result, is.result) or not pairing().has_same_timers(was, is, is_like) then return nil end
  local old <const>, new <const> = try.wrote[record] or {}, try.writes[record] or {}
  if #old ~= #new then return nil end
  for i, entry in ipairs(new) do
    local former <const> = old[i]
    if former.n ~= entry.n then return nil end
    for at = 1, entry.n, 4 do
      if not is_like(former[at], entry[at]) or not is_like(former[at + 1], entry[at + 1])
        or not is_like(former[at + 3], entry[at + 3]) then return nil end
    end
  end
  return map
end

-- Returns name -> record of the classes that their files declare no longer: they keep their last code.
local function undeclared(try)
  local names <const> = {}
  for _, record in ipairs(try.ran) do
    for name in pairs(record.declares) do
      if not try.session.declared_by[name] and try.classes[name] then names[name] = record end
    end
  end
  return names
end

local function compare(try)
  local m <const> = pairing().begin(try.texts)
  m.jumped, m.session, m.is_return = try.jumped, try.session, try.kind == "return"
  try.writes, try.sources = {}, {}
  for record in pairs(try.texts) do try.sources[record.source] = true end
  for _, entry in ipairs(files.journal) do
    local list <const> = try.writes[entry.record] or {}
    try.writes[entry.record] = list
    list[#list + 1] = entry
  end
  local stays <const> = undeclared(try)
  for _, record in ipairs(try.ran) do
    local is <const> = try.session.done[record]
    local map <const> = find_remade(m, try, record, is)
    local file <const> = map and pairing().add(m, record, { made = {} }, { made = {}, cells = {}, timers = is.timers,
      things = is.things, result = is.result })
      or pairing().add(m, record, files.open_image(record.image or files.new_image()), files.open_image(is))
    file.wrote, file.writes = pairing().effects_of(try.wrote[record] or {}),
      pairing().effects_of(try.writes[record] or {})
    for name, by in pairs(stays) do
      if by == record then pairing().freeze(m, file, try.classes[name].store) end
    end
    if map then pairing().keep(m, file, map) else pairing().run(m, file) end
  end
  pairing().finish(m)
  return m
end

-- }==

-- {== Taking over ==========================================================

-- Ends the objects and timers of a session that do not stay.
local function give_back(session, stays)
  for i = #session.staged, 1, -1 do
    local thing <const> = session.staged[i]
    if not stays(thing, session.is_staged[thing]) then
      if native.timer(thing) then thing:stop() else native.recycle_object(thing) end
    end
  end
end

-- A timer that was over stays so.
local function end_timers(m)
  while m.ended[1] do
    local it <const> = m.ended[#m.ended]
    if not it.timer:stop() and it.later then it.later:stop() end
    m.ended[#m.ended] = nil
  end
end

local function forget_undeclared(try, names)
  for _, record in ipairs(try.ran) do
    for name in pairs(record.declares) do
      if try.session.declared_by[name] ~= record then record.declares[name] = nil end
    end
  end
  for name, record in pairs(names) do
    native.report("warning", string.format("class '%s' is no longer declared by %s: it keeps its last code", name,
      record.path))
  end
end

-- Names of the classes whose tables may have changed.
local function settled_names(try)
  local names <const> = {}
  for name in pairs(try.session.declared_by) do names[name] = true end
  for _, list in ipairs { try.withdrawn, files.journal } do
    for _, entry in ipairs(list) do
      for at = 1, entry.n, 4 do
        local name <const> = classes.name_of_store(entry[at])
        if name then names[name] = true end
      end
    end
  end
  return names
end

local function set_loaded(m, try)
  for _, record in ipairs(try.ran) do
    local result = try.session.done[record].result
    if m.kept[result] ~= nil then result = m.kept[result] end
    for name in pairs(record.modules) do files.loaded[name] = result == nil and true or result end
  end
end

local function roots_of(it)
  local try <const>, m <const>, roots <const> = it.try, it.m, { classes.roots()[1] }
  local function add(thing) roots[#roots + 1] = thing end
  for _, list in ipairs { try.withdrawn, files.journal } do
    for _, entry in ipairs(list) do
      for at = 1, entry.n, 4 do add(entry[at]) end
    end
  end
  for at = 1, try.changes.n, 4 do add(try.changes[at]) end
  for _, file in ipairs(m.files) do
    for _, thing in ipairs(file.is.things) do
      add(thing)
      if m.kept[thing] ~= nil then add(m.kept[thing]) end
    end
    add(file.is.result)
  end
  for _, record in ipairs(files.order) do
    for _, timer in ipairs(record.image and record.image.timers or {}) do add(timer) end
  end
  local list <const> = {}
  for _, thing in ipairs(roots) do
    local kind <const> = type(thing)
    if kind == "table" or kind == "function" or kind == "userdata" then list[#list + 1] = thing end
  end
  return list
end

-- All that the library remembers of the game names the things that there are now.
local function take_over(it)
  local try <const>, m <const>, now_of <const> = it.try, it.m, it.now_of
  for _, entry in ipairs(files.journal) do
    for at = 1, entry.n, 4 do
      if type(entry[at]) == "table" then entry[at], entry[at + 1] = now_of(entry[at]), now_of(entry[at + 1]) end
      entry[at + 2], entry[at + 3] = now_of(entry[at + 2]), now_of(entry[at + 3])
    end
  end
  for _, record in ipairs(files.order) do
    for _, entry in ipairs(record.is_out or {}) do
      for at = 1, entry.n, 4 do entry[at + 2], entry[at + 3] = now_of(entry[at + 2]), now_of(entry[at + 3]) end
    end
  end
  for _, record in ipairs(files.order) do
    for _, ghost in ipairs(record.image and record.image.ghost_places or {}) do ghost.value = now_of(ghost.value) end
  end
  for _, thrown in ipairs(transaction.thrown) do thrown.was, thrown.live = now_of(thrown.was), now_of(thrown.live) end
  for _, record in ipairs(try.ran) do
    local file <const>, image = m.file_of[record], try.session.done[record]
    local things <const>, ghosts <const>, places_of <const> = comparison().things_of(m, file)
    if file.is_remade then
      local parent <const>, nested <const>, known <const> = image.parent, image.nested, image.answers
      image = record.image
      image.parent, image.nested, image.answers = parent, nested, known
    else
      image.result = now_of(image.result)
      image.ghosts, image.ghost_places = ghosts, places_of
    end
    image.things, image.jumps = things, try.jumps[record]
    files.set_text(record, try.texts[record] or record.text)
    record.chunk = try.chunks[record] or record.chunk
    files.keep(record, image)
  end
  for record in pairs(try.dropped) do
    record.image, record.is_out = nil, nil
    record.text, record.chunk = try.texts[record] or record.text, try.chunks[record]
    if record.text then files.set_text(record, record.text) end
  end
end

-- The files are found as they are now, and the places that the game has set as it found them.
local function look_again(it)
  for _, record in ipairs(files.order) do
    if record.image then files.set_things(record, record.image, record.image.things) end
  end
  files.settle_ground(true)
  local based <const> = it.m.based
  for at = 1, #based, 3 do
    local base = based[at + 2]
    if base == places.NOTHING then base = nil end
    files.note_written(based[at], it.now_of(based[at + 1]), it.now_of(base))
  end
end

local unconcluded -- the last step of a transaction that ran out of memory: all is in effect but some references

-- Nothing is undone from here on: what is interrupted is done again.
local function conclude(it)
  local try <const>, m <const> = it.try, it.m
  unconcluded = it
  if not it.is_kept then
    files.put_in_order(try.session.begun)
    take_over(it)
    it.is_kept = true
  end
  native.stage(nil)
  give_back(try.session, function(thing, maker) -- what a file has made that ran for the first time is new
    return m.adopted[thing] or maker and maker ~= true and maker.version == 1
  end)
  end_timers(m)
  it.report.coroutines = changes().old_loops(m, native.redirect(try.whole, it.map, try.sources, roots_of(it)))
  look_again(it)
  files.finish()
  forget_undeclared(try, it.undeclared)
  unconcluded = nil
end

-- }==

-- {== Rolling back =========================================================

local unfinished -- a transaction that could not be undone for lack of memory
transaction.thrown = {} -- what edits threw away, and what may come back

local function copy_list(list) return table.move(list, 1, #list, 1, {}) end

local function copy_set(set_of)
  local copy <const> = {}
  for key in pairs(set_of) do copy[key] = true end
  return copy
end

-- An attempt begins: remembers what it puts back if it fails.
local function remember(try)
  try.order, try.journal, try.thrown = copy_list(files.order), copy_list(files.journal), transaction.thrown
  try.outs, try.classes, try.notified = {}, {}, false
  try.wrote, try.withdrawn, try.dropped, try.jumps, try.jumped = {}, {}, {}, {}, {}
  try.is_anew, try.wrong, try.session = false, false, nil -- not nil: to set them takes no memory
  for name, record in next, classes.roots()[1] do try.classes[name] = record end
  for _, record in ipairs(files.sorted()) do
    try.outs[record] = { record.is_out, record.visitors, record.uses, record.declares }
    record.visitors, record.uses = copy_set(record.visitors), copy_set(record.uses)
    record.declares = copy_set(record.declares)
  end
end

-- The edits that threw something away are off probation: it does not come back. Variables that the text declares stay.
function transaction.forget_thrown()
  transaction.thrown = {}
  for _, record in ipairs(files.order) do
    local image <const> = record.image
    if image and image.ghosts and next(image.ghosts) then
      local defined <const> = pairing().definitions_of(record, record.text)
      local things <const> = {}
      for _, thing in ipairs(image.things) do
        local is_kept = not image.ghosts[thing]
        pairing().each_variable(type(thing) == "function" and image.ghosts[thing] and thing or print, function(name)
          is_kept = is_kept or defined.declared[name]
        end)
        if is_kept then things[#things + 1] = thing else image.ghosts[thing] = nil end
      end
      image.things, image.ghost_places = things, nil
    end
  end
end

-- Everything is as before the files ran, but for the objects that they made.
local function put_back(try)
  classes.unstage()
  if try.whole then native.undo(try.whole) end
  local session <const> = try.session
  if session then files.finish(true) end
  files.order = table.move(try.order, 1, #try.order, 1, {})
  files.journal = table.move(try.journal, 1, #try.journal, 1, {})
  for record, it in pairs(try.outs) do
    record.is_out, record.visitors, record.uses, record.declares = table.unpack(it, 1, 4)
  end
  if try.set_written then try.set_written() end
  transaction.thrown = try.thrown
  if session then
    give_back(session, function() return false end)
    session.staged, session.is_staged = {}, {}
  end
end

-- Raises an error when out of memory: then it must be called again before anything else is tried.
local function roll_back(try)
  unfinished = try
  files.unwind()
  collectgarbage() -- the garbage of the failed transaction may be the only free memory
  put_back(try)
  if try.notified then native.changed(try.notified, true) end
  unfinished = nil
end

-- }==

-- {== The whole ============================================================

local function quote(texts, is_new)
  for record, text in pairs(texts) do native.texts()[record.path] = is_new and text or record.text end
end

-- Stops the collector except while files run: a collection of a large game would take longer than the rest, and nothing
-- that was captured may go. Restores its state afterwards.
local Try <const> = { __close = function(try) if try.collects then native.collect(true) end end }

-- The files that run, in order, and what they say before.
local function prepare(try)
  try.list, try.set = plan.of(try.texts, try.others)
  try.chunks = plan.compile(try.list, try.texts)
  ask_before(try)
end

local attempt
function attempt(try)
  quote(try.texts, true)
  try.set_written = files.copy_written()
  try.changes, try.lists = comparison().put_aside()
  for _, record in ipairs(try.list) do -- as the last run left it
    if record.image then record.image.capture = native.capture_things(record.image.things) end
  end
  withdraw(try)
  local done <const>, wrong <const> = pcall(run_all, try)
  if try.is_anew then
    put_back(try)
    remember(try)
    prepare(try)
    return attempt(try)
  elseif not done then
    error(wrong, 0)
  end
  check_all(try)
  native.stage(nil)
  return compare(try)
end

local function commit(try, m, report)
  local names <const> = undeclared(try)
  for name in pairs(names) do classes.roots()[1][name] = try.classes[name] end
  report.m, report.files = m, try.list
  report.changed, report.touched = changes().of(m, try)
  comparison().meet(m, try.changes, try.lists)
  comparison().move(m)
  set_loaded(m, try)
  comparison().put_back(m, try.changes, try.lists)
  transaction.thrown = comparison().bring_back(m, try.thrown)
  report.lost, report.old_code = changes().lost(m, try, report), changes().old_code(m, try)
  classes.unstage()
  try.notified = settled_names(try)
  report.classes, report.retyped = classes.settle(try.notified)
  conclude { try = try, m = m, map = comparison().map(m), report = report, undeclared = names,
    now_of = comparison().follower(m) }
end

-- The first files of a program run without a world to put back.
local function start(try, report)
  local session <const> = files.begin()
  session.chunks, session.is_transaction = try.chunks, true
  session.check, session.texts = check_result, try.texts
  try.session, try.ran = session, {}
  quote(try.texts, true)
  for _, record in ipairs(try.list) do protected(run_again, try, record) end
  for _, record in ipairs(session.finished) do try.ran[#try.ran + 1] = record end
  check_all(try)
  for _, record in ipairs(try.ran) do
    files.set_text(record, try.texts[record] or record.text)
    record.chunk = try.chunks[record] or record.chunk
    files.keep(record, session.done[record])
  end
  files.put_in_order(session.begun)
  files.finish()
  report.classes, report.files = {}, try.list
end

local expected = 0 -- values of the last capture

-- Files `texts` (record -> text) have new texts. Returns true and a report, or false and the text of the error; then
-- nothing has changed. `kind`: "start" for the first file, whose report nobody reads; "return" when an older version
-- comes back.
function transaction.run(texts, kind)
  transaction.finish()
  local try <close> = setmetatable({ texts = texts, kind = kind, firsts = {}, others = {}, asked = {},
    values = {} }, Try)
  try.collects = kind ~= "start" and native.collect(false)
  local prepared <const>, refused <const> = pcall(prepare, try)
  if not prepared then return false, refused end
  remember(try)
  local report <const> = { values = try.values, coroutines = 0, retyped = 0, changed = {}, lost = {} }
  local done <const>, wrong <const> = pcall(function()
    if kind == "start" then return start(try, report) end
    local hidden <const> = files.own_tables()
    for _, own in ipairs(classes.own_tables()) do hidden[#hidden + 1] = own end
    try.whole, expected = native.capture({ _G, files.loaded, classes.roots()[1] }, hidden, expected)
    commit(try, attempt(try), report)
  end)
  if done or unconcluded then return true, report end
  quote(try.texts, false)
  roll_back(try)
  return false, wrong
end

-- An error has interrupted the transaction, perhaps half-way: for callers that try again later.
function transaction.finish()
  if unfinished then roll_back(unfinished) end
  if unconcluded then conclude(unconcluded) end
end

-- }==

return transaction
