// Registers the service worker once the page has time, and says when a new version of the page is there.
import { toast } from "./toast.js"

const GAMES_AFTER = 20000 // milliseconds: then the other games are stored, too

/** `leave()` keeps what is not kept yet; called before the new version is loaded. */
export async function workOffline(leave) {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  let isAsked = false
  serviceWorker.addEventListener("controllerchange", () => {
    if (isAsked) location.reload()
    else toast("This page was updated in another tab. Load it again when you like.")
  })
  const hadOne = Boolean(serviceWorker.controller)
  const registration = await serviceWorker.register("sw.js")
  const offer = async (worker) => {
    const use = async () => {
      await leave()
      isAsked = true
      worker.postMessage("use")
    }
    toast("A new version of this page is there.", { "Load it": use })
  }
  const watch = (worker) =>
    worker?.addEventListener("statechange", () => worker.state === "installed" && hadOne && offer(worker))
  if (registration.waiting && hadOne) offer(registration.waiting)
  watch(registration.installing)
  registration.addEventListener("updatefound", () => watch(registration.installing))
  const { active } = await serviceWorker.ready
  if (!navigator.connection?.saveData) setTimeout(() => active.postMessage("all"), GAMES_AFTER)
}
