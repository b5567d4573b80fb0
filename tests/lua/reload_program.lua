-- A program that runs while its files are edited: what it is made of, in the running state and in a universe of its
-- texts. After each edit it is compared by reload_oracle.lua; after one that was refused nothing at all may have
-- changed.
local capture <const> = require "reload_capture"
local failures <const> = require "reload_failure"
local oracle <const> = require "reload_oracle"

local programs <const> = {}

local identical <const>, fail <const>, show <const> = capture.identical, failures.fail, failures.show

local Program <const> = {}
Program.__index = Program

-- `folder`: where the files are; `roots()` lists the values that the game holds; `opaque()` the set that a capture
-- does not look into.
function programs.open(folder, roots, opaque)
  return setmetatable({
    prefix = "@" .. folder .. "/", roots = roots, opaque = opaque,
    was = {}, had = {}, -- running value or cell -> that of the universe, and the reverse
    orphans = setmetatable({}, { __mode = "k" }), -- what files made and no text makes any more
    covered = setmetatable({}, { __mode = "k" }), -- table -> entries of the game that a file has written over
  }, Program)
end

-- Captures the program. Values of files that nobody holds any more are included as lost, because a reloader may bring
-- them back.
function Program:capture()
  local taken <const>, lost <const> = capture.take(self.roots(), self.opaque()), {}
  for value in pairs(self.was) do
    if type(value) ~= "userdata" and not taken.of[value] then lost[#lost + 1] = value end
  end
  local more <const> = capture.take(lost, self.opaque())
  for value, record in pairs(more.of) do
    if not taken.of[value] then taken.of[value], record.is_lost = record, true end
  end
  for id, cell in pairs(more.cells) do taken.cells[id] = cell end
  return taken
end

-- Keeps values that the program has lost: a table that only the game holds still follows its file.
local function carry_over(self, check)
  for value in pairs(self.was) do
    if check.now[value] == nil then
      local is_cell <const> = not self.universe.of[self.was[value]]
      local fate, new
      if not is_cell then fate, new = check:fate(value) end
      if fate == "follows" and check.live[new] == nil then
        check.now[value], check.live[new] = new, value
      elseif not is_cell then
        self.orphans[value] = true
      end
    end
  end
end

-- `before` and `after`: captures from before and after an edit that went through; before is nil when the program has
-- just been loaded. `new`: the universe of the texts in force now.
function Program:accept(before, after, new)
  local check <const> = oracle.rules(self, before, new)
  check:compare(after)
  carry_over(self, check)
  self.was, self.had, self.universe = check.now, check.live, new
end

-- After an edit that was refused nothing at all has changed.
function Program:refuse(before, after)
  for value, a in pairs(before.of) do
    local b <const>, item <const> = after.of[value], { key = failures.name_of(value) }
    if not b then fail("refused", item, "is held by nobody after a refused edit") end
    if not rawequal(a.meta, b.meta) then fail("refused", item, "has another metatable after a refused edit") end
    for key, held in pairs(a.at or {}) do
      if not identical(held, b.at[key]) then
        fail("refused", item, "%s is %s after a refused edit, was %s", show(key), show(b.at[key]), show(held))
      end
    end
    for key in pairs(b.at or {}) do
      if a.at[key] == nil then fail("refused", item, "%s is new after a refused edit", show(key)) end
    end
    for i, up in ipairs(a.ups or {}) do
      if up.id ~= b.ups[i].id then fail("refused", item, "variable %s is another one after a refused edit", up.name) end
    end
  end
  for id, cell in pairs(before.cells) do
    local now <const> = after.cells[id] and after.cells[id].value
    if not identical(cell.value, now) then
      fail("refused", nil, "variable %s is %s after a refused edit, was %s", cell.name, show(now), show(cell.value))
    end
  end
end

return programs
