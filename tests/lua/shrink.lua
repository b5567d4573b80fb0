-- Makes a failing list of turns shorter: leaves out halves, then smaller parts, then single ones, as long as `fails`
-- says that it still fails in the same way.
local function without(list, from, size)
  local rest <const> = {}
  for i, turn in ipairs(list) do
    if i < from or i >= from + size then rest[#rest + 1] = turn end
  end
  return rest
end

-- From the end: what comes after the fault goes at once.
local function drop_parts(state, size)
  local dropped = false
  for from = (#state.list - 1) // size * size + 1, 1, -size do
    if from <= #state.list and state.left > 0 then
      local trial <const> = without(state.list, from, size)
      state.left = state.left - 1
      if state.fails(trial) then state.list, dropped = trial, true end
    end
  end
  return dropped
end

-- Returns the shorter list; asks at most `most` times.
return function(list, fails, most)
  local state <const> = { list = list, fails = fails, left = most }
  local size = (#list + 1) // 2
  while size > 1 do
    drop_parts(state, size)
    size = size // 2
  end
  while #state.list > 0 and state.left > 0 and drop_parts(state, 1) do end -- one may have waited for another
  return state.list
end
