// The page in a browser: bad input is a sentence on the page, and nothing hangs.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { deflateRawSync } from "node:zlib"

import { LIMITS, writeZip } from "../../demo/web/page/src/archive.js"
import { writeLink } from "../../demo/web/page/src/link.js"
import { bytes, drop, linkOf, QUIET, sentence, sleep, until, useBrowser } from "./browser.mjs"

const browser = useBrowser({ before, after })

/** The link of files, however long it is. */
const packed = (files) =>
  `#edit=${deflateRawSync(JSON.stringify({ name: "own", base: null, files, removed: [] })).toString("base64url")}`

const lacking = {
  "no WebAssembly": [/no WebAssembly/, () => delete globalThis.WebAssembly],
  "no SIMD": [
    /no WebAssembly with SIMD/,
    () => {
      WebAssembly.validate = () => false
    },
  ],
  "no WebGL": [
    /no WebGL/,
    () => {
      const original = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return /webgl/.test(kind) ? null : original.call(this, kind, ...rest)
      }
    },
  ],
  "a WebGL that is lost at once": [
    /no WebGL.*load the page again/,
    () => {
      const original = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (...kind) {
        const context = original.apply(this, kind)
        context?.getExtension?.("WEBGL_lose_context")?.loseContext()
        return context
      }
    },
  ],
}
for (const [name, [pattern, before]] of Object.entries(lacking)) {
  test(name, async () => {
    const visit = await browser.visit({ before })
    await visit.open("#game=cubes")
    assert.match(await sentence(visit), pattern)
    await until("the editor", async () => (await visit.page.$("#editor >>> .cm-content")) !== null)
    await visit.close()
  })
}

test("a part of the player that does not come is told", async () => {
  for (const part of ["spawnpool.wasm", "spawnpool.js", "fonts/DejaVuSans.ttf"]) {
    const visit = await browser.visit()
    await visit.page.setRequestInterception(true)
    visit.page.on("request", (request) =>
      request.url().endsWith(`/${part}`) ? request.respond({ status: 404 }) : request.continue(),
    )
    await visit.open("#game=cubes")
    assert.match(await sentence(visit), /part of the player could not be loaded/, part)
    visit.errors = visit.errors.filter((line) => !/404|preload/.test(line)) // the browser's own lines
    await visit.close()
  }
})

test("a WebGL that is lost while a game plays is told", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  await (await visit.player).evaluate(() => {
    document.getElementById("canvas").getContext("webgl").getExtension("WEBGL_lose_context").loseContext()
  })
  assert.match(await sentence(visit), /no WebGL.*load the page again/)
  visit.errors = visit.errors.filter((line) => !/lose_context|WebGL/i.test(line)) // the browser's own lines
  await visit.close()
})

test("refused storage is told, the game plays, and the page asks before edits are lost", async () => {
  const visit = await browser.visit({
    before: () => {
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new DOMException("refused", "SecurityError")
        },
      })
    },
  })
  await visit.open("#game=cubes")
  await visit.plays()
  await until("a sentence", async () => /stores no more/.test(await visit.text("#log")))
  const asks = () => visit.page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })))
  assert.equal(await asks(), false)
  await visit.typeFirst("x = 1\n")
  await visit.state("good")
  assert.equal(await asks(), true)
  await visit.close()
})

/** What the game on the page has stored as "best". */
const best = (visit) => visit.lua("require('spawnpool').storage.load('best')")

/** Stores a value as the game on the page, and waits until the browser has it. */
async function store(visit, value) {
  const all = () => visit.page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  const before = await all()
  assert.match(await visit.lua(`require('spawnpool').storage.save('best', ${value})`), /^true/)
  await until("it is written", async () => (await all()) !== before)
}

test("what a game stores is there again, and no other game reaches it", async () => {
  const visit = await browser.visit(),
    shooter = `${QUIET}return game`,
    zip = writeZip("shooter", new Map([["main.lua", bytes(`${shooter} -- of a .zip`)]]))
  let pages = 0 // another address: the page loads anew
  const open = (link) => visit.playsAfter(() => visit.page.goto(`${visit.url}?${(pages += 1)}${link}`))
  const ways = {
    "the site's": () => open("#game=shooter"),
    "a link of that name": async () => open(await linkOf(shooter, "shooter")),
    "another": async () => open(await linkOf(`${shooter} -- and more`, "shooter")),
    "edits of the site's": async () =>
      open(
        await writeLink({
          name: "shooter",
          base: "shooter",
          files: new Map([["main.lua", bytes(shooter)]]),
          removed: [],
        }),
      ),
    "a .zip of that name": async () => {
      await open("#game=cubes")
      await visit.playsAfter(() => drop(visit, zip, "shooter.zip"))
    },
  }
  for (const [i, [way, come]] of Object.entries(ways).entries()) {
    await come()
    assert.equal(await visit.text("#pick-name"), "shooter")
    assert.match(await best(visit), /^nil/, way)
    await store(visit, 70 + i)
  }
  for (const [i, [way, come]] of Object.entries(ways).entries()) {
    await come()
    assert.equal(await best(visit), String(70 + i), way)
  }
  await visit.close()
})

