// What the page and the player of this system must have in common: pictures, packed games, bug files.
import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

import { readZip } from "../../demo/web/page/src/archive.js"
import { GAMES, ROOT, scratchFolder, SITE, until, useBrowser } from "./browser.mjs"

const PLAYER = `${ROOT}build/spawnpool`
const PAGE = `${ROOT}demo/web/page`
const { build } = createRequire(`${PAGE}/`)("esbuild")
const scratch = scratchFolder(`${SITE}-desktop-`)
cpSync(SITE, scratch, { recursive: true })
const { browser, visiting, playing } = useBrowser({ site: scratch })

const run = (...words) => execFileSync(PLAYER, words, { encoding: "utf8", stdio: "pipe" })

/** Makes a game of these texts; returns its folder. */
function makeGame(name, texts) {
  const folder = join(scratch, "made", name)
  mkdirSync(join(folder, "sprites"), { recursive: true })
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(folder, path), text)
  return folder
}

/** The files of a folder, as [path, base64]. */
const contentOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => [path.slice(folder.length + 1), readFileSync(path).toString("base64")])

// {== Pictures =================================================================

/** In the page: time stands still until the test moves it, so that each frame has one step. */
function holdTime() {
  globalThis.time = 1000
  performance.now = () => globalThis.time
}

/** In the page: plays so many frames; returns the last one as a PNG, and what went wrong. */
async function playFrames(files, frames, size) {
  const player = await import("/instance.js")
  const reports = []
  const onReport = ({ kind, text }) => kind === "error" && reports.push(text)
  const canvas = document.querySelector("canvas")
  await player.open({ canvas, onReport })
  for (const [path, content] of files)
    player.write(`/games/it/${path}`, Uint8Array.from(atob(content), (c) => c.charCodeAt(0)))
  await player.play("/games/it", ["--seed", "7", "--size", size])
  let picture = null
  while (player.figure("frame") < frames && player.frame()) {
    globalThis.time += 1000 / 60 + 1e-6
    picture = player.figure("frame") === frames ? canvas.toDataURL() : null
  }
  player.end()
  return { picture, reports }
}

/** In the page: by how much two pictures differ between two columns, of 255, when squares of `cell` pixels are one
    point: at most, and on average where one is not black; and how many points those are. */
async function compare(one, other, from, to, cell) {
  const points = async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    const [width, height] = [(to - from) / cell, image.height / cell]
    const context = new OffscreenCanvas(width, height).getContext("2d")
    context.imageSmoothingQuality = "high"
    context.drawImage(image, from, 0, to - from, image.height, 0, 0, width, height)
    return context.getImageData(0, 0, width, height).data
  }
  const a = await points(one),
    b = await points(other)
  let most = 0,
    sum = 0,
    count = 0
  for (let i = 0; i < a.length; i += 4) {
    const step = Math.max(...[0, 1, 2].map((c) => Math.abs(a[i + c] - b[i + c])))
    most = Math.max(most, step)
    sum += step
    count += a[i] | a[i + 1] | a[i + 2] | b[i] | b[i + 1] | b[i + 2] ? 1 : 0
  }
  return { most, mean: sum / count, count }
}

/** The picture of a game in the desktop player. */
function screenshot(folder, frames, size) {
  const path = join(scratch, "shot.png")
  const shot = ["--headless", "--seed", "7", "--size", size, "--screenshot", `${path}@${frames}`]
  run(...shot, "--frames", String(frames), folder)
  return readFileSync(path)
}

/** Plays a game in a page and in the desktop player. Returns compare(from, to, cell). */
async function playBoth(visit, folder, frames, [width, height]) {
  const size = `${width}x${height}`
  const style = `width: ${width}px; height: ${height}px` // fractions too
  await visit.openOwn(`<!doctype html><style>body { margin: 0 } canvas { ${style} }</style>
    <canvas id="canvas" width="${width}" height="${height}"></canvas>`)
  const { picture, reports } = await visit.page.evaluate(playFrames, contentOf(folder), frames, size)
  assert.deepEqual(reports, [])
  const desktop = `data:image/png;base64,${screenshot(folder, frames, size).toString("base64")}`
  return (...area) => visit.page.evaluate(compare, desktop, picture, ...area)
}

// Text is hinted and sprites are filtered in another way there, so areas of games are compared, not pixels.
const MEASURES = ["search_vs_queue", "storm"] // they show times
for (const game of GAMES.filter((name) => !MEASURES.includes(name)))
  visiting(
    `${game} looks as on the desktop`,
    async (visit) => {
      const differ = await playBoth(visit, `${ROOT}scripts/${game}`, 60, [640, 480])
      const found = await differ(0, 640, 16)
      assert.ok(found.count > 100 && found.mean < 16 && found.most < 80, JSON.stringify(found))
    },
    { before: holdTime },
  )

