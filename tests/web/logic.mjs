// Parts of the page that need no browser: links, .zip files, problems, completion, touch. `make web-test` runs it.
import assert from "node:assert/strict"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { readAnnotations } from "../../demo/web/page/annotations.js"
import { gameOf, LIMITS, readZip, Refusal, writeZip } from "../../demo/web/page/src/archive.js"
import { complete } from "../../demo/web/page/src/complete.js"
import { parseProblem } from "../../demo/web/page/src/instance.js"
import { LINK_MOST, readLink, writeLink } from "../../demo/web/page/src/link.js"
import { Project } from "../../demo/web/page/src/project.js"
import { originOf, savedOf, storeSaved } from "../../demo/web/page/src/storage.js"
import { buttonsIn, directions, keysIn } from "../../demo/web/page/src/touch.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const bytes = (text) => new TextEncoder().encode(text)
const filesOf = (texts) => new Map(Object.entries(texts).map(([path, text]) => [path, bytes(text)]))
const gameOfPaths = (...paths) => paths.map((path) => [path, bytes("")])
const noise = (length, seed) => {
  const out = new Uint8Array(length)
  for (let i = 0, x = seed; i < length; i++) out[i] = (x = (Math.imul(x, 1664525) + 1013904223) >>> 0) >>> 24
  return out
}
const refused = (pattern) => (error) => error instanceof Refusal && pattern.test(error.message)
const own = (files) => ({ name: "rain", base: null, files, removed: [] })

/** Every damage of a link or an archive is a Refusal or leaves something valid: no other error comes out. */
async function harmless(work) {
  try {
    await work()
  } catch (error) {
    assert.ok(error instanceof Refusal, `not a sentence for the person: ${error?.stack ?? error}`)
  }
}

// {== Links ====================================================================

test("a link has the edits of a game, text and bytes, or all of a game of one's own", async () => {
  const files = new Map([
    ["main.lua", bytes("-- “é”\r\n\0end")],
    ["sprites/a.png", noise(300, 1)],
    ["bom.lua", bytes("\ufeffx")],
  ])
  const edits = { name: "shooter", base: "shooter", removed: ["pools/Old.lua"], files }
  const link = await writeLink(edits)
  assert.match(link, /^#game=shooter&edit=[\w-]+$/)
  assert.deepEqual(await readLink(link), edits)
  assert.deepEqual(await readLink(`#${encodeURIComponent(link.slice(1))}`), edits, "encoded once more")
  assert.deepEqual(await readLink(await writeLink(own(files))), own(files))
  assert.equal(await writeLink({ ...edits, files: new Map(), removed: [] }), "#game=shooter")
  assert.equal((await readLink("#game=cubes")).base, "cubes")
  assert.equal(await readLink("#other"), null)
})

test("a game that is too large for a link is refused, with the numbers", async () => {
  const large = (length) => writeLink(own(new Map([["main.lua", noise(length, 2)]])))
  await assert.rejects(large(LINK_MOST), refused(/needs [\d,]+ characters, and 32,000 are the limit.*\.zip/))
  assert.ok((await large(LINK_MOST * 0.7)).length <= LINK_MOST)
})

test("broken links are told, whatever is missing or changed", async () => {
  const link = await writeLink(own(filesOf({ "main.lua": "return {}".repeat(50) })))
  for (let at = "#edit=".length; at < link.length; at++) {
    await assert.rejects(readLink(link.slice(0, at)), refused(/broken/), `cut at ${at}`)
    for (const wrong of "A_%") await harmless(() => readLink(link.slice(0, at) + wrong + link.slice(at + 1)))
  }
  for (const name of ["../x", "x".repeat(41)]) await assert.rejects(readLink(`#game=${name}`), refused(/broken/))
})

async function rawLink(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))
  return `#edit=${Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url")}`
}

const BAD_PATHS = ["", "a/", "a\u202egpj.lua", "../a", "./a", "a\\b", "C:a", "a\0b", "a\ud800", "a/__proto__", "é".repeat(101)]
const BAD_PATH = /is no path of a game: names joined by/