test("a game that is edited keeps what it stores", async () => {
  const visit = await browser.visit()
  await visit.open(await linkOf(`${QUIET}return game`))
  await visit.plays()
  await store(visit, 5)
  await visit.typeFirst("edited = 1\n")
  await visit.state("good")
  assert.equal(await best(visit), "5")
  await visit.playsAfter(() => visit.page.click("#restart"))
  assert.equal(await visit.lua("edited"), "1")
  assert.equal(await best(visit), "5")
  await visit.close()
})

test("a game at the limit of its memory ends with a sentence, and the page lives", async () => {
  const visit = await browser.visit()
  await visit.open(
    await linkOf(
      `${QUIET}local t <const> = {}\nfunction game.update()\n` +
        '  for i = 1, 40 do t[#t + 1] = ("x"):rep(1000000) .. #t end\nend\nreturn game',
    ),
  )
  await until("a sentence", async () => /memory/.test(await visit.text("#log")))
  await visit.page.click("#restart")
  await visit.close()
})

test("broken links and games that are none are told, and a game plays", async () => {
  const link = await linkOf(`${QUIET}return game`)
  const clash = { "main.lua": "return {}", part: "", "part/of.lua": "" }
  for (const [fragment, pattern] of [
    [packed(clash), /“part” is a file, and the folder of “part\/of\.lua”\. Rename one/],
    [link.slice(0, -9), /broken/],
    ["#game=no_such", /no game/],
    ["#edit=%%%", /broken/],
  ]) {
    const visit = await browser.visit()
    await visit.open(fragment)
    assert.match(await sentence(visit), pattern)
    await visit.plays()
    assert.equal(await visit.text("#pick-name"), "Examples", "the first game")
    visit.errors = visit.errors.filter((line) => !/404/.test(line)) // the browser's own line on a missing file
    await visit.close()
  }
})

test("a .zip bomb and a text are refused, and the game plays on", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  const bomb = writeZip("x", new Map([["main.lua", new Uint8Array(LIMITS.bytes + 1)]]))
  for (const [content, pattern] of [
    [bomb, /more than 64 MiB/],
    [bytes("hello"), /no \.zip/],
  ]) {
    await drop(visit, content, "game.zip")
    await until(String(pattern), async () => pattern.test(await visit.text("#toast")))
  }
  assert.equal(await visit.text("#pick-name"), "cubes")
  const time = Number(await visit.lua("require('spawnpool').pools.time"))
  await until("the game goes on", async () => Number(await visit.lua("require('spawnpool').pools.time")) > time)
  await visit.close()
})

