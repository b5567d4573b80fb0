-- C sources as lists of words, and the functions that are defined in them. It knows C as it is written here: macros
-- that hide brackets are not understood.
local source <const> = {}

function source.set(words)
  local out <const> = {}
  for word in words:gmatch "[%w_]+" do out[word] = true end
  return out
end

-- {== Words =================================================================

source.KEYWORDS = source.set "if else for while do switch case default return break continue goto sizeof"
local read <const> = {} -- text -> its words

-- The words of a text: { text, line }; without comments, preprocessor lines and what strings hold.
function source.words(text)
  if read[text] then return read[text] end
  local words <const> = {}
  read[text] = words
  local at, line = 1, 1
  local function skip(pattern)
    local _, last <const> = text:find(pattern, at)
    if not last then return false end
    for _ in text:sub(at, last):gmatch "\n" do line = line + 1 end
    at = last + 1
    return true
  end
  local function take(pattern)
    local _, last <const> = text:find(pattern, at)
    if not last then return false end
    words[#words + 1] = { text:sub(at, last), line }
    at = last + 1
    return true
  end
  while at <= #text do
    if not (skip "^%s+" or skip "^/%*.-%*/" or skip "^//[^\n]*") then
      if text:sub(at, at) == "#" then
        while not skip "^[^\n]*[^\n\\]\n" and skip "^[^\n]*\\\n" do end
      elseif text:sub(at, at):find "[\"']" then
        local quote <const> = text:sub(at, at)
        local last = at + 1
        while text:sub(last, last) ~= quote do last = last + (text:sub(last, last) == "\\" and 2 or 1) end
        words[#words + 1] = { quote, line }
        at = last + 1
      else
        local _ = take "^[%a_][%w_]*" or take "^%d[%w_.]*" or take "^%->" or take "^[=!<>]=" or take "^&&" or take "^||"
          or take "^%+%+" or take "^%-%-" or take "^[-+*/%%|&^]=" or take "^."
      end
    end
  end
  return words
end

-- The place of the bracket that closes the one at `from`.
function source.closing(words, from)
  local depth = 0
  for i = from, #words do
    local word <const> = words[i][1]
    if word == "(" or word == "{" or word == "[" then depth = depth + 1 end
    if word == ")" or word == "}" or word == "]" then depth = depth - 1 end
    if depth == 0 then return i end
  end
  error(("%d: a bracket is not closed"):format(words[from][2]))
end

-- }==

-- {== Functions =============================================================

-- Names of variables declared in words[from..to], and where: pointers to one of `handles`, one of `structs`, and texts
-- that begin as what a function of `texts` returns.
function source.declared(words, from, to, handles, structs, texts)
  local out <const> = {}
  local i = from
  while i <= to do
    local is_struct <const> = structs[words[i][1]]
    if handles[words[i][1]] or is_struct then
      local at = i + 1
      while at <= to and (words[at][1] == "*" or words[at][1] == "const") do at = at + 1 end
      local is_pointer <const> = words[at - 1][1] == "*" or words[at - 1][1] == "const"
      local name <const> = at <= to and words[at][1]
      if name and name:find "^[%a_]" and (is_pointer or is_struct) and words[at + 1] and words[at + 1][1] ~= "(" then
        out[name] = at
        -- "*a, *b": more of them
        while words[at + 1] and words[at + 1][1] == "," and words[at + 2][1] == "*" and at + 3 <= to do
          at = at + 3
          out[words[at][1]] = at
        end
      end
      i = at
    end
    -- const char *type = sp_pool_type(p): it is the pool's.
    if words[i][1] == "char" and words[i + 1][1] == "*" and words[i + 3] and words[i + 3][1] == "=" then
      local last = i + 3
      while words[last][1] ~= ";" do
        if texts[words[last][1]] then out[words[i + 2][1]] = i + 2 end
        last = last + 1
      end
    end
    i = i + 1
  end
  return out
end

-- Adds the structs that hold such a pointer, by the name of their type; `owners` do not count.
function source.add_structs(words, handles, structs, owners)
  for i = 1, #words - 2 do
    if words[i][1] == "typedef" and words[i + 1][1] == "struct" then
      local open = i + 2
      while words[open] and words[open][1] ~= "{" and words[open][1] ~= ";" do open = open + 1 end
      if words[open] and words[open][1] == "{" then
        local close <const> = source.closing(words, open)
        local holds = false
        for k = open, close do
          holds = holds or ((handles[words[k][1]] or structs[words[k][1]]) and words[k + 1][1] == "*")
        end
        local name <const> = words[close + 1] and words[close + 1][1]
        if holds and name and not owners[name] then structs[name] = true end
      end
    end
  end
end

-- All functions that are defined: { name, file, words, from, to, parameters, key }. Names in other brackets, which are
-- those of tables, go into `listed`, and functions that never return into `never`.
function source.add_functions(file, words, functions, listed, never)
  local i = 1
  while i <= #words do
    if words[i][1] == "_Noreturn" then
      local name = i
      while words[name + 1][1] ~= "(" do name = name + 1 end
      never[words[name][1]] = true
    end
    if words[i][1] == "{" then
      local close <const> = source.closing(words, i)
      if i == 1 or words[i - 1][1] ~= ")" then
        for k = i, close do listed[words[k][1]] = true end
      else
        local open = i - 1
        local depth = 0
        repeat
          if words[open][1] == ")" then depth = depth + 1 end
          if words[open][1] == "(" then depth = depth - 1 end
          open = open - 1
        until depth == 0
        local name <const> = words[open][1]
        local head, is_static = open, false
        while head > 1 and not words[head][1]:find "[;}]" do
          is_static = is_static or words[head][1] == "static"
          head = head - 1
        end
        if name:find "^[%a_]" and not source.KEYWORDS[name] then
          functions[#functions + 1] = { name = name, file = file, words = words, parameters = open + 1, from = i,
            to = close, key = is_static and file:find "%.c$" and file .. ":" .. name or name }
          functions[functions[#functions].key] = functions[#functions]
        end
      end
      i = close
    end
    i = i + 1
  end
end

-- name -> { place } of all calls in words[from..to].
function source.calls_in(words, from, to, fn)
  for i = from, to - 1 do
    local word <const> = words[i][1]
    if words[i + 1][1] == "(" and word:find "^[%a_]" and not source.KEYWORDS[word] then
      local before <const> = words[i - 1] and words[i - 1][1]
      fn(word, i, before == "->" or before == ".")
    end
  end
end

-- }==

return source
