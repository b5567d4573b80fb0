// What the page and the player of this system must have in common: pictures, states, packed games, bug files.
import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { readZip } from "../../demo/web/page/src/archive.js"
import { GAMES, ROOT, scratchFolder, SITE, until, useBrowser } from "./browser.mjs"

const PLAYER = `${ROOT}build/spawnpool`
const INSTANCE = `${ROOT}demo/web/page/src/instance.js`
const scratch = scratchFolder(`${SITE}-desktop-`)
cpSync(SITE, scratch, { recursive: true })
cpSync(INSTANCE, join(scratch, "instance.js"))
const { browser, visiting, playing } = useBrowser({ site: scratch })

const run = (...words) => execFileSync(PLAYER, words, { encoding: "utf8", stdio: "pipe" })

/** Makes a game of these texts and bytes; returns its folder. */
function makeGame(name, files) {
  const folder = join(scratch, "made", name)
  mkdirSync(join(folder, "sprites"), { recursive: true })
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content)
  return folder
}

/** Packs a game for the web, and unpacks its page; returns the files of the game. */
function pack(path, name) {
  run("pack", "--for", "web", "--out", scratch, path)
  execFileSync("unzip", ["-q", join(scratch, `${name}-web.zip`), "-d", join(scratch, name)])
  return filesOf(join(scratch, name, "game.zip"))
}

const filesOf = (zip) => Object.fromEntries(readZip(new Uint8Array(readFileSync(zip))).files)

const zipIn = (folder) => join(folder, readdirSync(folder).find((name) => name.endsWith(".zip")))

// {== What is played in a page =================================================

/** In the page: time stands still until the test moves it, so that each frame has one step. */
function holdTime() {
  globalThis.time = 1000
  performance.now = () => globalThis.time
}

/** In the page: plays files, as [path, base64], with words of the command line until a figure has some value, once for
    each of `runs`. Returns figures, errors, and the last frame as a PNG. */
async function playFiles({ at, files, runs }) {
  const player = await import(`${at}/instance.js`)
  let errors = []
  const onReports = (list) => errors.push(...list.filter(({ kind }) => kind === "error").map(({ text }) => text))
  const canvas = document.querySelector("canvas")
  await player.open({ canvas, onReports })
  for (const [path, content] of files)
    player.write(`/games/it/${path}`, Uint8Array.from(atob(content), (c) => c.charCodeAt(0)))
  const results = []
  for (const [name, value, ...words] of runs) {
    errors = []
    await player.play("/games/it", words)
    let figures, picture
    do {
      globalThis.time += 1000 / 60 + 1e-6
      picture = player.figure(name) === value && canvas.toDataURL()
      figures = ["hashes", "differing"].map(player.figure)
    } while (!picture && player.frame())
    player.end()
    results.push({ errors, picture, figures })
  }
  return results
}

