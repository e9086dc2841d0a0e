import { announceSignIn } from './announce-sign-in.ts'
import { AuthError, type AuthErrorCode, eventErrorOf } from './auth-error.ts'
import { requireAuthorizedDomain, requireSetup } from './authorized-domain.ts'
import { watchPopup } from './popup-watch.ts'
import { adoptSession, adoptUntilKnown, signInName } from './session.ts'
import { userManager } from './user-manager.ts'

/** Size of the popup, in pixels. */
const size = { width: 500, height: 600 }
const fallback = 'Failed to sign in with Google'

interface Attempt {
  readonly cancel: () => void
  readonly resultAnnounced: () => void
}

let attempts = 0
let pending: Attempt | undefined
const lateListeners = new Set<() => void>()

/**
 * Signs in with Google in a popup. To be called straight from a click: the window is opened before anything is awaited.
 * @throws AuthError; `popup-blocked` if the browser did not open the window.
 */
export async function signInByPopup(): Promise<void> {
  requireSetup(fallback)
  cancelPopup()
  attempts += 1
  // A name that is never used twice: a cancelled attempt closes its window by name.
  const target = `auth-popup-${Date.now()}-${attempts}`
  const popup = openWindow(target)
  if (!popup) throw new AuthError('popup-blocked', fallback)

  const before = signInName()
  const watch = watchPopup(popup)
  const abort = new AbortController()
  const cancelled = new Promise<never>((_, reject) => {
    const cancel = () => reject(new AuthError('cancelled-popup-request', fallback))
    pending = { cancel, resultAnnounced: watch.resultAnnounced }
  })
  const mine = pending
  let over = false
  const result = userManager.signinPopup({
    popupWindowTarget: target,
    popupWindowFeatures: size,
    popupSignal: abort.signal,
    extraQueryParams: { provider: 'google' },
  })
  // A result that comes after all this is the library's alone; the server says what is true by then.
  result.then(
    () => over && void adoptUntilKnown(),
    () => {},
  )
  const lost = watch.ended.then((reason) =>
    lastLook(before, reason === 'closed' ? 'popup-closed-by-user' : 'network-request-failed'),
  )
  try {
    await Promise.all([requireAuthorizedDomain(fallback), Promise.race([result, cancelled, lost])])
  } catch (error) {
    throw eventErrorOf(error, fallback)
  } finally {
    over = true
    if (pending === mine) pending = undefined
    watch.stop()
    // A string, which the library wraps. It closes the window, unless it had not got that far.
    abort.abort('over')
    popup.close()
  }
  announceSignIn()
}

/** Ends the popup that is open, if there is one, with `cancelled-popup-request`. */
export const cancelPopup = (): void => pending?.cancel()

/** Null if the browser blocks it; some hand out a window that is closed at once. */
function openWindow(target: string): Window | null {
  const { width, height } = size
  const left = Math.max(0, Math.round(window.screenX + (window.outerWidth - width) / 2))
  const top = Math.max(0, Math.round(window.screenY + (window.outerHeight - height) / 2))
  const popup = window.open('', target, `popup=yes,width=${width},height=${height},left=${left},top=${top}`)
  return popup?.closed ? null : popup
}

/** The popup may have signed in although its message got lost. */
async function lastLook(before: string | undefined, code: AuthErrorCode): Promise<void> {
  const outcome = await adoptSession()
  if (outcome !== 'signed-in' || signInName() === before) throw new AuthError(code, fallback)
}

/** The handler page has started a session: for our popup, for one that was given up already, or for another tab's. */
export async function sessionReady(): Promise<void> {
  if (pending) return pending.resultAnnounced()
  if ((await adoptUntilKnown()) !== 'signed-in') return
  for (const listener of lateListeners) listener()
}

/** Called if a session begins after its popup was given up. @returns a function that stops listening. */
export function onLateSignIn(listener: () => void): () => void {
  lateListeners.add(listener)
  return () => lateListeners.delete(listener)
}