test("a file that is not UTF-8 is shown, and stays as it is", async () => {
  const visit = await browser.visit(),
    latin = new Uint8Array([...bytes('return "caf'), 0xe9, ...bytes('"\n')]),
    main = `${QUIET}word = require "word"\nreturn game`
  await visit.open("#game=cubes")
  await visit.plays()
  const files = new Map([
    ["main.lua", bytes(main)],
    ["word.lua", latin],
  ])
  await visit.playsAfter(() => drop(visit, writeZip("latin", files), "latin.zip"))
  await (await until("its row", () => visit.page.$('[data-path="word.lua"]'))).evaluate((row) => row.click())
  await until("a sentence", async () => /^word\.lua: not UTF-8/.test(await visit.text("#path")))
  await visit.typeFirst("x = 1\n")
  await sleep(1000)
  assert.match(await visit.code(), /^return "caf/)
  assert.equal(await visit.lua("#word"), "4")
  await visit.close()
})

test("a text that compiles for ever is stopped, and the page goes on", async () => {
  const visit = await browser.visit()
  await visit.open(packed({ "main.lua": `-- a line\nif x then ${"elseif x then ".repeat(299500)}end\nreturn {}\n` }))
  await until("the problem below the code", () => visit.shown("#problem"))
  assert.match(await visit.text("#problem"), /^main\.lua:2: compiling was stopped after 5 s/)
  const many = '("elseif x then "):rep(299500)'
  await visit.paste(
    `${QUIET}function game.load() fine = load("if x then " .. ${many} .. "end") end\n` +
      "function game.update() turns = (turns or 0) + 1 end\nreturn game\n",
  )
  await until("the problem of the call", async () => /^main\.lua:3: stopped/.test(await visit.text("#problem")))
  await visit.paste(`${QUIET}function game.update() turns = (turns or 0) + 1 end\nreturn game\n`)
  await until("the game runs", async () => Number(await visit.lua("turns or 0")) > 5)
  await visit.close()
})

test("texts that are hard to search do not hold the page up", async () => {
  const spaces = " ".repeat(2000000)
  const visit = await browser.visit(),
    session = await visit.page.createCDPSession()
  await session.send("Performance.enable")
  /** Seconds of work of the page: those of a machine that is busy with something else do not count. */
  const worked = async () => {
    const { metrics } = await session.send("Performance.getMetrics")
    return metrics.find(({ name }) => name === "ThreadTime").value
  }
  await visit.open(packed({ "main.lua": `return {} -- input.down${spaces}\n` }))
  await visit.plays()
  const texts = [`alloc${spaces}x`, "a".repeat(2000000), `x = spawnpool.class {${"\n".repeat(2000000)}= y`]
  for (const [i, text] of texts.entries()) {
    const begin = await worked()
    await visit.paste(text)
    await visit.page.keyboard.type(".b")
    await visit.state("bad") // the game has got it, and refuses it
    assert.ok((await worked()) - begin < 15, text.slice(0, 30))
    await visit.paste(`turn = ${i} return {}\n`)
    await visit.state("good")
  }
  await visit.close()
})

test("a link of a megabyte plays", async () => {
  const lines = Array.from({ length: 14000 }, (_, i) => `-- ${i} ${Math.random()} ${Math.random()} ${Math.random()}\n`)
  for (const more of ["-- and more\n".repeat(90000), lines.join("")]) {
    const files = { "main.lua": `${QUIET}return game\n${more}` }
    const visit = await browser.visit()
    await visit.open(packed(files))
    await visit.plays()
    assert.equal(await visit.text("#pick-name"), "own")
    await visit.close()
  }
})

test("no sound before a click, and then there is", async () => {
  const visit = await browser.visit({
    before: () => {
      globalThis.contexts = []
      // A headless browser lets everything sound: this one waits, as others do.
      globalThis.AudioContext = class extends AudioContext {
        #woken = false
        constructor(...args) {
          super(...args)
          globalThis.contexts.push(this)
        }
        get state() {
          return this.#woken ? super.state : "suspended"
        }
        resume() {
          this.#woken = navigator.userActivation.hasBeenActive
          return super.resume()
        }
      }
    },
  })
  await visit.open("#game=shooter")
  const session = await visit.page.createCDPSession() // what puppeteer evaluates counts as a click
  const ask = async (expression) =>
    (await session.send("Runtime.evaluate", { expression, returnByValue: true })).result.value
  const frame = 'document.getElementById("screen").shadowRoot.querySelector("iframe").contentWindow'
  const states = () => ask(`${frame}.contexts?.map(({ state }) => state).join(" ")`),
    isMarked = () => ask(`!${frame}.document.getElementById("sound").hidden`)
  await until("a device that waits", async () => (await states()) === "suspended")
  assert.ok(await isMarked())
  await visit.page.mouse.click(200, 200)
  await until("sound", async () => (await states()) === "running")
  assert.ok(!(await isMarked()))
  await visit.close()
})

/** A WAV file of a second of a tone. */
function tone() {
  const file = new Uint8Array(44 + 96000),
    view = new DataView(file.buffer)
  file.set(bytes("RIFF----WAVEfmt "))
  file.set(bytes("data"), 36)
  view.setUint32(4, file.length - 8, true)
  for (const [i, value] of [16, 0x10001, 48000, 96000, 0x100002].entries()) view.setUint32(16 + 4 * i, value, true)
  view.setUint32(40, 96000, true)
  for (let i = 0; i < 48000; i++) view.setInt16(44 + 2 * i, 8000 * Math.sin(i / 20), true)
  return file
}

test("sound has no gaps, and needs no worklet, which a plain http server has not, and no deprecated node", async () => {
  const visit = await browser.visit({
    before: () => {
      delete BaseAudioContext.prototype.audioWorklet
      delete BaseAudioContext.prototype.createScriptProcessor
      globalThis.buffers = []
      const { start } = AudioBufferSourceNode.prototype
      AudioBufferSourceNode.prototype.start = function (when) {
        const { duration } = this.buffer
        globalThis.buffers.push({ when, duration, peak: Math.max(...this.buffer.getChannelData(0)) })
        return start.call(this, when)
      }
    },
  })
  const main = `${QUIET}function game.load() spawnpool.audio.play("tone", { loop = true }) end\nreturn game`
  await visit.open("#game=cubes")
  await visit.plays()
  const files = new Map([
    ["main.lua", bytes(main)],
    ["sounds/tone.wav", tone()],
  ])
  await visit.playsAfter(() => drop(visit, writeZip("tone", files), "tone.zip"))
  await visit.page.mouse.click(200, 200)
  const player = await visit.player
  const sounding = () => player.evaluate(() => globalThis.buffers.filter(({ peak }) => peak > 0.05))
  await until("two seconds of sound", async () => (await sounding()).length > 100)
  const played = await sounding()
  const gaps = played.slice(1).filter(({ when }, i) => when - played[i].when > played[i].duration + 1e-6)
  assert.ok(gaps.length < 10, `${gaps.length} gaps in ${played.length} buffers`)
  await visit.close()
})

test("the policy of the page admits no foreign code", async () => {
  const visit = await browser.visit()
  await visit.open("#game=cubes")
  await visit.plays()
  for (const frame of [visit.page.mainFrame(), await visit.player]) {
    assert.equal(
      await frame.evaluate(() => {
        const script = document.createElement("script")
        script.textContent = "window.injected = 1"
        document.head.append(script)
        return window.injected ?? 0
      }),
      0,
    )
    await until("the refusal", () => visit.errors.some((line) => /Content Security Policy/.test(line)))
  }
  visit.errors = []
  await visit.close()
})
