-- Texts about a manager: the history of a stale reference, leaks, and settings that fit the observed use.

local native <const> = ...
local names <const> = native.use "spawnpool.names"

local report <const> = {}

-- {== Stories ==============================================================

local function seconds(t)
  return string.format("%.2f s", t or 0)
end

-- Describes the life that `object` named, and the current one in its slot (`tenant`, or nil).
function report.story(traces, object, tenant)
  local life <const> = traces[object]
  local parts <const> = {}
  if life and life.site then parts[#parts + 1] = string.format("allocated at %s, %s", life.site, seconds(life.born)) end
  if life and life.ended then
    parts[#parts + 1] = string.format("%s at %s, %s", life.why, life.end_site, seconds(life.ended))
  end
  local now <const> = tenant and traces[tenant]
  if now and now.site then
    parts[#parts + 1] = string.format("the slot is now %s, allocated at %s", tostring(tenant), now.site)
  elseif tenant then
    parts[#parts + 1] = string.format("the slot is now %s", tostring(tenant))
  end
  return #parts > 0 and (": " .. table.concat(parts, "; ")) or ""
end

-- }==

-- {== Leaks ================================================================

-- Error level four up from here: check_options, leaks or configure, the C function, its caller.
local function check_options(options, known, what)
  for key in next, options do
    if key ~= known then error(string.format("%s has no option '%s' (%s)", what, names.text(key), known), 4) end
  end
end

local function older(a, b)
  if a.oldest ~= b.oldest then return a.oldest > b.oldest end
  if a.type ~= b.type then return a.type < b.type end
  return a.site < b.site
end

-- Lists live objects by type and allocation site, the oldest first.
function report.leaks(pools, options, traces)
  options = options or {}
  check_options(options, "older_than", "leaks")
  local least <const> = rawget(options, "older_than") or 0
  if type(least) ~= "number" or least ~= least or least < 0 then
    error(string.format("older_than must be seconds from 0 up, got %s", tostring(least)), 3)
  end
  local list <const>, by_site <const> = {}, {}
  for object in pools:each() do
    local age <const> = object.age
    if age >= least then
      local life <const> = traces[object]
      local site <const> = life and life.site or "unknown (make the manager with trace = true)"
      local key <const> = object.type .. "\0" .. site
      local entry = by_site[key]
      if not entry then
        entry = { type = object.type, site = site, count = 0, oldest = age, object = object }
        by_site[key] = entry
        list[#list + 1] = entry
      end
      entry.count = entry.count + 1
      if age > entry.oldest then entry.oldest, entry.object = age, object end
    end
  end
  table.sort(list, older)
  return list
end

-- }==

-- {== Configuration ========================================================

local keywords <const> = {}
for word in string.gmatch([[and break do else elseif end false for function goto if in local nil not or repeat return
  then true until while]], "%a+") do keywords[word] = true end

-- Formats a name as a key, and in a comment: keywords and other names in quotes, on one line.
local function key_text(name)
  if string.match(name, "^[%a_][%w_]*$") and not keywords[name] then return name end
  return string.format("[%s]", string.gsub(string.format("%q", name), "\n", "n"))
end

-- Suggests settings: `prealloc` for the peak, `grow` a quarter of it, and a limit that would have refused nothing.
local function settings_of(stats, headroom)
  local peak <const> = stats.peak
  return string.format("prealloc = %d, grow = %d, limit = %d, idle_limit = %d", peak, math.max(1, math.ceil(peak / 4)),
    math.max(1, math.ceil(peak * headroom)), math.max(1, peak))
end

-- Returns a Lua chunk with settings per type, to paste into class definitions.
function report.configure(pools, options)
  options = options or {}
  check_options(options, "headroom", "configure")
  local headroom <const> = rawget(options, "headroom") or 1.25
  if type(headroom) ~= "number" or not (headroom >= 1 and headroom <= 1000) then
    error("headroom must be a number from 1 to 1000", 3)
  end
  local lines <const> = { "return {" }
  for _, pool in ipairs(native.pools(pools)) do -- in order of creation
    local key <const>, stats <const> = key_text(pool.type), pools:stats(pool.type)
    if stats.peak > 0 then
      lines[#lines + 1] = string.format("  -- %s: %d live at most, at %s; %d allocs, %d refused", key, stats.peak,
        seconds(stats.peak_time), stats.allocs, stats.refused)
      lines[#lines + 1] = string.format("  %s = { %s },", key, settings_of(stats, headroom))
    else
      lines[#lines + 1] = string.format("  -- %s: never used", key)
    end
  end
  lines[#lines + 1] = "}\n"
  return table.concat(lines, "\n")
end

-- }==

return report
