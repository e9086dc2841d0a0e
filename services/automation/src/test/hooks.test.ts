import { expect, test } from 'vitest'
import { end, flowOf, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'

let parley: Joined
joinEach((joined) => {
  parley = joined
})

const byPhone = { by: 'phone' as const, pointer: '/customer/phone', create: true, namePointer: '/customer/name' }
const trigger = (settings: object = {}) => ({
  id: 'call',
  kind: 'hook' as const,
  contact: byPhone,
  mappings: [
    { pointer: '/order/id', attribute: 'order', save: 'session' },
    { pointer: '/customer/city', attribute: 'city' },
  ],
  ...settings,
})
const shipped = (settings: object = {}) =>
  flowOf(
    [trigger(settings), text('hello', 'Order {{session.order}} is on its way to {{city}}.'), end],
    ['call next hello', 'hello next end'],
  )
const body = (more: object = {}) => ({
  customer: { phone: '+91 98765-43210', name: 'Asha', city: 'Pune' },
  order: { id: 4711 },
  ...more,
})

/** Makes a workflow with an address. @returns calls of it. */
async function withAddress(flow = shipped(), enrolment: Parameters<Joined['addWorkflow']>[1] = {}) {
  const workflow = parley.addWorkflow(flow, { reEnrolment: 'always', ...enrolment })
  const place = { flowId: workflow.id, nodeId: 'call' }
  const { token } = await parley.hooks.replace(parley.scope, place)
  const call = (content: unknown = body(), idempotencyKey?: string, receive = parley.createReceiver()) =>
    receive({
      token,
      idempotencyKey,
      body: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    })
  const shown = async () => (await parley.hooks.calls(parley.scope, place)).items
  return { workflow, place, token, call, shown }
}

test('a call starts the workflow for the contact that it names, who is made, with its values in variables and fields', async () => {
  const { call, shown } = await withAddress()
  const answer = await call()
  expect(answer).toMatchObject({ result: 'started', repeated: false })
  await parley.settle()
  const [talk] = [...parley.messaging.talks.values()]
  expect(talk).toMatchObject({ name: 'Asha', phone: '+919876543210', attributes: { city: 'Pune' } })
  expect(talk?.sent.map((sent) => sent.text)).toEqual(['Order 4711 is on its way to Pune.'])
  expect((await parley.runs())[0]).toMatchObject({ startedBy: { event: 'hook', triggerId: 'call' } })
  expect(await shown()).toMatchObject([
    {
      result: 'started',
      problem: null,
      runId: answer.runId,
      repeats: 0,
      fields: expect.arrayContaining(['/order/id number']),
    },
  ])
  expect(JSON.stringify(await parley.hookCalls())).not.toContain('98765')
})

test('what is wrong with a call is said by its field, kept for who connects the system, and starts nothing', async () => {
  const { call, shown } = await withAddress(shipped({ contact: { by: 'phone', pointer: '/customer/phone' } }))
  await expect(call('{"customer"')).rejects.toMatchObject({ code: 'malformed_json' })
  await expect(call({ order: {} })).rejects.toMatchObject({
    fields: { '/customer/phone': expect.stringContaining('no text') },
  })
  await expect(call({ customer: { phone: 'Pune' } })).rejects.toMatchObject({ code: 'validation_failed' })
  await expect(call()).rejects.toMatchObject({ fields: { '/customer/phone': expect.stringContaining('No contact') } })
  await expect(call(body(), 'a key')).rejects.toMatchObject({ fields: { 'Idempotency-Key': expect.any(String) } })
  await expect(call(`${'['.repeat(30)}${']'.repeat(30)}`)).rejects.toMatchObject({
    fields: { body: expect.any(String) },
  })
  expect((await shown()).map(({ result }) => result)).toEqual(Array(6).fill('refused'))
  expect(await parley.runs()).toEqual([])
})

test('a hundred calls at once with one key start one run; the same body without a key is a repeat, for a day', async () => {
  const { call, shown } = await withAddress()
  const servers = Array.from({ length: 5 }, () => parley.createReceiver())
  // More than the limit of a minute: the rest is refused, and none starts another run.
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      call(body({ n: index }), 'order-1', servers[index % servers.length]).catch(
        (error: { code: string }) => error.code,
      ),
    ),
  )
  const taken = answers.filter((answer) => typeof answer === 'object')
  expect(taken.length + answers.filter((answer) => answer === 'rate_limited').length).toBe(100)
  expect(taken).toHaveLength(60)
  expect(new Set(taken.map(({ runId }) => runId)).size).toBe(1)
  expect(taken.filter(({ repeated }) => !repeated)).toHaveLength(1)
  expect(await parley.runs()).toHaveLength(1)
  expect(await shown()).toMatchObject([{ repeats: 59 }])
  parley.messaging.pass(61_000)
  expect(await call()).toMatchObject({ repeated: false })
  expect(await call()).toMatchObject({ repeated: true })
  parley.messaging.pass(25 * 3_600_000)
  expect(await call(body(), 'order-1')).toMatchObject({ repeated: false })
})

