import { decodeJwt } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import {
  type Account,
  admin,
  claimsOf,
  expectEnded,
  grant,
  logout,
  newAccount,
  newEmail,
  passwordClient,
  patience,
  post,
  refresh,
  signIn,
  type Tokens,
  tokensIn,
  userinfo,
  verified,
  webClient,
} from './calls.ts'

/** Logout tokens that this file has received. */
export const logoutTokens: string[] = []

const sidOf = ({ id_token }: Tokens) => String(decodeJwt(id_token)['sid'])

/** The logout token of a session, once it is here. */
const logoutTokenOf = (tokens: Tokens) =>
  vi.waitFor(() => {
    const found = logoutTokens.find((token) => decodeJwt(token)['sid'] === sidOf(tokens))
    if (found === undefined) throw new Error('no logout token yet')
    return found
  }, patience)

/** The session is dead, and its client has heard of it. */
export async function expectLoggedOut(tokens: Tokens): Promise<void> {
  await logoutTokenOf(tokens)
  await expectEnded(tokens)
}

const refused = { status: 400, body: { error: 'invalid_grant' } }

describe('password grant', () => {
  test('an unverified account signs in, its address in any case, and gets an ID token for its session', async () => {
    const { id, email, password } = await newAccount()
    const answer = await grant(email.toUpperCase(), password)
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: expect.closeTo(300, -1) } })
    const { payload, protectedHeader } = await verified(tokensIn(answer).id_token)
    expect([undefined, 'JWT']).toContain(protectedHeader.typ)
    expect(payload).toMatchObject({
      ...{ aud: 'bff-password', sub: id, typ: 'ID', sid: expect.any(String) },
      ...{ email, email_verified: false },
    })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(300)
    for (const name of ['name', 'picture', 'nonce', 'identity_provider']) expect(payload).not.toHaveProperty(name)
  })

  test('wrong password, unknown account, empty password and no password get the same refusal', async () => {
    const { email, password } = await newAccount()
    const without = await newAccount({ credentials: [] })
    const answers = [
      await grant(email, 'not-it-1'),
      await grant(newEmail(), password),
      await grant(email, ''),
      await grant(without.email, password),
    ]
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 400, body: answers[0]?.body })
    expect(answers[0]).toMatchObject(refused)
  })

  test('an account that must choose a new password is not fully set up', async () => {
    const { id, email, password } = await newAccount()
    await admin('PUT', `/users/${id}`, { requiredActions: ['UPDATE_PASSWORD'] })
    const error_description = 'Account is not fully set up'
    expect(await grant(email, password)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description },
    })
  })

  test('a false client secret, an unknown client and the public admin-cli of every realm are 401', async () => {
    const { email: username, password } = await newAccount()
    const form = { grant_type: 'password', username, password }
    const clients = [
      { client_id: 'bff-password', client_secret: 'not-the-secret' },
      { client_id: 'nobody', client_secret: 'not-the-secret' },
      { client_id: 'admin-cli' },
    ]
    for (const client of clients) {
      const answer = await post('token', { ...form, ...client })
      expect([400, 401]).toContain(answer.status)
      expect(answer.body).toMatchObject({
        error: expect.stringMatching(/^(invalid|unauthorized)_client$|^invalid_request$/),
      })
      if (client.client_id === 'bff-password') expect(answer.status).toBe(401)
    }
  })

  test('a client uses no grant but its own', async () => {
    const { email: username, password } = await newAccount()
    for (const fields of [
      { ...webClient(), grant_type: 'password', username, password },
      { ...passwordClient(), grant_type: 'client_credentials' },
    ])
      expect((await post('token', fields)).body).not.toHaveProperty('access_token')
    const { refresh_token } = await signIn({ id: '', email: username, password })
    expect(await refresh(refresh_token, webClient())).toMatchObject(refused)
  })

  test('no client gets a session that outlives its sign-out: offline_access is in nobody’s scopes', async () => {
    const { email, password } = await newAccount()
    const { status, body } = await grant(email, password, 'openid offline_access')
    if (status === 200) expect(Object(body).scope).not.toContain('offline_access')
    else expect(body).toMatchObject({ error: 'invalid_scope' })
  })

  test('sixteen sign-ins of one account at once all succeed', async () => {
    const { email, password } = await newAccount()
    const answers = await Promise.all(Array.from({ length: 16 }, () => grant(email, password)))
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
  })

  test('a hundred wrong passwords lock an account until the lock is lifted, a new password does not', async () => {
    const { id, email, password } = await newAccount()
    await Promise.all(Array.from({ length: 100 }, () => grant(email, 'not-it-1')))
    await vi.waitFor(async () => expect(await grant(email, password)).toMatchObject(refused), patience)
    expect((await admin('DELETE', `/attack-detection/brute-force/users/${id}`)).status).toBe(204)
    expect((await grant(email, password)).status).toBe(200)
  })
})

