// Builds the page: node build.js OUT. Bundles src/ with the pinned packages, minified, and copies what needs no
// bundling.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

import { readAnnotations } from "./annotations.js"
import { writeZip } from "./src/archive.js"

const here = dirname(fileURLToPath(import.meta.url)),
  root = join(here, "../../.."),
  out = process.argv[2]
if (!out) {
  console.error("usage: node build.js OUT")
  process.exit(2)
}

/** import annotations from "annotations:" gives what the editor completes. */
const annotations = {
  name: "annotations",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^annotations:$/ }, () => ({ path: "annotations", namespace: "annotations" }))
    onLoad({ filter: /.*/, namespace: "annotations" }, () => ({
      contents: JSON.stringify(readAnnotations(join(root, "lua/spawnpool"))),
      loader: "json",
    }))
  },
}

/** Bundles a source with all that it imports; what it imports later becomes a part-*.js of its own. */
const bundle = (source, name, more) =>
  build({
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome123", "firefox120", "safari17.5"],
    legalComments: "none",
    logLevel: "warning",
    plugins: [annotations],
    external: ["node:*"],
    outdir: out,
    chunkNames: "part-[hash]",
    entryPoints: { [name]: join(here, `src/${source}.js`) },
    ...more,
  })
mkdirSync(out, { recursive: true })
await bundle("page", "page", { splitting: true })
await bundle("player", "player")
await bundle("embed", "spawnpool-game")
// A classic worker: it loads spawnpool.js, which is no module.
await bundle("checker", "checker", { format: "iife", define: { "import.meta.url": "location.href" } })
for (const file of ["index.html", "player.html", "page.css", "player.css", "icon.svg"])
  cpSync(join(here, file), join(out, file))

// {== Games: one .zip each, fetched when it is opened; the same bytes in every build. games.json lists them ===

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
    .map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path)])
}

/** The first sentence of the comment that begins main.lua: "-- NAME: what it is. More." */
function aboutOf(main) {
  const head = /^(?:--.*\n)+/.exec(main)?.[0] ?? ""
  return /: ([^.?!]*[.?!])/.exec(head.replace(/\n?-- ?/g, " "))?.[1] ?? ""
}

const scripts = join(root, "scripts"),
  games = []
mkdirSync(join(out, "games"), { recursive: true })
for (const name of readdirSync(scripts).sort()) {
  const files = filesOf(join(scripts, name)),
    main = files.find(([path]) => path === "main.lua")
  if (!main) continue
  writeFileSync(join(out, "games", `${name}.zip`), writeZip(name, files, new Date(1980, 0, 1)))
  games.push({ name, about: aboutOf(main[1].toString()) })
}
writeFileSync(join(out, "games/games.json"), `${JSON.stringify(games, null, 1)}\n`)

// }==
