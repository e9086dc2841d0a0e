import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { errorBodySchema } from '@parley/contracts/core/errors'
import { openDatabaseOf } from '@parley/service-kit/testing/test-database'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { newAddress } from './mailbox.ts'
import { changeAccount, findAccount } from './provider-admin.ts'
import { forThisTest } from './running.ts'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

const password = 'correct horse'

async function newPerson(on = bff) {
  const [browser, email] = [on.browser(), newAddress('leaver')]
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

/** The identity service, which lets a test do something first when it is asked to end an account. */
async function identityThatWaits(beforeEnd: () => Promise<unknown>) {
  const server = createServer(async (req, res) => {
    const body = await text(req)
    if (req.url?.endsWith('/end')) await beforeEnd()
    const { authorization = '', 'content-type': type = '' } = req.headers
    const answer = await fetch(`${inject('stack').env.bff['IDENTITY_URL']}${req.url}`, {
      method: req.method ?? 'GET',
      headers: { authorization, ...(type && { 'content-type': type }) },
      body: body || null,
    })
    const content = await answer.text()
    res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

test('who signs in while their account is deleted leaves neither a person nor a session', async () => {
  let meanwhile = async (): Promise<unknown> => undefined
  const identity = await forThisTest(identityThatWaits(() => meanwhile()))
  const on = await forThisTest(startBff({ IDENTITY_URL: identity.url }))
  const connection = await openDatabaseOf(inject('stack').env.profile['MONGODB_URL'] ?? '')
  onTestFinished(() => connection.close())
  const people = (address: string) => connection.collection('users').countDocuments({ email: address })
  const { browser, email } = await newPerson(on)
  const elsewhere = on.browser()
  const made: number[] = []
  meanwhile = async () => {
    made.push(await people(email))
    expect((await elsewhere.signIn(email, password)).status).toBe(200)
    expect((await elsewhere.send('GET', '/api/auth/user')).status).toBe(200)
    made.push(await people(email))
  }
  expect((await browser.postJson('/auth/account-deletion', { email })).status).toBe(204)
  expect(made).toEqual([0, 1])
  expect(await people(email)).toBe(0)
  expect((await elsewhere.send('GET', '/api/auth/user')).status).toBe(401)
})
