// Builds the page: node build.js OUT. Bundles src/ with the pinned packages, minified, and copies the other files.
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { marked } from "marked"

import { readAnnotations } from "./annotations.js"
import { writeZip } from "./src/archive.js"

const here = fileURLToPath(new URL(".", import.meta.url)),
  root = fileURLToPath(new URL("../../..", import.meta.url)),
  out = process.argv[2]
if (!out) {
  console.error("usage: node build.js OUT")
  process.exit(2)
}

/** import annotations from "annotations:" gives what the editor completes. */
const annotations = {
  name: "annotations",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^annotations:$/ }, ({ path }) => ({ path, namespace: "annotations" }))
    onLoad({ filter: /.*/, namespace: "annotations" }, () => ({
      contents: JSON.stringify(readAnnotations(join(root, "lua/spawnpool"))),
      loader: "json",
    }))
  },
}

/** Bundles a source with all that it imports; what it imports later becomes a part-*.js of its own. */
const bundle = (source, name, folder = out, splitting = true) =>
  build({
    bundle: true,
    minify: true,
    splitting,
    format: "esm",
    target: ["chrome123", "firefox125", "safari17.5"],
    legalComments: "none",
    logLevel: "warning",
    plugins: [annotations],
    loader: { ".css": "text" },
    external: ["./spawnpool.js"],
    outdir: folder,
    chunkNames: "part-[hash]",
    entryPoints: { [name]: join(here, `src/${source}.js`) },
  })
mkdirSync(join(out, "games"), { recursive: true })
await bundle("page", "page")
await bundle("player", "player", out, false)
await bundle("embed", "spawnpool-game", out, false)
for (const file of ["page.css", "docs.css", "icon.svg"]) cpSync(join(here, file), join(out, file))

// The frame of a game runs one script of its page, which is named by its hash.
const player = readFileSync(join(here, "player.html"), "utf8"),
  [, loader] = /<script>([\s\S]*?)<\/script>/.exec(player),
  loaderHash = `sha256-${createHash("sha256").update(loader).digest("base64")}`
writeFileSync(join(out, "player.html"), player.replace("LOADER", loaderHash))

// The page of `spawnpool pack`: a player and nothing else, whose words TITLE and GAME_ID become those of the game.
const packed = join(out, "packed")
mkdirSync(packed, { recursive: true })
await bundle("player", "player", packed, false)
const page = player
  .replace(/<title>.*<\/title>/, '<title>TITLE</title>\n<script type="module" src="player.js"></script>')
  .replace("'LOADER' blob: 'wasm-unsafe-eval'", "'self' 'wasm-unsafe-eval'; connect-src 'self'")
  .replace(/<script>[\s\S]*?<\/script>\n/, "")
writeFileSync(join(packed, "index.html"), page.replace("<body>", '<body data-game="game.zip" data-id="GAME_ID">'))

// Games: one .zip each, fetched when it is opened; the same bytes in every build. The page lists them as links, in the
// order of docs/gallery.md, with the first sentence of the comment at the head of main.lua: "-- NAME: what it is."
function zip(name, folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .filter((path) => !/^(dot\.|templates\/|recordings\/)/.test(path))
  const bytes = files.sort().map((path) => [path, readFileSync(join(folder, path))])
  writeFileSync(join(out, "games", `${name}.zip`), writeZip(name, bytes, new Date(1980, 0, 1)))
}
zip("first", join(here, "first"))
zip("new", join(root, "demo/newgame"))
const docs = join(root, "docs"),
  scripts = join(root, "scripts"),
  gallery = [...readFileSync(join(docs, "gallery.md"), "utf8").matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
const isGame = (name) => existsSync(join(scripts, name, "main.lua"))
const games = [...new Set([...gallery, ...readdirSync(scripts).sort()])].filter(isGame).map((name) => {
  zip(name, join(scripts, name))
  const picture = join(docs, `gallery-${name}.png`)
  if (existsSync(picture)) cpSync(picture, join(out, "games", `${name}.png`))
  const [head] = /^(?:--.*\n)*/.exec(readFileSync(join(scripts, name, "main.lua"), "utf8"))
  const about = /: ([^.?!]*[.?!])/.exec(head.replace(/\n?-- ?/g, " "))?.[1] ?? ""
  const image = `<img loading="lazy" alt="" src="games/${name}.png">`
  return `<a href="#game=${name}">${image}<b>${name}</b><small>${about}</small></a>`
})
const index = readFileSync(join(here, "index.html"), "utf8")
writeFileSync(join(out, "index.html"), index.replace("GAMES", () => games.join("\n")).replace("LOADER", loaderHash))

// The documentation, as pages. Links to sources, which are not here, become plain text.
mkdirSync(join(out, "docs"), { recursive: true })
const slug = (text) => text.toLowerCase().replace(/<[^>]*>|[^\w\- ]/g, "").replaceAll(" ", "-")
for (const name of readdirSync(docs)) {
  if (/\.(png|svg|webp)$/.test(name)) cpSync(join(docs, name), join(out, "docs", name))
  if (!name.endsWith(".md")) continue
  const text = readFileSync(join(docs, name), "utf8")
  const body = marked(text)
    .replace(/<a href="\.\.[^"]*">(.*?)<\/a>/gs, "$1")
    .replace(/href="([\w-]+)\.md/g, 'href="$1.html')
    .replace(/<(h[1-4])>(.*?)<\/\1>/g, (whole, tag, inner) => `<${tag} id="${slug(inner)}">${inner}</${tag}>`)
  const head = readFileSync(join(here, "docs.html"), "utf8").replace("TITLE", /^# (.*)/.exec(text)?.[1] ?? name)
  writeFileSync(join(out, "docs", name.replace(".md", ".html")), head.replace("BODY", () => body))
}
