import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTransactions } from '../auth/transactions.ts'
import { createSessionCipher } from '../session/session-cipher.ts'
import { browserOf, issuedSession } from './issued-session.ts'
import { forThisTest } from './running.ts'
import { type Bff, startBff } from './start-bff.ts'
import { startTestIssuer, type TestIssuer } from './test-issuer.ts'

const key = (name: string) => `${name}:${randomBytes(32).toString('base64')}`
const [oldKey, newKey] = [key('k1'), key('k2')]
/** The order of deploy/docs/operations/key-rotation.md. */
const [before, added, switched, after] = [oldKey, `${oldKey},${newKey}`, `${newKey},${oldKey}`, newKey]

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startTestIssuer()
  issuer.answerGrants(() => ({ status: 503, body: {} }))
})
afterAll(() => issuer.stop())

const replica = (env: Record<string, string>) => forThisTest(startBff({ OIDC_ISSUER: issuer.issuer, ...env }))
const status = async (on: Bff, secret: string) => (await browserOf(on, secret).send('GET', '/api/auth/user')).status

describe('session keys', () => {
  test.each([
    ['the new key is added', before, added],
    ['the new key takes over', added, switched],
  ])('while %s, a session of either replica is one at the other', async (_step, older, newer) => {
    const replicas = [await replica({ SESSION_KEYS: older }), await replica({ SESSION_KEYS: newer })]
    for (const at of replicas) {
      const { session } = await issuedSession(at, issuer)
      for (const on of replicas) expect(await status(on, session.secret)).toBe(200)
    }
  })

  test('a session from before is good at each step; once renewed it needs the old key no more', async () => {
    const { session, idClaims } = await issuedSession(await replica({ SESSION_KEYS: before }), issuer)
    for (const keys of [added, switched]) {
      expect(await status(await replica({ SESSION_KEYS: keys }), session.secret)).toBe(200)
    }
    const on = await replica({ SESSION_KEYS: switched })
    const live = await on.dependencies.store.load(session.secret)
    issuer.answerGrants(async () => issuer.tokenSet(await issuer.idToken({ ...idClaims, jti: 'renewed' })))
    expect(live && (await on.dependencies.refresh.renewed(live))).toBeDefined()
    const last = await replica({ SESSION_KEYS: after })
    expect(await status(last, session.secret)).toBe(200)
    const renewed = await last.dependencies.store.load(session.secret)
    expect(renewed && (await last.dependencies.store.loadTokens(renewed))).toBeDefined()
  })

  test('a session that nobody has used since ends with its key, never with a fault', async () => {
    const { session } = await issuedSession(await replica({ SESSION_KEYS: before }), issuer)
    expect(await status(await replica({ SESSION_KEYS: after }), session.secret)).toBe(401)
  })

  test('a sign-in that began on an old replica ends on a new one, and the other way round', async () => {
    const { redis } = (await replica({ SESSION_KEYS: before })).dependencies
    const transactions = (keys: string) => {
      const serverKeys = keys.split(',').map((entry) => {
        const [id = '', encoded = ''] = entry.split(':')
        return { id, key: Buffer.from(encoded, 'base64') }
      })
      return createTransactions({
        redis,
        cipher: createSessionCipher(serverKeys),
        publicOrigin: 'http://localhost:3000',
      })
    }
    for (const [beginning, ending] of [
      [before, added],
      [added, switched],
      [switched, added],
    ] as const) {
      const page = { state: 's', challenge: 'c', redirectUri: 'http://localhost:3000/auth/handler' }
      const cookies: string[] = []
      const response = { appendHeader: (_name: string, line: string) => cookies.push(line) }
      const begun = await transactions(beginning).begin(
        Object.assign(Object.create(null), { headers: {} }),
        Object.assign(Object.create(null), response),
        { page, redirectUri: 'http://localhost:3000/auth/callback', previous: undefined },
      )
      const request = { headers: { cookie: cookies[0]?.split(';')[0] } }
      const consumed = await transactions(ending).consume(
        Object.assign(Object.create(null), request),
        Object.assign(Object.create(null), response),
        begun.state,
      )
      expect(consumed).toEqual(begun)
    }
  })
})

describe('client secrets', () => {
  const [oldSecret, newSecret] = ['old-secret-of-the-client', 'new-secret-of-the-client']
  /** A provider that takes one secret, as Keycloak answers (RFC 6749 section 5.2 for the others). */
  function provider(accepted: string, refusal: string) {
    const state = { accepted, refused: 0 }
    issuer.answerGrants(async (form) => {
      if (form.get('client_secret') === state.accepted) return issuer.tokenSet(await issuer.idToken())
      state.refused += 1
      return {
        status: 401,
        body: { error: refusal, error_description: 'Invalid client or Invalid client credentials' },
      }
    })
    return state
  }
  const withSecrets = (secrets: string) =>
    replica({ OIDC_WEB_CLIENT_SECRET: secrets, OIDC_PASSWORD_CLIENT_SECRET: secrets })
  const renew = async (on: Bff) => {
    const { session } = await issuedSession(on, issuer)
    return on.dependencies.provider.refresh(session.hot.client, 'refresh')
  }

  test.each(['unauthorized_client', 'invalid_client'])(
    'the change at the provider (%s) fails no refresh and no sign-in, on old and new replicas alike',
    async (refusal) => {
      const state = provider(oldSecret, refusal)
      const prepared = await withSecrets(`${oldSecret} ${newSecret}`)
      for (const on of [await withSecrets(oldSecret), prepared]) await renew(on)
      expect(state.refused).toBe(0)
      state.accepted = newSecret
      for (const on of [prepared, await withSecrets(newSecret)]) {
        await renew(on)
        await on.dependencies.provider.passwordGrant('ann@example.com', 'correct horse')
      }
      // The one that knew both asked once in vain, and not again.
      expect(state.refused).toBe(1)
    },
  )

  test('a secret that is wrong at a refresh is 503, and the session stays', async () => {
    const state = provider(oldSecret, 'unauthorized_client')
    const on = await withSecrets('another-secret')
    const { session, browser } = await issuedSession(on, issuer)
    await expect(on.dependencies.refresh.renewed(session)).rejects.toMatchObject({
      code: 'identity_provider_unavailable',
    })
    expect(state.refused).toBeGreaterThan(0)
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  })

  test('a sign-out reaches the provider with the secret that it takes', async () => {
    const seen: string[] = []
    // Done before the replica is made, which keeps the keys that it finds.
    const { fetch } = globalThis
    const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      if (!String(url).endsWith('/logout')) return fetch(url, init)
      const secret = new URLSearchParams(String(init?.body)).get('client_secret') ?? ''
      seen.push(secret)
      return new Response(null, { status: secret === newSecret ? 204 : 401 })
    })
    try {
      const on = await withSecrets(`${oldSecret} ${newSecret}`)
      await on.dependencies.provider.endSession('web', 'refresh')
    } finally {
      fetching.mockRestore()
    }
    expect(seen).toEqual([oldSecret, newSecret])
  })
})
