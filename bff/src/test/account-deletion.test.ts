import { errorBodySchema } from '@parley/contracts/core/errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAddress } from './mailbox.ts'
import { changeAccount, findAccount } from './provider-admin.ts'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

const password = 'correct horse'

async function newPerson() {
  const [browser, email] = [bff.browser(), newAddress('leaver')]
  expect((await browser.signUp(email, password)).status).toBe(201)
  await changeAccount(email, { emailVerified: true })
  expect((await browser.signIn(email, password)).status).toBe(200)
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  return { browser, email }
}
const codeOf = async (response: Response) => errorBodySchema.parse(await response.json()).code

test('a person deletes their account: it is gone here and at the provider, and every session has ended', async () => {
  const { browser, email } = await newPerson()
  const elsewhere = bff.browser()
  expect((await elsewhere.signIn(email, password)).status).toBe(200)
  const path = '/auth/account-deletion'
  const wrong = await browser.postJson(path, { email: 'somebody@example.com' })
  expect([wrong.status, await codeOf(wrong)]).toEqual([400, 'validation_failed'])
  expect(await findAccount(email)).toBeDefined()

  expect((await browser.postJson(path, { email: email.toUpperCase() })).status).toBe(204)
  expect(browser.cookie()).toBe('')
  expect((await elsewhere.send('GET', '/api/auth/user')).status).toBe(401)
  expect(await findAccount(email)).toBeUndefined()
  expect((await bff.browser().signIn(email, password)).status).toBe(400)
})

test('one who has signed in a while ago confirms by their password first', async () => {
  const { browser, email } = await newPerson()
  const { store } = bff.dependencies
  const session = await store.load(browser.cookie().split('=')[1] ?? '')
  if (!session) throw new Error('the session is gone')
  await store.replace(session, { ...session.hot, createdAt: Date.now() - 11 * 60_000 })
  const refused = await browser.postJson('/auth/account-deletion', { email })
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'confirmation_required'])
  expect(await findAccount(email)).toBeDefined()
  expect((await browser.postJson('/auth/confirm', { password })).status).toBe(204)
  expect((await browser.postJson('/auth/account-deletion', { email })).status).toBe(204)
})

test('without a session nothing is deleted', async () => {
  const { email } = await newPerson()
  expect((await bff.browser().postJson('/auth/account-deletion', { email })).status).toBe(401)
  expect(await findAccount(email)).toBeDefined()
})
