const reloadedKey = 'reloaded-for-update'
/** A second failure within this time is not cured by loading the page again. */
const reloadPauseMs = 60_000

/**
 * Loads a part of the app. After a deployment the files of the old version are gone: then the page is loaded again, once,
 * and gets the new ones.
 * @throws whatever the import throws, if the page was reloaded just now or the device is offline.
 */
export async function loadOrReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!navigator.onLine || !mayReload()) throw error
    window.location.reload()
    return new Promise<T>(() => {})
  }
}

function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
    if (Date.now() - last < reloadPauseMs) return false
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    return true
  } catch {
    return false
  }
}