// Upright strokes, an outline and mirrored sprites; in the right half slanted strokes and a ring.
const SHAPES = `return { width = 100, height = 60, filter = "nearest", draw = function(g)
  g:color(0, 0, 0) g:rect(0, 0, 100, 60) g:color(1, 1, 1)
  g:line(3, 3, 3, 50) g:line(6, 5, 6, 40, 3) g:line(10, 7, 44, 7) g:rect(11, 13, 17, 31, "line")
  g:sprite("upper", 40, 25, 0, -1.25, 1.25) g:sprite("two", 40, 50, 0, 1.25, -1.25, 2)
  g:line(52, 4, 97, 22) g:line(55, 50, 70, 20, 4) g:circle(83, 42, 13, "line")
end }`

// The sprite "upper" is red and green; the second frame of "two" is blue and white, over yellow and magenta.
const PAINTING = `return { width = 4, height = 2, draw = function(g)
  for i, color in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 }, { 0, 0, 0 }, { 0, 0, 0 }, { 1, 1, 0 },
    { 1, 0, 1 } } do
    g:color(table.unpack(color)) g:rect((i - 1) % 4, (i - 1) // 4, 1, 1)
  end
end }`

for (const scale of [0.3, 2])
  visiting(
    `strokes, mirrored and nearest sprites at ${scale} are the same pixels as on the desktop`,
    async (visit) => {
      const width = 100 * scale
      const picture = screenshot(makeGame("painting", { "main.lua": PAINTING }), 2, "4x2")
      const sheet = (h, ...places) => JSON.stringify({ frames: places.map((x) => ({ frame: { x, y: 0, w: 2, h } })) })
      const folder = makeGame("shapes", {
        "main.lua": SHAPES,
        "sprites/upper.png": picture,
        "sprites/upper.json": sheet(1, 0),
        "sprites/two.png": picture,
        "sprites/two.json": sheet(2, 0, 2),
      })
      const differ = await playBoth(visit, folder, 5, [width, 60 * scale])
      const upright = await differ(0, width / 2, 1)
      assert.ok(upright.count > 600 * scale ** 2 && upright.most <= 1, JSON.stringify(upright))
      const slanted = await differ(width / 2, width, 1)
      assert.ok(slanted.count > 30 && slanted.most < 128 && slanted.mean < 16, JSON.stringify(slanted))
    },
    { before: holdTime },
  )

// }==

// {== Packed games =============================================================

/** Packs a game for the web, and unpacks its page. */
function pack(path, name) {
  run("pack", "--for", "web", "--out", scratch, path)
  execFileSync("unzip", ["-q", join(scratch, `${name}-web.zip`), "-d", join(scratch, name)])
}

const FRAMES = 600
const SLOW = { search_vs_queue: 120 } // frames of a game that computes as much as it can in each

// A worker plays a recording without drawing. The files of the game and the player are those of the package.
const WORKER = `import { readZip } from "./archive.js"
onmessage = async ({ data: { name, recording, frames } }) => {
  const player = await import("./" + name + "/instance.js")
  await player.open()
  const zip = await (await fetch(name + "/game.zip")).arrayBuffer()
  for (const [path, bytes] of readZip(new Uint8Array(zip)).files) player.write("/games/" + name + "/" + path, bytes)
  for (const font of ["DejaVuSans.ttf", "DejaVuSansMono.ttf"]) { // a game may measure text
    const bytes = await (await fetch(name + "/fonts/" + font)).arrayBuffer()
    player.write("/usr/share/fonts/truetype/dejavu/" + font, new Uint8Array(bytes))
  }
  player.write("/recording.input", recording)
  const more = String(frames + 1) // the last hash is compared then
  await player.play("/games/" + name, ["--headless", "--replay", "/recording.input", "--frames", more])
  let seen
  do seen = ["frame", "hashes", "differing"].map(player.figure)
  while (player.frame())
  postMessage(seen)
}`

/** In the page: returns the last frame, how many hashes were compared until then, and how many differed. */
const playRecording = (message) =>
  new Promise((done, failed) => {
    const worker = new Worker("recording.js", { type: "module" })
    worker.onmessage = ({ data }) => done(data)
    worker.onerror = (event) => failed(new Error(event.message))
    worker.postMessage(message)
  })

