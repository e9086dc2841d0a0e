import { csrfHeader } from '@parley/contracts/account/auth'
import type { User } from 'oidc-client-ts'
import { authTimes, tokenSyncUrl } from './auth-config.ts'
import { sessionReady } from './popup.ts'
import { finishRedirect, type RedirectResult } from './redirect.ts'
import { adoptSession, adoptUntilKnown } from './session.ts'
import { onTabMessage } from './tabs.ts'
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

const timeoutMs = 15_000

/**
 * Starts the optional token sync: POST with each new ID token as Bearer, DELETE once there is none. Skipped for a token older
 * than 300 s and for the same as last time. Failures are not shown on the page.
 * @param target a path of our own origin; anything else, and any page without a secure context, switches it off.
 */
export function startTokenSync(target: string): void {
  if (!window.isSecureContext || !isOwnPath(target)) return
  // Neither a token nor none: the one that an earlier page load has sent is unknown.
  let last: string | undefined | null = null

  const send = (token: string | undefined) => {
    if (token === last) return
    last = token
    const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    fetch(target, {
      method: token === undefined ? 'DELETE' : 'POST',
      headers: { [csrfHeader]: '1', ...bearer },
      credentials: 'same-origin',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => {})
  }
  userManager.events.addUserLoaded((user) => {
    if (ageSeconds(user) <= authTimes.tokenSyncMaxAgeSeconds) send(user.id_token)
  })
  userManager.events.addUserUnloaded(() => send(undefined))
}

/** Age of the token in seconds. Its own times are by the server's clock, from which this device's may differ. */
const ageSeconds = ({ profile, expires_in: leftSeconds = 0 }: User) => profile.exp - profile.iat - leftSeconds

/** Refuses two slashes, in either direction: they would begin the name of another host. */
const isOwnPath = (target: string) => /^\/(?![/\\])/.test(target)
