// Parts of the page that need no browser: links, .zip files, problems, completion, touch. `make web-test` runs it.
import assert from "node:assert/strict"
import { readFileSync, readdirSync } from "node:fs"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { readAnnotations } from "../../demo/web/page/annotations.js"
import { gameOf, LIMITS, readZip, Refusal, writeZip } from "../../demo/web/page/src/archive.js"
import { complete } from "../../demo/web/page/src/complete.js"
import { parseProblem } from "../../demo/web/page/src/instance.js"
import { LINK_MOST, readLink, writeLink } from "../../demo/web/page/src/link.js"
import { placed } from "../../demo/web/page/src/panels.js"
import { Project } from "../../demo/web/page/src/project.js"
import { loadSaved, originOf } from "../../demo/web/page/src/storage.js"
import { directions, KEY, keysIn } from "../../demo/web/page/src/touch.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const bytes = (text) => new TextEncoder().encode(text)
const listOf = (...paths) => paths.map((path) => [path, bytes("")])
const noise = (length, seed) => {
  const out = new Uint8Array(length)
  for (let i = 0, x = seed; i < length; i++) out[i] = (x = (Math.imul(x, 1664525) + 1013904223) >>> 0) >>> 24
  return out
}
const refused = (pattern) => (error) => error instanceof Refusal && pattern.test(error.message)

/** Every damage of a link or an archive is a Refusal or leaves something valid: no other error comes out. */
async function harmless(work) {
  try {
    await work()
  } catch (error) {
    assert.ok(error instanceof Refusal, `not a sentence for the person: ${error?.stack ?? error}`)
  }
}

test("a link has the edits of a game, text and bytes", async () => {
  const edits = {
    name: "shooter",
    base: "shooter",
    removed: ["pools/Old.lua"],
    files: new Map([
      ["main.lua", bytes("-- “é”\r\n\0end")],
      ["sprites/a.png", noise(300, 1)],
      ["bom.lua", bytes("\ufeffx")],
    ]),
  }
  const link = await writeLink(edits)
  assert.match(link, /^#game=shooter&edit=[\w-]+$/)
  assert.deepEqual(await readLink(link), edits)
  assert.deepEqual(await readLink(`#${encodeURIComponent(link.slice(1))}`), edits, "encoded once more")
})

test("a link of an unchanged game is its name; no game is no link", async () => {
  const link = await writeLink({ name: "cubes", base: "cubes", files: new Map(), removed: [] })
  assert.equal(link, "#game=cubes")
  assert.equal((await readLink(link)).base, "cubes")
  assert.equal(await readLink(""), null)
  assert.equal(await readLink("#other"), null)
})

test("a game of one's own has all of its files in the link", async () => {
  const own = { name: "rain", base: null, files: new Map([["main.lua", bytes("return {}")]]), removed: [] }
  assert.deepEqual(await readLink(await writeLink(own)), own)
  await assert.rejects(
    async () => readLink(await writeLink({ ...own, files: new Map([["a.lua", bytes("")]]) })),
    refused(/no main\.lua/),
  )
})

test("a game that is too large for a link is refused, with the numbers", async () => {
  const large = (length) =>
    writeLink({ name: "x", base: null, files: new Map([["main.lua", noise(length, 2)]]), removed: [] })
  await assert.rejects(large(LINK_MOST), refused(/needs [\d,]+ characters, and 32,000 are the limit.*\.zip/))
  assert.ok((await large(LINK_MOST * 0.7)).length <= LINK_MOST)
})

test("broken links are told, whatever is missing or changed", async () => {
  const link = await writeLink({
    name: "x",
    base: null,
    files: new Map([["main.lua", bytes("return {}".repeat(50))]]),
    removed: [],
  })
  for (let cut = "#edit=".length; cut < link.length; cut++)
    await assert.rejects(readLink(link.slice(0, cut)), refused(/broken/), `cut at ${cut}`)
  for (let at = "#edit=".length; at < link.length; at++)
    for (const wrong of ["A", "_", "%", " "])
      await harmless(() => readLink(link.slice(0, at) + wrong + link.slice(at + 1)))
  for (const name of ["../x", "a/b", "<b>", "x".repeat(41)])
    await assert.rejects(readLink(`#game=${encodeURIComponent(name)}`), refused(/broken/))
})

async function rawLink(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))
  return `#edit=${Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url")}`
}

