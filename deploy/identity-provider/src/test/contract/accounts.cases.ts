import { describe, expect, test } from 'vitest'
import {
  admin,
  adminToken,
  createAccount,
  expectEnded,
  findAccount,
  grant,
  newAccount,
  newEmail,
  passwordOf,
  refresh,
  signIn,
  userinfo,
} from './calls.ts'
import { target } from './target.ts'

describe('accounts', () => {
  test('creating one answers 201 with its id in Location, and stores the address in lower case', async () => {
    const email = newEmail()
    const answer = await createAccount(email.toUpperCase())
    expect(answer.status).toBe(201)
    const id = answer.headers.get('location')?.split('/').pop()
    expect(await findAccount(email)).toMatchObject({ id, email, emailVerified: false, enabled: true })
    expect(await findAccount(email.slice(0, -1))).toBeUndefined()
    expect(await createAccount(email)).toMatchObject({ status: 409 })
  })

  test.each([
    ['five characters', '12345', 'invalidPasswordMinLengthMessage', /\b6\b/],
    ['129 characters', 'x7'.padEnd(129, 'Q'), 'invalidPasswordMaxLengthMessage', /\b128\b/],
    ['one that many people have', '123456', 'invalidPasswordBlacklistedMessage', /./],
    ['one that many people have, in capitals', 'PassWord1', 'invalidPasswordBlacklistedMessage', /./],
  ])('a password of %s is refused under its key and leaves no account behind', async (_what, value, error, rule) => {
    const email = newEmail()
    const answer = await createAccount(email, { credentials: passwordOf(value) })
    expect(answer).toMatchObject({ status: 400, body: { error, error_description: expect.stringMatching(rule) } })
    expect(await findAccount(email)).toBeUndefined()
  })

  test.each(['k7#pQz', 'x7'.padEnd(128, 'Q')])('a password of 6 or 128 characters is taken', async (value) => {
    const { email } = await newAccount({ credentials: passwordOf(value) })
    expect((await grant(email, value)).status).toBe(200)
  })

  test('an address that is none is named with its field', async () => {
    const body = { field: 'email', errorMessage: 'error-invalid-email' }
    expect(await createAccount('notanemail')).toMatchObject({ status: 400, body })
  })

  test('one as it was read may be sent back with a change, which keeps what it does not name', async () => {
    const { id, email } = await newAccount()
    const before = await findAccount(email)
    expect((await admin('PUT', `/users/${id}`, { ...before, emailVerified: true })).status).toBe(204)
    expect(await findAccount(email)).toMatchObject({ id, email, emailVerified: true, enabled: true })
    expect((await admin('PUT', `/users/${id}`, { enabled: false })).status).toBe(204)
    expect(await findAccount(email)).toMatchObject({ emailVerified: true, enabled: false })
  })

  test('credentials are listed with their age, without the hash, and can be deleted', async () => {
    const before = Date.now()
    const { id, email, password } = await newAccount()
    const path = `/users/${id}/credentials`
    const { body } = await admin('GET', path)
    expect(body).toEqual([expect.objectContaining({ id: expect.any(String), type: 'password' })])
    expect(JSON.stringify(body)).not.toMatch(/secretData|salt/)
    const [credential] = Array.isArray(body) ? body : []
    expect(credential.createdDate).toBeGreaterThan(before - 30_000)
    expect((await admin('DELETE', `${path}/${credential.id}`)).status).toBe(204)
    expect((await admin('GET', path)).body).toEqual([])
    expect((await grant(email, password)).status).toBe(400)
  })

  test('a disabled one neither refreshes nor signs in, and tells no more of itself', async () => {
    const account = await newAccount()
    const { access_token, refresh_token } = await signIn(account)
    await admin('PUT', `/users/${account.id}`, { enabled: false })
    for (const answer of [await refresh(refresh_token), await grant(account.email, account.password)])
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await userinfo(access_token)).status).toBe(401)
    const mail = await admin('PUT', `/users/${account.id}/execute-actions-email`, ['UPDATE_PASSWORD'])
    expect(mail).toMatchObject({ status: 400, body: { errorMessage: expect.stringMatching(/disabled/i) } })
  })

  test('a deleted one is gone and its tokens are dead', async () => {
    const account = await newAccount()
    const tokens = await signIn(account)
    expect((await admin('DELETE', `/users/${account.id}`)).status).toBe(204)
    for (const call of [admin('GET', `/users/${account.id}/sessions`), admin('DELETE', `/users/${account.id}`)])
      expect((await call).status).toBe(404)
    await expectEnded(tokens)
  })

  test('admin calls need the service account: 401 without its token, 403 with somebody’s own', async () => {
    const { access_token } = await signIn(await newAccount())
    expect((await admin('GET', '/users', undefined, access_token)).status).toBe(403)
    expect((await admin('GET', '/users', undefined, 'a.b.c')).status).toBe(401)
  })

  test('the service account reaches neither clients nor another realm', async () => {
    expect((await admin('GET', '/clients')).status).toBe(403)
    const master = target().issuer.replace(/\/realms\/.*/, '/admin/realms/master/users')
    const answer = await fetch(master, { headers: { authorization: `Bearer ${await adminToken()}` } })
    expect([403, 404]).toContain(answer.status)
  })
})
