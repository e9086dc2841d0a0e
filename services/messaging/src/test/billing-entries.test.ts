import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import Papa from 'papaparse'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const collection = (name: string) => parley.database.connection.collection(name)
const oid = (id: string) => new Types.ObjectId(id)

test('entries of a period are a file by the clock of the workspace, with the price of their day, and run no formula', async () => {
  const owner = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const workspaceId = oid(owner.workspaceId)
  const draft = await owner.ask('POST', '/api/campaigns', { name: '=1+1 tea', variables: {} })
  const campaignId = oid(draft.id)
  await collection('campaigns').updateOne({ _id: campaignId }, { $set: { status: 'completed' } })
  const rates = [{ country: 'IN', category: 'marketing', priceMicros: 780_000 }]
  await collection('rateCards').insertOne({
    ...{ workspaceId, effectiveFrom: '2026-10-10', currency: 'INR', rates, createdAt: new Date() },
  })
  const entry = (at: string, over: object = {}) => ({
    ...{ workspaceId, kind: 'message', messageId: new Types.ObjectId(), category: 'marketing', billable: true },
    ...{ at: new Date(at), country: 'IN', ...over },
  })
  await collection('usage').insertMany([
    entry('2026-10-20T10:00:00Z', { campaignId }),
    entry('2026-10-05T10:00:00Z'),
    entry('2026-10-21T10:00:00Z', { billable: false }),
    // The first moment of October in Kolkata, and the first one after it.
    entry('2026-09-30T18:30:00Z', { country: 'DE' }),
    entry('2026-10-31T18:30:00Z'),
    { ...entry('2026-10-15T10:00:00Z'), workspaceId: new Types.ObjectId() },
  ])
  const path = '/api/billing/entries.csv?from=2026-10-01&to=2026-11-01'
  const answer = await owner.request('GET', path)
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
  const { data } = Papa.parse<string[]>((await answer.text()).replace(/^\uFEFF/, ''), { skipEmptyLines: true })
  expect(data.map((cells) => cells.slice(0, 8))).toEqual([
    [
      ...['Delivered (Asia/Kolkata)', 'Category', 'Charged', 'Country'],
      ...['Price', 'Currency'],
      'Campaign',
      'Campaign ID',
    ],
    ['2026-10-01 00:00:00', 'marketing', 'yes', 'DE', '', '', '', ''],
    ['2026-10-05 15:30:00', 'marketing', 'yes', 'IN', '', '', '', ''],
    ['2026-10-20 15:30:00', 'marketing', 'yes', 'IN', '0.78', 'INR', "'=1+1 tea", draft.id],
    ['2026-10-21 15:30:00', 'marketing', 'no', 'IN', '', '', '', ''],
  ])

  const asked = (query: string, by = owner) => by.call('GET', `/api/billing/entries.csv?${query}`)
  expect((await asked('from=2026-11-01&to=2026-10-01')).status).toBe(400)
  expect((await asked('from=2020-01-01&to=2026-10-01')).status).toBe(400)
  const { workspaceId: same } = owner
  const agent = parley.signIn({ role: 'agent', workspaceId: same })
  expect((await asked('from=2026-10-01&to=2026-11-01', agent)).status).toBe(403)
  await expectIndexed(parley.database.connection, async () => {
    await (await owner.request('GET', path)).text()
  })
})