const BAD_PATHS = [
  "",
  "/a",
  "a//b",
  "a/",
  "../a",
  "a/../../b",
  "./a",
  "a\\b",
  "C:a",
  "a\0b",
  "a\ud800",
  "a/__proto__",
  "hasOwnProperty/a",
  "é".repeat(101),
]
const BAD_PATH = /is no path of a game: names joined by/

test("a link that inflates without end, or leads out of the game, is refused", async () => {
  await assert.rejects(readLink(await rawLink(" ".repeat(64 << 20))), refused(/larger/))
  const main = { "main.lua": "" }
  for (const path of BAD_PATHS) {
    for (const edits of [{ files: { ...main, [path]: "" }, removed: [] }, { files: main, removed: [path] }])
      await assert.rejects(readLink(await rawLink(edits)), refused(BAD_PATH), path)
  }
  for (const value of [
    null,
    3,
    [],
    {},
    { files: [] },
    { files: main },
    { files: { "main.lua": 7 }, removed: [] },
    { files: main, removed: [3] },
  ])
    await assert.rejects(readLink(await rawLink(value)), Refusal, JSON.stringify(value))
})

test("a .zip has the game again", () => {
  const files = new Map([
    ["main.lua", bytes("x = 1")],
    ["pools/Ball.lua", bytes("")],
    ["sprites/é.png", noise(5000, 3)],
  ])
  assert.deepEqual(readZip(writeZip("rain", files)), { name: "rain", files })
})

test("folders around main.lua, and what systems add, are left out", () => {
  const zip = writeZip(
    "a/b",
    new Map([
      ["main.lua", bytes("1")],
      ["lib/main.lua", bytes("2")],
      [".DS_Store", bytes("x")],
    ]),
  )
  assert.deepEqual(readZip(zip), {
    name: "b",
    files: new Map([
      ["main.lua", bytes("1")],
      ["lib/main.lua", bytes("2")],
    ]),
  })
  assert.throws(() => readZip(writeZip("x", new Map([["init.lua", bytes("")]]))), refused(/no main\.lua/))
})

test("a .zip bomb is refused before it is inflated", () => {
  const bomb = writeZip("x", new Map([["main.lua", new Uint8Array(LIMITS.bytes + 1)]]))
  assert.ok(bomb.length < 200000)
  assert.throws(() => readZip(bomb), refused(/more than 64 MiB/))
  const many = new Map([["main.lua", bytes("")]])
  for (let i = 0; i < LIMITS.files; i++) many.set(`f${i}`, bytes(""))
  assert.throws(() => readZip(writeZip("x", many)), refused(/more than 2000 files/))
  assert.throws(() => readZip(new Uint8Array(LIMITS.packed + 1)), refused(/more than 32 MiB/))
})

test("a .zip whose sizes lie inflates no more than they say", () => {
  const zip = writeZip("x", new Map([["main.lua", new Uint8Array(1 << 20)]])),
    view = new DataView(zip.buffer)
  for (let i = 0; i + 4 < zip.length; i++) if (view.getUint32(i, true) === 0x02014b50) view.setUint32(i + 24, 10, true)
  let size = 0
  try {
    for (const content of readZip(zip).files.values()) size += content.length
  } catch (error) {
    assert.ok(error instanceof Refusal)
  }
  assert.ok(size <= 10, `${size} bytes`)
})

test("damaged .zip files are told, and paths out of the game are refused", async () => {
  const zip = writeZip(
    "rain",
    new Map([
      ["main.lua", bytes("local a = 1\n".repeat(40))],
      ["pools/A.lua", noise(200, 4)],
    ]),
  )
  assert.throws(() => readZip(bytes("not a zip")), refused(/no \.zip/))
  assert.throws(() => readZip(new Uint8Array(0)), refused(/no \.zip/))
  for (let at = 0; at < zip.length; at++) {
    await harmless(() => readZip(zip.slice(0, at)))
    for (const value of [0, 255, 80]) {
      const damaged = zip.slice()
      damaged[at] = value
      await harmless(() => readZip(damaged))
    }
  }
  for (const path of BAD_PATHS) assert.throws(() => gameOf(listOf("main.lua", path)), refused(BAD_PATH), path)
})

