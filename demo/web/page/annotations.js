// Reads the editor annotations of lua/spawnpool at build time, and returns what the editor completes:
//   { types: { Pool: [{ label, kind, detail, info }] }, globals: [...], libraries: { math: [...] } }
// `kind` is "method", "function" or "property". Names lose the prefix "spawnpool.".
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"

const short = (type) => type.replaceAll("spawnpool.", "")

/** Splits "TYPE words of help": a type ends at a space outside brackets that joins nothing. */
export function splitType(text) {
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
  let text = ""
  let isExample = false
  for (const line of lines) {
    if (line.trim().startsWith("```")) isExample = !isExample
    else text += (text && (isExample || text.endsWith("\n") ? "\n" : " ")) + line
    if (line.trim() === "```") text += "\n"
  }
  return text.trim()
}

class Reader {
  types = {}
  parents = {}
  #names = new Map() // of local tables: Manager -> "Manager"
  #class = null
  #help = []
  #params = []

  #add(type, entry) {
    const list = (this.types[type] ??= [])
    if (!list.some((other) => other.label === entry.label)) list.push(entry)
  }

  #field(text) {
    const found = /^(?:(\w+)(\??)) (.*)$/.exec(text)
    if (!found || !this.#class) return
    const [, label, , rest] = found
    const [type, info] = splitType(rest)
    const isMethod = /^fun\(self\b/.test(type)
    this.#add(this.#class, {
      label,
      kind: isMethod ? "method" : type.startsWith("fun(") ? "function" : "property",
      detail: short(type),
      info,
    })
  }

  #function(owner, separator, label, parameters) {
    const type = this.#names.get(owner) ?? short(owner)
    const info = [helpText(this.#help), ...this.#params].filter(Boolean).join("\n")
    this.#add(type, { label, kind: separator === ":" ? "method" : "function", detail: `(${parameters})`, info })
  }

  line(text) {
    const tag = /^---@(\w+)\s*(.*)$/.exec(text)
    if (tag?.[1] === "class") {
      const [, name, parents = ""] = /^([\w.]+)(?:: ([\w.]+(?:, [\w.]+)*))?/.exec(tag[2]) ?? []
      this.#class = name ? short(name) : null
      if (this.#class)
        this.parents[this.#class] = short(parents)
          .split(",")
          .map((p) => p.trim())
          .filter(Boolean)
    } else if (tag?.[1] === "field") this.#field(tag[2])
    else if (tag?.[1] === "param") this.#params.push(short(tag[2]))
    else if (!tag && text.startsWith("---")) this.#help.push(text.slice(3).trimEnd())
    else if (!text.startsWith("---")) {
      const table = /^(?:local )?(\w+) = \{\}/.exec(text),
        def = /^function (\w+)([.:])(\w+)\((.*)\)/.exec(text)
      if (table && this.#class) this.#names.set(table[1], this.#class)
      if (def) this.#function(def[1], def[2], def[3], def[4])
      this.#help = []
      this.#params = []
      if (!table) this.#class = null
    }
  }

  /** Adds inherited entries to each type. */
  inherit() {
    const all = (type, seen = new Set()) => {
      if (seen.has(type)) return []
      seen.add(type)
      return [...(this.types[type] ?? []), ...(this.parents[type] ?? []).flatMap((parent) => all(parent, seen))]
    }
    return Object.fromEntries(
      Object.keys({ ...this.types, ...this.parents }).map((type) => [
        type,
        [
          ...new Map(
            all(type)
              .reverse()
              .map((entry) => [entry.label, entry]),
          ).values(),
        ].reverse(),
      ]),
    )
  }
}

/** The names of the sandbox, from the settings of luacheck. */
function readSandbox(text) {
  const words = (list) => [...list.matchAll(/"([^"]*)"/g)].flatMap((found) => found[1].trim().split(/\s+/))
  const globals = words(/local globals = fields\(([\s\S]*?)\)\n/.exec(text)[1])
  const libraries = {}
  for (const [, name, list] of text.matchAll(/globals\.(\w+) = \{ fields = fields\(([\s\S]*?)\) \}/g))
    libraries[name] = words(list)
  return { globals, libraries }
}

export function readAnnotations(folder) {
  const reader = new Reader()
  const files = readdirSync(folder)
    .filter((name) => /^(meta\.lua|.*\.d\.lua)$/.test(name))
    .sort()
    .reverse()
  for (const file of files)
    if (file !== "reload.d.lua")
      for (const line of readFileSync(join(folder, file), "utf8").split("\n")) reader.line(line)
  return { types: reader.inherit(), ...readSandbox(readFileSync(join(folder, "luacheck.lua"), "utf8")) }
}
