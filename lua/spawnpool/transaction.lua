-- Runs files again, all or nothing. They are compiled, run, checked and merged with the state of the game before they
-- take effect; on any error everything is restored, and the old code continues.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"
local image <const> = native.use "spawnpool.image"

local transaction <const> = {}

-- Loaded with the first error, and with the first edit: a game starts without them.
local function hints() return native.use "spawnpool.hints" end
local function changes() return native.use "spawnpool.changes" end
local function merge() return native.use "spawnpool.merge" end

-- Does early what the next transaction needs: an edit is about to be run.
function transaction.prepare()
  changes()
  merge()
  files.prepare()
end

-- {== The plan =============================================================

local function uses_any(record, names)
  for name in pairs(names) do
    if record.uses[name] then return true end
  end
  return false
end

local function extends_any(record, names)
  for name in pairs(record.declares) do
    if names[classes.parent_of(name)] then return true end
  end
  return false
end

local function writes_into_any(record, names)
  for _, effect in ipairs(record.image.effects) do
    if names[classes.name_of_store(effect.thing)] then return true end
  end
  return false
end

local function depends_on(record, other)
  return uses_any(record, other.modules) or extends_any(record, other.declares)
    or writes_into_any(record, other.declares)
end

-- Returns the files that run again when those in `texts` (record -> text) have changed: they, and all that depend on
-- them.
local function plan(texts)
  local set <const>, work <const> = {}, {}
  local all <const> = files.sorted()
  for record in pairs(texts) do
    set[record] = true
    work[#work + 1] = record
  end
  while #work > 0 do
    local changed <const> = table.remove(work)
    for _, record in ipairs(all) do
      if not set[record] and record.image and depends_on(record, changed) then
        set[record] = true
        work[#work + 1] = record
      end
    end
  end
  local list <const> = {}
  for _, record in ipairs(all) do
    if set[record] then list[#list + 1] = record end
  end
  return list
end

local function compile_all(list, texts)
  local chunks <const>, wrongs <const> = {}, {}
  for _, record in ipairs(list) do
    local chunk, wrong = not texts[record] and record.chunk, nil
    if not chunk then chunk, wrong = native.compile(texts[record] or record.text, record.path) end
    chunks[record] = chunk
    if not chunk then wrongs[#wrongs + 1] = hints().of_text(wrong, texts[record] or record.text) end
  end
  if #wrongs > 0 then error(table.concat(wrongs, "\n"), 0) end
  return chunks
end

-- }==

-- {== Running ==============================================================

local function protected(fn, ...)
  local results <const> = table.pack(native.protect(fn, ...))
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

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

-- Returns the functions named `name` of a file: in its result, in its classes.
local function each_offered(record, name, fn)
  local img <const> = record.image
  local offered <const> = {}
  if type(img.result) == "table" then offered[#offered + 1] = rawget(img.result, name) end
  for class in pairs(img.stores) do
    local store <const> = classes.store(class)
    if store and store ~= img.result then offered[#offered + 1] = rawget(store, name) end
  end
  for _, offer in ipairs(offered) do
    if type(offer) == "function" then fn(offer) end
  end
end

-- Whether an error of this function must not reject the new text of its file, because it could never be fixed.
local function is_mended(record, before, text)
  return text ~= nil and not text:gsub("\r\n", "\n"):find(changes().code_of(before, record.text), 1, true)
end

-- `is_return`: a good version comes back, which nothing rejects.
local function ask_before(list, texts, is_return)
  local values <const> = {}
  for _, record in ipairs(list) do
    if record.image then
      each_offered(record, "before_reload", function(before)
        local done <const>, value <const> = native.protect(before)
        if done then
          values[record] = value
        elseif is_return or is_mended(record, before, texts[record]) then
          native.report("error", value)
        else
          error(value, 0)
        end
      end)
    end
  end
  return values
end

local function run_all(session, list, texts)
  local withdrawn = 0
  for _, record in ipairs(list) do
    if not texts[record] then files.trust(record) end
    if record.image then withdrawn = withdrawn + image.withdraw(record.image) end
    for name in pairs(record.modules) do files.loaded[name] = nil end
  end
  if withdrawn > 0 then files.take_note() end
  for _, record in ipairs(list) do
    if not session.done[record] then protected(run_again, session, record) end
  end
  files.catch_up()
end

-- }==

-- {== Checking =============================================================

local function check_class(session, record)
  local declarer <const> = session.declared_by[record.class]
  if declarer == record then return end
  local other
  for name, by in pairs(session.declared_by) do
    if by == record and (other == nil or name < other) then other = name end
  end
  error(("%s:1: the file declares %s, not class '%s': a class file is named after its class"):format(record.path,
    other and ("class '%s'"):format(other) or "no class", record.class), 0)
end

local function check_all(session)
  for _, record in ipairs(session.order) do
    if record.class then check_class(session, record) end
  end
end

-- }==

-- {== Taking over ==========================================================

local function live_stores(session, record, declared)
  local stores <const> = {}
  for name, by in pairs(session.declared_by) do
    if by == record then stores[name] = declared[name] end
  end
  return stores
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

-- Begins to merge. The files that have run so far, `fresh`, are new.
local function begin_merge(session, texts, fresh)
  local edited <const> = {}
  for record in pairs(texts) do edited["@" .. record.path] = true end
  local m <const> = merge().begin(edited)
  session.merge, session.known = m, m.known
  for _, it in ipairs(fresh) do merge().add(m, it.record, image.none, it.new, it.stores) end
end

-- Matches the results of a file with its previous ones as soon as it has run: files that use it come later. While all
-- files are new there is nothing to match, and nothing to merge.
local function match_each(session, list, texts)
  local fresh <const>, is_fresh <const> = {}, {}
  for _, record in ipairs(list) do
    if record.image and not session.merge then begin_merge(session, texts, fresh) end
  end
  function session.on_done(record)
    check_result(record, session.results[record])
    local stores <const>, made <const> = live_stores(session, record, classes.declared()), session.made[record]
    if not session.merge and not record.image and not is_fresh[record] then
      fresh[#fresh + 1], is_fresh[record] = { record = record, new = session.done[record], stores = stores }, true
      return
    end
    if not session.merge then begin_merge(session, texts, fresh) end
    if made then
      merge().keep(session.merge, record, made, stores)
    else
      merge().drop(session.merge, record)
      merge().add(session.merge, record, record.image or image.none, session.done[record], stores)
    end
  end
end

-- The results of a file that ran for the first time are new, and stay.
local function give_back(objects, adopted, makers)
  for i = #objects, 1, -1 do
    local object <const> = objects[i]
    local maker <const> = makers[object]
    local is_new <const> = maker and maker ~= true and maker.version == 1
    if not adopted[object] and not is_new then native.recycle_object(object) end
  end
end

-- Adds the classes of files that have changed beside their classes, and of those that use them. What main.lua has
-- beside its classes is for the callbacks.
local function add_users(names, touched)
  for _, record in ipairs(plan(touched)) do
    for name in pairs(record.main and {} or record.declares) do names[name] = true end
  end
end

local function is_touched(names, name)
  while name and not names[name] do name = classes.parent_of(name) end
  return name ~= nil
end

-- Counts the objects of the classes that have run again, if the edit changes anything for them.
local function count_objects(ran, touched)
  local count = 0
  add_users(touched.classes, touched.files)
  for name in pairs(ran) do
    for _, pool in ipairs(is_touched(touched.classes, name) and native.pools_of(name) or {}) do
      count = count + pool.live
    end
  end
  return count
end

local function forget_undeclared(session, record)
  for name in pairs(record.declares) do
    if session.declared_by[name] ~= record then
      record.declares[name] = nil
      native.report("warning", ("class '%s' is no longer declared by %s: it keeps its last code"):format(name,
        record.path))
    end
  end
end

-- {== Following ============================================================

-- References to replaced functions are anywhere in the game: they are redirected in steps, which continue in later
-- frames.
local FOLLOW_FIRST <const>, FOLLOW_NEXT <const> = 60000, 30000 -- values visited in one step

local unfollowed -- { map, sources, walk }, or nil when all references are up to date

-- Adds the references to redirect once `map` is in effect, including those left from before.
local function with_unfollowed(map, records)
  local sources <const> = {}
  for _, record in ipairs(records) do sources["@" .. record.path] = true end
  local earlier <const> = unfollowed or { map = {}, sources = {} }
  for old, new in pairs(earlier.map) do
    new = image.latest(new)
    map[old] = map[old] or map[new] or new
  end
  for source in pairs(earlier.sources) do sources[source] = true end
  return { map = map, sources = sources, walk = false }
end

-- Redirects some of the remaining references. Returns the number of suspended coroutines that finish with old code, and
-- true at the end, 0 and false before that; nil when none are left.
function transaction.follow(most)
  if not unfollowed then return nil end
  unfollowed.walk = unfollowed.walk or native.following(unfollowed.map, unfollowed.sources, image.later)
  local done <const>, coroutines <const> = native.follow(unfollowed.walk, most or FOLLOW_NEXT)
  if not done then return 0, false end
  unfollowed = nil
  return coroutines, true
end

-- }==

-- The new code is in effect. Files come first, then reports and redirection, which may run out of memory.
local function conclude(session, report, texts, objects)
  for _, record in ipairs(session.order) do
    files.set_text(record, texts[record] or record.text)
    record.chunk = session.chunks[record] or record.chunk
    files.keep(record, session.done[record])
  end
  local makers <const> = session.is_staged
  files.finish()
  unfollowed = report.unfollowed or nil
  give_back(objects, report.adopted, makers)
  for _, record in ipairs(session.order) do forget_undeclared(session, record) end
  if unfollowed then report.coroutines, report.is_followed = transaction.follow(FOLLOW_FIRST) end
  if report.touched then report.objects = count_objects(report.classes, report.touched) end
end

-- }==

-- {== Rolling back =========================================================

local unfinished -- a transaction that could not be undone for lack of memory

-- Each step can be repeated if it was interrupted.
local undo_steps <const> = {
  function(try)
    if try.merge then merge().undo(try.merge) end
  end,
  function() native.stage(nil) end,
  function(try) try.notified = classes.unstage() or try.notified end,
  function() files.look_around() end,
  function() files.undo() end,
  function() files.finish() end,
  function(try)
    if try.notified then native.changed(try.notified, true) end
  end,
  function(try) give_back(try.objects, {}, {}) end,
}

-- Raises an error when out of memory: then it must be called again before anything else is tried.
local function roll_back(try)
  unfinished = try
  collectgarbage() -- the garbage of the failed transaction may be the only free memory
  for i = try.undone + 1, #undo_steps do
    undo_steps[i](try)
    try.undone = i
  end
  unfinished = nil
end

-- }==

-- {== Texts that messages quote ============================================

local function quote_new(texts)
  for record, text in pairs(texts) do native.texts()[record.path] = text end
end

local function quote_old(texts)
  for record in pairs(texts) do native.texts()[record.path] = record.text end
end

-- }==

-- {== The whole ===========================================================

-- Milliseconds since `begin`.
local function since(begin) return (native.clock() - begin) * 1000 end

-- Stops the collector except while files run: a collection of a large game would take longer than the rest. Restores
-- its state afterwards.
local Try <const> = { __close = function(try) if try.collects then native.collect(true) end end }

local function plan_merge(m, order, report)
  if m then
    merge().plan(m, files.loaded)
    report.adopted, report.ambiguous, report.large = m.adopted, m.ambiguous, m.large
    report.unfollowed = with_unfollowed(merge().successors(m), order)
  elseif unfollowed then -- a new file may have copied a reference that was not redirected yet
    report.unfollowed = with_unfollowed({}, {})
  end
end

local function commit(try, m, report, parts)
  local begin <const> = native.clock()
  try.merge = m
  if m then merge().commit(m) end
  parts.commit = since(begin)
  report.classes, report.retyped = classes.settle()
  parts.settle = since(begin) - parts.commit
end

local function attempt(try, list, chunks, texts, report, kind)
  local begin <const>, parts <const> = native.clock(), report.parts
  local session <const> = files.begin(try.objects)
  quote_new(texts)
  session.chunks, session.is_running = chunks, {}
  match_each(session, list, texts)
  classes.stage(runs_first(session, list))
  if try.collects then native.collect(true) end
  run_all(session, list, texts)
  if kind ~= "start" then native.collect(false) end
  parts.run = since(begin)
  check_all(session)
  native.stage(nil)
  if kind ~= "start" then report.changed, report.touched = changes().of(session, texts) end
  parts.check = since(begin) - parts.run
  plan_merge(session.merge, session.order, report)
  parts.merge = since(begin) - parts.run - parts.check
  commit(try, session.merge, report, parts)
  return session
end

-- All entries exist from the start: once classes have settled nothing can be undone, and no memory may be allocated.
local function new_report(list, values)
  return {
    unfollowed = false, adopted = {}, ambiguous = {}, large = 0, files = list, values = values,
    changed = {}, touched = false, classes = false, retyped = false, coroutines = 0, is_followed = true, objects = 0,
    parts = { compile = 0, run = 0, check = 0, merge = 0, commit = 0, settle = 0, follow = 0 },
  }
end

-- Files `texts` (record -> text) have new texts. Returns true and the report: { files, changed, classes, objects,
-- coroutines, ambiguous, retyped, parts }, or false and the text of the error; then nothing has changed. `kind`:
-- "start" for the first file, whose report nobody reads; "return" when the last good version comes back.
function transaction.run(texts, kind)
  if unfinished then roll_back(unfinished) end
  local begin <const> = native.clock()
  local try <close> = setmetatable({ objects = {}, undone = 0, merge = false, notified = false, collects = false },
    Try)
  try.collects = kind ~= "start" and native.collect(false)
  local list <const> = plan(texts)
  local compiled <const>, chunks <const> = pcall(compile_all, list, texts)
  if not compiled then return false, chunks end
  local asked <const>, values <const> = pcall(ask_before, list, texts, kind == "return")
  if not asked then return false, values end
  local report <const> = new_report(list, values)
  report.parts.compile = since(begin)
  local done <const>, result <const> = pcall(attempt, try, list, chunks, texts, report, kind)
  if not done then
    quote_old(texts)
    roll_back(try)
    return false, result
  end
  local from <const> = native.clock()
  conclude(result, report, texts, try.objects)
  report.parts.follow = since(from)
  return true, report
end

-- An error has interrupted the transaction, perhaps half-way: for callers that try again later.
function transaction.mend()
  if unfinished then roll_back(unfinished) end
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

return transaction
