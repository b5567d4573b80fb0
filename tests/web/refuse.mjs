// The page in a browser: what a browser lacks and bad input are sentences on the page, and nothing of a game gets out.
import assert from "node:assert/strict"

import { writeZip } from "../../demo/web/page/src/archive.js"
import { bytes, filesOf, linkOf, QUIET, until, useBrowser } from "./browser.mjs"

const { visiting, playing } = useBrowser()

const NO_WEBGL = /no WebGL.*load the page again/

for (const [name, sentence, before] of [
  ["no WebAssembly", /no WebAssembly/, () => delete globalThis.WebAssembly],
  ["no SIMD", /no WebAssembly with SIMD/, () => (WebAssembly.validate = () => false)],
  ["no WebGL", NO_WEBGL, () => (HTMLCanvasElement.prototype.getContext = () => null)],
])
  visiting(
    `${name} is told`,
    async (visit) => {
      await visit.open("#game=cubes")
      assert.match(await visit.sentence(), sentence)
      await visit.content
    },
    { before },
  )

for (const part of ["spawnpool.wasm", "fonts/DejaVuSans.ttf"])
  visiting(`a player without ${part} is told`, async (visit) => {
    await visit.page.setRequestInterception(true)
    visit.page.on("request", (request) =>
      request.url().endsWith(`/${part}`) ? request.respond({ status: 404 }) : request.continue(),
    )
    await visit.open("#game=cubes")
    assert.match(await visit.sentence(), /part of the player could not be loaded/)
    visit.forgive(/404|preload/)
  })

playing("a WebGL that is lost while a game plays is told", "#game=cubes", async (visit) => {
  await (await visit.player).evaluate(() => {
    document.getElementById("canvas").getContext("webgl").getExtension("WEBGL_lose_context").loseContext()
  })
  assert.match(await visit.sentence(), NO_WEBGL)
  visit.forgive(/lose_context|WebGL/i)
})

/** In the page: storage is refused. */
function refuseStorage() {
  Object.defineProperty(globalThis, "localStorage", {
    get() {
      throw new DOMException("refused", "SecurityError")
    },
  })
}

const withoutStorage = async (visit) => {
  await until("a sentence", async () => /stores no more/.test(await visit.text("#log")))
  const asks = () => visit.page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })))
  assert.equal(await asks(), false)
  await visit.typeFirst("x = 1\n")
  await visit.state("good")
  assert.equal(await asks(), true)
}
playing("refused storage is told, and the page asks before edits are lost", "#game=cubes", withoutStorage, {
  before: refuseStorage,
})

visiting("what a game stores is there again after an edit, and no game of the same name reaches it", async (visit) => {
  const best = () => visit.lua("require('spawnpool').storage.load('best')")
  const store = async (value) => {
    const all = () => visit.page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
    const before = await all()
    assert.match(await visit.lua(`require('spawnpool').storage.save('best', ${value})`), /^true/)
    await until("it is written", async () => (await all()) !== before)
  }
  const ways = ["#game=shooter", await linkOf(`${QUIET}return game`, "shooter")]
  const open = (way, i) => visit.playsAfter(() => visit.open(`?${i}${way}`)) // the page loads anew
  for (const [i, way] of ways.entries()) {
    await open(way, i)
    assert.match(await visit.text("#pick-name"), /^shooter/)
    assert.match(await best(), /^nil/)
    await store(70 + i)
  }
  for (const [i, way] of ways.entries()) {
    await open(way, i + 2)
    assert.equal(await best(), String(70 + i))
  }
  await visit.typeFirst("edited = 1\n")
  await visit.state("good")
  await visit.playsAfter(() => visit.page.click("#restart"))
  assert.equal(await visit.lua("edited, require('spawnpool').storage.load('best')"), "1\t71")
})

const GREEDY = `${QUIET}local t <const> = {}
function game.update() for i = 1, 40 do t[#t + 1] = ("x"):rep(1000000) .. #t end end
return game`

visiting("a game at the limit of its memory ends with a sentence, and the page lives", async (visit) => {
  await visit.open(GREEDY)
  await until("a sentence", async () => /memory/.test(await visit.text("#log")))
  await visit.playsAfter(() => visit.page.$eval(`#game-list [href="#game=cubes"]`, (link) => link.click()))
})

const whole = await linkOf(`${QUIET}return game`)
for (const [fragment, sentence] of [
  [whole.slice(0, -9), /broken/],
  ["#game=no_such", /no game/],
])
  visiting(`${fragment.slice(0, 12)}… is told, and the first game plays`, async (visit) => {
    await visit.open(fragment, { asks: true })
    assert.match(await visit.sentence(), sentence)
    await visit.plays()
    assert.equal(await visit.text("#pick-name"), "Examples")
    visit.forgive(/404/)
  })

playing("a file that is not UTF-8 is shown, and stays as it is", "#game=cubes", async (visit) => {
  const files = filesOf({ "main.lua": `${QUIET}word = require "word"\nreturn game` })
  files.set("word.lua", new Uint8Array([...bytes('return "caf'), 0xe9, ...bytes('"\n')]))
  await visit.playsAfter(() => visit.drop(writeZip("latin", files), "latin.zip"))
  await (await until("its row", () => visit.page.$('[data-path="word.lua"]'))).evaluate((row) => row.click())
  await until("a sentence", async () => /^word\.lua: not UTF-8/.test(await visit.text("#path")))
  await visit.typeFirst("x = 1\n")
  await visit.page.click("#restart")
  await visit.grows()
  assert.match(await visit.code(), /^return "caf/)
  assert.equal(await visit.number("#word"), 4)
})

playing("the policy of the page admits no foreign code", "#game=cubes", async (visit) => {
  for (const frame of [visit.page.mainFrame(), await visit.player]) {
    const injected = await frame.evaluate(() => {
      const script = document.createElement("script")
      script.textContent = "window.injected = 1"
      document.head.append(script)
      return window.injected ?? 0
    })
    assert.equal(injected, 0)
    await until("the refusal", () => visit.errors.some((line) => /Content Security Policy/.test(line)))
  }
  visit.forgive(/Content Security Policy/)
})
