-- Runs files again, all or nothing, in the world of their last runs: what they had written elsewhere is taken back,
-- they run, and what they made is merged with the state of the game. On any error everything is put back, and the old
-- code goes on.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"
local places <const> = native.use "spawnpool.places"
local lines <const> = files.lines

local debug <const> = native.debug()
local same <const>, LIST <const> = native.same, places.LIST

local transaction <const> = {}

local REST <const> = 8192 -- KiB that files may allocate before the collector works beside them
local TRUSTED_LEAST <const> = 8 -- files that run again, from which on those that did nothing elsewhere are trusted

-- Loaded with the first edit: a game starts without them.
local function hints() return native.use "spawnpool.hints" end
local function counters() return native.use "spawnpool.counters" end
local function merge() return native.use "spawnpool.merge" end
local function changes() return native.use "spawnpool.changes" end
local function pairing() return native.use "spawnpool.pairing" end

-- {== The plan =============================================================

-- Returns name of a module -> records that require it, and name of a class -> records that declare heirs of it.
local function find_users()
  local users <const>, heirs <const> = {}, {}
  local function add(index, name, record)
    index[name] = index[name] or {}
    index[name][record] = true
  end
  for _, record in ipairs(files.order) do
    for name in pairs(record.uses) do add(users, name, record) end
    for name in pairs(record.declares) do
      local parent <const> = classes.parent_of(name)
      if parent then add(heirs, parent, record) end
    end
  end
  return users, heirs
end

-- Returns the files that run again when those in `texts` (record -> text) have changed: they, and all that depend on
-- them, in the order in which they ran; the same as a set; and those among them that ran while another
-- one did, and wrote into what that had: they wait for it.
local function plan(texts)
  local set <const>, work <const>, list <const>, waits <const>, place <const> = {}, {}, {}, {}, {}
  local users <const>, heirs <const> = find_users()
  for i, record in ipairs(files.order) do place[record] = i end
  local function add(records)
    for record in pairs(records or {}) do
      if not set[record] and (record.image or texts[record]) then set[record], work[#work + 1] = true, record end
    end
  end
  add(texts)
  while #work > 0 do
    local changed <const> = table.remove(work)
    add(changed.visitors)
    for visitor in pairs(changed.visitors) do
      waits[visitor] = waits[visitor] or (place[visitor] or 0) < (place[changed] or 0)
    end
    for name in pairs(changed.modules) do add(users[name]) end
    for name in pairs(changed.declares) do add(heirs[name]) end
  end
  for _, record in ipairs(files.order) do
    if set[record] and record.image then list[#list + 1] = record end
  end
  for _, record in ipairs(files.sorted()) do
    if set[record] and not record.image then list[#list + 1] = record end
  end
  return list, set, waits
end

-- Returns the files of a set, and all that depend on them.
function transaction.users_of(set) return (plan(set)) end

local function compile_all(list, texts)
  local chunks <const>, wrongs <const> = {}, {}
  for _, record in ipairs(list) do
    local text <const> = texts[record] or record.text
    local chunk, wrong = not texts[record] and record.chunk, nil
    if not chunk then chunk, wrong = native.compile(text, record.path) end
    chunks[record] = chunk
    files.note_text(text)
    if not chunk then wrongs[#wrongs + 1] = hints().of_text(wrong, text) end
  end
  if #wrongs > 0 then error(table.concat(wrongs, "\n"), 0) end
  return chunks
end

-- }==

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
  return text ~= nil and not text:gsub("\r\n", "\n"):find(code, 1, true)
end

-- `is_return`: an older version comes back, which nothing rejects.
local function ask_before(list, texts, is_return)
  local values <const> = {}
  for _, record in ipairs(list) do
    if record.image then
      each_offered(record, "before_reload", function(before)
        local done <const>, value <const> = native.protect(before)
        if done then
          values[record] = value
        elseif is_return or fixes_itself(record, before, texts[record]) then
          native.report("error", value)
        else
          error(value, 0)
        end
      end)
    end
  end
  return values
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
  error(("%s:1: the file declares %s, not class '%s': a class file is named after its class"):format(record.path,
    other and ("class '%s'"):format(other) or "no class", record.class), 0)
end

local function check_result(record, result)
  local was <const> = record.image and record.image.result
  if record.main and type(result) ~= "table" then
    local wrong <const> = ("%s:1: main.lua must return a table of callbacks (load, update, draw, ...), got %s"):format(
      record.path, type(result))
    error(wrong .. hints().line(hints().of(wrong)), 0)
  end
  if type(was) == "table" and type(result) ~= "table" then
    error(("%s:1: the file returns %s now; it returned a table before, which others use"):format(record.path,
      result == nil and "nothing" or "a " .. type(result)), 0)
  end
end

local function check_all(try)
  for _, record in ipairs(try.ran) do
    if record.class then check_class(try.session, record) end
  end
  for name, record in pairs(try.session.declared_by) do
    local wrong <const> = classes.check_super(name)
    if wrong then error(("%s: %s"):format(record.path, wrong), 0) end
  end
end

-- }==

-- {== Pairing ==============================================================

-- A file with unchanged text usually makes the same again; then what it made before stays.
local function is_remade(m, try, record, is)
  local was <const> = record.image
  if try.texts[record] or not was or not was.capture or was.tables or #was.effects ~= #is.effects then return false end
  local map <const> = native.remade(was.capture, is.capture, m.kept, m.lines)
  if not map then return false end
  local function is_like(a, b) return same(a, b) or b ~= nil and rawequal(map[b] or m.pred[b], a) end
  if not is_like(was.result, is.result) or not pairing().has_same_timers(was, is, is_like) then return false end
  for i, e in ipairs(is.effects) do
    local o <const> = was.effects[i]
    if not is_like(o.holder, e.holder) or not is_like(o.key, e.key) then return false end
    if e.key == LIST then
      if #o.added ~= #e.added or #o.removed ~= #e.removed then return false end
      for k, value in ipairs(e.added) do
        if not is_like(o.added[k], value) then return false end
      end
      for k, value in ipairs(e.removed) do
        if not is_like(o.removed[k], value) then return false end
      end
    elseif not is_like(o.after, e.after) then
      return false
    end
  end
  pairing().keep(m, record, is, map)
  return true
end

local function begin_compare(try)
  local is_edited <const> = {}
  for record in pairs(try.texts) do is_edited[record] = try.kind ~= "return" end
  return pairing().begin(try.texts, is_edited, try.session)
end

-- A file has run: what it made is paired with what it had made, before the next one runs.
local function compare(m, try, record)
  local is <const> = try.session.done[record]
  if not is_remade(m, try, record, is) then
    pairing().run(m, pairing().add(m, record, record.image or files.new_image(), is))
  end
end

-- }==

-- {== Running ==============================================================

local function run_again(session, record)
  if session.done[record] or session.is_running[record] then return end
  session.is_running[record] = true
  local args <const> = record.args or { n = 0 }
  local result <const> = files.run(record, session.chunks[record], table.unpack(args, 1, args.n))
  for name in pairs(record.modules) do
    if files.loaded[name] == nil then files.loaded[name] = result == nil and true or result end
  end
end

-- A class is looked up while files run: the file that declares it runs first, if it has not run yet.
local function runs_first(session, list)
  return function(name)
    for _, record in ipairs(list) do
      if record.declares[name] or record.class == name then run_again(session, record) end
    end
  end
end

-- Runs fn. Where the world of a last run had jumps, the numbers are looked at after each line of the file that runs.
local function with_jumps(m, list, fn)
  local has_jumps = false
  for _, record in ipairs(list) do
    for _, e in ipairs(record.image and record.image.effects or {}) do has_jumps = has_jumps or e.jumps ~= nil end
  end
  if not has_jumps then return fn() end
  local stop <const> = native.clock() + 2
  debug.sethook(function()
    if native.clock() > stop then error("stopped: it ran for more than 2 s", 2) end
    local record <const> = files.running()
    if record and debug.getinfo(2, "S").source == record.source then counters().jump(m.counters, m, record) end
  end, "l")
  local done <const>, wrong <const> = pcall(fn)
  debug.sethook()
  if not done then error(wrong, 0) end
end

-- Finds what the files have changed far from what others made, by comparing everything once more. Only its functions
-- show which file did it: without any it is the last edited file.
local function note_rest(try)
  local edited, is_known <const> = nil, {}
  for _, record in ipairs(try.ran) do edited = try.texts[record] and record or edited end
  for _, record in ipairs(try.list) do
    for _, e in ipairs(record.image and record.image.effects or {}) do is_known[e.holder] = true end
  end
  local log <const> = native.changes(try.whole)
  return log and files.note_rest(edited, log, is_known) or {}
end

-- Takes back what the files had written elsewhere, and begins a session in which they find the world of their last
-- runs. `stale`: numbers from which a run has gone further than the last one; they get a jump. Returns the merge.
local function begin_runs(try, stale, is_trusting)
  local session <const> = files.begin(try.whole)
  session.chunks, session.is_running, session.is_transaction = try.chunks, {}, true
  session.check, try.session = check_result, session
  if is_trusting then
    local unedited <const> = {}
    for _, record in ipairs(try.list) do unedited[#unedited + 1] = not try.texts[record] and record or nil end
    files.trust(unedited)
  end
  classes.stage(runs_first(session, try.list))
  local m <const> = begin_compare(try)
  m.counters = counters().begin(try.list, try.set)
  for i = #try.list, 1, -1 do
    if try.list[i].image then merge().withdraw(m, try.list[i], try.set) end
  end
  for _, it in ipairs(stale or {}) do
    local e <const> = pairing().find_effect(it.record.image, it.holder, it.key)
    local jump <const> = { at = it.at, to = it.to }
    e.jumps = e.jumps or {}
    e.jumps[#e.jumps + 1], m.counters.fresh[jump] = jump, true
  end
  function session.on_begin(record, touched) counters().enter(m.counters, m, record, touched) end
  function session.on_done(record, touched)
    compare(m, try, record)
    counters().leave(m.counters, m, record, touched)
  end
  return m
end

-- Files that have run again stay among the others where they were: what a later file has written goes on to be above
-- what they write.
local function keep_places(try)
  local done <const>, order <const>, again <const>, fresh <const>, was <const> = try.session.done, {}, {}, {}, {}
  for _, record in ipairs(try.order) do was[record] = true end
  for _, record in ipairs(try.ran) do
    local list <const> = was[record] and again or fresh
    list[#list + 1] = record
  end
  for _, record in ipairs(try.order) do order[#order + 1] = done[record] and table.remove(again, 1) or record end
  files.order = table.move(fresh, 1, #fresh, #order + 1, order)
end

-- All files have run: finds what is left to be found.
local function finish_runs(m, try)
  m.is_surprised, try.ran = files.is_surprised(), {}
  for _, record in ipairs(files.order) do
    if try.session.done[record] then try.ran[#try.ran + 1] = record end
  end
  keep_places(try)
  for record in pairs(note_rest(try)) do
    m.is_surprised = true
    local file <const> = m.file_of[record]
    if file then
      pairing().add(m, record, file.was, file.is) -- again: there is more
      pairing().effects(m, file.was, file.is)
    end
  end
  pairing().places(m)
end

local function run_all(try, stale, is_trusting)
  local m <const> = begin_runs(try, stale, is_trusting)
  for _, record in ipairs(try.list) do
    for name in pairs(record.modules) do files.loaded[name] = nil end
  end
  with_jumps(m, try.list, function()
    if try.collects then native.collect(true, REST) end
    for _, waiting in ipairs { false, true } do
      for _, record in ipairs(try.list) do
        local is_due <const> = waiting or not try.waits[record]
        if is_due and not try.session.done[record] then protected(run_again, try.session, record) end
      end
    end
    if try.collects then native.collect(false) end
  end)
  finish_runs(m, try)
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

-- A class that its file no longer declares keeps its last code.
local function keep_undeclared(try)
  local names <const> = {}
  for _, record in ipairs(try.ran) do
    for name in pairs(record.declares) do
      local records <const> = classes.roots()[1]
      if try.session.declared_by[name] ~= record then
        names[name] = not try.session.declared_by[name] and record or nil
        local effect <const> = record.image and pairing().find_effect(record.image, records, name)
        for i, e in ipairs(effect and record.image.effects or {}) do
          if e == effect then table.remove(record.image.effects, i) end
        end
        if effect and records[name] == nil then records[name] = effect.live end
      end
    end
  end
  return names
end

local function forget_undeclared(try, undeclared)
  for _, record in ipairs(try.ran) do
    for name in pairs(record.declares) do
      if try.session.declared_by[name] ~= record then record.declares[name] = nil end
    end
  end
  for name, record in pairs(undeclared) do
    native.report("warning", ("class '%s' is no longer declared by %s: it keeps its last code"):format(name,
      record.path))
  end
end

-- Names of the classes whose tables may have changed.
local function settled_names(try)
  local names <const> = {}
  for name in pairs(try.session.declared_by) do names[name] = true end
  for _, record in ipairs(try.ran) do
    for _, image in ipairs { try.session.done[record], record.image } do
      for _, e in ipairs(image.effects) do
        local name <const> = classes.name_of_store(e.holder)
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

-- Files own what they have made; those that made the same again keep what they made before.
local function keep_images(m, try)
  for _, record in ipairs(try.ran) do
    local is <const> = m.remade[record] and record.image or try.session.done[record]
    if m.remade[record] then record.things = try.things[record] end
    is.noted = {}
    files.set_text(record, try.texts[record] or record.text)
    record.chunk = try.chunks[record] or record.chunk
    files.keep(record, is, m.file_of[record] and m.file_of[record].tables)
  end
end

local unconcluded -- the last step of a transaction that ran out of memory: all is in effect but some references

-- Nothing is undone from here on: what is interrupted is done again.
local function conclude(it)
  local try <const>, m <const> = it.try, it.m
  unconcluded = it
  if not it.is_kept then
    keep_images(m, try)
    it.is_kept = true
  end
  native.stage(nil)
  give_back(try.session, function(thing, maker) -- what a file has made that ran for the first time is new
    return m.adopted[thing] or maker and maker ~= true and maker.version == 1
  end)
  end_timers(m)
  local roots <const> = {}
  for _, record in ipairs(files.order) do
    roots[#roots + 1] = record.image
    roots[#roots + 1] = record.things
  end
  for _, file in ipairs(m.files) do
    for t in next, file.tables or {} do roots[#roots + 1] = t end
    for _, e in ipairs(file.is.effects) do roots[#roots + 1] = e.cell and e.cell.f or e.holder end
  end
  for t in next, m.lists do roots[#roots + 1] = t end
  it.report.coroutines = changes().old_loops(m, native.redirect(try.whole, it.map, m.lines, roots))
  files.sort_things()
  files.finish()
  forget_undeclared(try, it.undeclared)
  unconcluded = nil
end

-- }==

-- {== Rolling back =========================================================

local unfinished -- a transaction that could not be undone for lack of memory

local function copy_effects(image)
  local list <const> = {}
  for i, e in ipairs(image.effects) do
    list[i] = {}
    for key, value in next, e do list[i][key] = value end
    list[i].jumps = e.jumps and table.move(e.jumps, 1, #e.jumps, 1, {})
  end
  return list
end

local function new_try(texts, kind)
  local try <const> = {
    texts = texts, kind = kind, order = table.move(files.order, 1, #files.order, 1, {}),
    effects = {}, things = {}, declares = {}, sessions = {}, notified = false,
  }
  for _, record in ipairs(files.order) do
    try.effects[record], try.things[record] = record.image and copy_effects(record.image), record.things
    try.declares[record] = {}
    for name in pairs(record.declares) do try.declares[record][name] = true end
  end
  return try
end

-- Everything is as before the files ran, but for the objects that they made.
local function put_back(try)
  classes.unstage()
  if try.whole then native.undo(try.whole) end
  if try.session then
    files.finish()
    try.sessions[#try.sessions + 1], try.session = try.session, nil
  end
  files.order = table.move(try.order, 1, #try.order, 1, {})
  for record, effects in pairs(try.effects) do
    record.image.effects, record.things, record.declares = effects, try.things[record], try.declares[record]
  end
  for _, session in ipairs(try.sessions) do
    give_back(session, function() return false end)
    session.staged, session.is_staged = {}, {}
  end
end

-- Raises an error when out of memory: then it must be called again before anything else is tried.
local function roll_back(try)
  unfinished = try
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

local function again(try)
  local effects <const> = {}
  for record, list in pairs(try.effects) do effects[record] = copy_effects { effects = list } end
  put_back(try)
  try.effects = effects
end

-- The old texts run again: what differs then comes from outside, and is no edit of the author's.
local function find_noise(try)
  local texts <const>, chunks <const>, noise <const> = try.texts, try.chunks, {}
  try.texts, try.chunks = {}, {}
  for _, record in ipairs(try.list) do try.chunks[record] = record.chunk end
  local done <const>, m <const> = pcall(run_all, try)
  if done then
    merge().each_difference(m, function(_, holder, name)
      noise[holder] = noise[holder] or {}
      noise[holder][name] = true
    end)
  end
  try.texts, try.chunks = texts, chunks
  return noise
end

-- Runs the files, as often as it takes: again with looks at all where a trusted file has done something elsewhere after
-- all; with jumps where numbers are stale; and beside a run of the old texts where values may come from outside.
local function attempt(try, report)
  quote(try.texts, true)
  local is_trusting <const> = #try.list > TRUSTED_LEAST
  local m = run_all(try, nil, is_trusting)
  if is_trusting and m.is_surprised then
    again(try)
    m = run_all(try)
  end
  local stale <const> = m.counters.stale
  if #stale > 0 then
    again(try)
    m = run_all(try, stale)
  end
  if try.kind ~= "return" and merge().may_be_noise(m) then
    again(try)
    local noise <const> = find_noise(try)
    again(try)
    m = run_all(try, stale)
    m.noise = noise
  end
  check_all(try)
  native.stage(nil)
  report.m = m
  return m
end

local function commit(try, m, report)
  local undeclared <const> = keep_undeclared(try)
  report.changed, report.touched = changes().of(m, try.texts)
  local map <const> = merge().run(m, try.ran)
  report.lost = changes().lost(m)
  set_loaded(m, try)
  classes.unstage()
  try.notified = settled_names(try)
  report.classes, report.retyped = classes.settle(try.notified)
  conclude { try = try, m = m, map = map, report = report, undeclared = undeclared }
end

-- The first files of a program run without a world to put back.
local function start(try, report)
  local session <const> = files.begin()
  session.chunks, session.is_running, session.is_transaction = try.chunks, {}, true
  session.check = check_result
  try.session, try.ran = session, {}
  quote(try.texts, true)
  for _, record in ipairs(try.list) do protected(run_again, session, record) end
  for _, record in ipairs(files.order) do
    if session.done[record] then try.ran[#try.ran + 1] = record end
  end
  check_all(try)
  for _, record in ipairs(try.ran) do
    files.set_text(record, try.texts[record] or record.text)
    record.chunk = try.chunks[record] or record.chunk
    files.keep(record, session.done[record])
  end
  files.finish()
  report.classes = {}
end

local expected = 0 -- values of the last capture

-- Files `texts` (record -> text) have new texts. Returns true and a report, or false and the text of the error; then
-- nothing has changed. `kind`: "start" for the first file, whose report nobody reads; "return" when an older version
-- comes back.
function transaction.run(texts, kind)
  transaction.finish()
  local try <close> = setmetatable(new_try(texts, kind), Try)
  try.collects = kind ~= "start" and native.collect(false)
  try.list, try.set, try.waits = plan(texts)
  local compiled <const>, chunks <const> = pcall(compile_all, try.list, texts)
  if not compiled then return false, chunks end
  try.chunks = chunks
  local asked <const>, values <const> = pcall(ask_before, try.list, texts, kind == "return")
  if not asked then return false, values end
  local report <const> = { files = try.list, values = values, coroutines = 0, retyped = 0, changed = {}, lost = {} }
  local done <const>, wrong <const> = pcall(function()
    local hidden <const> = files.own_tables()
    for _, own in ipairs(classes.own_tables()) do hidden[#hidden + 1] = own end
    try.whole, expected = native.capture({ _G, files.loaded, classes.roots()[1] }, hidden, expected)
    if kind == "start" then return start(try, report) end
    commit(try, attempt(try, report), report)
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
