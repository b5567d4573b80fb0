// Reads the editor annotations of lua/spawnpool at build time, and returns what the editor completes:
//   { types: { Pool: [{ label, kind, detail, info }] }, words: [{ label, type }], libraries: { math: [...] } }
// `kind` is "method", "function" or "property". Names lose the prefix "spawnpool.".
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"

const short = (type) => type.replaceAll("spawnpool.", "")

/** Splits "TYPE words of help": a type ends at a space outside brackets that joins nothing. */
function splitType(text) {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if ("({[<".includes(c)) depth += 1
    else if (")}]>".includes(c)) depth -= 1
    else if (c === '"') i = text.indexOf('"', i + 1)
    else if (c === " " && depth === 0 && !/[|,:]\s*$/.test(text.slice(0, i)) && !/^\s*\|/.test(text.slice(i)))
      return [text.slice(0, i), text.slice(i + 1).trim()]
  }
  return [text, ""]
}

/** Joins lines of help; those of an example between "```" keep their own lines. */
function helpText(lines) {
  let text = "",
    isExample = false
  for (const line of lines) {
    if (line.trim().startsWith("```")) isExample = !isExample
    else text += (text && (isExample || text.endsWith("\n") ? "\n" : " ")) + line
    if (line.trim() === "```") text += "\n"
  }
  return text.trim()
}

/** Adds the classes of a file: `types` has their entries, `parents` their base classes, both by name. */
function readFile(text, types, parents) {
  const names = new Map() // of the classes of local tables
  let type = null,
    help = [],
    params = []
  const add = (owner, label, kind, detail, info) => {
    const list = (types[owner] ??= [])
    if (!list.some((other) => other.label === label)) list.push({ label, kind, detail, info })
  }
  const tags = {
    class(rest) {
      const [, name, bases = ""] = /^([\w.]+)(?:: ([\w.]+(?:, [\w.]+)*))?/.exec(rest) ?? []
      type = name ? short(name) : null
      if (type) parents[type] = short(bases).split(", ").filter(Boolean)
    },
    field(rest) {
      const [, label, typed] = /^(\w+)\?? (.*)$/.exec(rest) ?? []
      if (!label || !type) return
      const [its, info] = splitType(typed)
      const kind = /^fun\(self\b/.test(its) ? "method" : its.startsWith("fun(") ? "function" : "property"
      add(type, label, kind, short(its), info)
    },
    param: (rest) => params.push(short(rest)),
  }
  for (const line of text.split("\n")) {
    const [, tag, rest] = /^---@(\w+)\s*(.*)$/.exec(line) ?? []
    if (tag) tags[tag]?.(rest)
    else if (line.startsWith("---")) help.push(line.slice(3).trimEnd())
    else {
      const table = /^(?:local )?(\w+) = \{\}/.exec(line)?.[1]
      const [, owner, separator, label, parameters] = /^function (\w+)([.:])(\w+)\((.*)\)/.exec(line) ?? []
      const info = [helpText(help), ...params].filter(Boolean).join("\n")
      if (table && type) names.set(table, type)
      const kind = separator === ":" ? "method" : "function"
      if (owner) add(names.get(owner) ?? owner, label, kind, `(${parameters})`, info)
      if (!table) type = null
      help = []
      params = []
    }
  }
}

/** Returns the entries of a type and of its base classes, each label once. */
function inherited(type, types, parents, seen = new Set()) {
  if (seen.has(type)) return []
  seen.add(type)
  const entries = [type, ...(parents[type] ?? [])].flatMap((name) =>
    name === type ? (types[type] ?? []) : inherited(name, types, parents, seen),
  )
  return entries.filter(({ label }, i) => entries.findIndex((entry) => entry.label === label) === i)
}

const KEYWORDS = `and break do else elseif end false for function goto if in local nil not or repeat return then true
until while`.split(/\s/)

/** The names of the sandbox, from the settings of luacheck. */
function readSandbox(text) {
  const words = (list) => [...list.matchAll(/"([^"]*)"/g)].flatMap((found) => found[1].trim().split(/\s+/))
  const globals = words(/local globals = fields\(([\s\S]*?)\)\n/.exec(text)[1])
  const fields = text.matchAll(/globals\.(\w+) = \{ fields = fields\(([\s\S]*?)\) \}/g)
  const libraries = Object.fromEntries(Array.from(fields, ([, name, list]) => [name, words(list)]))
  const all = { keyword: KEYWORDS, function: globals, variable: ["spawnpool", ...Object.keys(libraries)] }
  return { libraries, words: Object.keys(all).flatMap((type) => all[type].map((label) => ({ label, type }))) }
}

export function readAnnotations(folder) {
  const types = {},
    parents = {},
    read = (name) => readFileSync(join(folder, name), "utf8")
  const names = readdirSync(folder).filter((name) => /^meta\.lua$|\.d\.lua$/.test(name) && name !== "reload.d.lua")
  for (const name of names.sort().reverse()) readFile(read(name), types, parents)
  const all = Object.keys({ ...types, ...parents }).map((type) => [type, inherited(type, types, parents)])
  return { types: Object.fromEntries(all), ...readSandbox(read("luacheck.lua")) }
}
