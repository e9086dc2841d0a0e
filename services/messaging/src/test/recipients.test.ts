import {
  leftOutReasons,
  outcomes,
  type Recipient,
  recipientsApi,
} from '@parley/contracts/campaigns/campaign-recipients'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import Papa from 'papaparse'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rowsBehind } from '../modules/campaigns/recipients/recipient-lists.repository.ts'
import type { RecipientState } from '../modules/campaigns/recipients/recipients.model.ts'
import { countsOf, talliesOf } from '../modules/campaigns/recipients/tallies.ts'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  scheduledIn,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let templateId: string
beforeAll(async () => {
  parley = await joinMessaging()
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
const list = async (id: string, query: Record<string, string> = {}) => {
  const { status, body } = await owner().call('GET', `/api/campaigns/${id}/recipients?${new URLSearchParams(query)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return recipientsApi.list.response.parse(body)
}
/** A campaign that begins later, so that its rows are those that a test gives it. */
async function create(contactIds: readonly string[], over: object = {}): Promise<string> {
  const audience = { kind: 'contacts', contactIds }
  const input = { name: 'Tea', audience, numberId: parley.number.id, templateId, variables: firstName, ...over }
  const { status, body } = await launchCampaign(owner(), input)
  expect(status).toBe(200)
  if ('schedule' in over)
    await parley.database.connection
      .collection('campaignRecipients')
      .deleteMany({ campaignId: new Types.ObjectId(String(body.id)) })
  return body.id
}
const tomorrow = { schedule: scheduledIn(1440) }

interface Kind {
  readonly state: RecipientState
  readonly reason?: string
  readonly clicked?: true
  readonly replied?: true
}
const kinds: readonly Kind[] = [
  ...(['pending', 'queued', 'sent', 'delivered', 'read', 'failed', 'uncertain'] as const).map((state) => ({ state })),
  { state: 'read', clicked: true },
  { state: 'delivered', replied: true },
  { state: 'failed', reason: '131026' },
  { state: 'failed', reason: '131049' },
  ...leftOutReasons.map((reason) => ({ state: 'skipped' as const, reason })),
]
const kindOf = (n: number): Kind => kinds[n % kinds.length] ?? { state: 'pending' }

async function addRows(campaignId: string, count: number): Promise<Kind[]> {
  const rows = Array.from({ length: count }, (_, n) => kindOf(n))
  const named = {
    workspaceId: new Types.ObjectId(parley.scope.workspaceId),
    campaignId: new Types.ObjectId(campaignId),
  }
  await parley.database.connection
    .collection('campaignRecipients')
    .insertMany(rows.map((row, n) => ({ ...named, contactId: new Types.ObjectId(), n, ...row })))
  return rows
}

test('every figure opens exactly the rows that it counts, page by page, and they add up to the audience', async () => {
  const ids = await addContacts(parley.database.connection, parley.scope, {
    count: 1,
    firstPhone: 919_822_000_000,
    tags: [],
  })
  const id = await create(ids, tomorrow)
  const rows = await addRows(id, 150)
  const { excluded, ...counts } = countsOf(talliesOf(rows.map((row) => ({ ...row, count: 1 }))))
  const figures: Record<string, number | null> = {
    ...counts,
    opted_out: excluded.optedOut,
    no_opt_in: excluded.noOptIn,
    recently_messaged: excluded.recentlyMessaged,
    blocked: excluded.blocked,
    unreachable: excluded.unreachable,
    excluded: excluded.byChoice,
    country_restricted: excluded.countryRestricted,
  }
  const idsOf = async (query: Record<string, string>) => {
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(id, { ...query, limit: '7', ...(cursor && { cursor }) })
      found.push(...page.items.map((row) => row.id))
      cursor = page.nextCursor
    }
    return found
  }
  const all = await idsOf({})
  expect([all.length, new Set(all).size]).toEqual([150, 150])
  const behind: Record<string, string[]> = {}
  for (const outcome of outcomes) {
    const found = await idsOf({ outcome })
    expect([outcome, found.length, new Set(found).size]).toEqual([outcome, figures[outcome], figures[outcome]])
    expect((await list(id, { outcome, limit: '1' })).total, outcome).toBe(figures[outcome])
    behind[outcome] = found
  }
  // The separate outcomes together contain every recipient once.
  const apart = [
    'queued',
    'sent',
    'failed',
    'uncertain',
    'opted_out',
    'recently_messaged',
    'no_opt_in',
    'blocked',
    'excluded',
    'country_restricted',
    'unreachable',
  ] as const
  expect(apart.flatMap((outcome) => behind[outcome] ?? []).sort()).toEqual([...all].sort())
  const failed = await list(id, { code: '131026' })
  expect(failed.total).toBe(rows.filter(({ reason }) => reason === '131026').length)
  for (const row of failed.items) expect(row).toMatchObject({ state: 'failed', code: 131026, known: false, name: '' })
})

test('a page costs as much among many rows as among few: no scan, no sort in memory', async () => {
  const ids = await addContacts(parley.database.connection, parley.scope, {
    count: 1,
    firstPhone: 919_823_000_000,
    tags: [],
  })
  const id = await create(ids, tomorrow)
  await addRows(id, 5000)
  const named = { workspaceId: new Types.ObjectId(parley.scope.workspaceId), campaignId: new Types.ObjectId(id) }
  for (const which of [{}, { code: 131026 }, ...outcomes.map((outcome) => ({ outcome }))]) {
    const { index, filter } = rowsBehind(which)
    const plan = await parley.database.connection
      .collection('campaignRecipients')
      .find({ ...named, ...filter })
      .sort({ _id: 1 })
      .limit(26)
      .hint(index)
      .explain('executionStats')
    const stages = JSON.stringify(plan['queryPlanner'].winningPlan)
    expect(stages, JSON.stringify(which)).toMatch(/"IXSCAN"/)
    expect(stages, JSON.stringify(which)).not.toMatch(/"COLLSCAN"|"SORT"/)
    expect(plan['executionStats'].totalDocsExamined, JSON.stringify(which)).toBeLessThanOrEqual(40)
  }
})

test('rows say who it was, what became of the message and when; they are found by name and number', async () => {
  const { connection } = parley.database
  const some = { firstPhone: 919_824_000_000, tags: [] }
  const ids = await addContacts(connection, parley.scope, { ...some, count: 1, over: { name: 'Zubin Mehta' } })
  const others = await addContacts(connection, parley.scope, { ...some, firstPhone: 919_824_100_000, count: 3 })
  const blocked = { ...some, firstPhone: 919_824_200_000, count: 1, over: { blocked: true } }
  // The simulator answers for this number that it is not on WhatsApp.
  const unknown = await addContacts(connection, parley.scope, { ...some, firstPhone: 919_812_131_026, count: 1 })
  const id = await create([...ids, ...others, ...unknown, ...(await addContacts(connection, parley.scope, blocked))])
  await eventually(async () => expect((await list(id, { outcome: 'read' })).items).toHaveLength(4))
  const [first] = (await list(id)).items
  const asExpected: Partial<Recipient> = { contactId: String(ids[0]), name: 'Zubin Mehta', known: true, state: 'read' }
  expect(first).toMatchObject({ ...asExpected, phone: '+919824000000' })
  expect(Object.keys(first?.times ?? {})).toEqual(expect.arrayContaining(['read']))
  await eventually(async () =>
    expect((await list(id, { code: '131026' })).items).toMatchObject([
      { contactId: unknown[0], state: 'failed', code: 131026, reason: expect.stringContaining('WhatsApp') },
    ]),
  )
  await eventually(async () => expect((await list(id)).failures).toMatchObject([{ code: 131026, count: 1 }]))
  expect((await list(id, { outcome: 'blocked' })).items).toMatchObject([
    { state: 'left_out', reason: 'The contact is blocked.' },
  ])
  const found = async (q: string, over = {}) => (await list(id, { q, ...over })).items.map((row) => row.contactId)
  expect(await found('+919824000000')).toEqual(ids)
  expect(await found('+919824000000', { outcome: 'failed' })).toEqual([])
  expect(await found('nobody at all')).toEqual([])
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('GET', `/api/campaigns/${id}/recipients`)).status).toBe(404)
  expect((await owner().call('GET', `/api/campaigns/${id}/recipients?outcome=gone`)).status).toBe(400)
  const { nextCursor } = await list(id, { limit: '1' })
  expect((await owner().call('GET', `/api/campaigns/${id}/recipients?outcome=read&cursor=${nextCursor}`)).status).toBe(
    400,
  )
})

test('the rows behind a figure are downloaded as a whole, safe for a spreadsheet, by those who may export', async () => {
  const { connection } = parley.database
  const some = { firstPhone: 919_825_000_000, tags: [] }
  const risky = { name: '=HYPERLINK("https://example.com")' }
  const ids = await addContacts(connection, parley.scope, { ...some, count: 1, over: risky })
  const id = await create(ids, tomorrow)
  // There are more than are read at once.
  const rows = await addRows(id, 2203)
  const download = async (query = '') => {
    const { status, headers, body } = await owner().call('GET', `/api/campaigns/${id}/recipients.csv${query}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const [header, ...lines] = Papa.parse<string[]>(body.replace(/^\uFEFF/, '').trim()).data
    return lines.map((cells) => Object.fromEntries((header ?? []).map((name, index) => [name, cells[index]])))
  }
  const all = await download()
  expect(all).toHaveLength(2203)
  expect(new Set(all.map((row) => row['Message ID'])).size).toBe(2203)
  const failed = await download('?outcome=failed&code=131026')
  expect(failed).toHaveLength(rows.filter(({ reason }) => reason === '131026').length)
  for (const row of failed)
    expect(row).toMatchObject({ State: 'failed', Code: '131026', Reason: expect.stringContaining('WhatsApp') })
  expect((await download('?outcome=opted_out'))[0]).toMatchObject({ State: 'left out', Reason: 'Opted out.' })

  const named = await create(ids)
  await eventually(async () => expect((await list(named, { outcome: 'read' })).items).toHaveLength(1))
  const { body, headers } = await owner().call('GET', `/api/campaigns/${named}/recipients.csv`)
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename=".* recipients\.csv"$/)
  const [line] = Papa.parse<Record<string, string>>(body.replace(/^\uFEFF/, ''), { header: true }).data
  expect(line).toMatchObject({ Name: `'${risky.name}`, Phone: '+91 98250 00000', State: 'read', Code: '' })
  expect(new Date(line?.['Read'] ?? '').getTime()).toBeGreaterThan(Date.now() - 600_000)

  const strangers = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await strangers.call('GET', `/api/campaigns/${id}/recipients.csv`)).status).toBe(404)
  expect((await parley.signIn({ role: 'viewer' }).call('GET', `/api/campaigns/${id}/recipients.csv`)).status).toBe(403)
})

