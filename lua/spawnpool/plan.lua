-- The plan of a transaction: which files run again when some have changed, in which order, and their chunks.

local native <const> = ...
local classes <const> = native.use "spawnpool.class"
local files <const> = native.use "spawnpool.files"

local plan <const> = {}

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

-- Returns record -> records of those that changed a global which it had set before them.
local function find_followers()
  local setters <const>, followers <const> = {}, {}
  for _, entry in ipairs(files.journal) do
    for at = 1, entry.n, 4 do
      local name <const> = entry[at + 1]
      if rawequal(entry[at], _G) then
        setters[name] = setters[name] or {}
        for setter in next, entry[at + 2] ~= nil and setters[name] or {} do
          followers[setter] = followers[setter] or {}
          followers[setter][entry.record] = true
        end
        setters[name][entry.record] = true
      end
    end
  end
  return followers
end

-- Returns the files that run again when those in `texts` (record -> text) have changed, and those in the set `others`,
-- if any: they, and all that depend on them, in the order in which they began; and the same as a set.
function plan.of(texts, others)
  local set_of <const>, work <const>, list <const> = {}, {}, {}
  local users <const>, heirs <const> = find_users()
  local followers <const> = find_followers()
  local function add(records)
    for record in pairs(records or {}) do
      if not set_of[record] and (record.image or texts[record]) then
        set_of[record], work[#work + 1] = true, record
      end
    end
  end
  add(texts)
  add(others)
  while #work > 0 do
    local changed <const> = table.remove(work)
    add(changed.visitors)
    add(followers[changed])
    for name in pairs(changed.modules) do add(users[name]) end
    for name in pairs(changed.declares) do add(heirs[name]) end
  end
  local is_in <const> = {}
  for _, record in ipairs(files.order) do
    if set_of[record] then list[#list + 1], is_in[record] = record, true end
  end
  for _, record in ipairs(files.sorted()) do
    if set_of[record] and not is_in[record] then list[#list + 1] = record end
  end
  return list, set_of
end

-- Returns the files of a plan that no other one requires, as keys.
function plan.tops_of(try)
  local tops <const> = {}
  for _, record in ipairs(try.list) do
    local is_required = false
    for _, user in ipairs(try.list) do
      for name in pairs(user ~= record and user.uses or {}) do is_required = is_required or record.modules[name] end
    end
    local parent <const> = record.image and record.image.parent
    tops[record] = not is_required and not (parent and try.set[parent] and not record.class) or nil
  end
  return tops
end

-- Returns record -> chunk. Raises all errors of syntax.
function plan.compile(list, texts)
  local chunks <const>, wrongs <const> = {}, {}
  for _, record in ipairs(list) do
    local text <const> = texts[record] or record.text
    local chunk, wrong = not texts[record] and record.chunk, nil
    if not chunk then chunk, wrong = native.compile(text, record.path) end
    chunks[record] = chunk
    if not chunk then wrongs[#wrongs + 1] = native.use("spawnpool.hints").of_text(wrong, text) end
  end
  if #wrongs > 0 then error(table.concat(wrongs, "\n"), 0) end
  return chunks
end

return plan
