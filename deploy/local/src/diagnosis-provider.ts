import { createHash, randomBytes } from 'node:crypto'
import { judgeClock } from './diagnosis-stores.ts'
import type { Source } from './problem.ts'

const timeoutMs = 3000

/**
 * Returns what an identity provider says of itself: its clock, and whether it leads back to the app after a sign-in.
 * @param origin of the app, as browsers call it.
 * @returns `undefined` where it does not answer.
 */
export async function lookAtProvider(issuer: string, origin: string): Promise<Source | undefined> {
  const base = issuer.replace(/\/+$/, '')
  try {
    const discovery = await ask(`${base}/.well-known/openid-configuration`)
    if (!discovery.ok) return undefined
    const clock = judgeClock(new Date(discovery.headers.get('date') ?? Number.NaN))
    if (clock) return clock
    const signIn = await ask(`${base}/protocol/openid-connect/auth?${signInQuery(origin)}`)
    return judgeSignIn(signIn.status, origin)
  } catch {
    return undefined
  }
}

const ask = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })

/** Asks as the app does for a browser (RFC 6749 section 4.1.1, RFC 7636), and goes no further. */
const signInQuery = (origin: string) =>
  new URLSearchParams({
    client_id: 'bff-web',
    redirect_uri: `${origin}/auth/callback`,
    response_type: 'code',
    scope: 'openid',
    state: randomBytes(16).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  })

/** A provider shows its own page where it would not lead back (RFC 6749 section 4.1.2.1). */
export function judgeSignIn(status: number, origin: string): Source {
  if (status < 400) return { verdict: 'ok', finding: 'healthy' }
  return {
    verdict: 'problem',
    finding: `does not lead back to ${origin} after a sign-in (${status})`,
    remedy: `Add ${origin}/auth/callback to the redirect URIs of the client bff-web, and ${origin}/* to those of app-links.`,
  }
}
