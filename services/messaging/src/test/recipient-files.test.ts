import { newId } from '@parley/service-kit/data/plain'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFetchFile } from '../modules/outbound/recipient-files/fetch-file.ts'
import { createRecipientFileWork } from '../modules/outbound/recipient-files/recipient-file-work.ts'
import { eventually, launchCampaign, launchReviewed, reviewDraft } from './campaign-fixtures.ts'
import { type Invoices, startInvoices } from './invoice-fixtures.ts'

let parley: Invoices['parley']
let shop: Invoices['shop']
let invoices: Invoices
beforeAll(async () => {
  invoices = await startInvoices(919_862_000_000)
  ;({ parley, shop } = invoices)
})
afterAll(() => invoices.stop())
const owner = () => parley.signIn()

test('each recipient gets a document of their own, each is fetched and uploaded once, and faults stay with their recipients', async () => {
  const orders = [
    'A-1',
    'A-1',
    'B-2',
    'A-1',
    'B-2',
    'missing',
    'large',
    'picture',
    'slow',
    'flaky',
    'moved',
    undefined,
    '..',
  ]
  const tag = await invoices.customers(orders)
  const draft = await owner().ask('POST', '/api/campaigns', invoices.draft(tag, await invoices.template()))
  const { body: review } = await reviewDraft(owner(), draft)
  expect(review.files).toMatchObject({ distinct: 8, withoutAddress: 1, invalidAddress: 1 })
  expect(review.files.faults).toContainEqual({
    title: 'There is no file at the recipient’s address',
    count: 1,
    example: `${shop.url}/invoices/missing.pdf`,
    detail: 'Its server answered 404.',
  })
  expect(review.problems).toEqual([])
  expect(review.warnings).toMatchObject([{ code: 'files_faulty' }])
  const launched = await launchReviewed(owner(), draft.id, review)
  expect(launched.status).toBe(200)
  const { id } = launched.body
  expect(launched.body.recipientFile).toEqual(invoices.file())
  const ended = await eventually(async () => {
    const campaign = await invoices.campaign(id)
    expect(campaign).toMatchObject({ status: 'completed', counts: { delivered: 8 } })
    return campaign
  })
  expect(ended.counts).toMatchObject({ audience: 13, failed: 3, uncertain: 0, excluded: { unreachable: 2 } })

  const rows = await parley.database.connection
    .collection('campaignRecipients')
    .find({ campaignId: new Types.ObjectId(id) })
    .toArray()
  const onPhones = await invoices.documents()
  const got = rows.flatMap(({ _id, values, file }) => {
    const document = onPhones.get(String(_id))
    return document && values && file ? [{ order: /([^/]*)\.pdf/.exec(file.address)?.[1], ...document }] : []
  })
  for (const { order, text, fileName } of got) {
    expect(text).toBe(order === 'moved' ? 'A-1' : order)
    expect(fileName).toBe(`Invoice ${order}.pdf`)
  }
  expect(got.map(({ order }) => order).sort()).toEqual(['A-1', 'A-1', 'A-1', 'B-2', 'B-2', 'flaky', 'moved', 'slow'])
  // A-1, B-2, slow and flaky: the moved one is the content of A-1.
  expect(new Set(got.map(({ waId }) => waId)).size).toBe(4)
  const asked = Object.fromEntries([...shop.asked].map(([path, times]) => [path.replace(/^.*\/|\.pdf$/g, ''), times]))
  // Each was looked at once in the review, and fetched once; what is moved leads to A-1 both times.
  expect(asked).toEqual({ 'A-1': 4, 'B-2': 2, missing: 2, large: 2, picture: 2, slow: 2, flaky: 3, moved: 2 })

  const { failures, items } = await owner().ask('GET', `/api/campaigns/${id}/recipients`)
  expect(failures.map(({ class: kind, title, count }: Record<string, unknown>) => [kind, title, count])).toEqual([
    ['bad_file', 'There is no file at the recipient’s address', 1],
    ['bad_file', 'The recipient’s file is too large', 1],
    ['bad_file', 'The recipient’s file is of the wrong kind', 1],
  ])
  const reasons = items.filter(({ state }: { state: string }) => state === 'left_out')
  expect(reasons.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
    'The address of the file is none that Parley can call.',
    'The contact has no value for the address of the file.',
  ])
  const csv = await fetch(`${parley.server.url}/api/campaigns/${id}/recipients.csv`, {
    headers: { authorization: `Bearer ${await owner().token()}` },
  })
  expect(await csv.text()).toContain('There is no file at the recipient’s address')
  // A colleague who answers sees the document in the thread.
  const [first] = rows.filter(({ _id }) => onPhones.has(String(_id)))
  const message = await parley.database.connection
    .collection('messages')
    .findOne({ _id: first?._id ?? new Types.ObjectId() })
  expect(message?.['content']).toMatchObject({ header: { kind: 'document', mimeType: 'application/pdf' } })
  expect(message?.['content']).not.toHaveProperty('awaitedFile')
})

