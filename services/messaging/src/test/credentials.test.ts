import { credentialsSchema } from '@parley/contracts/channel/credentials'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

const path = '/api/workspace/credentials'
const newOwner = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
type Person = ReturnType<typeof newOwner>
const read = async (person: Person) => credentialsSchema.parse((await person.call('GET', path)).body)
const newNumber = (settings: object = {}) => parley.simulator.call('/numbers', { name: 'Chai & Co', ...settings })
const entered = ({ phoneNumberId, accountId, accessToken, appSecret }: Record<string, string>) => ({
  phoneNumberId,
  businessAccountId: accountId,
  accessToken,
  appSecret,
})

test('a new workspace has a webhook address and nothing else', async () => {
  const none = { set: false, last4: '', updatedAt: null }
  const owner = newOwner()
  const first = await read(owner)
  expect(first).toMatchObject({
    connected: false,
    numberId: null,
    phoneNumberId: '',
    accessToken: none,
    appSecret: none,
  })
  expect(first.webhook.url).toMatch(/\/hooks\/whatsapp\/[0-9a-f]{32}$/)
  expect((await read(owner)).webhook).toEqual(first.webhook)
})

test('saving connects the number with its name at WhatsApp, and tells no secret again', async () => {
  const owner = newOwner()
  const simulatedNumber = await newNumber()
  const { status, body } = await owner.call('PATCH', path, entered(simulatedNumber))
  expect([status, body.connected]).toEqual([200, true])
  const { items } = (await owner.call('GET', '/api/numbers')).body
  expect(items).toMatchObject([
    { displayName: 'Chai & Co', phoneNumber: simulatedNumber.displayNumber, status: 'active' },
  ])
  for (const secret of [simulatedNumber.accessToken, simulatedNumber.appSecret]) {
    expect(JSON.stringify([body, await read(owner)])).not.toContain(secret.slice(0, -4))
    const stored = await parley.database.connection.collection('endpoints').find().toArray()
    expect(JSON.stringify(stored)).not.toContain(secret)
  }
})

test('a test says what WhatsApp says to what was entered, and changes nothing', async () => {
  const owner = newOwner()
  const simulatedNumber = await newNumber()
  const attempt = (over: object) => owner.call('POST', `${path}/test`, { ...entered(simulatedNumber), ...over })
  const states = async (over: object) =>
    (await attempt(over)).body.checks.map(({ step, state }: Record<string, string>) => `${step} ${state}`)
  expect(await states({})).toEqual(['token passed', 'number passed', 'details passed'])
  expect(await states({ accessToken: 'EAAG-this-token-opens-nothing' })).toEqual([
    'token failed',
    'number waiting',
    'details waiting',
  ])
  expect((await attempt({ accessToken: undefined })).body.fields).toEqual({ accessToken: expect.any(String) })
  expect((await read(owner)).numberId).toBeNull()
})

test('of two app secrets both are good until the first is removed', async () => {
  const owner = newOwner()
  const simulatedNumber = await newNumber()
  await owner.call('PATCH', path, { ...entered(simulatedNumber), appSecret: 'the-secret-that-was-before' })
  const both = await owner.call('PATCH', path, { ...entered(simulatedNumber), accessToken: undefined })
  expect(both.body).toMatchObject({ connected: true, appSecret: { set: true }, previousAppSecret: { last4: 'fore' } })
  expect((await owner.call('DELETE', `${path}/previous-app-secret`)).status).toBe(204)
  expect(await read(owner)).toMatchObject({ connected: true, previousAppSecret: { set: false } })
})

test('a save that is refused changes nothing: the app secret that is good stays', async () => {
  const owner = newOwner()
  const simulatedNumber = await newNumber()
  expect((await owner.call('PATCH', path, entered(simulatedNumber))).status).toBe(200)
  const before = await read(owner)
  const other = await newNumber()
  const appSecret = 'another-secret-of-nothing'
  for (const refused of [
    { ...entered(simulatedNumber), accessToken: undefined, businessAccountId: '1234567890', appSecret },
    { ...entered(simulatedNumber), accessToken: 'EAAG-this-token-opens-nothing', appSecret },
    { ...entered(other), accessToken: undefined, appSecret },
    { ...entered(other), accessToken: 'EAAG-this-token-opens-nothing', appSecret },
  ]) {
    expect((await owner.call('PATCH', path, refused)).status).toBe(400)
    expect(await read(owner)).toEqual(before)
  }
})

test('a verify token is told when it is made, and is the one that WhatsApp has to know', async () => {
  const owner = newOwner()
  const { webhook } = await read(owner)
  const { body } = await owner.call('POST', `${path}/verify-token`)
  expect((await read(owner)).webhook.verifyToken.last4).toBe(body.verifyToken.slice(-4))
  expect((await read(owner)).webhook.verifyToken.last4).not.toBe(webhook.verifyToken.last4)
  const handshake = (token: string) =>
    fetch(
      `${webhook.url}?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '42' })}`,
    )
  expect((await handshake('guessed')).status).toBe(403)
  const answer = await handshake(body.verifyToken)
  expect([answer.status, await answer.text()]).toEqual([200, '42'])
})

test('each workspace has its own, and roles see no more than they may', async () => {
  const [ann, bob] = [newOwner(), newOwner()]
  const simulatedNumber = await newNumber()
  await ann.call('PATCH', path, entered(simulatedNumber))
  expect((await bob.call('PATCH', path, entered(simulatedNumber))).body.code).toBe('number_exists')
  expect(await read(bob)).toMatchObject({ numberId: null })
  const agent = parley.signIn({ workspaceId: ann.workspaceId, role: 'agent' })
  expect((await agent.call('GET', path)).status).toBe(200)
  for (const [method, at, body] of [
    ['PATCH', path, entered(simulatedNumber)],
    ['POST', `${path}/test`, entered(simulatedNumber)],
    ['POST', `${path}/verify-token`, undefined],
    ['DELETE', `${path}/previous-app-secret`, undefined],
  ] as const)
    expect((await agent.call(method, at, body)).status).toBe(403)
})