test('of a contact one sees every campaign, and what has become of it, of those merged into it too', async () => {
  const [id = '', other = ''] = await addContacts(parley.database.connection, parley.scope, {
    count: 2,
    firstPhone: 919_812_700_900,
    tags: [],
  })
  const begun = async (name: string, contactId: string, row: Kind, startedAt?: Date) => {
    const campaignId = await create([contactId], { name, ...tomorrow })
    const { workspaceId } = parley.scope
    const ids = { workspaceId, campaignId, contactId }
    const named = Object.fromEntries(Object.entries(ids).map(([key, value]) => [key, new Types.ObjectId(value)]))
    const { connection } = parley.database
    await connection.collection('campaignRecipients').insertOne({ ...named, n: 0, ...row })
    if (startedAt)
      await connection
        .collection('campaigns')
        .updateOne({ _id: new Types.ObjectId(campaignId) }, { $set: { startedAt } })
  }
  await begun('First', id, { state: 'read', replied: true }, new Date())
  await begun('Second', other, { state: 'failed', reason: '131026' }, new Date())
  await begun('Third', id, { state: 'skipped', reason: 'no_opt_in' }, new Date())
  await begun('Not yet', id, { state: 'pending' })
  const read = () => owner().call('GET', `/api/contacts/${id}/campaigns`)
  expect((await read()).body.items).toMatchObject([
    { campaignName: 'Third', state: 'left_out', reason: 'Has not agreed to marketing.' },
    { campaignName: 'First', state: 'read', replied: true },
  ])
  const merge = { otherId: other, taken: { name: false, account: false, attributes: [] }, version: 1, otherVersion: 1 }
  expect((await owner().call('POST', `/api/contacts/${id}/merge`, merge)).status).toBe(200)
  const { items } = recipientsApi.ofContact.response.parse((await read()).body)
  expect(items.map(({ campaignName }) => campaignName)).toEqual(['Third', 'Second', 'First'])
  expect(items[1]).toMatchObject({ state: 'failed', code: 131_026 })
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('GET', `/api/contacts/${id}/campaigns`)).status).toBe(404)
  await expectIndexed(parley.database.connection, () => parley.services.recipientLists.ofContact(parley.scope, id), {
    fewSorted: true,
  })
})
