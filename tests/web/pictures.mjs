// Every game in the browser shows what the desktop player shows at the same time, with the same seed. The test moves
// the clock of the page, so that each frame has one step. Text is hinted and sprites are filtered in another way there,
// so areas are compared, not pixels.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, test } from "node:test"

import { GAMES, ROOT, SHOTS, useBrowser } from "./browser.mjs"

const FRAME = 60,
  WIDTH = 640,
  HEIGHT = 480,
  CELL = 16 // pixels: the side of an area
const MEASURES = ["search_vs_queue"] // its bars are times
const PLAYER = `${ROOT}build/spawnpool`
const only = existsSync(PLAYER) ? {} : { skip: "build/spawnpool is not built" }

const browser = useBrowser({ before, after })
const scratch = mkdtempSync(join(tmpdir(), "spawnpool-web-"))
after(() => rmSync(scratch, { recursive: true }))

const pageOf = (width, height) => `<!doctype html><style>body { margin: 0 } canvas { width: ${width}px;
height: ${height}px }</style><canvas id="canvas" width="${width}" height="${height}"></canvas>`

/** In the page: time stands still until the test moves it. */
function holdTime() {
  globalThis.time = 1000
  performance.now = () => globalThis.time
}

/** In the page: plays so many frames; returns the last one as a PNG. */
async function playFrames(files, name, frames, size) {
  const player = await import("/instance.js")
  const reports = []
  const onReport = ({ kind, text }) => kind === "error" && reports.push(text)
  const canvas = document.querySelector("canvas")
  await player.open({ canvas, onReport })
  for (const [path, content] of Object.entries(files)) {
    const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0))
    player.write(`/games/${name}/${path}`, bytes)
  }
  await player.play(`/games/${name}`, ["--seed", "7", "--size", size])
  let picture = null
  while (player.figure("frame") < frames && player.frame()) { // the first one is due at once
    globalThis.time += 1000 / 60 + 1e-6
    picture = player.figure("frame") === frames ? canvas.toDataURL() : null
  }
  const steps = player.figure("steps")
  player.end()
  return { picture, steps, reports }
}

/** In the page: how much the areas of two pictures differ, of 255; how much those of one differ; how well one tells the
    other: 1 is exactly. */
async function compareAreas(one, other, width, height, cell) {
  const areas = async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    const context = new OffscreenCanvas(width, height).getContext("2d")
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    const sums = new Float64Array((width / cell) * (height / cell) * 3)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let c = 0; c < 3; c++)
          sums[(((y / cell) | 0) * (width / cell) + ((x / cell) | 0)) * 3 + c] += data[(y * width + x) * 4 + c]
    return { size: [image.width, image.height], sums: sums.map((sum) => sum / (cell * cell)) }
  }
  const likeness = (x, y) => {
    const middle = (list) => list.reduce((sum, value) => sum + value, 0) / list.length
    const mx = middle(x),
      my = middle(y)
    const product = (f) => x.reduce((sum, _, i) => sum + f(i), 0)
    const xy = product((i) => (x[i] - mx) * (y[i] - my))
    return xy / Math.sqrt(product((i) => (x[i] - mx) ** 2) * product((i) => (y[i] - my) ** 2))
  }
  const a = await areas(one),
    b = await areas(other)
  const differences = [...a.sums].map((value, i) => Math.abs(value - b.sums[i]))
  const mean = a.sums.reduce((sum, value) => sum + value, 0) / a.sums.length
  return {
    sizes: [a.size, b.size],
    mean: differences.reduce((sum, value) => sum + value, 0) / differences.length,
    spread: Math.sqrt(a.sums.reduce((sum, value) => sum + (value - mean) ** 2, 0) / a.sums.length),
    likeness: likeness([...a.sums], [...b.sums]),
  }
}

function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name)
      return [path.slice(folder.length + 1), readFileSync(path).toString("base64")]
    }),
  )
}

/** The picture of a game of this folder in the desktop player. */
function screenshot(folder, name, frames, size) {
  const shot = join(scratch, name)
  const args = ["--headless", "--seed", "7", "--size", size, "--screenshot", `${shot}@${frames}`]
  execFileSync(PLAYER, [...args, "--frames", String(frames), folder], { stdio: "ignore" })
  return readFileSync(shot)
}

