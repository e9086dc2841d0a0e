import { nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { newId } from '@parley/service-kit/data/plain'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { approvedTemplate, eventually, makeDue, scheduledIn, sendAt, sentBy } from './campaign-fixtures.ts'
import { createEndedCampaigns, missedBy } from './ended-campaigns.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 500)
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const dayMs = 86_400_000
const ended = createEndedCampaigns(() => ({ parley, templateId }), 919_844_000_000)
const { owner, collection, create, preview, rowsOf, contactsIn, completed, over } = ended

test('whom a campaign has missed gets another one, once: by what came of it, and never who is not confirmed', async () => {
  const { id, contactIds, campaignId } = await over([
    { state: 'failed', reason: '131026' },
    { state: 'failed', reason: '131049' },
    { state: 'sent' },
    { state: 'delivered' },
    { state: 'read' },
    { state: 'read', replied: true },
    { state: 'uncertain' },
    { state: 'skipped', reason: 'no_opt_in' },
    { state: 'pending' },
  ])
  const at = (...places: number[]) => places.map((index) => contactIds[index])
  const cases = [
    ['failed', at(0), 'failed'],
    ['not_delivered', at(2), 'not delivered'],
    ['not_read', at(3), 'delivered, not read'],
    ['not_replied', at(3, 4), 'delivered, no reply'],
  ] as const
  for (const [missed, people, words] of cases) {
    const counted = await preview(missedBy(id, missed))
    expect(counted.body).toMatchObject({ audience: people.length, reachable: people.length })
    const made = await create(missedBy(id, missed))
    expect(made.body).toMatchObject({ audienceName: `Spring tea: ${words}`, audience: { missed } })
    await completed(made.body.id)
    expect(await contactsIn(made.body.id), missed).toEqual(people)
    const sent = await sentBy(parley)
    for (const { _id } of await rowsOf(made.body.id)) expect(sent.get(String(_id))).toBe(1)
  }
  // A marketing message that WhatsApp holds back from a customer is retried no earlier than a day later.
  await collection('campaigns').updateOne(
    { _id: campaignId },
    { $set: { completedAt: new Date(Date.now() - 2 * dayMs) } },
  )
  expect((await preview(missedBy(id, 'failed'))).body).toMatchObject({ audience: 2 })
})

test('who has opted out since then, is blocked or is gone gets nothing', async () => {
  const { id, contactIds } = await over(Array.from({ length: 4 }, () => ({ state: 'delivered' })))
  const [out = '', blocked = '', gone = '', stays = ''] = contactIds
  const consent = { category: 'marketing', value: 'out', note: 'On the phone.' }
  expect((await owner().call('POST', `/api/contacts/${out}/consent`, consent)).status).toBe(201)
  await collection('contacts').updateOne({ _id: new Types.ObjectId(blocked) }, { $set: { blocked: true } })
  const deleted = await owner().call('POST', '/api/contacts/bulk', { ids: [gone], action: { kind: 'delete' } })
  expect(deleted.body.ids).toEqual([gone])
  const excluded = { ...nobodyExcluded, optedOut: 1, blocked: 1 }
  expect((await preview(missedBy(id, 'not_read'))).body).toEqual({ audience: 3, excluded, reachable: 1 })
  const made = await create(missedBy(id, 'not_read'))
  await completed(made.body.id)
  expect((await rowsOf(made.body.id)).map(({ contactId, state }) => [String(contactId), state === 'skipped'])).toEqual([
    [out, true],
    [blocked, true],
    [stays, false],
  ])
})

test('one that still runs, or that this workspace does not have, is refused in words', async () => {
  const { id, contactIds } = await over([{ state: 'delivered' }])
  const schedule = scheduledIn(1440)
  const waiting = await create({ kind: 'contacts', contactIds }, { schedule })
  for (const refused of [
    await preview(missedBy(waiting.body.id, 'failed')),
    await create(missedBy(waiting.body.id, 'failed')),
  ]) {
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'wrong_state', message: expect.stringContaining('is still running') })
  }
  for (const unknown of [newId(), 'nothing'])
    expect((await preview(missedBy(unknown, 'failed'))).body).toMatchObject({ code: 'not_found' })
  const elsewhere = parley.signIn({ workspaceId: newId() })
  const foreign = await elsewhere.call('POST', '/api/campaigns/preview', { audience: missedBy(id, 'not_read') })
  expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('an earlier campaign that is gone by the start leaves nobody: the one that follows it ends', async () => {
  const { id, campaignId } = await over([{ state: 'delivered' }])
  const schedule = scheduledIn(1440)
  const made = await create(missedBy(id, 'not_read'), { schedule })
  await collection('campaigns').deleteOne({ _id: campaignId })
  await makeDue(parley, made.body.id)
  await completed(made.body.id)
  expect(await rowsOf(made.body.id)).toEqual([])
})

test('more than a page of them is written down once, by indexes', async () => {
  const { id, contactIds } = await over(
    Array.from({ length: 2100 }, (_, n) => ({ state: n % 2 ? 'read' : 'delivered' })),
  )
  await expectIndexed(parley.database.connection, async () => {
    expect((await preview(missedBy(id, 'not_replied'))).body).toMatchObject({ audience: 2100, reachable: 2100 })
  })
  const made = await create(missedBy(id, 'not_replied'))
  await eventually(async () => expect(await rowsOf(made.body.id)).toHaveLength(2100))
  await owner().call('POST', `/api/campaigns/${made.body.id}/status`, { action: 'cancel' })
  expect((await contactsIn(made.body.id)).toSorted()).toEqual(contactIds.toSorted())
})
