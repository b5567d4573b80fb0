// What the tests of the page share: one server, one headless Chromium, pages that collect what goes wrong in them.
import assert from "node:assert/strict"
import { existsSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

import { serve } from "../../demo/web/page/serve.js"

export const ROOT = fileURLToPath(new URL("../../", import.meta.url))
export const SITE = process.env.SP_WEB ?? `${ROOT}build/web`
export const SHOTS = `${SITE}-shots`
const WAIT = 60000 // milliseconds: machines may be slow, and what waits so long has failed

const require = createRequire(new URL("../../demo/web/page/", import.meta.url))
const puppeteer = (await import(require.resolve("puppeteer-core"))).default
const CHROMIUM = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path))

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

/** Tries until `work` returns something true, and returns that. */
export async function until(what, work, wait = WAIT) {
  const end = Date.now() + wait
  for (;;) {
    const value = await work()
    if (value) return value
    if (Date.now() > end) assert.fail(`in vain: ${what}`)
    await sleep(50)
  }
}

/** A page, with its game. */
export class Visit {
  #marks = 0
  errors = []
  foreign = []

  constructor(page, url) {
    this.page = page
    this.url = url
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text())
    })
    page.on("pageerror", (error) => this.errors.push(String(error?.stack ?? error)))
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) this.foreign.push(request.url())
    })
  }

  async open(fragment = "") {
    await this.page.goto(this.url + fragment)
    return this
  }

  /** Waits for the first frame of the game. */
  async plays() {
    await until("the first frame", () => this.page.evaluate(() => document.body.dataset.frame))
    return this
  }

  /** Waits for the first frame after whatever `work` does. */
  async playsAfter(work) {
    await this.page.evaluate(() => {
      delete document.body.dataset.frame
    })
    await work()
    return this.plays()
  }

  get player() {
    return until("the player's frame", () => this.page.frames().find((frame) => frame.url().includes("player.html")))
  }

  text(selector) {
    return this.page.$eval(selector, (element) => element.innerText || element.textContent)
  }

  shown(selector) {
    return this.page.$eval(selector, (element) => !element.hidden)
  }

  /** Runs Lua in the console, and returns what it prints. */
  async lua(expression) {
    const mark = `@${(this.#marks += 1)}`
    await this.page.evaluate((line) => {
      document.getElementById("line").value = line
      document.getElementById("prompt").requestSubmit()
    }, `print("${mark}", ${expression})`)
    const find = (wanted) =>
      [...document.querySelectorAll("#log .print")]
        .map((row) => row.textContent)
        .find((row) => row.startsWith(`${wanted}\t`))
    return (await until(`print of ${expression}`, () => this.page.evaluate(find, mark))).slice(mark.length + 1)
  }

  async openFile(path) {
    await this.page.evaluate((wanted) => document.querySelector(`#file-list [data-path="${wanted}"]`).click(), path)
    await until(`the editor with ${path}`, async () => (await this.text("#path")) === path)
  }

  /** Types at the begin of the open file. */
  async typeFirst(text) {
    const content = await this.page.$("#editor >>> .cm-content")
    await content.click()
    await this.chord("Control", "Home")
    await this.page.keyboard.type(text)
  }

  /** Replaces the open file, as a paste does. */
  async paste(text) {
    const content = await this.page.$("#editor >>> .cm-content")
    await content.click()
    await this.chord("Control", "a")
    await this.page.keyboard.sendCharacter(text)
  }

  async chord(modifier, key) {
    await this.page.keyboard.down(modifier)
    await this.page.keyboard.press(key)
    await this.page.keyboard.up(modifier)
  }

  code() {
    return this.page.$eval("#editor >>> .cm-content", (element) => element.innerText)
  }

  state(kind) {
    return until(`the state ${kind}`, () =>
      this.page.$eval("#state", (element, wanted) => element.classList.contains(wanted) && element.textContent, kind),
    )
  }

  async shot(name) {
    mkdirSync(SHOTS, { recursive: true })
    return this.page.screenshot({ path: `${SHOTS}/${name}.png` })
  }

  /** Compares the game's picture with that of a moment before: { colours, changed }, of 10000 points each. */
  async picture() {
    const screen = await this.page.$("#screen")
    const take = () => screen.screenshot({ encoding: "base64" })
    const before = await take()
    await sleep(700)
    return this.page.evaluate(
      async (...shots) => {
        const [a, b] = await Promise.all(
          shots.map(async (shot) => {
            const image = new Image(),
              canvas = new OffscreenCanvas(100, 100),
              context = canvas.getContext("2d")
            image.src = `data:image/png;base64,${shot}`
            await image.decode()
            context.imageSmoothingEnabled = false
            context.drawImage(image, 0, 0, 100, 100)
            return new Uint32Array(context.getImageData(0, 0, 100, 100).data.buffer)
          }),
        )
        return { colours: new Set(b).size, changed: b.reduce((sum, pixel, i) => sum + (pixel !== a[i]), 0) }
      },
      before,
      await take(),
    )
  }

  async close() {
    assert.deepEqual(this.errors, [], "errors in the console of the browser")
    assert.deepEqual(this.foreign, [], "requests to elsewhere")
    await this.page.close()
  }
}

export class Browser {
  requests = [] // paths, since the last time that it was emptied

  async start() {
    assert.ok(CHROMIUM, "Chromium is not installed: apt-get install chromium, or set CHROMIUM")
    this.server = await serve(SITE, 0, (path) => this.requests.push(path))
    this.url = `http://127.0.0.1:${this.server.address().port}/`
    this.browser = await puppeteer.launch({
      executablePath: CHROMIUM,
      protocolTimeout: 3 * WAIT,
      args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--mute-audio"],
    })
    return this
  }

  /** A page that nobody has visited. `before`: a function that runs first in each of its documents. */
  async visit({ before, touch = false, width = 1440, height = 900 } = {}) {
    const context = await this.browser.createBrowserContext(),
      page = await context.newPage()
    await page.setViewport({ width, height, hasTouch: touch, isMobile: touch })
    if (before) await page.evaluateOnNewDocument(before)
    return new Visit(page, this.url)
  }

  async stop() {
    await this.browser?.close()
    this.server?.close()
  }
}
