-- Follows a function of C through its statements, and tells where a variable is used after something that has ended
-- what it points to. Branches and loops are gone through as a compiler would: what one of two ways may have ended is
-- ended.
local source <const> = require "c_source"
local closing <const> = source.closing

-- {== Following a function ==================================================

-- Fields: f, words, handles (name -> place of its declaration), runs(file, name), never, parameters, core, harmless,
-- seen, out.
local Walk <const> = {}
Walk.__index = Walk

local function copy(state)
  local out <const> = {}
  for name, what in pairs(state) do out[name] = what end
  return out
end

local function merge(into, other)
  if not other then return into end
  if not into then return other end
  for name, what in pairs(other) do into[name] = into[name] or what end
  return into
end

function Walk:complain(i, kind, text)
  local key <const> = ("%s:%d: %s: %s: %s"):format(self.f.file, self.words[i][2], self.f.name, kind, text)
  if not self.seen[key] then
    self.seen[key] = true
    self.out[#self.out + 1] = key
  end
end

-- Whether a call may run a script, and come back.
function Walk:may_run(name, is_member)
  if is_member and not self.harmless[name] or self.parameters[name] then return true end
  return not is_member and not self.never[name] and self.runs(self.f.file, name)
end

-- The name of the first such call in words[from..to].
function Walk:runner_in(from, to)
  local found
  source.calls_in(self.words, from, to + 1, function(name, _, is_member)
    found = found or self:may_run(name, is_member) and name or nil
  end)
  return found
end

-- One argument runs something, and another one looks at a handle.
function Walk:check_order(open, close)
  local arguments <const> = {}
  local from, depth = open + 1, 0
  for i = open + 1, close do
    local word <const> = self.words[i][1]
    if word == "(" or word == "[" or word == "{" then depth = depth + 1 end
    if (word == "," and depth == 0) or i == close then
      arguments[#arguments + 1] = { from, i - 1 }
      from = i + 1
    end
    if word == ")" or word == "]" or word == "}" then depth = depth - 1 end
  end
  for _, one in ipairs(arguments) do
    local runner <const> = self:runner_in(one[1], one[2])
    for _, other in ipairs(runner and arguments or {}) do
      for i = other[1], other[2] do
        if other ~= one and self.handles[self.words[i][1]] and self.words[i - 1][1] ~= "->" then
          self:complain(i, "order", ("%s beside %s"):format(self.words[i][1], runner))
        end
      end
    end
  end
end

-- An expression, in the order of its words. Returns the state after it, nil when it does not come back.
function Walk:expression(from, to, state)
  local words <const> = self.words
  local pending <const> = {} -- calls whose closing bracket is to come: place -> name
  local choices <const>, chosen = {}, nil -- states at "?"; what the first halves led to
  local assigned <const> = {} -- the variables that this sets, each when all of its value is done
  for i = from, to do
    local word <const> = words[i][1]
    local before <const> = words[i - 1] and words[i - 1][1]
    local is_member <const> = before == "->" or before == "."
    if word == "?" then choices[#choices + 1] = copy(state) end
    if word == ":" and #choices > 0 then
      chosen = merge(chosen, state)
      state = table.remove(choices)
    end
    if self.handles[word] and not is_member and self.handles[word] <= i then
      local is_new <const> = self.handles[word] == i
      local is_target <const> = words[i + 1][1] == "=" and (is_new or (before ~= "*" and before ~= "&"))
      if is_target then
        -- "(m = again())" inside of more: it holds from its own closing bracket on
        local depth, last = 0, to
        for k = i + 2, to do
          local other <const> = words[k][1]
          if other == "(" then depth = depth + 1 end
          if other == ")" then depth = depth - 1 end
          if depth < 0 or (depth == 0 and (other == "," or other == ";")) then last = k - 1 break end
        end
        assigned[#assigned + 1] = { word, last }
      elseif state[word] then
        self:complain(i, "stale", ("%s after %s"):format(word, state[word]))
      end
    end
    if words[i + 1] and words[i + 1][1] == "(" and word:find "^[%a_]" and not source.KEYWORDS[word] then
      local close <const> = closing(words, i + 1)
      pending[close] = { word, is_member }
      if close > i + 2 then self:check_order(i + 1, close) end
    end
    if pending[i] then
      local name <const>, member <const> = table.unpack(pending[i], 1, 2)
      if self.never[name] and not member then return nil end
      if self:may_run(name, member) then
        for handle, since in pairs(self.handles) do
          if since <= i then state[handle] = state[handle] or name end
        end
      end
    end
    for _, target in ipairs(assigned) do
      if target[2] == i then state[target[1]] = nil end
    end
  end
  return merge(state, chosen)
end

-- The colon of a label, which belongs to the statement behind it.
function Walk:label_end(from)
  while self.words[from][1] ~= ":" do from = from + 1 end
  return from
end

-- The end of the statement that begins at `from`: its last word.
function Walk:statement_end(from)
  local words <const> = self.words
  local word <const> = words[from][1]
  if word == "{" then return closing(words, from) end
  if word == "if" then
    local last <const> = self:statement_end(closing(words, from + 1) + 1)
    if words[last + 1][1] == "else" then return self:statement_end(last + 2) end
    return last
  end
  if word == "for" or word == "while" or word == "switch" then
    return self:statement_end(closing(words, from + 1) + 1)
  end
  if word == "do" then
    return closing(words, self:statement_end(from + 1) + 2) + 1
  end
  if word == "case" or word == "default" then return self:statement_end(self:label_end(from) + 1) end
  local i = from
  while words[i][1] ~= ";" do
    if words[i][1]:find "[({[]" then i = closing(words, i) end
    i = i + 1
  end
  return i
end

-- `head` is the condition, which every way out but a break comes from; nil: there is none.
function Walk:loop(state, head, body)
  local exits <const> = {}
  local outer <const> = self.loop_exits
  self.loop_exits = exits
  local entry = copy(state)
  for _ = 1, 3 do
    local now = copy(entry)
    if head then
      now = head(now)
      exits.broken = merge(exits.broken, now and copy(now))
    end
    local after <const> = now and body(now, exits)
    entry = merge(entry, after and copy(after))
  end
  self.loop_exits = outer
  return exits.broken
end

-- Returns the state after the statement, nil when nothing comes after it.
function Walk:statement(from, state)
  local words <const> = self.words
  local word <const>, last <const> = words[from][1], self:statement_end(from)
  if not state then return nil end
  if word == "{" then
    local i = from + 1
    while i < last do
      state = self:statement(i, state)
      i = self:statement_end(i) + 1
      if not state then
        -- what follows a return is reached by a label only
        while i < last and words[i][1] ~= "case" and words[i][1] ~= "default" do i = self:statement_end(i) + 1 end
        state = i < last and copy(self.switch_entry or {}) or nil
      end
    end
    return state
  end
  if word == "if" then
    local close <const> = closing(words, from + 1)
    state = self:expression(from + 2, close - 1, state)
    if not state then return nil end
    local yes <const> = self:statement(close + 1, copy(state))
    if words[from + 2][1] == "!" and words[from + 3][1] == "sp_is_untouched" then
      for name, since in pairs(state) do
        if self.core[since] then state[name] = nil end
      end
    end
    local after <const> = self:statement_end(close + 1)
    if words[after + 1] and words[after + 1][1] == "else" then
      return merge(yes, self:statement(after + 2, copy(state)))
    end
    return merge(yes, state)
  end
  if word == "while" then
    local close <const> = closing(words, from + 1)
    return self:loop(state, function(now) return self:expression(from + 2, close - 1, now) end,
      function(now, exits) return merge(self:statement(close + 1, now), exits.continued) end)
  end
  if word == "do" then
    local body <const> = self:statement_end(from + 1)
    return self:loop(state, nil, function(now, exits)
      now = merge(self:statement(from + 1, now), exits.continued)
      now = now and self:expression(body + 3, closing(words, body + 2) - 1, now)
      exits.broken = merge(exits.broken, now and copy(now))
      return now
    end)
  end
  if word == "for" then
    local close <const> = closing(words, from + 1)
    local semicolons <const> = {}
    local depth = 0
    for i = from + 2, close - 1 do
      if words[i][1]:find "[({[]" then depth = depth + 1 end
      if words[i][1]:find "[)}%]]" then depth = depth - 1 end
      if words[i][1] == ";" and depth == 0 then semicolons[#semicolons + 1] = i end
    end
    state = self:expression(from + 2, semicolons[1] - 1, state)
    local has_head <const> = semicolons[2] > semicolons[1] + 1
    local function head(now) return self:expression(semicolons[1] + 1, semicolons[2] - 1, now) end
    return self:loop(state, has_head and head or nil, function(now, exits)
      now = merge(self:statement(close + 1, now), exits.continued)
      return now and self:expression(semicolons[2] + 1, close - 1, now)
    end)
  end
  if word == "switch" then
    local close <const> = closing(words, from + 1)
    state = self:expression(from + 2, close - 1, state)
    local outer_exits <const>, outer_entry <const> = self.loop_exits, self.switch_entry
    local exits <const> = { outer = outer_exits }
    self.loop_exits, self.switch_entry = exits, copy(state)
    local after <const> = self:statement(close + 1, copy(state))
    self.loop_exits, self.switch_entry = outer_exits, outer_entry
    if outer_exits then outer_exits.continued = merge(outer_exits.continued, exits.continued) end
    return merge(merge(state, after), exits.broken)
  end
  if word == "break" or word == "continue" then
    local key <const> = word == "break" and "broken" or "continued"
    self.loop_exits[key] = merge(self.loop_exits[key], copy(state))
    return nil
  end
  if word == "return" then
    self:expression(from + 1, last - 1, state)
    return nil
  end
  if word == "case" or word == "default" then
    return self:statement(self:label_end(from) + 1, merge(state, copy(self.switch_entry or {})))
  end
  return self:expression(from, last, state)
end

-- }==

return Walk
