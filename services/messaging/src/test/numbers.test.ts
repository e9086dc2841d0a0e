import { numberSchema } from '@parley/contracts/channel/numbers'
import { Secret } from '@parley/service-kit/core/secret-box'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

const newOwner = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
type Person = ReturnType<typeof newOwner>

const list = async (person: Person) => (await person.call('GET', '/api/numbers')).body
const conversationsOf = async (person: Person) => (await person.call('GET', '/api/conversations')).body.items
const simulate = async (person: Person) => {
  const answer = await person.call('POST', '/api/numbers/simulated')
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return numberSchema.parse(answer.body)
}
/** Returns the form of a number that exists on the simulator and is connected nowhere. */
async function formFor(settings: object = {}) {
  const simulatedNumber = await parley.simulator.call('/numbers', { name: 'Chai & Co', ...settings })
  secretsOf.set(simulatedNumber.phoneNumberId, simulatedNumber.appSecret)
  const { displayNumber: phoneNumber, phoneNumberId, accountId: businessAccountId, accessToken } = simulatedNumber
  return {
    simulatedNumber,
    form: { displayName: 'Chai & Co', phoneNumber, phoneNumberId, businessAccountId, accessToken },
  }
}
const secretsOf = new Map<string, string>()
const storeSecrets = (person: Person, phoneNumberId: string) =>
  parley.services.endpoints.addAppSecret(person, new Secret(secretsOf.get(phoneNumberId) ?? ''), { simulated: false })
const states = (number: { checks: { step: string; state: string }[] }) =>
  Object.fromEntries(number.checks.map(({ step, state }) => [step, state]))

test('a simulated number is connected in one press, proven in every step, and can be written to at once', async () => {
  const owner = newOwner()
  const number = await simulate(owner)
  expect(number).toMatchObject({ status: 'active', simulated: true, isDefault: true, verificationStatus: 'verified' })
  expect(number).toMatchObject({ quality: 'high', messagingLimit: 2000, throughputPerSecond: 80, stopped: null })
  expect(number.phonePageUrl).toBe(`${parley.simulator.url}/?number=${number.phoneNumberId}`)
  expect(new Set(Object.values(states(number)))).toEqual(new Set(['passed']))
  const events = parley.database.connection.collection('events')
  expect(
    await events.findOne({ workspaceId: new Types.ObjectId(owner.workspaceId), recordId: number.id }),
  ).toMatchObject({
    type: 'number.changed',
    data: { numberId: number.id, removed: false },
    by: { kind: 'user', id: owner.userId },
  })
  const second = await simulate(owner)
  expect(second).toMatchObject({ isDefault: false, businessAccountId: number.businessAccountId, status: 'active' })

  for (const { phoneNumberId } of [number, second]) {
    const text = { from: '919812345678', phone_number_id: phoneNumberId, type: 'text', text: { body: 'Hi' } }
    await parley.simulator.call('/inbound', text)
  }
  await eventually(async () => {
    const { items } = await list(owner)
    expect(items.map(({ webhook }: { webhook: object }) => webhook)).toEqual([
      { verified: true, lastEventAt: expect.any(String) },
      { verified: true, lastEventAt: expect.any(String) },
    ])
  })
})

test('secrets are written and never read back', async () => {
  const owner = newOwner()
  const { form } = await formFor()
  const connected = await owner.call('POST', '/api/numbers', form)
  expect(connected.body.accessToken).toEqual({
    set: true,
    last4: form.accessToken.slice(-4),
    updatedAt: expect.any(String),
  })
  expect(JSON.stringify([connected.body, await list(owner)])).not.toContain(form.accessToken.slice(0, 30))
  const stored = await parley.database.connection.collection('numbers').findOne({ connected: form.phoneNumberId })
  expect(JSON.stringify(stored)).not.toContain(form.accessToken.slice(0, 30))
})

