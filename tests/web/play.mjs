// The page in a browser: games play, sizes, the timeline, keys and fingers, sound, and what a stranger's page shows.
import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { brotliCompressSync } from "node:zlib"

import { writeZip } from "../../demo/web/page/src/archive.js"
import { bytes, GAMES, QUIET, ROOT, SITE, until, useBrowser } from "./browser.mjs"

const { browser, visiting, playing } = useBrowser()

playing("games open from the list, and play", "", async (visit) => {
  const hashes = await visit.page.$$eval("#game-list a", (links) => links.map(({ hash }) => hash)),
    listed = hashes.map((hash) => hash.slice("#game=".length))
  assert.deepEqual([...listed].sort(), [...GAMES].sort())
  for (const game of listed.slice(0, 2)) {
    await visit.page.click("#pick")
    await visit.playsAfter(() => visit.page.click(`#game-list [href="#game=${game}"]`))
    assert.equal(await visit.text("#pick-name"), game)
    await visit.grows()
    assert.equal(await visit.stretch(), 0, "a pixel of the game is a pixel of the screen")
  }
  await visit.page.goBack()
  await until("the game before", async () => (await visit.text("#pick-name")) === listed[0])
  await visit.playsAfter(() => visit.page.click("#new"))
  assert.match(await visit.code(), /A new game/)
  assert.equal(await visit.page.evaluate(async () => (await fetch("docs/guide.html")).status), 200)
})

visiting("the first load is small", async (visit) => {
  browser.requests = []
  await (await visit.open()).plays()
  await visit.content
  await until("all that comes later", () => browser.requests.some((path) => /part-/.test(path)))
  const paths = [...new Set(browser.requests)].map((path) => SITE + (path === "/" ? "/index.html" : path))
  const size = (path) => (path.endsWith(".zip") ? readFileSync(path) : brotliCompressSync(readFileSync(path))).length
  const all = paths.filter((path) => existsSync(path)).reduce((sum, path) => sum + size(path), 0)
  assert.ok(all > 100e3 && all <= 900e3, `the first load has ${all} bytes, and 900000 are the limit`)
})

const BALLS = `${QUIET}n, given = 0, {}
function game.update()
  n = n + 1
  if n % 30 == 0 then last = spawnpool.pools:alloc("Ball", 0, n, 5) end
end
return game
`

const timeline = async (visit) => {
  const state = async () => {
    const [n, live, x, given] = (await visit.lua(
      "n, require('spawnpool').pools:stats().live, last and last.x // 1 or 0, table.concat(given, ' ')",
    )).split("\t")
    assert.deepEqual([Number(live), Number(x)], [Math.floor(n / 30), Math.floor(n / 30) * 30], `at ${n}`)
    return { n: Number(n), given: given.split(" ").map(Number) }
  }
  while ((await visit.number("n")) < 240) await visit.lua("(function() given[#given + 1] = n return 1 end)()")
  const before = await visit.pixels()
  await visit.page.click('[data-key="f10"]')
  await visit.rests("n")
  await until("the timeline is seen", async () => (await visit.difference(before)) > 100)
  const present = await state()
  assert.equal(await visit.number("(function() n = n + 1000 return n end)()"), present.n + 1000)
  assert.deepEqual(await state(), present, "the console changes nothing while the timeline is open")
  await visit.focusGame()
  await visit.page.keyboard.press("ArrowLeft")
  await visit.rests("n", present.n)
  const past = await state()
  assert.deepEqual(past.given, present.given.slice(0, past.given.length), "the console said the same then")
  await visit.page.click('[data-key="f10"]')
  await visit.grows("n")
  assert.deepEqual((await state()).given, past.given, "what came later is forgotten")
}
playing("the timeline goes back, and the game goes on with the objects of then", BALLS, timeline, { firefox: true })

const READS_TAB = 'function game.key_pressed(key) if key == "tab" then print("tabbed") end end\n'
for (const [name, main, reached] of [
  ["Tab leads through the game to the editor", QUIET, "f6"],
  ["a game that reads Tab gets it", QUIET + READS_TAB, "screen"],
])
  playing(name, `${main}return game`, async (visit) => {
    await visit.focusGame()
    await visit.page.keyboard.press("Tab")
    const at = () => visit.page.evaluate(() => document.activeElement.dataset.key ?? document.activeElement.id)
    assert.equal(await at(), reached)
    if (reached === "f6") return
    await until("the game has it", async () => /tabbed/.test(await visit.text("#log")))
    await visit.chord("Shift", "Tab")
    assert.equal(await at(), "share")
  })

const WIDE = `${QUIET}function game.resized(w) wide = w end\nreturn game`

