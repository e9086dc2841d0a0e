import { expect } from 'vitest'
import { accountBody, admin, grant, newAccount, newEmail, post, refresh, signIn } from './calls.ts'
import type { ContractCase } from './target.ts'

export const accountCases: ContractCase[] = [
  {
    name: 'creating an account answers 201 with its id in Location, and stores the address in lower case',
    run: async (target) => {
      const email = newEmail()
      const answer = await admin(target, 'POST', '/users', accountBody(email.toUpperCase()))
      expect(answer.status).toBe(201)
      const id = answer.headers.get('location')?.split('/').pop()
      expect((await admin(target, 'GET', `/users/${id}`)).body).toMatchObject({
        id,
        username: email,
        email,
        emailVerified: false,
        enabled: true,
      })
    },
  },
  {
    name: 'a second account with the same address is 409',
    run: async (target) => {
      const { email } = await newAccount(target)
      const { status, body } = await admin(target, 'POST', '/users', accountBody(email.toUpperCase()))
      expect([status, body]).toEqual([409, { errorMessage: 'User exists with same email' }])
    },
  },
  {
    name: 'a password of five characters is refused and leaves no account behind',
    run: async (target) => {
      const email = newEmail()
      const credentials = [{ type: 'password', value: '12345', temporary: false }]
      const { status, body } = await admin(target, 'POST', '/users', accountBody(email, { credentials }))
      expect([status, body]).toEqual([
        400,
        { error: 'invalidPasswordMinLengthMessage', error_description: 'Invalid password: minimum length 6.' },
      ])
      expect((await admin(target, 'GET', `/users?email=${email}&exact=true`)).body).toEqual([])
    },
  },
  {
    name: 'a password of six characters is taken',
    run: async (target) => {
      const credentials = [{ type: 'password', value: 'k7#pQz', temporary: false }]
      const account = await newAccount(target, { credentials })
      expect((await grant(target, account.email, 'k7#pQz')).status).toBe(200)
    },
  },
  {
    name: 'a password that many people have is refused, in capital letters too, at its change as well',
    run: async (target) => {
      const refusal = {
        error: 'invalidPasswordBlacklistedMessage',
        error_description: 'Invalid password: password is not allowed.',
      }
      for (const value of ['123456', 'Password1']) {
        const credentials = [{ type: 'password', value, temporary: false }]
        const { status, body } = await admin(target, 'POST', '/users', accountBody(newEmail(), { credentials }))
        expect([status, body]).toEqual([400, refusal])
      }
      const { id } = await newAccount(target)
      const common = { type: 'password', value: 'letmein', temporary: false }
      const change = await admin(target, 'PUT', `/users/${id}/reset-password`, common)
      expect([change.status, change.body]).toEqual([400, refusal])
    },
  },
  {
    name: 'a password of 128 characters is taken, one more is refused',
    run: async (target) => {
      const credentials = (length: number) => [{ type: 'password', value: 'x7'.padEnd(length, 'Q'), temporary: false }]
      const { email } = await newAccount(target, { credentials: credentials(128) })
      expect((await grant(target, email, 'x7'.padEnd(128, 'Q'))).status).toBe(200)
      const long = accountBody(newEmail(), { credentials: credentials(129) })
      const { status, body } = await admin(target, 'POST', '/users', long)
      expect([status, body]).toEqual([
        400,
        { error: 'invalidPasswordMaxLengthMessage', error_description: 'Invalid password: maximum length 128.' },
      ])
    },
  },
  {
    name: 'an address that an administrator changes stays as verified as the one before',
    run: async (target) => {
      const { id } = await newAccount(target, { emailVerified: true })
      const email = newEmail()
      expect((await admin(target, 'PUT', `/users/${id}`, { email })).status).toBe(204)
      expect((await admin(target, 'GET', `/users/${id}`)).body).toMatchObject({ email, emailVerified: true })
    },
  },
  {
    name: 'an address that is none is named with its field',
    run: async (target) => {
      const { status, body } = await admin(target, 'POST', '/users', accountBody('notanemail'))
      expect([status, body]).toEqual([
        400,
        { field: 'email', errorMessage: 'error-invalid-email', params: ['email', 'notanemail'] },
      ])
    },
  },
  {
    name: 'several faults are listed under errors',
    run: async (target) => {
      const faulty = accountBody('notanemail', { attributes: { picture: ['no picture'] } })
      const { status, body } = await admin(target, 'POST', '/users', faulty)
      expect(status).toBe(400)
      expect(body).toEqual({
        errors: expect.arrayContaining([
          expect.objectContaining({ field: 'picture', errorMessage: 'error-invalid-uri' }),
          expect.objectContaining({ field: 'email', errorMessage: 'error-invalid-email' }),
        ]),
      })
    },
  },
  {
    name: 'an attribute that the realm does not know is dropped without a word',
    run: async (target) => {
      const attributes = { picture: ['https://photos.example/a.png'], colour: ['green'] }
      const { id } = await newAccount(target, { attributes })
      expect((await admin(target, 'GET', `/users/${id}`)).body).toMatchObject({
        attributes: { picture: ['https://photos.example/a.png'] },
      })
      expect(JSON.stringify((await admin(target, 'GET', `/users/${id}`)).body)).not.toContain('green')
    },
  },
  {
    name: 'an account is found by its exact address only',
    run: async (target) => {
      const { id, email } = await newAccount(target)
      const found = await admin(target, 'GET', `/users?email=${encodeURIComponent(email)}&exact=true`)
      expect([found.status, found.body]).toEqual([200, [expect.objectContaining({ id })]])
      const byName = await admin(target, 'GET', `/users?username=${encodeURIComponent(email)}&exact=true`)
      expect(byName.body).toEqual([expect.objectContaining({ id })])
      expect((await admin(target, 'GET', `/users?email=${email.slice(0, -1)}&exact=true`)).body).toEqual([])
    },
  },
  {
    name: 'a change keeps what it does not name; attributes make it the whole profile',
    run: async (target) => {
      const { id, email } = await newAccount(target, { firstName: 'Ann' })
      expect((await admin(target, 'PUT', `/users/${id}`, { emailVerified: true })).status).toBe(204)
      expect((await admin(target, 'GET', `/users/${id}`)).body).toMatchObject({
        email,
        emailVerified: true,
        enabled: true,
        firstName: 'Ann',
      })
      const whole = await admin(target, 'PUT', `/users/${id}`, {
        attributes: { picture: ['https://photos.example/a'] },
      })
      expect(whole.status).toBe(400)
      expect(JSON.stringify(whole.body)).toContain('error-user-attribute-required')
    },
  },
  {
    name: 'setting a password ends no session, the old one no longer opens the account',
    run: async (target) => {
      const account = await newAccount(target)
      const { refresh_token } = await signIn(target, account)
      const body = { type: 'password', value: 'another-1', temporary: false }
      expect((await admin(target, 'PUT', `/users/${account.id}/reset-password`, body)).status).toBe(204)
      expect((await refresh(target, refresh_token)).status).toBe(200)
      expect((await grant(target, account.email, account.password)).status).toBe(400)
      expect((await grant(target, account.email, 'another-1')).status).toBe(200)
      const short = { type: 'password', value: 'abc', temporary: false }
      expect((await admin(target, 'PUT', `/users/${account.id}/reset-password`, short)).status).toBe(400)
    },
  },
  {
    name: 'credentials are listed without the hash and can be deleted',
    run: async (target) => {
      const account = await newAccount(target)
      const path = `/users/${account.id}/credentials`
      const { body } = await admin(target, 'GET', path)
      expect(body).toEqual([
        expect.objectContaining({ id: expect.any(String), type: 'password', createdDate: expect.any(Number) }),
      ])
      const id = Array.isArray(body) ? body[0].id : ''
      expect(JSON.stringify(body)).not.toMatch(/secretData|salt/)
      expect((await admin(target, 'DELETE', `${path}/${id}`)).status).toBe(204)
      expect((await admin(target, 'GET', path)).body).toEqual([])
      expect((await grant(target, account.email, account.password)).body).toEqual({
        error: 'invalid_grant',
        error_description: 'Invalid user credentials',
      })
    },
  },
  {
    name: 'a deleted account is gone and its tokens are dead',
    run: async (target) => {
      const account = await newAccount(target)
      const { refresh_token } = await signIn(target, account)
      expect((await admin(target, 'DELETE', `/users/${account.id}`)).status).toBe(204)
      const { status, body } = await admin(target, 'GET', `/users/${account.id}`)
      expect([status, body]).toEqual([404, { error: 'User not found' }])
      expect((await refresh(target, refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
    },
  },
  {
    name: 'admin calls need the service account: 401 without a token, 403 with somebody’s own',
    run: async (target) => {
      const account = await newAccount(target)
      const { access_token } = await signIn(target, account)
      const own = await admin(target, 'GET', `/users/${account.id}`, undefined, access_token)
      expect([own.status, own.body]).toEqual([403, { error: 'HTTP 403 Forbidden' }])
      const forged = await admin(target, 'GET', `/users/${account.id}`, undefined, 'a.b.c')
      expect([forged.status, forged.body]).toEqual([401, { error: 'HTTP 401 Unauthorized' }])
    },
  },
  {
    name: 'the service account reaches neither clients nor another realm',
    run: async (target) => {
      const clients = await admin(target, 'GET', '/clients')
      expect([clients.status, clients.body]).toEqual([403, { error: 'HTTP 403 Forbidden' }])
      const master = { ...target, issuer: target.issuer.replace(/[^/]+$/, 'master') }
      const token = await post(target, 'token', {
        client_id: 'svc-identity',
        client_secret: target.secrets.identity,
        grant_type: 'client_credentials',
      })
      const access = Object(token.body).access_token
      expect((await admin(master, 'GET', '/users', undefined, access)).status).toBe(403)
    },
  },
  {
    name: 'a body that is no JSON is 400',
    run: async (target) => {
      const { id } = await newAccount(target)
      const { status, body } = await admin(target, 'PUT', `/users/${id}`, '{"enabled":')
      expect([status, body]).toEqual([400, expect.objectContaining({ error: expect.any(String) })])
    },
  },
  {
    name: 'a member that no account has is refused, not dropped',
    run: async (target) => {
      const { id } = await newAccount(target)
      const { status, body } = await admin(target, 'PUT', `/users/${id}`, { colour: 'green' })
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain('colour')
    },
  },
  {
    name: 'an account as it was read may be sent back with a change',
    run: async (target) => {
      const { id } = await newAccount(target, { firstName: 'Ann' })
      const { body } = await admin(target, 'GET', `/users/${id}`)
      expect((await admin(target, 'PUT', `/users/${id}`, { ...Object(body), lastName: 'Stone' })).status).toBe(204)
      expect((await admin(target, 'GET', `/users/${id}`)).body).toMatchObject({ firstName: 'Ann', lastName: 'Stone' })
    },
  },
]