visiting("packed games compute what they do on the desktop, for 600 frames of a recording", async (visit) => {
  writeFileSync(join(scratch, "recording.js"), WORKER)
  writeFileSync(join(scratch, "empty.html"), '<!doctype html><link rel="icon" href="data:,">')
  await build({ entryPoints: [`${PAGE}/src/archive.js`], bundle: true, format: "esm", outdir: scratch })
  await visit.open("empty.html")
  const games = [...GAMES]
  const playSome = async () => {
    for (let name = games.pop(); name; name = games.pop()) {
      const path = `${ROOT}scripts/${name}`
      const [first] = readdirSync(`${path}/recordings`).sort()
      pack(path, name)
      cpSync(`${PAGE}/src/instance.js`, join(scratch, name, "instance.js"))
      const recording = readFileSync(`${path}/recordings/${first}`, "utf8"),
        frames = SLOW[name] ?? FRAMES
      const seen = await visit.page.evaluate(playRecording, { name, recording, frames })
      const [frame, hashes, differing] = seen
      assert.ok(frame >= frames && hashes >= frames / 60 && differing === 0, `${name}: ${seen}`)
    }
  }
  await Promise.all([playSome(), playSome()]) // two at a time
})

visiting("a packed game plays alone on its page", async (visit) => {
  pack(`${ROOT}demo/newgame`, "newgame")
  await visit.open("newgame/index.html")
  await until("the game", () => visit.page.$eval("#wait", (element) => element.hidden))
  const first = await visit.pixels("#canvas")
  assert.ok(new Set(first).size > 20, `${new Set(first).size} colours`)
  await until("something moves", async () => (await visit.difference(first, "#canvas")) > 0)
  assert.equal(await visit.shown("#trouble"), false, await visit.text("#trouble"))
})

// }==

// {== Bug files ================================================================

// The order of keys, clocks, random seeds and the size of the heap decide where the dots are.
const BUG = `local spawnpool <const> = require "spawnpool"
local names, frame = {}, 0
for i = 1, 60 do names["key" .. i * 7919 % 1009] = i end
math.randomseed()
spawnpool.class("Dot", { fields = { n = "" }, limit = 500, overflow = "oldest" })
local function dot(x, y, n) spawnpool.pools:alloc("Dot", 2, x, y).n = n end
return { update = function()
  frame = frame + 1
  for name, i in pairs(names) do if i % 60 == frame % 60 then dot(math.random(), os.clock(), name) end end
  dot(os.time() % 1000, collectgarbage "count", tostring(names))
  END
end, key_pressed = function(key) dot(1, 1, key) end }`

const zipIn = (folder) => join(folder, readdirSync(folder).find((name) => name.endsWith(".zip")))

/** In the page: plays files until the timeline opens; returns what was compared. */
async function playBug(files) {
  const player = await import("/instance.js")
  await player.open({ canvas: document.querySelector("canvas") })
  for (const [path, content] of files)
    player.write(`/games/bug/${path}`, Uint8Array.from(atob(content), (c) => c.charCodeAt(0)))
  await player.play("/games/bug", ["--memory", "256"])
  while (player.figure("timeline") === 0 && player.frame()) await new Promise((done) => setTimeout(done))
  return ["timeline", "hashes", "differing"].map(player.figure)
}

visiting("a bug file of the desktop ends in the same state on the page", async (visit) => {
  const folder = makeGame("late", { "main.lua": BUG.replace("END", 'if frame == 400 then error "late" end') })
  const stored = join(scratch, "stored")
  const env = { ...process.env, XDG_DATA_HOME: stored }
  assert.equal(spawnSync(PLAYER, ["--headless", "--release", folder], { env }).status, 1)
  const zip = zipIn(join(stored, "spawnpool", readdirSync(join(stored, "spawnpool"))[0]))
  const files = [...readZip(new Uint8Array(readFileSync(zip))).files]
  await visit.openOwn('<!doctype html><canvas id="canvas" width="800" height="600"></canvas>')
  const contents = files.map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")])
  assert.deepEqual(await visit.page.evaluate(playBug, contents), [1, 1, 0], "the timeline is open; a hash, the same")
  visit.errors = [] // the error of the game

  const other = await browser.play("")
  const input = await other.page.$("#file-input")
  await other.playsAfter(() => input.uploadFile(zip))
  await until("the error at its end", async () => (await other.text("#log")).includes("late"))
  await other.close()
})

playing("a bug file of the page ends in the same state on the desktop", BUG.replace("END", ""), async (visit) => {
  const folder = makeGame("saved", {})
  await until("two seconds", async () => (await visit.number("pools.time")) > 2)
  assert.match(await visit.download(folder, '[data-key="f9"]'), /^own-\d{14}\.zip$/)
  assert.match(await visit.sentence(), /is saved: the address, too, is a link to it/)
  const { status, stderr } = spawnSync(PLAYER, ["--headless", zipIn(folder)], { encoding: "utf8", timeout: 60000 })
  assert.match(stderr, /1 hash, all as recorded/)
  assert.equal(status, 0)
  const other = await browser.play(await visit.page.evaluate(() => location.hash))
  await other.close()
})

// }==
