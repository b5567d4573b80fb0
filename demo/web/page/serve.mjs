// Serves a page that is built on this machine, as a site should: node serve.mjs FOLDER PORT. docs/player.md has the
// headers, and why.
import compression from "compression"
import { createServer } from "node:http"
import sirv from "sirv"

const [, , folder, port = "8080"] = process.argv

/** Parts have a hash in their names; what else changes is asked for again. */
function setHeaders(response, path) {
  const isPart = /part-\w+\.js$/.test(path)
  response.setHeader("cache-control", isPart ? "public, max-age=31536000, immutable" : "no-cache")
  response.setHeader("x-content-type-options", "nosniff")
  response.setHeader("referrer-policy", "no-referrer")
  if (/(^|\/)(index\.html)?$/.test(path)) response.setHeader("content-security-policy", "frame-ancestors 'self'")
}

const zip = compression(),
  files = sirv(folder, { dev: true, setHeaders })
const server = createServer((request, response) => zip(request, response, () => files(request, response)))
server.listen(Number(port), "127.0.0.1", () => console.log(`http://localhost:${server.address().port}/`))
