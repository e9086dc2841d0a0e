import { expect } from 'vitest'
import {
  type Account,
  admin,
  logout,
  newAccount,
  parseTokens,
  passwordClient,
  post,
  refresh,
  signIn,
  type Tokens,
  userinfo,
  verified,
} from './calls.ts'
import type { ContractCase, ContractTarget } from './target.ts'

const notActive = { error: 'invalid_grant', error_description: 'Session not active' }

/** The session is dead in every way that a client can see. */
export async function expectEnded(target: ContractTarget, tokens: Tokens): Promise<void> {
  const { status, body } = await refresh(target, tokens.refresh_token)
  expect([status, body]).toEqual([400, notActive])
  expect((await userinfo(target, tokens.access_token)).status).toBe(401)
}

async function expectLogoutToken(target: ContractTarget, account: Account, tokens: Tokens): Promise<void> {
  const { payload, protectedHeader } = await verified(target, await target.logouts.wait(tokens.session_state))
  expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'logout+jwt', kid: expect.any(String) })
  expect(payload).toMatchObject({
    iss: target.issuer,
    aud: 'bff-password',
    sub: account.id,
    sid: tokens.session_state,
    typ: 'Logout',
    jti: expect.any(String),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
  expect(Number(payload.exp) - Number(payload.iat)).toBe(120)
  expect(payload).not.toHaveProperty('nonce')
}

export const sessionCases: ContractCase[] = [
  {
    name: 'each refresh brings a new refresh token, and the ones before go on',
    run: async (target) => {
      const first = await signIn(target, await newAccount(target))
      const second = parseTokens(await refresh(target, first.refresh_token))
      const third = parseTokens(await refresh(target, second.refresh_token))
      const again = parseTokens(await refresh(target, first.refresh_token))
      const all = [first, second, third, again].map((tokens) => tokens.refresh_token)
      expect(new Set(all).size).toBe(4)
      for (const tokens of [second, third, again]) expect(tokens.session_state).toBe(first.session_state)
    },
  },
  {
    name: 'a client ends its session with the refresh token: 204, a logout token, all tokens dead',
    run: async (target) => {
      const account = await newAccount(target)
      const tokens = await signIn(target, account)
      expect((await logout(target, tokens.refresh_token)).status).toBe(204)
      await expectLogoutToken(target, account, tokens)
      await expectEnded(target, tokens)
    },
  },
  {
    name: 'a logout needs the client’s secret and its own refresh token',
    run: async (target) => {
      const tokens = await signIn(target, await newAccount(target))
      const fields = { refresh_token: tokens.refresh_token }
      const bad = await post(target, 'logout', {
        ...fields,
        client_id: 'bff-password',
        client_secret: 'not-the-secret',
      })
      expect(bad.status).toBe(401)
      const other = { client_id: 'bff-web', client_secret: target.secrets.web }
      expect((await post(target, 'logout', { ...fields, ...other })).status).toBe(400)
      expect((await post(target, 'logout', { ...passwordClient(target), refresh_token: 'made-up' })).status).toBe(400)
      expect((await refresh(target, tokens.refresh_token)).status).toBe(200)
    },
  },
  {
    name: 'one of two sessions ends alone',
    run: async (target) => {
      const account = await newAccount(target)
      const [first, second] = [await signIn(target, account), await signIn(target, account)]
      expect(first.session_state).not.toBe(second.session_state)
      await logout(target, first.refresh_token)
      await expectEnded(target, first)
      expect((await refresh(target, second.refresh_token)).status).toBe(200)
    },
  },
  {
    name: 'an administrator lists sessions and ends one',
    run: async (target) => {
      const account = await newAccount(target)
      const [first, second] = [await signIn(target, account), await signIn(target, account)]
      const { status, body } = await admin(target, 'GET', `/users/${account.id}/sessions`)
      expect(status).toBe(200)
      expect(body).toHaveLength(2)
      expect(body).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            id: first.session_state,
            userId: account.id,
            username: account.email,
            ipAddress: expect.any(String),
            start: expect.any(Number),
            lastAccess: expect.any(Number),
            clients: expect.any(Object),
          }),
        ]),
      )
      expect((await admin(target, 'DELETE', `/sessions/${first.session_state}`)).status).toBe(204)
      await expectLogoutToken(target, account, first)
      await expectEnded(target, first)
      expect((await refresh(target, second.refresh_token)).status).toBe(200)
      const again = await admin(target, 'DELETE', `/sessions/${first.session_state}`)
      expect([again.status, again.body]).toEqual([404, { error: 'Sesssion not found' }])
    },
  },
  {
    name: 'an administrator ends all sessions of an account',
    run: async (target) => {
      const account = await newAccount(target)
      const sessions = [await signIn(target, account), await signIn(target, account)]
      expect((await admin(target, 'POST', `/users/${account.id}/logout`)).status).toBe(204)
      for (const tokens of sessions) await expectEnded(target, tokens)
      for (const tokens of sessions) await target.logouts.wait(tokens.session_state)
      expect((await admin(target, 'GET', `/users/${account.id}/sessions`)).body).toEqual([])
    },
  },
  {
    name: 'introspection tells a client nothing of a token that is not meant for it',
    run: async (target) => {
      const { access_token: token } = await signIn(target, await newAccount(target))
      const { status, body } = await post(target, 'token/introspect', { ...passwordClient(target), token })
      expect([status, body]).toEqual([200, { active: false }])
      const stranger = { client_id: 'bff-password', client_secret: 'not-the-secret', token }
      expect((await post(target, 'token/introspect', stranger)).status).toBe(401)
    },
  },
  {
    name: 'revoking the refresh token ends its use',
    run: async (target) => {
      const tokens = await signIn(target, await newAccount(target))
      const fields = { ...passwordClient(target), token: tokens.refresh_token }
      expect((await post(target, 'revoke', fields)).status).toBe(200)
      expect((await refresh(target, tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
      expect((await userinfo(target, tokens.access_token)).status).toBe(401)
    },
  },
]
