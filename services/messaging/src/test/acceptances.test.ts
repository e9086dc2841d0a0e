import { randomUUID } from 'node:crypto'
import { createLogger } from '@parley/service-kit/core/logger'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { laneCount } from '@parley/service-kit/queue/lanes'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAcceptances } from '../modules/outbound/sending/acceptances.ts'
import { createSettling } from '../modules/outbound/sending/settling.ts'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  sendAt,
  workOn,
} from './campaign-fixtures.ts'
import { startMessaging } from './start-messaging.ts'
import { headOf, sendWebhook } from './webhook-fixtures.ts'

const recipients = 6
/** Ends of the steps of an acceptance, at each of which its process may die, or stand still. */
const steps = ['begun', 'partly written', 'written', 'rows written', 'not committed', 'committed'] as const
type Step = (typeof steps)[number]

let parley: Awaited<ReturnType<typeof startMessaging>>
let templateId: string
let phones = 919_871_000_000
beforeAll(async () => {
  parley = await startMessaging()
  await sendAt(parley, 200)
  templateId = await approvedTemplate(parley)
  // Nothing but the test sends, applies and sweeps from here on.
  await parley.worker.kill()
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const collection = (name: string) => parley.database.connection.collection(name)
const idsIn = (ids: readonly string[]) => ({ _id: { $in: ids.map((id) => new Types.ObjectId(id)) } })

/** Messages of a campaign that are being sent, and how WhatsApp has answered. */
async function sending() {
  const tag = `t${new Types.ObjectId().toHexString()}`
  phones += 1000
  await addContacts(parley.database.connection, parley.scope, { count: recipients, firstPhone: phones, tags: [tag] })
  const input = { name: 'Tea', audience: { kind: 'tags', tags: [tag] }, numberId: parley.number.id }
  const perform = (id: string) => workOn(parley, id)
  const launched = await launchCampaign(parley.signIn(), { ...input, templateId, variables: firstName }, { perform })
  const id: string = launched.body.id
  const ready = await eventually(async () => {
    await workOn(parley, id)
    const rows = await collection('campaignRecipients')
      .find({ campaignId: new Types.ObjectId(id) })
      .toArray()
    const given = await parley.services.messageRecords.readMany(
      parley.scope,
      rows.map(({ _id }) => String(_id)),
    )
    expect(given).toHaveLength(recipients)
    return given
  })
  const lease = { claim: randomUUID(), leaseUntil: new Date(Date.now() + 60_000) }
  const claimed = await parley.services.outbox.claim(parley.scope, ready, lease)
  const called = claimed.map((message) => ({ message, waMessageId: `wamid.${randomUUID()}` }))
  return { id, called, ids: called.map(({ message }) => message.id) }
}
type Called = Awaited<ReturnType<typeof sending>>['called']

/** A process that settles. @param at is called at the end of each step. */
function processOf(at: (step: Step) => Promise<void> = async () => undefined, nowMs = () => Date.now()) {
  const { services, database, scope } = parley
  const real = services.messages.accepted
  const accepted: typeof real = {
    ...real,
    write: async (of, acceptance) => {
      await at('begun')
      await real.write(of, { ...acceptance, accepted: acceptance.accepted.slice(0, recipients / 2) })
      await at('partly written')
      const own = await real.write(of, acceptance)
      await at('written')
      return own
    },
    noteRows: async (...of) => {
      const noted = await real.noteRows(...of)
      await at('rows written')
      return noted
    },
    follow: async (...of) => {
      await real.follow(...of)
      await at('not committed')
    },
  }
  const settling = createSettling({
    ...services,
    messages: { ...services.messages, accepted },
    acceptances: createAcceptances(database.connection),
    limits: { slow: async () => undefined },
    applyParked: services.apply.applyParked,
    transaction: async (work) => {
      const result = await inTransaction(database.connection, work)
      await at('committed')
      return result
    },
    figures: { countSend: () => undefined, countFailedReply: () => undefined, observeAccepted: () => undefined },
    logger: createLogger({ name: 'acceptances', level: 'silent' }),
    now: () => new Date(nowMs()),
  })
  return {
    settle: (called: Called) =>
      settling.settleAll(
        scope,
        called.map(({ message, waMessageId }) => ({
          message,
          result: {
            set: { waMessageId, 'dispatch.state': 'accepted' },
            waMessageId,
            category: 'marketing',
            answeredAt: new Date(),
          },
        })),
      ),
    finishLeft: settling.finishLeft,
  }
}
/** A process that looks for what others have left, a minute later. */
const later = () => processOf(undefined, () => Date.now() + 60_000)
const diesAt = (deadly: Step) =>
  processOf(async (step) => {
    if (step === deadly) throw new Error('the process has died')
  })

/** Has WhatsApp report a status of messages, and applies it. */
async function reports(status: 'delivered' | 'failed', called: Called): Promise<void> {
  const statuses = called.map(({ message, waMessageId }) => ({
    id: waMessageId,
    status,
    timestamp: String(Math.floor(Date.now() / 1000)),
    recipient_id: '919812345678',
    biz_opaque_callback_data: message.id,
    ...(status === 'failed'
      ? { errors: [{ code: 131026, title: 'Message undeliverable' }] }
      : { pricing: { billable: true, pricing_model: 'PMP', category: 'marketing', type: 'regular' } }),
  }))
  await sendWebhook(parley, { field: 'messages', value: { ...headOf(parley), statuses } })
  await eventually(async () => {
    for (let lane = 0; lane < laneCount; lane += 1) await parley.services.apply.drain(lane)
    const ids = called.map(({ message }) => message.id)
    expect(await collection('messages').countDocuments({ ...idsIn(ids), status })).toBe(called.length)
  })
}

/** Compares everything that follows from acceptances with what is to follow, once. @param arrived ids of those with a status. */
async function expectSettled({ id, ids }: Awaited<ReturnType<typeof sending>>, arrived: readonly string[] = []) {
  expect(await collection('acceptances').countDocuments(parley.inWorkspace)).toBe(0)
  const messages = await collection('messages').find(idsIn(ids)).toArray()
  for (const { _id, dispatch, sendLane, waMessageId, contactId } of messages) {
    expect([dispatch.state, dispatch.leaseUntil, sendLane]).toEqual(['accepted', undefined, undefined])
    expect(waMessageId).toMatch(/^wamid[.]/)
    const events = await collection('events')
      .find({ ...parley.inWorkspace, recordId: String(_id) })
      .toArray()
    const told = events.filter(({ type }) => type === 'message.changed').map(({ version }) => version)
    expect(told.filter((version) => version === 3)).toEqual([3])
    expect(new Set(told).size).toBe(told.length)
    const contact = await collection('contacts').findOne({ _id: contactId })
    expect(contact?.['lastMarketingAt']).toBeInstanceOf(Date)
    const steps = events.flatMap(({ data }) => data.moved?.to ?? [])
    expect(steps).toEqual(arrived.includes(String(_id)) ? ['delivered'] : [])
  }
  const rows = await collection('campaignRecipients')
    .find({ campaignId: new Types.ObjectId(id) })
    .toArray()
  for (const { _id, state } of rows)
    expect([String(_id), state]).toEqual([String(_id), arrived.includes(String(_id)) ? 'delivered' : 'sent'])
  const counts = { audience: recipients, queued: 0, sent: recipients, delivered: arrived.length, failed: 0 }
  await eventually(async () => {
    await workOn(parley, id)
    const campaign = await parley.signIn().ask('GET', `/api/campaigns/${id}`)
    expect(campaign).toMatchObject({ status: 'completed', counts })
  })
}

test.each(steps)(
  'a process that dies once an acceptance is %s: another finishes it, and all is there once',
  async (step) => {
    const sent = await sending()
    await expect(diesAt(step).settle(sent.called)).rejects.toThrow('the process has died')
    await processOf().finishLeft()
    expect(await collection('acceptances').countDocuments(parley.inWorkspace)).toBe(step === 'committed' ? 0 : 1)
    await Promise.all([later().finishLeft(), later().finishLeft(), later().finishLeft()])
    await expectSettled(sent)
  },
)

test.each(steps)('statuses come while an acceptance is %s and its process is dead: they count, once', async (step) => {
  const sent = await sending()
  await expect(diesAt(step).settle(sent.called)).rejects.toThrow('the process has died')
  const arrived = sent.called.filter((_, index) => index % 2 === 0)
  await reports('delivered', arrived)
  await later().finishLeft()
  await expectSettled(
    sent,
    arrived.map(({ message }) => message.id),
  )
})

test.each(steps)(
  'a process that stands still at %s and goes on after another has finished changes nothing',
  async (step) => {
    const sent = await sending()
    const stopped = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    let isFirst = true
    const slow = processOf(async (now) => {
      if (now !== step || !isFirst) return
      isFirst = false
      stopped.resolve()
      await goesOn.promise
    })
    const settling = slow.settle(sent.called)
    await stopped.promise
    // Another waits in vain for records that a transaction holds.
    const finishing = later().finishLeft()
    if (step !== 'not committed') await finishing
    const arrived = step === 'not committed' ? [] : sent.called.slice(0, 2)
    if (arrived.length > 0) await reports('delivered', arrived)
    goesOn.resolve()
    await Promise.all([settling, finishing])
    await later().finishLeft()
    await expectSettled(
      sent,
      arrived.map(({ message }) => message.id),
    )
  },
)

test('a message that fails and is sent again by a person before its acceptance is finished stays queued', async () => {
  const sent = await sending()
  await expect(diesAt('written').settle(sent.called)).rejects.toThrow('the process has died')
  const [again] = sent.called
  if (!again) throw new Error('nothing was sent')
  await reports('failed', [again])
  const { conversationId, id } = again.message
  const { contactId } = again.message
  const opened = await parley.signIn().ask('POST', '/api/conversations', { contactId, numberId: parley.number.id })
  expect(opened.id).toBe(conversationId)
  await parley.services.actions.retry(parley.scope, conversationId, id)
  await later().finishLeft()
  expect(await collection('acceptances').countDocuments(parley.inWorkspace)).toBe(0)
  const [message] = await collection('messages')
    .find(idsIn([id]))
    .toArray()
  expect([message?.['dispatch'].state, message?.['waMessageId']]).toEqual(['queued', undefined])
  const row = await collection('campaignRecipients').findOne(idsIn([id]))
  expect(row?.['state']).toBe('queued')
})

test('contacts and messages that are erased, and workspaces that are deleted, before an acceptance is finished do not come back', async () => {
  const sent = await sending()
  await expect(diesAt('written').settle(sent.called)).rejects.toThrow('the process has died')
  const [gone, ...others] = sent.called.map(({ message }) => message)
  if (!gone) throw new Error('nothing was sent')
  await collection('messages').deleteOne(idsIn([gone.id]))
  await collection('contacts').deleteOne(idsIn([gone.contactId]))
  await later().finishLeft()
  expect(await collection('messages').countDocuments(idsIn([gone.id]))).toBe(0)
  expect(await collection('contacts').countDocuments(idsIn([gone.contactId]))).toBe(0)
  expect(await collection('events').countDocuments({ ...parley.inWorkspace, recordId: gone.id, version: 3 })).toBe(0)
  const noted = await collection('events').countDocuments({ recordId: { $in: others.map(({ id }) => id) }, version: 3 })
  expect(noted).toBe(recipients - 1)

  const left = await sending()
  const eraser = processOf(async (step) => {
    if (step === 'rows written') await collection('acceptances').deleteMany(parley.inWorkspace)
  })
  await eraser.settle(left.called)
  expect(await collection('events').countDocuments({ recordId: { $in: left.ids }, version: 3 })).toBe(0)
})