test("a link that inflates without end, leads out of the game, or is none is refused", async () => {
  await assert.rejects(readLink(await rawLink(" ".repeat(64 << 20))), refused(/larger/))
  const main = { "main.lua": "" }
  for (const path of BAD_PATHS) {
    for (const edits of [{ files: { ...main, [path]: "" }, removed: [] }, { files: main, removed: [path] }])
      await assert.rejects(readLink(await rawLink(edits)), refused(BAD_PATH), path)
  }
  for (const value of [null, { files: main }, { files: { "main.lua": 7 }, removed: [] }, { files: {}, removed: [] }])
    await assert.rejects(readLink(await rawLink(value)), Refusal, JSON.stringify(value))
})

// }==

// {== .zip files ===============================================================

test("a .zip has the game again, without folders around it and what systems add", () => {
  const files = new Map([...filesOf({ "main.lua": "x = 1", "lib/main.lua": "" }), ["sprites/é.png", noise(5000, 3)]])
  const zip = writeZip("a/b", new Map([...files, [".DS_Store", bytes("x")]]))
  assert.deepEqual(readZip(zip), { name: "b", files })
  assert.throws(() => readZip(writeZip("x", filesOf({ "init.lua": "" }))), refused(/no main\.lua/))
})

test("a .zip bomb is refused before it is inflated, and no size that lies is believed", async () => {
  const bomb = writeZip("x", new Map([["main.lua", new Uint8Array(LIMITS.bytes + 1)]]))
  assert.throws(() => readZip(bomb), refused(/more than 64 MiB/))
  const many = filesOf({ "main.lua": "" })
  for (let i = 0; i < LIMITS.files; i++) many.set(`f${i}`, bytes(""))
  assert.throws(() => readZip(writeZip("x", many)), refused(/more than 2000 files/))
  assert.throws(() => readZip(new Uint8Array(LIMITS.packed + 1)), refused(/more than 32 MiB/))

  const view = new DataView(bomb.buffer)
  for (let i = 0; i + 4 < bomb.length; i++)
    if (view.getUint32(i, true) === 0x02014b50) view.setUint32(i + 24, 10, true)
  let size = 0
  await harmless(() => readZip(bomb).files.forEach((content) => (size += content.length)))
  assert.ok(size <= 10, `${size} bytes`)
})

test("folders and decoded pictures have limits for their sum", () => {
  const deep = gameOfPaths("main.lua", ...Array.from({ length: 9 }, (_, i) => `${`${i}/`.repeat(90)}a`))
  assert.throws(() => gameOf(deep), refused(/more than 500 folders/))
  const png = new Uint8Array(24)
  png.set([0x89, 0x50])
  new DataView(png.buffer).setUint32(16, 4096)
  new DataView(png.buffer).setUint32(20, 4096)
  const pictures = (count) => Array.from({ length: count }, (_, i) => [`sprites/${i}.png`, png])
  assert.throws(() => gameOf([["main.lua", bytes("")], ...pictures(3)]), refused(/more than 32 million pixels/))
  assert.equal(gameOf([["main.lua", bytes("")], ...pictures(2)]).files.size, 3)
})

test("damaged .zip files are told, and paths out of the game are refused", async () => {
  const zip = writeZip("rain", new Map([["main.lua", bytes("local a = 1\n".repeat(40))], ["A.lua", noise(200, 4)]]))
  assert.throws(() => readZip(bytes("not a zip")), refused(/no \.zip/))
  for (let at = 0; at < zip.length; at++) {
    await harmless(() => readZip(zip.slice(0, at)))
    for (const value of [0, 255, 80]) await harmless(() => readZip(zip.with(at, value)))
  }
  for (const path of BAD_PATHS) assert.throws(() => gameOf(gameOfPaths("main.lua", path)), refused(BAD_PATH), path)
})

test("a file and a folder of one name are refused, wherever they come from; case makes another name", async () => {
  const clash = refused(/“part” is a file, and the folder of “part\/of\.lua”\. Rename one of them/)
  assert.throws(() => gameOf(gameOfPaths("main.lua", "part/of.lua", "part")), clash)
  const project = () => new Project("r", "r", filesOf({ "main.lua": "", "part/of.lua": "" }))
  assert.throws(() => project().apply({ files: filesOf({ part: "" }), removed: [] }), clash)
  assert.throws(() => project().apply({ files: new Map(), removed: ["main.lua"] }), refused(/no main\.lua/))
  const cased = gameOfPaths("main.lua", "part/of.lua", "Part", "partition", "part/OF.lua")
  assert.deepEqual([...gameOf(cased).files], cased)
})

// }==

// {== What is kept =============================================================

