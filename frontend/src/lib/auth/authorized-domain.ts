import { authApi } from '@parley/contracts/account/auth-endpoints'
import { call } from '../api.ts'
import { apiKey, authOrigin } from './auth-config.ts'
import { AuthError, authErrorOf } from './auth-error.ts'
import { storageWorks } from './browser-storage.ts'

let known: Promise<readonly string[]> | undefined

/**
 * Checks the setup before anything is opened or requested.
 * @throws AuthError invalid-api-key, auth-domain-config-required, web-storage-unsupported
 */
export function requireSetup(fallback: string): void {
  if (apiKey.includes(':')) throw new AuthError('invalid-api-key', fallback)
  if (authOrigin === '') throw new AuthError('auth-domain-config-required', fallback)
  // The handler page learns from storage which sign-in it ends.
  if (!storageWorks()) throw new AuthError('web-storage-unsupported', fallback)
}

/**
 * Requests, once per page load, where a sign-in may start.
 * @throws AuthError unauthorized-domain, or why that is not known.
 */
export async function requireAuthorizedDomain(fallback: string): Promise<void> {
  const asked = known ?? call(authApi.projects, { query: { key: apiKey } }).then((project) => project.authorizedDomains)
  known = asked
  const domains = await asked.catch((error: unknown) => {
    known = undefined
    throw authErrorOf(error, fallback)
  })
  if (!isAuthorized(window.location, domains)) throw new AuthError('unauthorized-domain', fallback)
}

/** A listed domain or one below it; an IP address must be listed exactly. */
export function isAuthorized(
  { protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>,
  domains: readonly string[],
): boolean {
  if (!/^https?:$/.test(protocol)) return false
  const isAddress = /^[\d.]+$|:/.test(hostname)
  return domains.some((domain) => hostname === domain || (!isAddress && hostname.endsWith(`.${domain}`)))
}
