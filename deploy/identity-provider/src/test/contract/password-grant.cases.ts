import { expect } from 'vitest'
import {
  admin,
  fiveMinutes,
  grant,
  newAccount,
  parseTokens,
  post,
  refresh,
  signIn,
  userinfo,
  verified,
} from './calls.ts'
import type { ContractCase } from './target.ts'

export const passwordGrantCases: ContractCase[] = [
  {
    name: 'the password grant answers Keycloak’s members; an unverified account may sign in',
    run: async (target) => {
      const { email, password } = await newAccount(target)
      const { status, body } = await grant(target, email, password)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        access_token: expect.any(String),
        expires_in: fiveMinutes,
        refresh_expires_in: expect.any(Number),
        refresh_token: expect.any(String),
        token_type: 'Bearer',
        id_token: expect.any(String),
        'not-before-policy': 0,
        session_state: expect.any(String),
        scope: expect.stringContaining('openid'),
      })
    },
  },
  {
    name: 'an ID token comes only with the scope openid',
    run: async (target) => {
      const account = await newAccount(target)
      expect((await signIn(target, account, 'profile email')).id_token).toBeUndefined()
      expect((await signIn(target, account, 'openid')).id_token).toBeDefined()
    },
  },
  {
    name: 'the ID token names person, session and client, signed with RS256',
    run: async (target) => {
      const account = await newAccount(target)
      const tokens = await signIn(target, account)
      const { payload, protectedHeader } = await verified(target, tokens.id_token)
      expect(protectedHeader.alg).toBe('RS256')
      expect(payload).toMatchObject({
        iss: target.issuer,
        aud: 'bff-password',
        azp: 'bff-password',
        sub: account.id,
        typ: 'ID',
        sid: tokens.session_state,
        jti: expect.any(String),
        at_hash: expect.any(String),
        acr: '1',
        email_verified: false,
        preferred_username: account.email,
        email: account.email,
      })
      expect(Number(payload.exp) - Number(payload.iat)).toBe(300)
      for (const name of ['name', 'given_name', 'family_name', 'picture', 'nonce', 'identity_provider', 'auth_time'])
        expect(payload).not.toHaveProperty(name)
    },
  },
  {
    name: 'names and picture come into ID token and userinfo where the account has them',
    run: async (target) => {
      const picture = 'https://photos.example/ann.png'
      const account = await newAccount(target, { firstName: 'Ann', attributes: { picture: [picture] } })
      const tokens = await signIn(target, account)
      const { payload } = await verified(target, tokens.id_token)
      expect(payload).toMatchObject({ name: 'Ann', given_name: 'Ann', picture })
      expect((await userinfo(target, tokens.access_token)).body).toMatchObject({
        name: 'Ann',
        given_name: 'Ann',
        picture,
      })
    },
  },
  {
    name: 'the access token is a JWT for the same session and person',
    run: async (target) => {
      const account = await newAccount(target)
      const tokens = await signIn(target, account)
      const { payload } = await verified(target, tokens.access_token)
      expect(payload).toMatchObject({ sub: account.id, azp: 'bff-password', sid: tokens.session_state, typ: 'Bearer' })
    },
  },
  {
    name: 'userinfo tells what is true now, not when the token was issued',
    run: async (target) => {
      const account = await newAccount(target)
      const { access_token } = await signIn(target, account)
      const { id: sub, email } = account
      const before = await userinfo(target, access_token)
      expect([before.status, before.body]).toEqual([
        200,
        { sub, email_verified: false, preferred_username: email, email },
      ])
      await admin(target, 'PUT', `/users/${account.id}`, { emailVerified: true })
      expect((await userinfo(target, access_token)).body).toMatchObject({ email_verified: true })
      const { payload } = await verified(target, parseTokens(await grant(target, email, account.password)).id_token)
      expect(payload['email_verified']).toBe(true)
    },
  },
  {
    name: 'userinfo without or with a false token is 401',
    run: async (target) => {
      expect((await userinfo(target, 'a.b.c')).status).toBe(401)
      const { refresh_token, id_token } = await signIn(target, await newAccount(target))
      expect((await userinfo(target, refresh_token)).status).toBe(401)
      expect((await userinfo(target, id_token ?? '')).status).toBe(401)
      const narrow = await signIn(target, await newAccount(target), 'profile email')
      expect((await userinfo(target, narrow.access_token)).status).toBe(403)
    },
  },
  {
    name: 'an address in capitals signs in',
    run: async (target) => {
      const { email, password } = await newAccount(target)
      expect((await grant(target, email.toUpperCase(), password)).status).toBe(200)
    },
  },
  {
    name: 'a refresh gives new tokens of the same session, and the refresh token stays good',
    run: async (target) => {
      const account = await newAccount(target)
      const first = await signIn(target, account)
      const second = parseTokens(await refresh(target, first.refresh_token))
      expect(second.session_state).toBe(first.session_state)
      expect(second.access_token).not.toBe(first.access_token)
      const { payload } = await verified(target, second.id_token)
      expect(payload).toMatchObject({ sub: account.id, sid: first.session_state, typ: 'ID', aud: 'bff-password' })
      const both = await Promise.all([refresh(target, first.refresh_token), refresh(target, first.refresh_token)])
      expect(both.map(({ status }) => status)).toEqual([200, 200])
    },
  },
  {
    name: 'sixteen sign-ins of one account at once all succeed',
    run: async (target) => {
      const { email, password } = await newAccount(target)
      const answers = await Promise.all(Array.from({ length: 16 }, () => grant(target, email, password)))
      expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
    },
  },
  {
    name: 'client credentials are taken from the header as well',
    run: async (target) => {
      const { email, password } = await newAccount(target)
      const authorization = `Basic ${btoa(`bff-password:${target.secrets.password}`)}`
      const fields = { grant_type: 'password', username: email, password, scope: 'openid' }
      expect((await post(target, 'token', fields, { authorization })).status).toBe(200)
    },
  },
]