/** Plays a game of this folder in a page and in the desktop player; returns the visit, and both pictures as URLs. */
async function playBoth(game, folder, frames, width, height) {
  const visit = await browser.visit({ before: holdTime, width: WIDTH, height: HEIGHT })
  await visit.openOwn(pageOf(width, height))
  const size = `${width}x${height}`
  const { picture, steps, reports } = await visit.page.evaluate(playFrames, filesOf(folder), game, frames, size)
  assert.deepEqual(reports, [])
  assert.equal(steps, frames, "one step a frame")

  const desktop = screenshot(folder, `${game}.png`, frames, size)
  mkdirSync(SHOTS, { recursive: true })
  writeFileSync(join(SHOTS, `picture-${game}.png`), Buffer.from(picture.split(",")[1], "base64"))
  writeFileSync(join(SHOTS, `picture-${game}-desktop.png`), desktop)
  return { visit, picture, desktop: `data:image/png;base64,${desktop.toString("base64")}` }
}

for (const game of GAMES) {
  test(`${game} looks as on the desktop`, only, async () => {
    const { visit, picture, desktop } = await playBoth(game, `${ROOT}scripts/${game}`, FRAME, WIDTH, HEIGHT)
    const found = await visit.page.evaluate(compareAreas, desktop, picture, WIDTH, HEIGHT, CELL)
    assert.deepEqual(found.sizes[0], found.sizes[1])
    assert.ok(found.spread > 3, "there is something to see")
    assert.ok(found.likeness > (MEASURES.includes(game) ? 0.6 : 0.98) && found.mean < 8, JSON.stringify(found))
    await visit.close()
  })
}

// Upright strokes, an outline and mirrored sprites; in the right half slanted strokes and a ring.
const SHAPES = `return { width = 100, height = 60, filter = "nearest", draw = function(g)
  g:color(0, 0, 0) g:rect(0, 0, 100, 60) g:color(1, 1, 1)
  g:line(3, 3, 3, 50) g:line(6, 5, 6, 40, 3) g:line(10, 7, 44, 7) g:rect(11, 13, 17, 31, "line")
  g:sprite("upper", 40, 25, 0, -1.25, 1.25) g:sprite("two", 40, 50, 0, 1.25, -1.25, 2)
  g:line(52, 4, 97, 22) g:line(55, 50, 70, 20, 4) g:circle(83, 42, 13, "line")
end }`

// The picture "upper" is red and green; the second frame of "two" is blue and white, over yellow and magenta.
const PAINTING = `return { width = 4, height = 2, draw = function(g)
  for i, color in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 }, { 0, 0, 0 }, { 0, 0, 0 }, { 1, 1, 0 },
    { 1, 0, 1 } } do
    g:color(table.unpack(color)) g:rect((i - 1) % 4, (i - 1) // 4, 1, 1)
  end
end }`
const FRAMES = { two: [0, 2], upper: [0] }

function makeShapes() {
  const folder = join(scratch, "shapes"),
    painting = join(scratch, "painting")
  mkdirSync(join(folder, "sprites"), { recursive: true })
  mkdirSync(painting, { recursive: true })
  writeFileSync(join(folder, "main.lua"), SHAPES)
  writeFileSync(join(painting, "main.lua"), PAINTING)
  for (const [name, places] of Object.entries(FRAMES)) {
    const frames = places.map((x) => ({ frame: { x, y: 0, w: 2, h: name === "two" ? 2 : 1 } }))
    writeFileSync(join(folder, `sprites/${name}.png`), screenshot(painting, "painting.png", 2, "4x2"))
    writeFileSync(join(folder, `sprites/${name}.json`), JSON.stringify({ frames }))
  }
  return folder
}

/** In the page: how much two pictures differ between two columns: at most, and on average where one is not black. */
async function comparePixels(one, other, from, to) {
  const pixels = async (url) => {
    const image = new Image()
    image.src = url
    await image.decode()
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d")
    context.drawImage(image, 0, 0)
    return context.getImageData(from, 0, to - from, image.height).data
  }
  const a = await pixels(one),
    b = await pixels(other)
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

for (const scale of [0.3, 0.5, 1, 2]) {
  test(`strokes, mirrored and nearest sprites at ${scale} are the same pixels as on the desktop`, only, async () => {
    const width = 100 * scale,
      height = 60 * scale
    const { visit, picture, desktop } = await playBoth(`shapes-${scale}`, makeShapes(), 5, width, height)
    const upright = await visit.page.evaluate(comparePixels, desktop, picture, 0, width / 2)
    assert.ok(upright.count > 600 * scale ** 2 && upright.most <= 1, JSON.stringify(upright))
    const slanted = await visit.page.evaluate(comparePixels, desktop, picture, width / 2, width)
    assert.ok(slanted.count > 30 && slanted.most < 128 && slanted.mean < 16, JSON.stringify(slanted))
    await visit.close()
  })
}
