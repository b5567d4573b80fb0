-- Writes the figures of a run, docs/performance.json, into docs/performance.md, docs/performance-tables.md and the
-- charts. The text of the pages is written by hand; this program replaces what stands between
-- `<!-- from the run: WHAT -->` and `<!-- end -->`.
--   page.lua                  writes the pages and the charts
--   page.lua --take FILE      takes the figures of a full run first
--   page.lua --check          changes nothing: exit status 1 when a page or a chart does not match the figures
--   page.lua --docs FOLDER    works in another folder than docs

package.path = "tests/bench/?.lua;" .. package.path

local aims <const> = require "aims"
local charts <const> = require "charts"
local reasons <const> = require "reasons"
local report <const> = require "report"
local suites <const> = require "suites"

-- {== Files ==================================================================

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read("a")
end

local function write(path, text)
  local file <close> = assert(io.open(path, "w"))
  assert(file:write(text))
end

-- }==

-- {== Tables =================================================================

-- The first column holds words, the others figures, unless `rule` says otherwise.
local function markdown(rows, rule)
  local lines <const> = {}
  for i, row in ipairs(rows) do
    lines[#lines + 1] = "| " .. table.concat(row, " | ") .. " |"
    if i == 1 then lines[2] = rule or "|---" .. ("|---:"):rep(#row - 1) .. "|" end
  end
  return table.concat(lines, "\n")
end

local function aim_table(result, more)
  local rows <const> = report.aim_rows(result.aims, more)
  for i = 2, #rows do
    local met <const> = #rows[i]
    if rows[i][met] == "NO" then rows[i][met] = "**no**" end
  end
  return markdown(rows)
end

-- }==

-- {== What a page can ask for ================================================

local blocks <const> = {}

function blocks.machine(result)
  local m <const> = result.machine
  return markdown({
    { "", "" },
    { "processor", ("%s, %d in all; caches %s, %s, %s"):format(m.processor, m.processors, m.cache1, m.cache2,
      m.cache3) },
    { "memory", m.memory },
    { "system", m.system },
    { "compiler", m.compiler },
    { "beside it", table.concat(m.peers, ", ") },
    { "measured", ("%s: %d rounds%s"):format(m.date, result.rounds, m.pinned and ", pinned to one processor" or "") },
    { "before", result.before and ("%s: %s"):format(result.before.date, result.before.processor) or "no run" },
  }, "|---|---|")
end

function blocks.aims(result) return aim_table(result, false) end

function blocks.more(result) return aim_table(result, true) end

-- The aims that are missed, those of one reason together, and those that were not measured.
blocks["not reached"] = function(result)
  local lines <const>, by_reason <const> = {}, {}
  for _, aim in ipairs(result.aims) do
    if aim.verdict ~= "yes" then
      local missed <const> = aim.verdict == "NO"
      local reason <const> = missed and (reasons[aim.what] or "no reason is given yet.") or aim.verdict .. "."
      local at <const> = by_reason[reason] or #lines + 1
      local reached <const> = missed and (" (%s; %s)"):format(report.reached(aim), report.wanted(aim)) or ""
      by_reason[reason] = at
      lines[at] = ("%s**%s**%s"):format(lines[at] and lines[at] .. ", " or "- ", aim.what, reached)
    end
  end
  for reason, at in pairs(by_reason) do lines[at] = lines[at] .. ": " .. reason end
  return #lines > 0 and table.concat(lines, "\n") or "Every aim is reached."
end

-- "table SUITE PATTERN...": some columns of a suite, or all.
function blocks.table(_, id, ...)
  local wanted = select("#", ...) > 0 and {} or nil
  for _, pattern in ipairs { ... } do wanted[pattern] = true end
  return markdown(report.rows(assert(suites[id], id), wanted))
end

-- "short": the first table of performance.md. Rows: a title, a unit, our figure, and others with their names.
local SHORT <const> = {
  { "alloc, write, recycle in C; 10 000 live", "ns", "core/spawnpool/churn10k",
    { "malloc", "core/malloc/churn10k" }, { "mimalloc", "core/mimalloc/churn10k" } },
  { "alloc and recycle in Lua", "ns", "pair/spawnpool_type/churn",
    { "a pool in Lua", "pair/class/churn" }, { "with lifetimes", "pair/heap/churn" } },
  { "alloc in Lua, ends by itself", "ns", "expiry/spawnpool_type/expiry",
    { "counting down in Lua", "expiry/scan/expiry" }, { "a heap in Lua", "expiry/heap/expiry" } },
  { "a frame of 10 000 bullets", "µs", "frame/spawnpool/frame10k",
    { "Lua tables", "frame/tables/frame10k" }, { "LuaJIT tables", "frame/jit_tables/frame10k" } },
  { "10 000 circles against 10 000", "µs", "overlaps/spawnpool/overlaps10k",
    { "a grid in Lua", "overlaps/grid/overlaps10k" } },
  { "a sprite, filled and submitted", "ns", "draw/player/all16",
    { "SDL_RenderCopyF", "draw/copyf/all16" }, { "LÖVE's SpriteBatch", "draw/love_batch/all16" } },
}

function blocks.short()
  local rows <const> = { { "", "spawnpool", "others" } }
  for _, it in ipairs(SHORT) do
    local others <const> = {}
    for i = 4, #it do
      local figure <const> = report.figure(suites, it[i][2])
      others[#others + 1] = ("%s %s"):format(it[i][1], figure and report.short(figure.value) or "not measured")
    end
    local ours <const> = assert(report.figure(suites, it[3]), it[3])
    rows[#rows + 1] = { it[1], ("**%s %s**"):format(report.short(ours.value), it[2]), table.concat(others, ", ") }
  end
  return markdown(rows, "|---|---:|---|")
end

function blocks.verdict(result)
  local met = 0
  for _, aim in ipairs(result.aims) do
    if aim.verdict == "yes" then met = met + 1 end
  end
  return ("This run meets %d of its %d aims."):format(met, #result.aims)
end

local function fill(text, result)
  return (text:gsub("(<!%-%- from the run: (.-) %-%->\n).-(<!%-%- end %-%->)", function(head, what, tail)
    local words <const> = {}
    for word in what:gmatch("%S+") do words[#words + 1] = word end
    local block <const> = blocks[what] or assert(blocks[words[1]], what)
    return head .. block(result, table.unpack(words, 2)) .. "\n" .. tail
  end))
end

-- }==

-- {== Charts =================================================================

-- Rows whose figure is there; `list` has path, label and kind.
local function bar_rows(list)
  local rows <const> = {}
  for _, it in ipairs(list) do
    local figure <const> = report.figure(suites, it[1])
    if figure then rows[#rows + 1] = { label = it[2], kind = it[3] or "peer", figure = figure } end
  end
  return rows
end

-- Returns the rows of curves: `list` has suite and contestant, label and kind; a pattern is `prefix` and a column.
local function curve_rows(list, prefix, columns)
  local rows <const> = {}
  for _, it in ipairs(list) do
    local figures <const> = {}
    for _, column in ipairs(columns) do
      figures[column] = report.figure(suites, it[1] .. "/" .. prefix .. column)
    end
    if next(figures) then rows[#rows + 1] = { label = it[2], kind = it[3] or "peer", figures = figures } end
  end
  return rows
end

local drawings <const> = {}

function drawings.pair()
  return charts.bars("One alloc, 64 bytes written, one recycle; 10 000 live (C)", "ns", bar_rows {
    { "core/bare_stack/churn10k", "bare stack, no checks", "limit" },
    { "core/boost_pool/churn10k", "boost::pool, no checks" },
    { "core/spawnpool/churn10k", "spawnpool", "ours" },
    { "core/spawnpool_life/churn10k", "spawnpool, with a lifetime", "ours" },
    { "core/jemalloc/churn10k", "jemalloc" },
    { "core/mimalloc/churn10k", "mimalloc" },
    { "core/id_pool/churn10k", "id pool as in Box2D" },
    { "core/malloc/churn10k", "glibc malloc" },
  }, report.short)
end

function drawings.script()
  return charts.bars("One alloc, one recycle; 10 000 live (Lua)", "ns", bar_rows {
    { "pair/empty_calls/churn", "two empty C calls", "limit" },
    { "pair/spawnpool_type/churn", "spawnpool, with a lifetime", "ours" },
    { "pair/class/churn", "pool class in Lua" },
    { "pair/tables/churn", "new tables, no pool" },
    { "pair/heap/churn", "pool in Lua, with lifetimes" },
    { "pair/jit_class/churn", "LuaJIT, pool class" },
    { "pair/jit_heap/churn", "LuaJIT, with lifetimes" },
  }, report.short)
end

function drawings.frame()
  return charts.bars("A frame of 10 000 bullets: expire, respawn from the script, move", "µs", bar_rows {
    { "frame/spawnpool/frame10k", "spawnpool", "ours" },
    { "frame/jit_columns/frame10k", "LuaJIT, an array per field" },
    { "frame/jit_ffi/frame10k", "LuaJIT, FFI structs" },
    { "frame/jit_tables/frame10k", "LuaJIT, pooled tables" },
    { "frame/columns/frame10k", "Lua, an array per field" },
    { "frame/tables/frame10k", "Lua, pooled tables" },
  }, report.short)
end

function drawings.draw()
  return charts.bars("Drawing a sprite, 10 000 of them: the processor's part", "ns", bar_rows {
    { "draw/copy/all16", "the list copied", "limit" },
    { "draw/player/all16", "spawnpool", "ours" },
    { "draw/player_sdl/all16", "spawnpool, without OpenGL", "ours" },
    { "draw/geometry/all16", "SDL_RenderGeometryRaw alone" },
    { "draw/copyf/all16", "SDL_RenderCopyF" },
    { "draw/love_batch/all16", "LÖVE, SpriteBatch" },
    { "draw/love_draw/all16", "LÖVE, love.graphics.draw" },
  }, report.short)
end

local SIZES <const> = { "1k", "10k", "100k", "1M" }

drawings["pair-scale"] = function()
  return charts.curves("One alloc, one recycle, by how many are live (C)", "ns", SIZES, curve_rows({
    { "scale/bare_stack", "bare stack, no checks", "limit" },
    { "scale/pair", "spawnpool", "ours" },
    { "scale/malloc", "glibc malloc" },
  }, "", SIZES))
end

function drawings.scale()
  return charts.curves("Time per object, by how many there are (C)", "ns", SIZES, curve_rows({
    { "scale/pair", "alloc and recycle", "ours" },
    { "scale/tick", "expiry and re-arm", "ours" },
    { "scale/overlaps", "overlaps", "ours" },
    { "scale/walk", "a step of a walk", "ours" },
    { "scale/move", "motion", "ours" },
    { "scale/statistics", "statistics, a call", "ours" },
  }, "", SIZES))
end

function drawings.lifetimes()
  local sizes <const> = { "10k", "100k", "1M" }
  return charts.curves("A tick: one in 300 expires and is re-armed, by how many live", "µs", sizes, curve_rows({
    { "time/spawnpool", "spawnpool, pool and all", "ours" },
    { "time/heap", "binary heap, timers only" },
    { "time/libev", "libev, timers only" },
    { "time/libuv", "libuv, timers only" },
    { "time/scan", "scan of all objects" },
  }, "tick", sizes))
end

-- }==

-- {== Work ===================================================================

local function options(args)
  local it <const> = { docs = "docs" }
  local i = 1
  while i <= #args do
    if args[i] == "--check" then
      it.check = true
    elseif args[i] == "--take" or args[i] == "--docs" then
      it[args[i]:sub(3)] = assert(args[i + 1], args[i] .. " needs a name")
      i = i + 1
    else
      error("unknown: " .. args[i])
    end
    i = i + 1
  end
  return it
end

local function fail(message)
  io.stderr:write("bench: ", message, "\n")
  os.exit(1)
end

-- A page is made of a whole run.
local function take(path, figures)
  local result <const> = report.read_json(path, suites)
  if result.quick then fail(path .. " is of a quick run: no page is made of it") end
  local measured <const> = {}
  for _, row in ipairs(result.rows) do measured[row.suite] = true end
  for _, suite in ipairs(suites) do
    if not measured[suite.id] then fail(("%s lacks the suite %s: no page is made of it"):format(path, suite.id)) end
  end
  write(figures, read(path))
end

-- All texts that the figures make: path to text.
local function made(docs)
  local result <const> = report.read_json(docs .. "/performance.json", suites)
  result.before = report.read_before(docs .. "/performance-before.json", suites)
  report.judge(result, aims, suites)
  local texts <const>, pages <const> = {}, { docs .. "/performance.md", docs .. "/performance-tables.md" }
  for _, page in ipairs(pages) do texts[page] = fill(read(page), result) end
  for name, draw in pairs(drawings) do texts[("%s/performance-%s.svg"):format(docs, name)] = draw() end
  return texts
end

local wanted <const> = options(arg)
if wanted.take then take(wanted.take, wanted.docs .. "/performance.json") end
for path, text in pairs(made(wanted.docs)) do
  if not wanted.check then
    write(path, text)
  elseif read(path) ~= text then
    fail(path .. " is not what its figures make it: make bench-report")
  end
end

-- }==
