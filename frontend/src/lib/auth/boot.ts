import { tokenSyncUrl } from './auth-config.ts'
import { sessionReady } from './popup.ts'
import { finishRedirect, type RedirectResult } from './redirect.ts'
import { adoptSession, adoptUntilKnown } from './session.ts'
import { onTabMessage } from './tabs.ts'
import { startTokenSync } from './token-sync.ts'
import { userManager } from './user-manager.ts'

/** Coming back to the tab asks again who is signed in, but not more often than this. */
const returnPauseMs = 10_000

/** Outcome of a redirect sign-in. `stale`: its result was void, but the person is signed in anyway. */
export type RedirectOutcome = RedirectResult | 'stale'

let started: Promise<void> | undefined
let booted = false
let redirectOutcome: RedirectOutcome | undefined

/**
 * Determines who is signed in, once per page load and before any request; a redirect sign-in ends here. Waits until that is
 * known; never rejects. From then on the page follows the other tabs.
 */
export function boot(): Promise<void> {
  if (!started) {
    startTokenSync(tokenSyncUrl)
    started = findOut().then(() => {
      booted = true
      follow()
    })
  }
  return started
}

/** True once `boot` has ended. */
export const isBooted = (): boolean => booted

/** Returns whether a redirect sign-in's outcome is still unclaimed. */
export const hasRedirectOutcome = (): boolean => redirectOutcome !== undefined

/** Hands out the outcome once. */
export function consumeRedirectOutcome(): RedirectOutcome | undefined {
  const outcome = redirectOutcome
  redirectOutcome = undefined
  return outcome
}

async function findOut(): Promise<void> {
  const redirect = await finishRedirect()
  redirectOutcome = redirect
  if (redirect && !redirect.error) return
  let adoption = await adoptUntilKnown()
  while (adoption === 'superseded') adoption = await adoptUntilKnown()
  if (redirect?.error && adoption === 'signed-in') redirectOutcome = healed(redirect)
}

/** Corrects an outcome: signed in although the redirect could not be finished; only a refusal stays one. */
function healed(redirect: RedirectResult): RedirectOutcome {
  if (redirect.error?.code === 'invalid-auth-event') return 'stale'
  return redirect.begun ? { journey: redirect.journey } : redirect
}

function follow(): void {
  onTabMessage(({ type }) => {
    if (type === 'signed-out') void userManager.removeUser()
    else if (type === 'session-ready') void sessionReady()
    else void adoptUntilKnown()
  })

  // A frozen tab has missed the messages.
  let lastAskedAt = Date.now()
  const ask = () => {
    lastAskedAt = Date.now()
    void adoptSession()
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - lastAskedAt > returnPauseMs) ask()
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) ask()
  })
}
