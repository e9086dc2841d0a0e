import { csrfHeader } from '@parley/contracts/account/auth'
import type { User } from 'oidc-client-ts'
import { authTimes } from './auth-config.ts'
import { userManager } from './user-manager.ts'

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
