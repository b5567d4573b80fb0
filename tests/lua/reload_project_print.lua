-- Modules of random projects as text: see reload_project.lua.

local print_expr

-- A name as it stands in the text: nil when nothing of that name is in sight.
local function in_scope(scope, name) return scope[name] and name or "nil" end

local function print_body(fun, scope, indent, head)
  local lines <const> = { head }
  for _, write in ipairs(fun.writes) do
    local its <const> = write.name and scope[write.name]
    if its and write.key and its.is_table then
      lines[#lines + 1] = ("%s  %s.%s = p"):format(indent, write.name, write.key)
    elseif its and not write.key and write.name:find "^s" then
      lines[#lines + 1] = ("%s  %s = p"):format(indent, write.name)
    end
  end
  local results <const> = { tostring(fun.n) }
  for _, name in ipairs(fun.reads) do results[#results + 1] = in_scope(scope, name) end
  lines[#lines + 1] = ("%s  return %s"):format(indent, table.concat(results, ", "))
  lines[#lines + 1] = indent .. "end"
  return table.concat(lines, "\n")
end

local function print_tab(tab, scope, indent)
  if #tab == 0 then return "{}" end
  local lines <const> = { "{" }
  for _, entry in ipairs(tab) do
    lines[#lines + 1] = ("%s  %s%s,"):format(indent, entry.key and entry.key .. " = " or "",
      print_expr(entry.value, scope, indent .. "  "))
  end
  lines[#lines + 1] = indent .. "}"
  return table.concat(lines, "\n")
end

function print_expr(e, scope, indent)
  if e == nil then return "nil" end
  if type(e) == "string" then return e end
  if e.k == "tab" then return print_tab(e, scope, indent) end
  if e.k == "fun" then return print_body(e, scope, indent, "function(p)") end
  if e.k == "ref" then return e.name and in_scope(scope, e.name) or "nil" end
  if e.k == "mem" then return scope[e.base] and scope[e.base].is_module and e.base .. "." .. e.key or "nil" end
  if e.k == "meta" then
    local meta <const> = e[2] and scope[e[2]]
    local tab <const> = print_expr(e[1], scope, indent)
    return meta and meta.is_table and ("setmetatable(%s, %s)"):format(tab, e[2]) or tab
  end
  if e.k == "call" then
    local its <const> = e.name and scope[e.name]
    return its and ("%s(%d)"):format(e.name, e.arg) or "nil"
  end
end

local print_decl <const> = {}

print_decl["local"] = function(d, scope)
  local text <const> = ("local %s%s"):format(d.name, d.is_const and d.expr and " <const>" or "")
  local value <const> = d.expr and " = " .. print_expr(d.expr, scope, "") or ""
  scope[d.name] = { is_table = type(d.expr) == "table" and (d.expr.k == "tab" or d.expr.k == "meta") }
  return text .. value
end

function print_decl.lfun(d, scope)
  scope[d.name] = {}
  return print_body(d.expr, scope, "", ("local function %s(p)"):format(d.name))
end

function print_decl.factory(d, scope)
  scope[d.name] = {}
  local head <const> = ("local function %s(p)\n  local k = p\n  return function(q)\n    k = q or k"):format(d.name)
  return print_body(d.expr, scope, "  ", head) .. ("\nend\nM.%s = %s"):format(d.key, d.name)
end

function print_decl.mfun(d, scope)
  if not scope[d.base] or not scope[d.base].is_table then return nil end
  return print_body(d.expr, scope, "", ("function %s%s%s(p)"):format(d.base, d.is_method and ":" or ".", d.key))
end

function print_decl.set(d, scope)
  if not scope[d.base] or not scope[d.base].is_table then return nil end
  return ("%s.%s = %s"):format(d.base, d.key, print_expr(d.expr, scope, ""))
end

-- What others hold is never set to nil: that takes away what the game has put there, and a fresh load does not show it.
local function print_value(e, scope)
  local text <const> = print_expr(e, scope, "")
  local may_be_nil <const> = type(e) == "table" and (e.k == "ref" or e.k == "mem")
  return may_be_nil and text .. " or 0" or text == "nil" and "0" or text
end

function print_decl.put(d, scope)
  if d.base:find "^bus" and not scope.bus then return nil end
  return ("%s.%s = %s"):format(d.base, d.key, print_value(d.expr, scope))
end

function print_decl.global(d, scope) return ("%s = %s"):format(d.name, print_value(d.expr, scope)) end

function print_decl.on(d, scope)
  if d.form:find "^bus" and not scope.bus then return nil end
  local value <const> = print_expr(d.expr, scope, "")
  return value ~= "nil" and (d.form:gsub("%%s", function() return value end)) or nil
end

function print_decl.import(d, scope)
  scope[d.name] = { is_module = not d.member }
  if d.form == 2 and d.name == "bus" then scope[d.name] = { is_module = true } end
  if d.member then return ('local %s = require("%s").%s'):format(d.name, d.module, d.member) end
  return (d.form == 1 and 'local %s <const> = require "%s"' or 'local %s = require("%s")'):format(d.name, d.module)
end

function print_decl.class(d, scope)
  if not scope.kit then return nil end
  local base <const> = d.base and scope[d.base] and scope[d.base].is_class and d.base or "nil"
  scope[d.name] = { is_table = true, is_class = true }
  local text <const> = ('local %s = kit.class("%s", %s)'):format(d.name, d.name, base)
  return text .. (d.is_shown and ("\nM.C1 = %s"):format(d.name) or "")
end

function print_decl.block(d, scope)
  return "do\n  local h = 0\n" .. print_body(d.expr, scope, "  ", ("  function M.%s(p)\n    h = h + 1"):format(d.key))
    .. "\nend"
end

-- Entries of one key: the last one counts.
local function print_entries(list, value_of)
  local lines <const> = { "{" }
  for _, entry in ipairs(list) do lines[#lines + 1] = ("    %s = %s,"):format(entry.key, value_of(entry)) end
  lines[#lines + 1] = "  }"
  return table.concat(lines, "\n")
end

function print_decl.type(d, scope)
  local parts <const> = { ('local spawnpool <const> = require "spawnpool"\nlocal %s <const> = spawnpool.class("%s", {')
    :format(d.name, d.name) }
  if d.extends then parts[#parts + 1] = ('  extends = "%s",'):format(d.extends) end
  for _, setting in ipairs(d.settings) do parts[#parts + 1] = ("  %s = %s,"):format(setting.key, setting.value) end
  parts[#parts + 1] = ("  fields = %s,"):format(print_entries(d.fields, function(field)
    return (field.form:gsub("%%s", field.value))
  end))
  parts[#parts + 1] = ("  methods = %s,"):format(print_entries(d.methods, function(method)
    return print_body(method.value, scope, "    ", "function(p)")
  end))
  parts[#parts + 1] = "})"
  scope[d.name] = { is_table = true }
  return table.concat(parts, "\n")
end

function print_decl.hook(d, scope)
  return scope[d.name] and d.form:gsub("%%s", d.name):gsub("%%d", tostring(d.n)) or nil
end

function print_decl.raw(d) return (d.text:gsub("%%d", tostring(d.n or 0))) end

local RETURNS <const> = {
  M = "return M", loaded = "package.loaded[...] = M", meta = "return setmetatable(M, { __index = world.names })",
  ["function"] = "return function() return M end", ["false"] = "return false", none = "",
}

-- The text of a module.
return function(module)
  local scope <const> = { M = { is_table = true } }
  local parts <const> = { "local M = {}" }
  if module.name ~= "bus" and module.name ~= "kit" then
    scope.bus, scope.kit, scope["kit.make"] = { is_module = true }, { is_module = true }, {}
    parts[#parts + 1] = 'local bus = require "bus"\nlocal kit = require "kit"'
  end
  for _, decl in ipairs(module.decls) do
    -- A module that is loaded twice writes nothing that both could write.
    local is_unclear <const> = module.is_folder and (decl.k == "put" or decl.k == "global" or decl.k == "on")
    parts[#parts + 1] = not is_unclear and print_decl[decl.k](decl, scope) or nil
    if decl.is_spaced then parts[#parts + 1] = "" end
  end
  parts[#parts + 1] = module.type and scope[module.type] and "return " .. module.type or RETURNS[module.returns]
  return table.concat(parts, "\n") .. "\n"
end
