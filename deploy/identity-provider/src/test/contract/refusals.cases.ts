import { createBrowser } from '@parley/service-kit/testing/provider-browser'
import { expect } from 'vitest'
import {
  type Account,
  admin,
  grant,
  newAccount,
  newEmail,
  passwordClient,
  post,
  refresh,
  signIn,
  userinfo,
} from './calls.ts'
import { authUrl, backAtClient, newVerifier } from './code-flow.ts'
import type { ContractCase, ContractTarget } from './target.ts'
import { waitFor } from './wait-for.ts'

const refused = (description: string) => ({ error: 'invalid_grant', error_description: description })
const wrong = refused('Invalid user credentials')

/** The realm's `failureFactor`, which is above the limits of the BFF. */
const failureFactor = 100

/** Tries wrong passwords until the provider refuses the right one too. */
async function lockAccount(target: ContractTarget, { email }: Account, path: string): Promise<void> {
  const guess = () => grant(target, email, 'not-it-1')
  await Promise.all(Array.from({ length: failureFactor }, guess))
  await waitFor('the lock', async () => {
    if (Object((await admin(target, 'GET', path)).body).disabled === true) return true
    await guess()
    return undefined
  })
}

export const refusalCases: ContractCase[] = [
  {
    name: 'wrong password, unknown account, empty password and no password get the same refusal',
    run: async (target) => {
      const { email, password } = await newAccount(target)
      const without = await newAccount(target, { credentials: [] })
      const answers = [
        await grant(target, email, 'not-it-1'),
        await grant(target, newEmail(), password),
        await grant(target, email, ''),
        await grant(target, without.email, password),
      ]
      for (const { status, body } of answers) expect([status, body]).toEqual([400, wrong])
    },
  },
  {
    name: 'that an account is disabled is told only to its owner',
    run: async (target) => {
      const { email, password } = await newAccount(target, { enabled: false })
      expect((await grant(target, email, 'not-it-1')).body).toEqual(wrong)
      const { status, body } = await grant(target, email, password)
      expect([status, body]).toEqual([400, refused('Account disabled')])
    },
  },
  {
    name: 'an account that must act first is not fully set up',
    run: async (target) => {
      const verify = await newAccount(target, { requiredActions: ['VERIFY_EMAIL'] })
      const update = await newAccount(target, { requiredActions: ['UPDATE_PASSWORD'] })
      const credentials = [{ type: 'password', value: 'secret-1', temporary: true }]
      const temporary = await newAccount(target, { credentials })
      for (const { email, password } of [verify, update, temporary]) {
        const { status, body } = await grant(target, email, password)
        expect([status, body]).toEqual([400, refused('Account is not fully set up')])
      }
    },
  },
  {
    name: 'a missing user name is 401',
    run: async (target) => {
      const { status, body } = await post(target, 'token', {
        ...passwordClient(target),
        grant_type: 'password',
        password: 'x',
      })
      expect([status, body]).toEqual([
        401,
        { error: 'invalid_request', error_description: 'Missing parameter: username' },
      ])
    },
  },
  {
    name: 'a false client secret and an unknown client are 401 under different codes',
    run: async (target) => {
      const description = 'Invalid client or Invalid client credentials'
      const fields = { grant_type: 'password', username: 'a@example.com', password: 'secret-1' }
      const bad = await post(target, 'token', { ...fields, client_id: 'bff-password', client_secret: 'not-the-secret' })
      expect([bad.status, bad.body]).toEqual([401, { error: 'unauthorized_client', error_description: description }])
      const unknown = await post(target, 'token', { ...fields, client_id: 'nobody', client_secret: 'not-the-secret' })
      expect([unknown.status, unknown.body]).toEqual([401, { error: 'invalid_client', error_description: description }])
    },
  },
  {
    name: 'the public admin-cli client of every Keycloak realm is closed',
    run: async (target) => {
      const { email, password } = await newAccount(target)
      const fields = { grant_type: 'password', client_id: 'admin-cli', username: email, password }
      const { status, body } = await post(target, 'token', fields)
      expect([status, body]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })])
    },
  },
  {
    name: 'bff-web may not use the password grant',
    run: async (target) => {
      const { email, password } = await newAccount(target)
      const client = { client_id: 'bff-web', client_secret: target.secrets.web }
      const { status, body } = await post(target, 'token', {
        ...client,
        grant_type: 'password',
        username: email,
        password,
      })
      expect([status, body]).toEqual([
        400,
        { error: 'unauthorized_client', error_description: 'Client not allowed for direct access grants' },
      ])
    },
  },
  {
    name: 'a client uses no grant but its own',
    run: async (target) => {
      const asService = await post(target, 'token', { ...passwordClient(target), grant_type: 'client_credentials' })
      expect([asService.status, asService.body]).toEqual([
        401,
        { error: 'unauthorized_client', error_description: 'Client not enabled to retrieve service account' },
      ])
      const { refresh_token } = await signIn(target, await newAccount(target))
      const foreign = { client_id: 'bff-web', client_secret: target.secrets.web, refresh_token }
      const other = await post(target, 'token', { ...foreign, grant_type: 'refresh_token' })
      expect([other.status, other.body]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
    },
  },
  {
    name: 'a token request without a grant type, or with one that there is none of, is told so',
    run: async (target) => {
      const none = await post(target, 'token', passwordClient(target))
      expect([none.status, none.body]).toEqual([
        400,
        { error: 'invalid_request', error_description: 'Missing form parameter: grant_type' },
      ])
      const unknown = await post(target, 'token', { ...passwordClient(target), grant_type: 'wish' })
      expect([unknown.status, unknown.body]).toEqual([
        400,
        { error: 'unsupported_grant_type', error_description: 'Unsupported grant_type' },
      ])
    },
  },
  {
    name: 'a scope that there is none of is refused',
    run: async (target) => {
      const { email, password } = await newAccount(target)
      const { status, body } = await grant(target, email, password, 'openid wishes')
      expect([status, body]).toEqual([
        400,
        { error: 'invalid_scope', error_description: 'Invalid scopes: openid wishes' },
      ])
    },
  },
  {
    name: 'disabling an account stops its refreshes and userinfo',
    run: async (target) => {
      const account = await newAccount(target)
      const { access_token, refresh_token } = await signIn(target, account)
      await admin(target, 'PUT', `/users/${account.id}`, { enabled: false })
      const { status, body } = await refresh(target, refresh_token)
      expect([status, body]).toEqual([400, refused('User disabled')])
      expect((await userinfo(target, access_token)).status).toBe(401)
    },
  },
  {
    name: 'a refresh token that is none is invalid_grant',
    run: async (target) => {
      const { status, body } = await refresh(target, 'made-up')
      expect([status, body]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
    },
  },
  {
    name: 'no client gets a session that outlives its sign-out: offline_access is in nobody’s scopes',
    run: async (target) => {
      const { email, password } = await newAccount(target)
      const scope = 'openid offline_access'
      const byPassword = await grant(target, email, password, scope)
      expect([byPassword.status, byPassword.body]).toEqual([
        400,
        { error: 'invalid_scope', error_description: `Invalid scopes: ${scope}` },
      ])
      const page = await createBrowser(target.issuer).visit(authUrl(target, newVerifier(), { scope }))
      expect(backAtClient(target, page).get('error')).toBe('invalid_scope')
    },
  },
  {
    name: 'a finished reset leaves a lock as it is, and the new password is younger than the reset',
    run: async (target) => {
      const account = await newAccount(target)
      const path = `/attack-detection/brute-force/users/${account.id}`
      const before = Date.now()
      await lockAccount(target, account, path)
      const reset = { type: 'password', value: 'brand-new-1', temporary: false }
      expect((await admin(target, 'PUT', `/users/${account.id}/reset-password`, reset)).status).toBe(204)
      expect((await grant(target, account.email, 'brand-new-1')).body).toEqual(wrong)
      const { body } = await admin(target, 'GET', `/users/${account.id}/credentials`)
      expect(Array.isArray(body) && body[0].createdDate).toBeGreaterThan(before - 30_000)
      expect((await admin(target, 'DELETE', path)).status).toBe(204)
      expect((await grant(target, account.email, 'brand-new-1')).status).toBe(200)
    },
  },
  {
    name: 'a locked account refuses the right password like a wrong one until the lock is lifted',
    run: async (target) => {
      const account = await newAccount(target)
      const path = `/attack-detection/brute-force/users/${account.id}`
      const lock = async () => Object((await admin(target, 'GET', path)).body)
      expect(await lock()).toMatchObject({ numFailures: 0, disabled: false })
      await grant(target, account.email, 'not-it-1')
      await waitFor('the first failure to be counted', async () => ((await lock()).numFailures > 0 ? true : undefined))
      expect((await grant(target, account.email, account.password)).status).toBe(200)
      await lockAccount(target, account, path)
      const { status, body } = await grant(target, account.email, account.password)
      expect([status, body]).toEqual([400, wrong])
      expect((await admin(target, 'GET', `/users/${account.id}`)).body).toMatchObject({ enabled: true })
      expect((await admin(target, 'DELETE', path)).status).toBe(204)
      expect((await grant(target, account.email, account.password)).status).toBe(200)
    },
  },
]
