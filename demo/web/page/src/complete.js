// Completion for Lua in games, from the annotations. Types of values are guessed from names, as the games use them;
// where no guess fits, the fields of objects are offered.
const KEYWORDS = `and break do else elseif end false for function goto if in local nil not or repeat return then true
until while`.split(/\s/)

// A stranger's file could make a regular expression run for ever: those that search for an end see this much of it.
const TAIL_MOST = 200,
  WORDS_MOST = 100000 // characters whose words are offered
const tailOf = (text) => text.slice(-TAIL_MOST)

const BY_NAME = {
  spawnpool: "spawnpool",
  pools: "Manager",
  g: "Graphics",
  game: "Game",
  input: "Input",
  view: "View",
  storage: "Storage",
  audio: "Audio",
  stats: "Stats",
  pool: "Pool",
  voice: "Voice",
}
const BY_MEMBER = Object.fromEntries(
  ["pools", "input", "view", "storage", "audio"].map((name) => [`spawnpool.${name}`, BY_NAME[name]]),
)

/** Returns the type of an expression like "pools", "self.pool" or "spawnpool.input"; `text` is the file up to it. */
function typeOf(expression, text) {
  if (BY_MEMBER[expression]) return BY_MEMBER[expression]
  if (/\.pool$|:pool\([^()]*\)$/.test(expression)) return "Pool"
  if (/\.class$/.test(expression)) return "Class"
  if (/:stats\([^()]*\)$/.test(expression)) return "Stats"
  const name = expression.split(/[.:]/).at(-1)
  if (expression !== name) return "Object"
  const escaped = name.replace(/[^\w]/g, "")
  const local = [...text.matchAll(new RegExp(`local ${escaped}(?: <\\w+>)? = ([^\\n]{0,200})`, "g"))].at(-1)?.[1]
  if (local) {
    const member = /^(spawnpool\.\w+)\s*(?:--.*)?$/.exec(local)?.[1]
    if (member && BY_MEMBER[member]) return BY_MEMBER[member]
    if (/^require\s*\(?\s*["']spawnpool["']/.test(local)) return "spawnpool"
    if (/^spawnpool\.class\b/.test(local)) return "Class"
    if (/^spawnpool\.new\b/.test(local)) return "Manager"
    if (/:pool\s*\(?\s*["'][^"']*["']\s*\)?\s*$/.test(local)) return "Pool"
  }
  if (name === "self") return "Pool"
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
  return {
    from,
    options: words.map((label) => ({
      label,
      type: KEYWORDS.includes(label) ? "keyword" : globals.includes(label) ? "function" : "variable",
    })),
  }
}
