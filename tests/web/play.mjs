// The page in a browser: every game plays, sizes, the tools, light and dark, touch.
import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { after, before, test } from "node:test"
import { brotliCompressSync } from "node:zlib"

import { difference, GAMES, linkOf, QUIET, SITE, sleep, until, useBrowser } from "./browser.mjs"

const browser = useBrowser({ before, after })

test("every game opens from the list, and plays", async () => {
  const visit = await browser.visit()
  await visit.open()
  await visit.plays()
  const hashes = await visit.page.$$eval("#game-list a", (links) => links.map(({ hash }) => hash)),
    listed = hashes.map((hash) => hash.slice("#game=".length))
  assert.deepEqual([...listed].sort(), [...GAMES].sort())
  for (const game of listed) {
    await visit.page.click("#pick")
    await visit.playsAfter(() => visit.page.click(`#game-list [href="#game=${game}"]`))
    assert.equal(await visit.text("#pick-name"), game)
    await until(`time passes in ${game}`, async () => Number(await visit.lua("require('spawnpool').pools.time")) > 0)
    assert.equal(await visit.stretch(), 0, "a pixel of the game is a pixel of the screen")
    assert.equal(await visit.shown("#problem"), false, await visit.text("#problem"))
  }
  await visit.page.goBack()
  await until("the game before", async () => (await visit.text("#pick-name")) === listed.at(-2))
  await visit.close()
})

test("the first load is small", async () => {
  browser.requests = []
  const visit = await browser.visit()
  await visit.open()
  await visit.plays()
  console.log(`first frame after ${await visit.page.evaluate(() => document.body.dataset.frame)} ms`)
  await until("the editor", () => visit.content)
  await sleep(500)
  const paths = [...new Set(browser.requests)].map((path) => (path === "/" ? "/index.html" : path))
  const size = (path) =>
    (path.endsWith(".zip") ? readFileSync(SITE + path) : brotliCompressSync(readFileSync(SITE + path))).length
  const sizes = paths.filter((path) => existsSync(SITE + path)).map((path) => [path, size(path)])
  const sum = (filter) => sizes.filter(([path]) => filter(path)).reduce((total, [, size]) => total + size, 0)
  const all = sum(() => true),
    program = sum((path) => /\.(html|css|js|mjs|wasm|svg)$/.test(path))
  const kb = (count) => `${Math.round(count / 1000)} KB`
  await visit.close()
  console.log(`first load ${kb(all)}, of which page, editor and WebAssembly ${kb(program)}`)
  console.log(
    sizes
      .sort((a, b) => b[1] - a[1])
      .slice(0, 8)
      .map(([path, size]) => `  ${size} ${path}`)
      .join("\n"),
  )
  assert.ok(all <= 900e3, `the first load has ${all} bytes, and 900000 are the limit`)
})

test("the player's tools open by their buttons", async () => {
  const visit = await browser.visit()
  await visit.open(await linkOf(`${QUIET}function game.key_pressed(key) print("pressed", key) end\nreturn game`))
  await visit.plays()
  let last = await visit.pixels()
  assert.equal(new Set(last).size, 1, "an empty game is a plain ground")
  for (const key of ["f2", "f3", "f10"]) {
    await visit.page.click(`[data-key="${key}"]`)
    await until(`a picture after ${key}`, async () => difference(last, await visit.pixels()) > 100)
    await visit.shot(`tool-${key}`)
    last = await visit.pixels()
  }
  await visit.close()
})

test("the timeline goes back, and the game goes on with the objects of then", async () => {
  const visit = await browser.visit()
  const main = `${QUIET}n, given = 0, {}
function game.update()
  n = n + 1
  if n % 30 == 0 then last = spawnpool.pools:alloc("Ball", 0, n, 5) end
end
return game
`
  await visit.open(await linkOf(main))
  await visit.plays()
  const state = async () => {
    const [n, live, x, given] = (await visit.lua(
      "n, require('spawnpool').pools:stats().live, last and last.x // 1 or 0, table.concat(given, ' ')",
    )).split("\t")
    assert.deepEqual([Number(live), Number(x)], [Math.floor(n / 30), Math.floor(n / 30) * 30], `at ${n}`)
    return { n: Number(n), given: given.split(" ").map(Number) }
  }
  while (Number(await visit.lua("n")) < 240) await visit.lua("(function() given[#given + 1] = n return 1 end)()")
  await visit.page.click('[data-key="f10"]')
  const settled = (than) =>
    until("it stands still", async () => {
      const now = await state()
      await sleep(150)
      return now.n < than && (await state()).n === now.n && now
    })
  const present = await settled(Infinity)
  assert.equal(await visit.lua("(function() n = n + 1000 return n end)()"), String(present.n + 1000))
  assert.deepEqual(await state(), present, "the console changes nothing while the timeline is open")
  await visit.shot("timeline")
  await (await visit.player).evaluate(() => document.getElementById("canvas").focus())
  let past = present
  for (let round = 0; round < 3; round++) {
    await visit.page.keyboard.press("ArrowLeft")
    if (round > 0) for (let i = 0; i < 17; i++) await visit.chord("Shift", "ArrowRight")
    past = await settled(past.n)
    assert.deepEqual(past.given, present.given.slice(0, past.given.length), "the console said the same then")
    assert.ok(past.given.at(-1) <= past.n && present.given[past.given.length] >= past.n, `at ${past.n}`)
  }
  await visit.page.click('[data-key="f10"]')
  const next = await until("it goes on", async () => {
    const now = await state()
    return now.n > past.n && now
  })
  assert.deepEqual(next.given, past.given, "what came later is forgotten")
  await visit.close()
})