test("a file and a folder of one name are refused, wherever they come from; case makes another name", async () => {
  const clash = refused(/“part” is a file, and the folder of “part\/of\.lua”\. Rename one of them/)
  const files = { "main.lua": "", "part/of.lua": "", part: "" }
  assert.throws(() => readZip(writeZip("r", new Map(listOf(...Object.keys(files))))), clash)
  await assert.rejects(readLink(await rawLink({ files, removed: [] })), clash)
  const project = () => new Project("r", "r", new Map(listOf("main.lua", "part/of.lua")))
  const edits = (removed) => ({ files: new Map(listOf("part")), removed })
  assert.throws(() => project().apply(edits([])), clash)
  project().apply(edits(["part/of.lua"]))
  assert.throws(() => project().apply({ files: new Map(), removed: ["main.lua"] }), refused(/no main\.lua/))
  const cased = new Map(listOf("main.lua", "part/of.lua", "Part", "partition", "part/OF.lua"))
  assert.deepEqual(readZip(writeZip("r", cased)).files, cased)
})

test("data belongs to all that makes a game, and to no name", async () => {
  const game = { base: null, files: new Map(listOf("main.lua", "a.lua")), removed: [] }
  const mine = await originOf({ ...game, name: "a" })
  assert.match(mine, /^sha256:[0-9a-f]{64}$/)
  assert.equal(await originOf({ files: new Map(listOf("a.lua", "main.lua")), name: "b" }), mine, "in any order")
  const others = [
    { ...game, base: "shooter" },
    { ...game, removed: ["a"] },
    { ...game, files: new Map([...game.files, ["a.lua", bytes("x")]]) },
    { ...game, files: new Map(listOf("main.lua", "b.lua")) },
    { ...game, files: new Map(listOf("main.lua")) },
  ]
  assert.equal(new Set([mine, ...(await Promise.all(others.map(originOf)))]).size, others.length + 1)
})

test("links cannot fill the storage of a site's games", () => {
  const stored = (globalThis.localStorage = Object.create({
    getItem(key) {
      return this[key] ?? null
    },
    setItem(key, text) {
      this[key] = text
    },
  }))
  let refusals = 0
  const store = (origin, size) =>
    loadSaved(
      { files: () => ["/saved/spawnpool/a/b.data"], read: () => new Uint8Array(size) },
      "http://site",
      origin,
      () => (refusals += 1),
    )()
  for (const name of ["sha256:1", "sha256:2", "sha256:3", null, "shooter"]) store(name, 1 << 20)
  assert.deepEqual(
    Object.keys(stored).map((key) => key.replace("spawnpool.saved:http://site/", "")),
    ["sha256:1", "sha256:2", "shooter"],
  )
  assert.equal(refusals, 2)
  delete globalThis.localStorage
})

test("a project counts what differs, and restores it", () => {
  const project = new Project(
      "rain",
      "rain",
      new Map([
        ["main.lua", bytes("1")],
        ["a.lua", bytes("2")],
      ]),
    ),
    told = []
  project.onChange = (path) => told.push(path)
  project.write("main.lua", "1")
  project.write("main.lua", "3")
  project.write("new.lua", "4")
  project.apply({ files: new Map(), removed: ["a.lua"] })
  assert.deepEqual(told, ["main.lua", "new.lua"])
  assert.deepEqual(project.edits(), {
    name: "rain",
    base: "rain",
    files: new Map([
      ["main.lua", bytes("3")],
      ["new.lua", bytes("4")],
    ]),
    removed: ["a.lua"],
  })
  const again = new Project("rain", "rain", project.published)
  again.apply(project.edits())
  assert.deepEqual(again.files, project.files)
  for (const path of ["main.lua", "new.lua", "a.lua"]) project.revert(path)
  assert.deepEqual(project.edits(), { name: "rain", base: "rain", files: new Map(), removed: [] })
  assert.deepEqual(project.changed(), [])
  assert.deepEqual(project.sources(), ["main.lua", "a.lua"])
})