playing("the game follows the size of the page", WIDE, async (visit) => {
  for (const [width, height] of [
    [1100, 700],
    [500, 900],
  ]) {
    await visit.page.setViewport({ width, height })
    const wide = await (await visit.player).evaluate(() => document.getElementById("canvas").clientWidth)
    await until(`a view of ${wide} points`, async () => (await visit.number("wide or 0")) === wide)
    assert.equal(await visit.stretch(), 0)
    assert.ok(await visit.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out")
  }
})

const fingers = async (visit) => {
  const held = () => visit.lua("require('spawnpool').input.down('right'), require('spawnpool').input.down('space')")
  const box = async (selector) => (await visit.page.$(selector)).boundingBox()
  const pad = await box(".pad"),
    space = await box("[data-name='space']"),
    screen = await box("#screen"),
    touch = visit.page.touchscreen
  const finger = await touch.touchStart(pad.x + pad.width * 0.9, pad.y + pad.height / 2)
  await until("right is held", async () => (await held()) === "true\tfalse")
  const second = await touch.touchStart(space.x + space.width / 2, space.y + space.height / 2)
  await until("both are held", async () => (await held()) === "true\ttrue")
  await second.end()
  await finger.end()
  await until("nothing is held", async () => (await held()) === "false\tfalse")
  await touch.tap(screen.x + 100, screen.y + 120)
  await until("the mouse is there", async () =>
    /^(99|100|101)\t(119|120|121)\b/.test(await visit.lua("require('spawnpool').input.mouse()")),
  )
  await visit.shot("phone")
}
playing("fingers press keys, and touch the game", "#game=shooter", fingers, { touch: true, width: 390, height: 844 })

// {== Sound ====================================================================

/** In the page: notes what may sound. */
function noteContexts() {
  globalThis.contexts = []
  globalThis.AudioContext = class extends AudioContext {
    constructor(...args) {
      super(...args)
      globalThis.contexts.push(this)
    }
  }
}

const click = async (visit) => {
  await visit.open("#game=shooter")
  // What puppeteer evaluates counts as a click, in the page as in the frame.
  const evaluate = async (frame, expression) =>
    (await frame.client.send("Runtime.evaluate", { expression, returnByValue: true })).result.value
  await until("the first frame", () => evaluate(visit.page.mainFrame(), "document.body.dataset.frame"))
  const player = await visit.player
  const ask = (expression) => evaluate(player, expression)
  const states = () => ask('globalThis.contexts?.map(({ state }) => state).join(" ")'),
    isMarked = () => ask('!document.getElementById("sound").hidden')
  await until("a device that waits", async () => (await states()) === "suspended")
  await until("a word", isMarked)
  await visit.page.mouse.click(200, 200)
  await until("sound", async () => (await states()) === "running")
  await until("no word", async () => !(await isMarked()))
}
visiting("no sound before a click, and then there is", click, { before: noteContexts })

/** In the page: no worklet, which a plain http server has not, and no deprecated node; what is played is noted. */
function noteBuffers() {
  delete BaseAudioContext.prototype.audioWorklet
  delete BaseAudioContext.prototype.createScriptProcessor
  globalThis.buffers = []
  const { start } = AudioBufferSourceNode.prototype
  AudioBufferSourceNode.prototype.start = function (when) {
    const { duration } = this.buffer
    const peak = Math.max(...this.buffer.getChannelData(0))
    globalThis.buffers.push({ when, duration, peak, now: this.context.currentTime })
    return start.call(this, when)
  }
}

const hear = async (visit) => {
  const main = `${QUIET}function game.load() spawnpool.audio.play("boom", { loop = true }) end\nreturn game`
  const boom = readFileSync(`${ROOT}scripts/shooter/sounds/boom.wav`)
  const files = new Map([
    ["main.lua", bytes(main)],
    ["sounds/boom.wav", new Uint8Array(boom)],
  ])
  await visit.playsAfter(() => visit.drop(writeZip("boom", files), "boom.zip"))
  await visit.page.mouse.click(200, 200)
  const player = await visit.player
  const sounding = () => player.evaluate(() => globalThis.buffers.filter(({ peak }) => peak > 0))
  await until("two seconds of sound", async () => (await sounding()).length > 100)
  const played = await sounding()
  const pairs = played.slice(1).map((buffer, i) => ({ ...buffer, end: played[i].when + played[i].duration }))
  const inTime = pairs.filter(({ now, end }) => now <= end) // a busy machine gives the page no turn in time
  const gaps = inTime.filter(({ when, end }) => when > end + 1e-6)
  assert.ok(inTime.length > pairs.length / 2, `${inTime.length} of ${pairs.length} buffers in time`)
  assert.equal(gaps.length, 0, `${gaps.length} gaps in ${inTime.length} buffers`)
}
playing("sound has no gaps, and needs no worklet", "#game=cubes", hear, { before: noteBuffers })

// }==