test('a field of the body names the intent, where the trigger says so', async () => {
  const { call } = await withAddress(shipped({ keyPointer: '/order/id' }))
  await call()
  expect(await call(body({ sentAt: 'later' }))).toMatchObject({ repeated: true })
  expect(await call(body({ order: { id: 4712 } }))).toMatchObject({ repeated: false })
  await expect(call(body({ order: {} }))).rejects.toMatchObject({ fields: { '/order/id': expect.any(String) } })
})

test('rules of re-enrolment and filters leave a contact out, and the caller is told', async () => {
  const filter = { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: 'vip' }] }
  const once = await withAddress(shipped(), { reEnrolment: 'never' })
  expect(await once.call(body(), 'one')).toMatchObject({ result: 'started' })
  expect(await once.call(body(), 'two')).toMatchObject({ result: 'enrolled', runId: null })
  const vip = await withAddress(shipped({ filter }))
  expect(await vip.call()).toMatchObject({ result: 'filter', runId: null })
  const limited = await withAddress(shipped(), { perContactPerHour: 1 })
  await limited.call(body(), 'one')
  expect(await limited.call(body(), 'two')).toMatchObject({ result: 'held' })
})

test('an address is refused once it is replaced or revoked, while its workflow is paused, and where the version has no such trigger', async () => {
  const { call, place, workflow, token } = await withAddress()
  const { items } = await parley.hooks.list(parley.scope, place.flowId)
  expect(items).toMatchObject([{ nodeId: 'call', last4: token.slice(-4), lastCallAt: null }])
  await expect(
    call(body(), undefined, () =>
      parley.createReceiver()({ token: 'whk_no', body: Buffer.from('{}'), idempotencyKey: undefined }),
    ),
  ).rejects.toMatchObject({ code: 'not_found' })
  parley.publish(workflow, flowOf([{ id: 'other', kind: 'event', event: 'manual' }, end], ['other next end']))
  await expect(call()).rejects.toMatchObject({ code: 'not_published' })
  parley.publish(workflow, shipped())
  parley.pause(workflow)
  await expect(call()).rejects.toMatchObject({ code: 'wrong_state' })
  const fresh = await parley.hooks.replace(parley.scope, place)
  expect(fresh.token).not.toBe(token)
  await expect(call()).rejects.toMatchObject({ code: 'not_found' })
  await parley.hooks.revoke(parley.scope, place)
  await expect(parley.hooks.revoke(parley.scope, place)).rejects.toMatchObject({ code: 'not_found' })
})

test('who is erased is in no call any more, and a repeat starts nothing; calls of one who was merged follow', async () => {
  const { call } = await withAddress()
  const { contactId } = await call()
  await parley.settle()
  const talk = [...parley.messaging.talks.values()].find((one) => one.contactId === contactId)
  if (!talk) throw new Error('nobody was made')
  const kept = parley.messaging.open('Kept', '+919800000001')
  const merged = { type: 'contact.merged' as const, by: { kind: 'system' as const } }
  parley.messaging.emit(talk, { ...merged, data: { contactId: kept.contactId, otherId: talk.contactId } as never })
  await parley.settle()
  expect((await parley.hookCalls()).map((one) => String(one['contactId']))).toEqual([kept.contactId])
  const erased = { contactId: kept.contactId, conversationIds: [kept.id] }
  parley.messaging.emit(kept, { type: 'contact.erased', by: { kind: 'system' }, data: erased as never })
  await parley.settle()
  const [left] = await parley.hookCalls()
  expect([left?.['contactId'], left?.['runId'], left?.['fields']]).toEqual([undefined, undefined, []])
  expect(await call()).toMatchObject({ repeated: true, runId: null })
})

test('tried again from its start, a run has what the call has brought', async () => {
  const { call } = await withAddress(
    flowOf(
      [
        trigger({ mappings: [{ pointer: '/order/id', attribute: 'order', save: 'session' }] }),
        text('hello', 'Order {{session.order}}'),
      ],
      ['call next hello'],
    ),
  )
  parley.messaging.refuse('window_closed', ({ type }) => type === 'send')
  const { runId } = await call()
  await parley.settle()
  parley.messaging.allow()
  await parley.retry(parley.scope, runId ?? '', { from: 'start', version: 'current', repeatUncertain: false })
  await parley.settle()
  const [talk] = [...parley.messaging.talks.values()]
  expect(talk?.sent.map((sent) => sent.text)).toEqual(['Order 4711'])
})