/** Plays files of texts and bytes on a canvas of this size; `at`: the folder of the player, of a package. */
async function play(visit, [width, height], files, runs, at = "") {
  const style = `width: ${width}px; height: ${height}px`
  await visit.openOwn(`<!doctype html><style>body { margin: 0 } canvas { ${style} }</style>
    <canvas id="canvas" width="${width}" height="${height}"></canvas>`)
  const contents = Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")])
  return visit.page.evaluate(playFiles, { at, files: contents, runs })
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

/** A frame of a game in the desktop player. */
function screenshot(folder, frame, ...words) {
  const path = join(scratch, "shot.png")
  run("--headless", "--screenshot", `${path}@${frame}`, "--frames", String(frame), ...words, folder)
  return readFileSync(path)
}

const differ = (visit, shot, ...rest) =>
  visit.page.evaluate(compare, `data:image/png;base64,${shot.toString("base64")}`, ...rest)

// }==

// {== Games ====================================================================

const SEEN = ["--seed", "7", "--size", "640x480"]
const MEASURES = ["search_vs_queue", "storm"] // they compute as much as they can in each frame, and show times

// Text is hinted and sprites are filtered in another way there, so areas of games are compared, not pixels.
for (const name of GAMES)
  visiting(
    `${name}, packed, computes and looks as on the desktop`,
    async (visit) => {
      const folder = `${ROOT}scripts/${name}`,
        measures = MEASURES.includes(name),
        last = measures ? 120 : 600,
        path = join(folder, "recordings", readdirSync(`${folder}/recordings`).sort()[0]),
        files = { ...pack(folder, name), "it.input": readFileSync(path) }
      cpSync(INSTANCE, join(scratch, name, "instance.js"))
      const replay = ["frame", last, "--headless", "--replay", "/games/it/it.input"]
      const runs = measures ? [replay] : [replay, ["frame", 60, ...SEEN]]
      const [replayed, drawn] = await play(visit, [640, 480], files, runs, `/${name}`)
      const [hashes, differing] = replayed.figures
      assert.deepEqual(replayed.errors, [])
      assert.ok(replayed.picture && hashes >= last / 60 - 1 && differing === 0, `${hashes} hashes, ${differing} differ`)
      if (measures) return
      assert.deepEqual(drawn.errors, [])
      const found = await differ(visit, screenshot(folder, 60, ...SEEN), drawn.picture, 0, 640, 16)
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
      const [width, height] = [100 * scale, 60 * scale]
      const picture = screenshot(makeGame("painting", { "main.lua": PAINTING }), 2, "--size", "4x2")
      const sheet = (h, ...places) => JSON.stringify({ frames: places.map((x) => ({ frame: { x, y: 0, w: 2, h } })) })
      const files = {
        "main.lua": SHAPES,
        "sprites/upper.png": picture,
        "sprites/upper.json": sheet(1, 0),
        "sprites/two.png": picture,
        "sprites/two.json": sheet(2, 0, 2),
      }
      const size = ["--size", `${width}x${height}`]
      const [{ errors, picture: other }] = await play(visit, [width, height], files, [["frame", 5, ...size]])
      assert.deepEqual(errors, [])
      const shot = screenshot(makeGame("shapes", files), 5, ...size)
      const upright = await differ(visit, shot, other, 0, width / 2, 1)
      assert.ok(upright.count > 600 * scale ** 2 && upright.most <= 1, JSON.stringify(upright))
      const slanted = await differ(visit, shot, other, width / 2, width, 1)
      assert.ok(slanted.count > 30 && slanted.most < 128 && slanted.mean < 16, JSON.stringify(slanted))
    },
    { before: holdTime },
  )

visiting("a packed game plays alone on its page", async (visit) => {
  pack(`${ROOT}demo/newgame`, "newgame")
  await visit.open("newgame/index.html")
  await until("the game", () => visit.page.$eval("#wait", (element) => element.hidden))
  let first
  await until("many colours", async () => new Set((first = await visit.pixels("#canvas"))).size > 20)
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

visiting(
  "a bug file of the desktop ends in the same state on the page",
  async (visit) => {
    const folder = makeGame("late", { "main.lua": BUG.replace("END", 'if frame == 400 then error "late" end') })
    const stored = join(scratch, "stored")
    const env = { ...process.env, XDG_DATA_HOME: stored }
    assert.equal(spawnSync(PLAYER, ["--headless", "--release", folder], { env }).status, 1)
    const zip = zipIn(join(stored, "spawnpool", readdirSync(join(stored, "spawnpool"))[0]))
    const [seen] = await play(visit, [800, 600], filesOf(zip), [["timeline", 1, "--memory", "256"]])
    assert.ok(seen.picture, "the timeline is open")
    assert.deepEqual(seen.figures, [1, 0])
    visit.errors = [] // the error of the game

    const other = await browser.play("")
    const input = await other.page.$("#file-input")
    await other.playsAfter(() => input.uploadFile(zip))
    await until("the error at its end", async () => (await other.text("#log")).includes("late"))
    await other.close()
  },
  { before: holdTime },
)

playing("a bug file of the page ends in the same state on the desktop", BUG.replace("END", ""), async (visit) => {
  const folder = makeGame("saved", {})
  await until("two seconds", async () => (await visit.number("pools.time")) > 2)
  assert.match(await visit.download(folder, '[data-key="f9"]'), /^own-\d{14}\.zip$/)
  assert.match(await visit.sentence(), /is saved/)
  await visit.press("A link to it", "#toast")
  const link = await until("a link", () => visit.page.$eval("#link", ({ value }) => value))
  const { status, stderr } = spawnSync(PLAYER, ["--headless", zipIn(folder)], { encoding: "utf8", timeout: 60000 })
  assert.match(stderr, /1 hash, all as recorded/)
  assert.equal(status, 0)
  const other = await browser.play(new URL(link).hash)
  await other.close()
})

// }==
