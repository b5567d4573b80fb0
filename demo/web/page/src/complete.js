// Completion for Lua in games, from the annotations. Types of values are guessed from names, as the games use them;
// where no guess fits, the fields of objects are offered.
const KEYWORDS = `and break do else elseif end false for function goto if in local nil not or repeat return then true
until while`.split(/\s/)

// A stranger's file could make a regular expression run for ever: those that search for an end see this much of it.
const TAIL_MOST = 200,
  WORDS_MOST = 100000 // characters whose words are offered
const tailOf = (text) => text.slice(-TAIL_MOST)

const BY_NAME = { spawnpool: "spawnpool", pools: "Manager", g: "Graphics", self: "Pool" }
for (const type of ["Game", "Input", "View", "Storage", "Audio", "Stats", "Pool", "Voice"])
  BY_NAME[type.toLowerCase()] = type
const MEMBER = /^spawnpool\.(pools|input|view|storage|audio)\s*(?:--.*)?$/

/** Returns the type of an expression like "pools", "self.pool" or "spawnpool.input"; `text` is the file up to it. */
function typeOf(expression, text) {
  if (MEMBER.test(expression)) return BY_NAME[MEMBER.exec(expression)[1]]
  if (/\.pool$|:pool\([^()]*\)$/.test(expression)) return "Pool"
  if (/\.class$/.test(expression)) return "Class"
  if (/:stats\([^()]*\)$/.test(expression)) return "Stats"
  const name = expression.split(/[.:]/).at(-1)
  if (expression !== name) return "Object"
  const escaped = name.replace(/[^\w]/g, "")
  const local = [...text.matchAll(new RegExp(`local ${escaped}(?: <\\w+>)? = ([^\\n]{0,200})`, "g"))].at(-1)?.[1]
  if (local) {
    if (MEMBER.test(local)) return BY_NAME[MEMBER.exec(local)[1]]
    if (/^require\s*\(?\s*["']spawnpool["']/.test(local)) return "spawnpool"
    if (/^spawnpool\.class\b/.test(local)) return "Class"
    if (/^spawnpool\.new\b/.test(local)) return "Manager"
    if (/:pool\s*\(?\s*["'][^"']*["']\s*\)?\s*$/.test(local)) return "Pool"
  }
  return BY_NAME[name] ?? "Object"
}

/** Returns whether the cursor is directly inside the table of spawnpool.class(...), where settings are written. */
function inDefinition(text) {
  const start = text.lastIndexOf("spawnpool.class")
  if (start < 0) return false
  const open = text.indexOf("{", start)
  let depth = 0
  for (let i = open; open >= 0 && i < text.length; i++) {
    if (text[i] === "{") depth += 1
    if (text[i] === "}") depth -= 1
    if (depth === 0) return false
  }
  return depth === 1 && /[{,\n]\s*\w*$/.test(tailOf(text))
}

const option = ({ label, kind, detail, info }, suffix = "") => ({
  label,
  type: kind,
  detail: detail.length > 40 ? `${detail.slice(0, 38)}…` : detail,
  info,
  apply: label + suffix,
})

const plain = (type) => (label) => ({ label, type })

/** Returns { from, options } for the text before the cursor, or null. `classes`: names of the game's types. */
export function complete(before, { types, globals, libraries }, classes) {
  const quoted = /(?:alloc|pool|stats|remove|class|extends\s*=|type\s*=)\s*\(?\s*["'](\w*)$/.exec(tailOf(before))
  if (quoted) return { from: before.length - quoted[1].length, options: classes.map(plain("class")) }
  const line = before.slice(before.lastIndexOf("\n") + 1)
  if (/--/.test(line) || (line.match(/"/g)?.length ?? 0) % 2 === 1) return null
  const member = /((?:[A-Za-z_]\w*)(?:[.:]\w+(?:\([^()]*\))?)*)([.:])(\w*)$/.exec(tailOf(line))
  if (member) {
    const [, expression, separator, typed] = member,
      from = before.length - typed.length
    if (libraries[expression]) return { from, options: libraries[expression].map(plain("function")) }
    const type = typeOf(expression, before)
    const fits = (entry) => separator === "." || entry.kind === "method"
    const options = (types[type] ?? []).filter(fits).map((entry) => option(entry))
    return options.length ? { from, options } : null
  }
  const typed = /[A-Za-z_]\w*$/.exec(tailOf(before))?.[0] ?? ""
  const from = before.length - typed.length
  if (inDefinition(before)) return { from, options: types.Definition.map((entry) => option(entry, " = ")) }
  if (typed.length === 0) return null
  const known = new Set([...before.slice(-WORDS_MOST).matchAll(/[A-Za-z_]\w{2,}/g)].map((found) => found[0]))
  known.delete(typed)
  const words = [...new Set([...KEYWORDS, "spawnpool", ...Object.keys(libraries), ...globals, ...known])]
  const typeOfWord = (word) =>
    KEYWORDS.includes(word) ? "keyword" : globals.includes(word) ? "function" : "variable"
  return { from, options: words.map((label) => ({ label, type: typeOfWord(label) })) }
}