test('a process that ends midway is followed by another: what was fetched is not fetched again, what was uploaded not uploaded', async () => {
  const { services, scope, number, database } = parley
  const campaignId = newId()
  const addresses = Array.from({ length: 9 }, (_, index) => `${shop.url}/invoices/K-${index}.pdf`)
  const session = await database.connection.startSession()
  const wanted = { campaignId, numberId: number.id, kind: 'document' as const }
  await session.withTransaction(() => services.recipientFiles.need(scope, wanted, addresses, { session }))
  await session.endSession()
  // The worker of these tests leaves them alone.
  const files = database.connection.collection('recipientFiles')
  const mine = { campaignId: new Types.ObjectId(campaignId) }
  await files.updateMany(mine, { $set: { dueAt: new Date('2100-01-01') } })
  const uploads: string[] = []
  let dies = true
  let begun = 0
  const workAt = (at: Date) =>
    createRecipientFileWork({
      ...services,
      fetchFile: createFetchFile(parley.outboundHttp),
      outboundMedia: {
        known: services.outboundMedia.known,
        upload: async (of, file, access) => {
          begun += 1
          if (dies && begun > 3) throw new Error('the process is killed')
          const id = await services.outboundMedia.upload(of, file, access)
          uploads.push(file.mediaId)
          return id
        },
      },
      wakeSender: () => undefined,
      now: () => at,
    })
  const job = { id: campaignId, workspaceId: scope.workspaceId }
  await expect(workAt(new Date('2100-01-02')).perform(job, () => undefined)).rejects.toThrow('killed')
  await eventually(() => expect(uploads).toHaveLength(3))
  dies = false
  await eventually(async () => {
    await workAt(new Date('2100-01-03')).perform(job, () => undefined)
    expect(await files.distinct('state', mine)).toEqual(['ready'])
  })
  expect(uploads).toHaveLength(9)
  expect(new Set(uploads).size).toBe(9)
  for (const address of addresses) expect(shop.asked.get(new URL(address).pathname)).toBe(1)
})

test.each([
  ['no variable', { address: 'https://files.shop.example/menu.pdf' }, 'recipientFile.address'],
  ['a server by a variable', { address: 'https://{{order}}/menu.pdf' }, 'recipientFile.address'],
  ['an unfilled variable', { fields: {} }, 'recipientFile.fields.order'],
  ['a field that contacts do not have', { fields: { order: 'password' } }, 'recipientFile.fields'],
])('a review is refused beside the field: %s', async (_name, over, field) => {
  const tag = await invoices.customers(['A-1'])
  const answer = await launchCampaign(owner(), invoices.draft(tag, await invoices.template(), invoices.file(over)))
  expect([answer.status, answer.body.code, Object.keys(answer.body.fields)]).toEqual([
    400,
    'validation_failed',
    [field],
  ])
})