test("Tab leads through the game to the editor, unless the game reads it", async () => {
  const visit = await browser.visit()
  const at = () => visit.page.evaluate(() => document.activeElement.dataset.key ?? document.activeElement.id)
  for (const [main, reached] of [
    [QUIET, true],
    [`${QUIET}function game.key_pressed(key) if key == "tab" then print("tabbed") end end\n`, false],
  ]) {
    await visit.open("?" + reached + (await linkOf(`${main}return game`)))
    await visit.plays()
    const tab = async () => {
      await (await visit.player).evaluate(() => document.getElementById("canvas").focus())
      await visit.page.keyboard.press("Tab")
      return at()
    }
    assert.equal(await tab(), reached ? "f6" : "screen")
    if (reached) {
      await visit.page.click('[data-key="f3"]')
      await until("the inspector, which reads it", async () => (await tab()) === "screen")
    } else {
      await until("the game has it", async () => /tabbed/.test(await visit.text("#log")))
      await visit.chord("Shift", "Tab")
      assert.equal(await at(), "share")
    }
  }
  assert.equal(await visit.lua("('x'):rep(1e6)").then((text) => text.length < 30000), true, "a long line is cut")
  await visit.close()
})

test("the game follows the size of the page", async () => {
  const visit = await browser.visit()
  await visit.open(await linkOf(`${QUIET}function game.resized(w) wide = w end\nreturn game`))
  await visit.plays()
  for (const [width, height] of [
    [1100, 700],
    [500, 900],
  ]) {
    await visit.page.setViewport({ width, height })
    const wide = await (await visit.player).evaluate(() => document.getElementById("canvas").clientWidth)
    await until(`a view of ${wide} points`, async () => Number(await visit.lua("wide or 0")) === wide)
    assert.equal(await visit.stretch(), 0)
    assert.ok(await visit.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out")
  }
  await visit.close()
})

test("the keyboard of a small phone leaves room for the code", async () => {
  const visit = await browser.visit({ touch: true, width: 360, height: 640 })
  await visit.open("#game=cubes")
  await visit.plays()
  await (await visit.content).tap()
  for (const height of [400, 330, 280]) {
    await visit.page.setViewport({ width: 360, height, hasTouch: true, isMobile: true })
    const { height: room } = await visit.page.$eval("#editor", (element) => element.getBoundingClientRect().toJSON())
    assert.ok(room > 110, `${room} points of ${height}`)
  }
  await visit.shot("phone-typing")
  await visit.close()
})

test("light and dark follow the system", async () => {
  const visit = await browser.visit(),
    ground = () => visit.page.$eval("body", (body) => getComputedStyle(body).backgroundColor)
  const grounds = []
  await visit.open("#game=cubes")
  for (const value of ["dark", "light", "dark"]) {
    await visit.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }])
    grounds.push(await ground())
  }
  assert.notEqual(grounds[0], grounds[1])
  assert.equal(grounds[0], grounds[2])
  await visit.close()
})

test("fingers press keys, and touch the game", async () => {
  const visit = await browser.visit({ touch: true, width: 390, height: 844 })
  await visit.open("#game=shooter")
  await visit.plays()
  const held = () => visit.lua("require('spawnpool').input.down('right'), require('spawnpool').input.down('space')")
  const pad = await (await visit.page.$(".pad")).boundingBox(),
    touch = visit.page.touchscreen
  const finger = await touch.touchStart(pad.x + pad.width * 0.9, pad.y + pad.height / 2)
  await until("right is held", async () => (await held()) === "true\tfalse")
  const space = await (await visit.page.$("[data-name='space']")).boundingBox()
  const second = await touch.touchStart(space.x + space.width / 2, space.y + space.height / 2)
  await until("both are held", async () => (await held()) === "true\ttrue")
  await second.end()
  await finger.end()
  await until("nothing is held", async () => (await held()) === "false\tfalse")
  const screen = await (await visit.page.$("#screen")).boundingBox()
  await touch.tap(screen.x + 100, screen.y + 120)
  await until("the mouse is there", async () =>
    /^(99|100|101)\t(119|120|121)\b/.test(await visit.lua("require('spawnpool').input.mouse()")),
  )
  await visit.shot("phone")
  await visit.close()
})