test("problems are listed once, with their hints", () => {
  const report = (text) => parseProblem(text, "/games/rain")
  const all = placed([
    report("/games/rain/a.lua:3: bad\n  at a.lua:3\n  hint: did you mean 'good'?"),
    report("/games/rain/a.lua:3: bad"),
    report("warning: not reloaded: pools/Star.lua; still running the previous version"),
    report("warning: /games/rain/b.lua:1: worse"),
  ])
  assert.deepEqual(
    all.map(({ kind, file, line, message }) => [kind, file, line, message]),
    [
      ["error", "a.lua", 3, "bad (did you mean 'good'?)"],
      ["warning", "b.lua", 1, "worse"],
    ],
  )
})

test("the editor completes what the annotations say", () => {
  const annotations = readAnnotations(`${root}lua/spawnpool`)
  const labels = (text) => (complete(text, annotations, ["Ball"])?.options ?? []).map((option) => option.label)
  const offers = (text, ...wanted) => {
    for (const word of wanted) assert.ok(labels(text).includes(word), `${text}: ${word}`)
  }
  const omits = (text, ...words) => {
    for (const word of words) assert.ok(!labels(text).includes(word), `${text}: ${word}`)
  }
  offers("pools:", "alloc", "recycle_all", "stats", "every")
  omits("pools:", "time", "radius")
  offers("pools.", "time_scale")
  offers('pools:pool("Ball"):', "prewarm", "within")
  offers("function draw(g)\n  g:", "circle", "text", "camera")
  offers('local spawnpool = require "spawnpool"\nspawnpool.', "class", "input", "storage", "load")
  offers("local keys <const> = spawnpool.input\nkeys.", "down", "axis")
  offers("spawnpool.audio.", "play")
  offers("math.", "floor", "tointeger")
  omits("os.", "execute")
  offers("ball.", "vx", "remaining", "recycle")
  offers('local Ball = spawnpool.class("Ball", {\n  pre', "prealloc", "overflow", "on_spawn")
  offers("loc", "local")
  offers('pools:alloc("', "Ball")
  assert.deepEqual(labels("-- pools:"), [])
  const all = Object.values(annotations.types).flat()
  assert.ok(all.length > 200 && all.every((entry) => /^\w+$/.test(entry.label)), "annotations were read")
})

test("touch keys are those that a game's Lua mentions", () => {
  const keys = (game) => {
    const folder = `${root}scripts/${game}`
    return keysIn(
      readdirSync(folder)
        .filter((name) => name.endsWith(".lua"))
        .map((name) => readFileSync(`${folder}/${name}`, "utf8")),
    )
  }
  assert.deepEqual(keys("shooter"), { arrows: true, keys: ["1", "space", "2"] })
  assert.deepEqual(keys("cubes"), { arrows: false, keys: ["c", "s", "p", "r"] })
  for (const game of readdirSync(`${root}scripts`))
    for (const key of keys(game).keys) assert.match(key, KEY, game)
})

test("searching keys takes no time that grows with the square of a text", () => {
  const begin = process.cpuUsage()
  for (const text of [`input.down${" ".repeat(1000000)}`, "actions={{".repeat(100000), "input.down(".repeat(100000), 'key == "'.repeat(100000)])
    keysIn([text])
  assert.ok(process.cpuUsage(begin).user < 5e6, "5 s of work, and not of waiting for a busy machine")
  assert.deepEqual(keysIn(['actions = {\n jump = { "x", "pad:a" }, y = "z" }', 'input.pressed "c"']).keys, ["x", "z", "c"])
  assert.deepEqual(keysIn(['input.down ( "a" , "b" )', 'input.down"c"', 'input.down("d", "e")']).keys, ["a", "c", "d", "e"])
})

test("the pad has eight directions and a middle", () => {
  assert.deepEqual(directions(0, 0), [])
  assert.deepEqual(directions(0.1, -0.1), [])
  assert.deepEqual(directions(1, 0), ["right"])
  assert.deepEqual(directions(0.9, 0.1), ["right"])
  assert.deepEqual(directions(-0.7, -0.7), ["left", "up"])
  assert.deepEqual(directions(0.6, 0.6), ["right", "down"])
  assert.deepEqual(directions(0, 0.5), ["down"])
})