describe('sessions', () => {
  test('a refresh gives new tokens of the same session, and the refresh token stays good', async () => {
    const account = await newAccount()
    const first = await signIn(account)
    const second = tokensIn(await refresh(first.refresh_token))
    expect(second.access_token).not.toBe(first.access_token)
    expect(await claimsOf(second)).toMatchObject({ sub: account.id, sid: sidOf(first), typ: 'ID', aud: 'bff-password' })
    const both = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await refresh('made-up')).toMatchObject(refused)
  })

  test('userinfo tells what is true now, to the bearer of an access token only', async () => {
    const { id, email, password } = await newAccount()
    const { access_token, refresh_token, id_token } = await signIn({ id, email, password })
    expect((await userinfo(access_token)).body).toMatchObject({ sub: id, email, email_verified: false })
    await admin('PUT', `/users/${id}`, { emailVerified: true })
    expect((await userinfo(access_token)).body).toMatchObject({ email_verified: true })
    for (const token of ['a.b.c', refresh_token, id_token]) expect((await userinfo(token)).status).toBe(401)
  })

  test('a client ends its session with the refresh token: 204, a logout token, all tokens dead', async () => {
    const account = await newAccount()
    const [tokens, other] = [await signIn(account), await signIn(account)]
    expect((await logout(tokens.refresh_token)).status).toBe(204)
    await expectLoggedOut(tokens)
    expect((await refresh(other.refresh_token)).status).toBe(200)
    const { payload, protectedHeader } = await verified(await logoutTokenOf(tokens))
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' })
    expect(payload).toMatchObject({ aud: 'bff-password', sub: account.id, sid: sidOf(tokens), jti: expect.any(String) })
    expect(payload['events']).toMatchObject({ 'http://schemas.openid.net/event/backchannel-logout': {} })
    expect(payload).not.toHaveProperty('nonce')
  })

  test('a logout needs the client’s secret and its own refresh token', async () => {
    const { refresh_token } = await signIn(await newAccount())
    expect((await logout(refresh_token, { ...passwordClient(), client_secret: 'not-the-secret' })).status).toBe(401)
    expect((await logout(refresh_token, webClient())).status).toBe(400)
    expect((await logout('made-up')).status).toBe(400)
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  test('an administrator lists the sessions of an account, ends one, then all', async () => {
    const account: Account = await newAccount()
    const sessions = `/users/${account.id}/sessions`
    const all = [await signIn(account), await signIn(account), await signIn(account)] as const
    const { body } = await admin('GET', sessions)
    expect(body).toHaveLength(3)
    expect(body).toEqual(expect.arrayContaining(all.map((tokens) => expect.objectContaining({ id: sidOf(tokens) }))))
    const path = `/sessions/${sidOf(all[0])}`
    expect((await admin('DELETE', path)).status).toBe(204)
    await expectLoggedOut(all[0])
    expect((await admin('DELETE', path)).status).toBe(404)
    expect((await refresh(all[1].refresh_token)).status).toBe(200)
    expect((await admin('POST', `/users/${account.id}/logout`)).status).toBe(204)
    for (const tokens of all) await expectLoggedOut(tokens)
    expect((await admin('GET', sessions)).body).toEqual([])
  })
})
