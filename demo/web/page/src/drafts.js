// Drafts: every project that a person has touched, in the browser's IndexedDB, with its last versions. A draft is
//   { id, name, base, from, origin, files, removed, good, rev, versions: [{ at, files, removed }] }
// where files and removed are what differs from the published game, and `good` is the last such difference that played.
// The published files of a game that is not the site's are kept once, beside it. Two pages may write one draft: the
// second one finds another `rev` than it has read, and writes a draft of its own.
import { clear, createStore, del, get, set, update, values } from "idb-keyval"

import { counter, fetchGame, LIMITS, plainName, Refusal } from "./archive.js"
import { readLink } from "./link.js"
import { Project } from "./project.js"
import { recall, remember } from "./storage.js"

const VERSIONS = 10
const VERSIONS_BYTES = 16 << 20 // of all versions of a draft
const VERSION_EVERY = 60000 // milliseconds, within one visit of the page

const stores = {}
const drafts = () => (stores.drafts ??= createStore("spawnpool", "drafts"))
const published = () => (stores.published ??= createStore("spawnpool-published", "files"))

/** Returns an id that no other draft has. */
export const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`

const isMap = (value) => value instanceof Map && [...value.values()].every((bytes) => bytes instanceof Uint8Array)
const isChange = (value) => isMap(value?.files) && Array.isArray(value?.removed)

const DAMAGED = "This draft is damaged, and cannot be opened."

/** Throws a Refusal unless a value is a draft. */
function check(draft) {
  if (!isChange(draft) || !Array.isArray(draft.versions)) throw new Refusal(DAMAGED)
  const count = counter(LIMITS)
  for (const [path, bytes] of draft.files) count(path, bytes.length)
  return draft
}

const sizeOf = ({ files }) => [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0)

/** The versions after another one: the newest ones that fit. */
function keepVersions(versions) {
  let bytes = 0
  return versions.slice(0, VERSIONS).filter((version) => (bytes += sizeOf(version)) <= VERSIONS_BYTES)
}

const VISIT = Math.random()

/** Writes a project. `asVersion`: what was there becomes a version in any case. Returns false when another page has
    written the draft meanwhile: then nothing is written. Throws what the browser refuses. */
export async function writeDraft(project, asVersion = false) {
  const { id, name, base, from, origin, good } = project,
    { files, removed } = project.changes(),
    at = Date.now(),
    rev = `${at} ${VISIT}`
  let isOurs = true
  if (!base && project.rev === undefined) await set(id, project.published, published())
  await update(
    id,
    (old) => {
      isOurs = !old || old.rev === project.rev
      if (!isOurs) return old
      const isDue = old && (asVersion || old.visit !== VISIT || at - old.versionAt > VERSION_EVERY)
      const before = isDue ? [{ at: old.at, files: old.files, removed: old.removed }] : []
      const versions = keepVersions([...before, ...(old?.versions ?? [])])
      const versionAt = isDue || !old ? at : old.versionAt
      return { id, name, base, from, origin, files, removed, good, versions, versionAt, at, rev, visit: VISIT }
    },
    drafts(),
  )
  if (isOurs) Object.assign(project, { rev, isKept: true })
  return isOurs
}

/** All drafts that differ from a game of the site or are games of their own, the last one first. */
export async function listDrafts() {
  const all = await values(drafts())
  const isShown = (draft) => draft?.id && (draft.from !== "example" || draft.files?.size || draft.removed?.length)
  return all.filter(isShown).sort((a, b) => b.at - a.at)
}

/** The edits of a game of the site that an earlier page has kept as a link. */
async function readOld(base) {
  const link = recall(`spawnpool.edits:${base}`)
  return link ? await readLink(link).catch(() => null) : null
}

/** Returns the project of a draft, or null when there is none. Throws a Refusal when it is damaged. */
export async function readDraft(id) {
  const draft = await get(id, drafts())
  if (draft === undefined) return null
  check(draft)
  const files = draft.base ? (await fetchGame(`games/${draft.base}.zip`)).files : await get(id, published())
  if (!isMap(files)) throw new Refusal(DAMAGED)
  const project = new Project(plainName(String(draft.name)), draft.base, files, draft.origin)
  Object.assign(project, { id, from: draft.from, rev: draft.rev, good: isChange(draft.good) ? draft.good : null })
  project.versions = draft.versions.filter(isChange)
  project.isKept = true
  project.apply(draft)
  return project
}

/** Returns the project of a game of the site, with the edits that are kept. */
export async function readExample(name) {
  const game = fetchGame(`games/${name}.zip`) // meanwhile
  game.catch(() => {})
  const found = await readDraft(name).catch((error) => ({ problem: error }))
  if (found && !found.problem) return found
  const project = new Project(name, name, (await game).files)
  Object.assign(project, { id: name, from: "example", problem: found?.problem })
  const old = await readOld(name)
  if (!old) return project
  project.apply(old)
  if (await writeDraft(project).catch(() => false)) remember(`spawnpool.edits:${name}`, null)
  return project
}

export const readRecord = (id) => get(id, drafts())
export const writeRecord = (draft) => set(draft.id, draft, drafts())
export const deleteDraft = (id) => del(id, drafts())
export const clearDrafts = () => Promise.all([clear(drafts()), clear(published())])

/** Returns the draft that was made of a link or a file before, or undefined. */
export const draftOf = async (origin) =>
  origin ? (await listDrafts().catch(() => [])).find((draft) => draft.origin === origin) : undefined