test('a number without its app secret is pending, and active once the secret is stored and the step is tried again', async () => {
  const owner = newOwner()
  const { form, simulatedNumber } = await formFor()
  const { status, body: number } = await owner.call('POST', '/api/numbers', form)
  expect([status, number.status, states(number)['webhook']]).toEqual([201, 'pending', 'failed'])
  expect(number.checks.find(({ step }: { step: string }) => step === 'webhook').advice).toContain('API Credentials')
  await parley.services.endpoints.addAppSecret(owner, new Secret('not-the-secret-of-this-app'), { simulated: false })
  const again = () => owner.call('POST', `/api/numbers/${number.id}/checks`, { steps: ['webhook'] })
  const wrong = (await again()).body.checks.find(({ step }: { step: string }) => step === 'webhook')
  expect(wrong).toMatchObject({
    state: 'failed',
    message: 'Invalid appsecret_proof provided in the API argument (Meta error 100)',
  })
  await parley.services.endpoints.addAppSecret(owner, new Secret(simulatedNumber.appSecret), { simulated: false })
  expect((await again()).body).toMatchObject({ status: 'active', webhook: { verified: true } })
})

test('a number that is not registered asks for its PIN', async () => {
  const owner = newOwner()
  const { form } = await formFor({ registered: false })
  const { body: number } = await owner.call('POST', '/api/numbers', form)
  expect(states(number)).toMatchObject({ details: 'passed', subscription: 'passed', registration: 'failed' })
  const check = (body: object) => owner.call('POST', `/api/numbers/${number.id}/checks`, body)
  expect((await check({ pin: '12' })).body.fields).toEqual({ pin: 'The PIN has six digits' })
  expect(states((await check({ pin: '123456' })).body)['registration']).toBe('passed')
})

test.each([
  ['accessToken', { accessToken: 'EAAG-this-token-opens-nothing' }, /Cannot parse access token/],
  ['phoneNumberId', { phoneNumberId: '999999999999999' }, /no number with this phone number ID|cannot be reached/],
  ['phoneNumber', { phoneNumber: '+919820012345' }, /belongs to \+1555/],
])('what WhatsApp refuses is said beside the field %s, and nothing is kept', async (field, over, words) => {
  const owner = newOwner()
  const { form } = await formFor()
  if (field === 'phoneNumberId') {
    // Another account's number: it exists, and the token does not reach it.
    Object.assign(over, { phoneNumberId: (await formFor()).form.phoneNumberId })
  }
  const answer = await owner.call('POST', '/api/numbers', { ...form, ...over })
  expect([answer.status, answer.body.fields?.[field]]).toEqual([400, expect.stringMatching(words)])
  expect((await list(owner)).total).toBe(0)
})

test('the same number is connected once, here or elsewhere, also by calls at the same moment', async () => {
  const [ann, bob] = [newOwner(), newOwner()]
  const { form } = await formFor()
  const answers = await Promise.all([ann, bob, ann].map((person) => person.call('POST', '/api/numbers', form)))
  const refused = answers.filter(({ status }) => status === 409)
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  for (const { body } of refused) expect(body.code).toBe('number_exists')
})

test('a removed number keeps its conversations, frees its place, and comes back with them', async () => {
  const owner = newOwner()
  const { form } = await formFor()
  const { body: first } = await owner.call('POST', '/api/numbers', form)
  await storeSecrets(owner, form.phoneNumberId)
  const second = await simulate(owner)
  const text = { from: '919812340001', phone_number_id: first.phoneNumberId, type: 'text', text: { body: 'Hello' } }
  await parley.simulator.call('/inbound', text)
  await eventually(async () => expect(await conversationsOf(owner)).toHaveLength(1))
  expect((await owner.call('DELETE', `/api/numbers/${first.id}`)).status).toBe(204)
  expect((await owner.call('DELETE', `/api/numbers/${first.id}`)).status).toBe(404)
  expect((await list(owner)).items).toMatchObject([{ id: second.id, isDefault: true }])
  expect(await conversationsOf(owner)).toMatchObject([{ numberId: first.id }])
  const stored = await parley.database.connection
    .collection('numbers')
    .findOne({ _id: new Types.ObjectId(String(first.id)) })
  expect(stored).toMatchObject({ accessToken: '', status: 'disconnected' })

  const back = await owner.call('POST', '/api/numbers', form)
  expect([back.status, back.body.id]).toEqual([201, first.id])
  expect((await list(owner)).total).toBe(2)
})

