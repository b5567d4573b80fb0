// Games as links: the files that differ from a game of the site, or all files of one's own, compressed into the
// fragment of the address. A fragment stays in the browser; no server receives it.
//
//   #game=shooter                  a game of the site
//   #game=shooter&edit=TEXT        the same with edited files
//   #edit=TEXT                     a game of one's own
//
// TEXT is base64url of deflated JSON: { name, base, files: { path: string or [base64] }, removed: [path] }.
import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate"

import { checkGame, counter, plainName, Refusal } from "./archive.js"

/** Characters of the whole fragment. Browsers accept more; mail and chat programs do not. */
export const LINK_MOST = 32000
const INFLATED = { bytes: 4 << 20, files: 500 }

const BROKEN = "This link is broken: a part of it is missing or changed."

export const toBase64 = (bytes) => btoa(strFromU8(bytes, true))
export const fromBase64 = (text) => strToU8(atob(text), true)
const toUrl = (bytes) => toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
const fromUrl = (text) => fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"))

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Returns a text, or null when the bytes are none: written as a text they would be damaged. */
export function textOf(bytes) {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

/** Returns the fragment for a game: { name, base, files: Map of changed files, removed: [path] }. Throws a Refusal when
    it has more than `most` characters. */
export async function writeLink({ name, base, files, removed }, most = LINK_MOST) {
  if (base && files.size === 0 && removed.length === 0) return `#game=${base}`
  const packed = Array.from(files, ([path, bytes]) => [path, textOf(bytes) ?? [toBase64(bytes)]])
  const json = JSON.stringify({ name, base, files: Object.fromEntries(packed), removed })
  const link = `${base ? `#game=${base}&` : "#"}edit=${toUrl(deflateSync(strToU8(json), { level: 9 }))}`
  if (link.length <= most) return link
  const [needed, limit] = [link.length, most].map((count) => count.toLocaleString("en"))
  throw new Refusal(
    `This game is too large for a link: it needs ${needed} characters, and ${limit} are the limit. ` +
      "Save it as .zip instead.",
  )
}

/** fflate drops bytes beyond the end of the memory that it is given. */
function inflate(bytes) {
  if (bytes.length === 0) throw new Refusal(BROKEN)
  const inflated = inflateSync(bytes, { out: new Uint8Array(INFLATED.bytes + 1) })
  if (inflated.length <= INFLATED.bytes) return inflated
  throw new Refusal("This link is not opened: its content is larger than any link of this page.")
}

/** Returns what writeLink was given; any error but a Refusal means that `value` is something else. */
function checked(value, base) {
  const files = new Map(),
    removed = [...value.removed],
    count = counter(INFLATED)
  for (const path of [...Object.keys(value.files), ...removed]) count(path, 0)
  for (const [path, content] of Object.entries(value.files))
    files.set(path, typeof content === "string" ? strToU8(content) : fromBase64(content[0]))
  if (!base) checkGame(files)
  return { name: plainName(String(value.name ?? base ?? "game")), base, files, removed }
}

/** Reads a fragment: null when it names no game, else what writeLink was given. Throws a Refusal. */
export async function readLink(fragment) {
  // Some programs encode an address once more. No value has these characters itself.
  const values = new URLSearchParams(fragment.replace(/^#/, "").replaceAll(/%3D/gi, "=").replaceAll(/%26/gi, "&"))
  const base = values.get("game"),
    edit = values.get("edit")
  if (base !== null && !/^[A-Za-z0-9_-]{1,40}$/.test(base)) throw new Refusal(BROKEN)
  if (edit === null) return base === null ? null : { name: base, base, files: new Map(), removed: [] }
  try {
    return checked(JSON.parse(textOf(inflate(fromUrl(edit)))), base)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(BROKEN)
  }
}
