import { randomUUID } from 'node:crypto'
import type { Bff } from './start-bff.ts'
import type { TestIssuer } from './test-issuer.ts'

/** A session on tokens that the test issuer signed, and a browser that holds its cookie. */
export async function issuedSession(bff: Bff, issuer: TestIssuer, claims: Record<string, unknown> = {}) {
  const idClaims = issuer.idClaims(claims)
  const idToken = await issuer.sign(idClaims)
  const session = await bff.dependencies.sessions.start({
    client: 'password',
    tokens: { idToken, accessToken: `access-${randomUUID()}`, refreshToken: `refresh-${randomUUID()}` },
    visitor: { ip: '203.0.113.9', device: 'Test' },
    previous: undefined,
  })
  return { idClaims, idToken, session, browser: browserOf(bff, session.secret) }
}

/** A browser that holds this session cookie. */
export function browserOf(bff: Bff, secret: string) {
  const browser = bff.browser()
  browser.setCookie(`${bff.dependencies.cookie.name}=${secret}`)
  return browser
}