test('the default moves, names change, and an older version is told what is true now', async () => {
  const owner = newOwner()
  const first = await simulate(owner)
  const second = await simulate(owner)
  const patch = (id: string, body: object) => owner.call('PATCH', `/api/numbers/${id}`, body)
  const changed = await patch(second.id, { isDefault: true, displayName: 'Support', version: second.version })
  expect([changed.status, changed.body.displayName, changed.body.isDefault]).toEqual([200, 'Support', true])
  expect((await list(owner)).items.map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([false, true])
  const late = await patch(second.id, { displayName: 'Sales', version: second.version })
  expect([late.status, late.body.code, late.body.current.displayName]).toEqual([409, 'stale_version', 'Support'])
  expect(numberSchema.parse(late.body.current).id).toBe(second.id)
  expect((await list(owner)).items[0].id).toBe(first.id)
})

test('a refused token stops the number, and a new one lets what waited go', async () => {
  const owner = newOwner()
  const { form, simulatedNumber } = await formFor()
  const { body: number } = await owner.call('POST', '/api/numbers', form)
  await storeSecrets(owner, simulatedNumber.phoneNumberId)
  const from = '919812340002'
  await parley.simulator.call('/inbound', {
    from,
    phone_number_id: simulatedNumber.phoneNumberId,
    type: 'text',
    text: { body: 'Hi' },
  })
  const id = await eventually(async () => {
    const [conversation] = await conversationsOf(owner)
    expect(conversation).toBeDefined()
    return conversation?.id ?? ''
  })
  await parley.simulator.call('/token/expire', { token: simulatedNumber.accessToken })
  await parley.services.outgoing.send(owner, id, {
    content: { type: 'text', text: 'Later' },
    cause: { kind: 'member', id: owner.userId },
  })
  const current = async () => (await list(owner)).items[0]
  await eventually(async () =>
    expect(await current()).toMatchObject({
      status: 'disconnected',
      stopped: { code: 190, reason: expect.stringMatching(/access token/i), advice: expect.stringContaining('token') },
    }),
  )
  const refused = await owner.call('PATCH', `/api/numbers/${number.id}`, {
    accessToken: simulatedNumber.accessToken,
    version: (await current()).version,
  })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['accessToken']])
  const { accessToken } = (await formFor({ accountId: simulatedNumber.accountId })).simulatedNumber
  const version = (await current()).version
  const renewed = await owner.call('PATCH', `/api/numbers/${number.id}`, { accessToken, version })
  expect(renewed.body).toMatchObject({ stopped: null, accessToken: { last4: accessToken.slice(-4) } })
  await eventually(async () => {
    const { body } = await owner.call('GET', `/api/conversations/${id}/messages`)
    expect(body.items.at(-1)).toMatchObject({ status: 'read' })
  })
  expect((await current()).messagesThisMonth).toBe(1)
})

test('what WhatsApp announces is read and shown', async () => {
  const owner = newOwner()
  const number = await simulate(owner)
  await parley.simulator.call('/quality', { phone_number_id: number.phoneNumberId, quality: 'RED' })
  await parley.simulator.call('/capability', { account_id: number.businessAccountId, tier: 'TIER_UNLIMITED' })
  await eventually(async () =>
    expect((await list(owner)).items).toMatchObject([{ quality: 'low', messagingLimit: null, status: 'active' }]),
  )
})

test('another workspace finds none of it, and who may only read changes nothing', async () => {
  const [ann, bob] = [newOwner(), newOwner()]
  const number = await simulate(ann)
  const attempts = [
    ['PATCH', `/api/numbers/${number.id}`, { displayName: 'Mine', version: number.version }],
    ['POST', `/api/numbers/${number.id}/checks`, {}],
    ['DELETE', `/api/numbers/${number.id}`, undefined],
  ] as const
  for (const [method, path, body] of attempts) {
    expect((await bob.call(method, path, body)).status).toBe(404)
    const viewer = parley.signIn({ workspaceId: ann.workspaceId, role: 'viewer' })
    expect((await viewer.call(method, path, body)).status).toBe(403)
  }
  expect((await list(bob)).total).toBe(0)
  expect((await list(ann)).items).toMatchObject([
    { id: number.id, displayName: number.displayName, version: number.version },
  ])
})

test('the list is read through indexes', async () => {
  const owner = newOwner()
  await simulate(owner)
  await expectIndexed(parley.database.connection, () => parley.services.numbers.page(owner, {}))
})
