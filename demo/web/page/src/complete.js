// Completion for Lua in games, from the annotations. Types of values are guessed from names and from what a local gets,
// as the games use them; where no guess fits, the fields of objects are offered.

// A stranger's file could make a regular expression run for ever: those that search for an end see this much of it.
const TAIL_MOST = 200,
  WORDS_MOST = 100000 // characters whose words are offered
const LINE_MOST = 2000
const tailOf = (text) => text.slice(-TAIL_MOST)

const BY_NAME = { spawnpool: "spawnpool", pools: "Manager", g: "Graphics", self: "Pool" }
for (const type of ["Game", "Input", "View", "Storage", "Audio", "Stats", "Pool", "Voice"])
  BY_NAME[type.toLowerCase()] = type

const MEMBER = /^spawnpool\.(pools|input|view|storage|audio)\s*(?:--.*)?$/
const MADE_BY = {
  spawnpool: /^require\s*\(?\s*["']spawnpool["']/,
  Class: /^spawnpool\.class\b|\.class$/,
  Manager: /^spawnpool\.new\b/,
  Pool: /\.pool$|:pool\s*\(?[^()]*\)?\s*$/,
  Stats: /:stats\([^()]*\)$/,
}

/** Returns the type of what an expression makes, such as `self.pool` or `spawnpool.input`, or undefined. */
const made = (expression) =>
  BY_NAME[MEMBER.exec(expression)?.[1]] ?? Object.keys(MADE_BY).find((type) => MADE_BY[type].test(expression))

/** Returns the type of an expression; `text` is the file up to it. */
function typeOf(expression, text) {
  const type = made(expression)
  if (type || /[.:]/.test(expression)) return type ?? "Object"
  const locals = text.matchAll(new RegExp(`local ${expression}(?: <\\w+>)? = ([^\\n]{0,200})`, "g"))
  return made([...locals].at(-1)?.[1] ?? "") ?? BY_NAME[expression] ?? "Object"
}

/** Returns whether the cursor is directly inside the table of spawnpool.class(...), where settings are written. */
function inDefinition(text) {
  const start = text.lastIndexOf("spawnpool.class"),
    open = start < 0 ? -1 : text.indexOf("{", start)
  let depth = 0
  for (let i = open; open >= 0 && i < text.length; i++) {
    if (text[i] === "{") depth += 1
    if (text[i] === "}") depth -= 1
    if (depth === 0) return false
  }
  return depth === 1 && /[{,\n]\s*\w*$/.test(tailOf(text))
}

const plain = (type) => (label) => ({ label, type })
const described =
  (suffix = "") =>
  ({ label, kind, detail, info }) => ({ label, type: kind, detail, info, apply: label + suffix })

/** Whether a word is one of the options as it is: Enter then ends the line. */
export const isWhole = (typed, options) => options.some(({ label }) => label === typed)

/** Returns { from, options } for the text before the cursor, or null. `classes`: names of the game's types. */
export function complete(before, { types, words, libraries }, classes) {
  const offer = (typed, options) =>
    options.length > 0 && !isWhole(typed, options) ? { from: before.length - typed.length, options } : null
  const quoted = /(?:alloc|pool|stats|remove|class|extends\s*=|type\s*=)\s*\(?\s*["'](\w*)$/.exec(tailOf(before))
  if (quoted) return offer(quoted[1], classes.map(plain("class")))
  const line = before.slice(before.lastIndexOf("\n") + 1)
  if (/--/.test(line) || (line.match(/"/g)?.length ?? 0) % 2 === 1) return null
  const member = /((?:[A-Za-z_]\w*)(?:[.:]\w+(?:\([^()]*\))?)*)([.:])(\w*)$/.exec(tailOf(line))
  if (member) {
    const [, expression, separator, typed] = member
    if (libraries[expression]) return offer(typed, libraries[expression].map(plain("function")))
    const fits = ({ kind }) => separator === "." || kind === "method"
    return offer(typed, (types[typeOf(expression, before)] ?? []).filter(fits).map(described()))
  }
  const [typed] = /[A-Za-z_]\w*$/.exec(tailOf(before)) ?? [""]
  if (inDefinition(before)) return offer(typed, types.Definition.map(described(" = ")))
  if (typed === "") return null
  const known = new Set(before.slice(-WORDS_MOST, -typed.length).match(/[A-Za-z_]\w{2,}/g))
  for (const { label } of words) known.delete(label)
  return offer(typed, [...words, ...Array.from(known, plain("variable"))])
}

/** Returns what the annotations say of the word at a position, { from, to, title, info }, or null. */
export function describe(text, pos, { types }) {
  const start = text.lastIndexOf("\n", pos - 1) + 1,
    end = (text.indexOf("\n", pos) + 1 || text.length + 1) - 1
  if (end - start > LINE_MOST) return null
  const line = text.slice(start, end)
  for (const { 0: word, index } of line.matchAll(/[A-Za-z_]\w*/g)) {
    const from = start + index,
      to = from + word.length
    if (pos < from || pos > to) continue
    if (line.slice(0, index).includes("--")) return null
    const [, expression] = /((?:[A-Za-z_]\w*)(?:[.:]\w+(?:\([^()]*\))?)*)[.:]$/.exec(tailOf(line.slice(0, index))) ?? []
    const inTable = !expression && inDefinition(text.slice(0, from)),
      type = inTable ? "Definition" : expression && typeOf(expression, text.slice(0, from)),
      found = (types[type] ?? []).find(({ label }) => label === word)
    if (!found) return null
    const { detail, info = "" } = found
    return { from, to, title: `${word}${detail.startsWith("(") ? "" : ": "}${detail}`, info }
  }
  return null
}
