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

const PAGE = `<!doctype html><style>body { margin: 0 } canvas { width: ${WIDTH}px; height: ${HEIGHT}px }</style>
<canvas id="canvas" width="${WIDTH}" height="${HEIGHT}"></canvas>`
const INSTANCE = readFileSync(`${ROOT}demo/web/page/src/instance.js`, "utf8")

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

for (const game of GAMES) {
  test(`${game} looks as on the desktop`, only, async () => {
    const visit = await browser.visit({ before: holdTime, width: WIDTH, height: HEIGHT })
    await visit.page.setRequestInterception(true)
    visit.page.on("request", (request) => {
      if (request.url().endsWith("/own.html")) request.respond({ contentType: "text/html", body: PAGE })
      else if (request.url().endsWith("/instance.js"))
        request.respond({ contentType: "text/javascript", body: INSTANCE })
      else if (request.url().endsWith("/favicon.ico")) request.respond({ status: 204 })
      else request.continue()
    })
    await visit.open("own.html")
    const files = filesOf(`${ROOT}scripts/${game}`),
      size = `${WIDTH}x${HEIGHT}`
    const { picture, steps, reports } = await visit.page.evaluate(playFrames, files, game, FRAME, size)
    assert.deepEqual(reports, [])
    assert.equal(steps, FRAME, "one step a frame")

    const shot = join(scratch, `${game}.png`)
    const args = ["--headless", "--seed", "7", "--size", size, "--screenshot", `${shot}@${FRAME}`]
    execFileSync(PLAYER, [...args, "--frames", String(FRAME), `${ROOT}scripts/${game}`], { stdio: "ignore" })
    const desktop = readFileSync(shot)
    mkdirSync(SHOTS, { recursive: true })
    writeFileSync(join(SHOTS, `picture-${game}.png`), Buffer.from(picture.split(",")[1], "base64"))
    writeFileSync(join(SHOTS, `picture-${game}-desktop.png`), desktop)

    const url = `data:image/png;base64,${desktop.toString("base64")}`
    const found = await visit.page.evaluate(compareAreas, url, picture, WIDTH, HEIGHT, CELL)
    assert.deepEqual(found.sizes[0], found.sizes[1])
    assert.ok(found.spread > 3, "there is something to see")
    assert.ok(found.likeness > (MEASURES.includes(game) ? 0.6 : 0.98) && found.mean < 8, JSON.stringify(found))
    await visit.close()
  })
}
