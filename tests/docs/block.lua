-- Runs one block of a page of docs/ as a chunk of its own, behind the lines that the page begins with, and holds what
-- it does against what it shows:
--
--   print(drop.alive) --> false          prints this; a line that prints several times shows them parted by "; "
--   drop.coler = 1    --> error: TEXT    raises this, behind the place; " ..." at its end stands for the rest
--   pools:alloc "Drp" --> warning: TEXT  the library warns of this; it may say more
--
-- A print that shows nothing is wrong, as is a warning that is not shown. A tab of print is shown as a blank.

local blocks <const> = {}

-- The code with each raising line inside a call of `raises`; what lines print; what is warned of.
local function prepare(code)
  local lines <const>, printed <const>, warned <const> = {}, {}, {}
  for line in code:gmatch "([^\n]*)\n" do
    local number <const> = #lines + 1
    local statement <const>, shown <const> = line:match "^(.-)%s*%-%-> (.*)$"
    local raised <const> = shown and shown:match "^error: (.*)"
    local warning <const> = shown and shown:match "^warning: (.*)"
    if raised then
      line = ("raises(function() %s end, %q)"):format(statement, raised)
    elseif warning then
      warned[#warned + 1] = warning
    elseif shown then
      printed[number] = shown
    end
    lines[number] = line
  end
  return table.concat(lines, "\n"), printed, warned
end

local function compare_prints(wrong, shown, printed)
  for line, text in pairs(shown) do
    if printed[line] ~= text then
      wrong[#wrong + 1] = ("%d: prints %q, shows %q"):format(line, tostring(printed[line]), text)
    end
  end
  for line, text in pairs(printed) do
    if not shown[line] then wrong[#wrong + 1] = ("%d: prints %q, shows nothing"):format(line, text) end
  end
end

local function compare_warnings(wrong, shown, heard)
  local count = 0
  for text in heard:gmatch "[^\0]+" do
    count = count + 1
    if not shown[count] or not text:find(shown[count], 1, true) then
      wrong[#wrong + 1] = ("warns %q, shows %q"):format(text, tostring(shown[count]))
    end
  end
  if count < #shown then wrong[#wrong + 1] = ("shows the warning %q, and there is none"):format(shown[count + 1]) end
end

-- A block, behind the code `head`: `chunk` is to be run; then `check(heard)` returns what is wrong as text, or nil.
-- `heard` are the library's warnings, each with a zero byte behind it; nil: somebody else looks at them. Those that are
-- shown are in `warned`. A block that is no Lua is nil, and why.
function blocks.open(head, code)
  local wrong <const>, printed <const> = {}, {}
  local text <const>, shown <const>, warned <const> = prepare(code)
  local env <const> = setmetatable({}, { __index = _G })
  function env.print(...)
    local line <const>, parts <const> = debug.getinfo(2, "l").currentline, table.pack(...)
    for i = 1, parts.n do parts[i] = tostring(parts[i]) end
    local said <const> = table.concat(parts, " ")
    printed[line] = printed[line] and printed[line] .. "; " .. said or said
  end
  function env.raises(fn, expected)
    local line <const> = debug.getinfo(2, "l").currentline
    local ok <const>, message <const> = pcall(fn)
    local said <const> = ok and "nothing" or tostring(message):gsub("^%[string [^%]]*%]:%d+: ", "")
    local begin <const> = expected:match "^(.*) %.%.%.$"
    local fine <const> = begin and said:sub(1, #begin) == begin or said == expected
    if not fine then wrong[#wrong + 1] = ("%d: raises %q, shows %q"):format(line, said, expected) end
  end
  local chunk <const>, why <const> = load(head:gsub("\n", " ") .. text, "block", "t", env)
  if not chunk then return nil, why end
  local function check(heard)
    compare_prints(wrong, shown, printed)
    if heard then compare_warnings(wrong, warned, heard) end
    table.sort(wrong)
    return #wrong > 0 and table.concat(wrong, "\n") or nil
  end
  return { chunk = chunk, check = check, warned = warned }
end

-- Runs a block to its end. Returns what is wrong with it, as text, or nil; `heard()` are the warnings so far.
function blocks.run(head, code, heard)
  local block <const>, why <const> = blocks.open(head, code)
  if not block then return why end
  local ok <const>, message <const> = xpcall(block.chunk, debug.traceback)
  return not ok and message or block.check(heard())
end

return blocks