test("data belongs to all that makes a game, and to no name", async () => {
  const game = { base: null, files: filesOf({ "main.lua": "", "a.lua": "" }), removed: [] }
  const mine = await originOf({ ...game, name: "a" })
  assert.equal(await originOf({ files: filesOf({ "a.lua": "", "main.lua": "" }), name: "b" }), mine, "in any order")
  const others = [
    { ...game, base: "shooter" },
    { ...game, removed: ["a"] },
    { ...game, files: filesOf({ "main.lua": "", "a.lua": "x" }) },
    { ...game, files: filesOf({ "main.lua": "", "b.lua": "" }) },
  ]
  assert.equal(new Set([mine, ...(await Promise.all(others.map(originOf)))]).size, others.length + 1)
})

test("links cannot fill the storage of a site's games: the one that was used longest ago makes room", () => {
  globalThis.localStorage = Object.create({
    getItem: (key) => localStorage[key] ?? null,
    setItem: (key, text) => (localStorage[key] = text),
    removeItem: (key) => delete localStorage[key],
  })
  const text = "x".repeat(1.4e6)
  for (const origin of ["shooter", "sha256:1", "sha256:2", "sha256:3"]) assert.ok(storeSaved(origin, text))
  const kept = ["shooter", "sha256:1", "sha256:2", "sha256:3"].map((origin) => savedOf(origin) === text)
  assert.deepEqual(kept, [true, false, true, true])
  assert.equal(storeSaved("sha256:4", "x".repeat(4e6)), false, "too much for one")
  assert.equal(storeSaved(null, "x"), false)
  delete globalThis.localStorage
})

// }==

// {== The editor and the keys ==================================================

test("a problem has its place and its hint", () => {
  const text = "warning: /games/rain/b.lua:1: bad\n  at b.lua:3\n  hint: did you mean 'good'?"
  const { kind, file, line, message } = parseProblem(text, "/games/rain")
  assert.deepEqual([kind, file, line, message], ["warning", "b.lua", 1, "bad (did you mean 'good'?)"])
})

const annotations = readAnnotations(`${root}lua/spawnpool`)

test("the editor completes what the annotations say", () => {
  const labels = (text) => (complete(text, annotations, ["Ball"])?.options ?? []).map((option) => option.label)
  for (const [text, words, none = []] of [
    ["pools:", ["alloc", "every"], ["time", "radius"]],
    ["pools.", ["time_scale"]],
    ['pools:pool("Ball"):', ["prewarm"]],
    ["function draw(g)\n  g:", ["circle"]],
    ['local spawnpool = require "spawnpool"\nspawnpool.', ["class", "input"]],
    ["local keys <const> = spawnpool.input\nkeys.", ["down", "axis"]],
    ["math.", ["floor"]],
    ["os.", [], ["execute"]],
    ["ball.", ["vx", "recycle"]],
    ['local Ball = spawnpool.class("Ball", {\n  pre', ["prealloc"]],
    ["loc", ["local"]],
    ['pools:alloc("', ["Ball"]],
    ["-- pools:", [], ["alloc"]],
    ["x = true", [], ["true"]], // Enter ends the line
  ]) {
    for (const word of words) assert.ok(labels(text).includes(word), `${text}: ${word}`)
    for (const word of none) assert.ok(!labels(text).includes(word), `${text}: ${word}`)
  }
})

test("touch keys are those that a game's Lua mentions, and the pad has eight directions", () => {
  for (const [text, arrows, ...keys] of [
    ['input.down("left", "a") if key == "1" then', true, "1", "a"],
    ['actions = {\n jump = { "x", "pad:a" }, y = "z" } input.pressed "c"', false, "x", "z", "c"],
    ['input.down("left", "w", "a", "s", "d")', true], // the pad has them
    ['input.axis("a", "d")', false],
  ])
    assert.deepEqual(keysIn([text]), { arrows, keys })
  const actions = 'actions = { left = { "left", "a" }, jump_up = { "up", "x", "pad:a" }, act = "x" } if key == "m" then'
  const buttons = [
    { key: "x", label: "jump up" },
    { key: "m", label: "m" },
  ]
  assert.deepEqual(buttonsIn([actions]), { arrows: true, buttons })
  for (const [dx, dy, ...names] of [[0.1, -0.1], [0.9, 0.1, "right"], [-0.7, -0.7, "left", "up"], [0, 0.5, "down"]])
    assert.deepEqual(directions(dx, dy), names)
})

// }==
