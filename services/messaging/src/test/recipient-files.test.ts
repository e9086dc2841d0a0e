import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newId } from '@parley/service-kit/data/plain'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExpiredFiles } from '../modules/outbound/recipient-files/expired-files.ts'
import { createFetchFile } from '../modules/outbound/recipient-files/fetch-file.ts'
import { createRecipientFileWork } from '../modules/outbound/recipient-files/recipient-file-work.ts'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  launchReviewed,
  makeDue,
  reviewDraft,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let shop: Awaited<ReturnType<typeof startShop>>
let phones = 919_862_000_000
beforeAll(async () => {
  parley = await joinMessaging()
  shop = await startShop()
})
afterAll(async () => {
  await parley.stop()
  await shop.close()
})
const owner = () => parley.signIn()

const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)

/** A web server with invoices, which counts how often each is asked for. */
async function startShop() {
  const asked = new Map<string, number>()
  const added = new Set<string>()
  const held: (() => void)[] = []
  const special: Record<string, (response: ServerResponse, times: number) => void> = {
    missing: (response) => response.writeHead(404).end(),
    large: (response) => response.writeHead(200, { 'content-length': String(101 * 1024 * 1024) }).end('%PDF-1.4'),
    picture: async (response) => {
      const colour = { width: 8, height: 8, channels: 3, background: '#3a7' } as const
      response.end(await sharp({ create: colour }).png().toBuffer())
    },
    slow: (response) => void setTimeout(() => response.end(pdf('slow')), 2000),
    flaky: (response, times) => (times < 3 ? response.writeHead(500).end() : response.end(pdf('flaky'))),
    moved: (response) => response.writeHead(302, { location: '/invoices/A-1.pdf?moved' }).end(),
  }
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://shop').pathname)
    const times = (asked.get(path) ?? 0) + 1
    asked.set(path, times)
    const name = path.replace(/^\/invoices\/|\.pdf$/g, '')
    const answer = special[name]
    if (name.startsWith('held')) held.push(() => response.end(pdf(name)))
    else if (name.startsWith('late') && !added.has(name)) response.writeHead(404).end()
    else if (answer) answer(response, times)
    else response.end(pdf(name))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  }
  const letGo = () => {
    for (const answer of held.splice(0)) answer()
  }
  return { url, asked, added, held, letGo, close }
}

const documentTemplate = async () => {
  const answer = await fetch(`${parley.server.url}/api/media`, {
    method: 'POST',
    body: new Uint8Array(pdf('sample')),
    headers: { authorization: `Bearer ${await owner().token()}`, 'content-type': 'application/pdf' },
  })
  const { id: mediaId } = JSON.parse(await answer.text())
  const file = { mediaId, name: 'sample.pdf', mimeType: 'application/pdf', sizeBytes: 1 }
  return approvedTemplate(parley, { category: 'utility', headerMedia: { kind: 'document', file } })
}

/** Contacts with an order each. @returns the tag that they alone carry. */
async function customers(orders: readonly (string | undefined)[]): Promise<string> {
  const tag = `t${new Types.ObjectId().toHexString()}`
  for (const order of orders) {
    phones += 1
    const attributes = order === undefined ? [] : [{ k: 'order', v: order }]
    const { database, scope } = parley
    await addContacts(database.connection, scope, { count: 1, firstPhone: phones, tags: [tag], over: { attributes } })
  }
  return tag
}

const invoices = (over: object = {}) => ({
  from: 'address',
  address: `${shop.url}/invoices/{{order}}.pdf`,
  fields: { order: 'attributes.order' },
  fileName: 'Invoice {{order}}.pdf',
  ...over,
})

const fieldsFor = (tag: string, templateId: string, recipientFile: object = invoices()) => ({
  name: 'Invoices',
  audience: { kind: 'tags', tags: [tag] },
  numberId: parley.number.id,
  templateId,
  variables: firstName,
  recipientFile,
})

/** Returns the documents on the phones: name and content, by our own message ids. */
async function documents() {
  const { items } = await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}&limit=500`)
  const found = new Map<string, { waId: string; fileName: string; text: string }>()
  for (const { callbackData, shown } of items) {
    const { id, filename } = shown?.header?.media ?? {}
    if (id === undefined) continue
    const file = await fetch(`${parley.number.graphUrl}/sim/media/${id}`)
    found.set(callbackData, { waId: id, fileName: filename, text: /% (.*)/.exec(await file.text())?.[1] ?? '' })
  }
  return found
}

const readCampaign = (id: string) => owner().ask('GET', `/api/campaigns/${id}`)

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
  const tag = await customers(orders)
  const draft = await owner().ask('POST', '/api/campaigns', fieldsFor(tag, await documentTemplate()))
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
  expect(launched.body.recipientFile).toEqual(invoices())
  const ended = await eventually(async () => {
    const campaign = await readCampaign(id)
    expect(campaign).toMatchObject({ status: 'completed', counts: { delivered: 8 } })
    return campaign
  })
  expect(ended.counts).toMatchObject({ audience: 13, failed: 3, uncertain: 0, excluded: { unreachable: 2 } })

  const rows = await parley.database.connection
    .collection('campaignRecipients')
    .find({ campaignId: new Types.ObjectId(id) })
    .toArray()
  const onPhones = await documents()
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

/** Sends invoices to customers with these orders. @returns the campaign's id, and where its rows, messages and files are. */
async function sendInvoices(orders: readonly string[]) {
  const draft = await owner().ask(
    'POST',
    '/api/campaigns',
    fieldsFor(await customers(orders), await documentTemplate()),
  )
  let isReviewed = false
  const reviewed = reviewDraft(owner(), draft).finally(() => (isReviewed = true))
  // The review looks at files, too.
  await eventually(() => {
    shop.letGo()
    expect(isReviewed).toBe(true)
  })
  const { status, body } = await launchReviewed(owner(), draft.id, (await reviewed).body)
  expect(status).toBe(200)
  const id: string = body.id
  const files = parley.database.connection.collection('recipientFiles')
  const fileOf = (order: string) =>
    files.findOne({ campaignId: new Types.ObjectId(id), address: `${shop.url}/invoices/${order}.pdf` })
  async function messageOf(order: string) {
    const address = `${shop.url}/invoices/${order}.pdf`
    const rows = parley.database.connection.collection('campaignRecipients')
    const row = await rows.findOne({ campaignId: new Types.ObjectId(id), 'file.address': address })
    return parley.database.connection.collection('messages').findOne({ _id: row?._id ?? new Types.ObjectId() })
  }
  return { id, fileOf, messageOf }
}

test('a file that was not there is fetched anew when its campaign is resumed, and when its message is sent again', async () => {
  const { id, fileOf, messageOf } = await sendInvoices(['late-1', 'late-2', 'held'])
  const act = (action: string) => owner().call('POST', `/api/campaigns/${id}/status`, { action })
  await eventually(async () => {
    expect([(await fileOf('late-1'))?.['state'], (await fileOf('late-2'))?.['state']]).toEqual(['failed', 'failed'])
    expect(shop.held).toHaveLength(1)
  })
  expect((await act('pause')).status).toBe(200)
  shop.added.add('late-1')
  expect((await act('resume')).status).toBe(200)
  await eventually(async () => {
    expect((await fileOf('late-1'))?.['state']).toBe('ready')
    expect((await fileOf('late-2'))?.['state']).toBe('failed')
  })
  // The pause has made nothing of the one that was on its way: it is asked for again.
  await eventually(async () => {
    shop.letGo()
    expect((await readCampaign(id)).status).toBe('completed')
  })
  shop.added.add('late-2')
  const failed = await messageOf('late-2')
  expect(failed?.['status']).toBe('failed')
  // A campaign's message begins no conversation: it is there once somebody opens it.
  await owner().ask('POST', '/api/conversations', { contactId: String(failed?.['contactId']) })
  const retry = `/api/conversations/${failed?.['conversationId']}/messages/${failed?._id}/retry`
  expect((await owner().call('POST', retry)).status).toBe(200)
  await eventually(async () => {
    expect((await messageOf('late-2'))?.['status']).toBe('delivered')
    expect((await documents()).get(String(failed?._id))).toMatchObject({ text: 'late-2' })
  })
})

test('while a campaign is paused none of its files is fetched; once it is resumed each is', async () => {
  const orders = Array.from({ length: 8 }, (_, index) => `held-${index}`)
  const { id, fileOf } = await sendInvoices(orders)
  const act = (action: string) => owner().call('POST', `/api/campaigns/${id}/status`, { action })
  const asked = () => orders.map((order) => shop.asked.get(`/invoices/${order}.pdf`) ?? 0)
  const total = () => asked().reduce((sum, times) => sum + times, 0)
  const inReview = total()
  await eventually(() => expect(shop.held).toHaveLength(4))
  const before = total()
  expect(before).toBeGreaterThan(inReview)
  expect((await act('pause')).status).toBe(200)
  shop.letGo()
  const { services, scope } = parley
  for (const order of orders) expect(await fileOf(order)).toMatchObject({ state: 'waiting', attempts: 0 })
  await eventually(async () => expect((await services.recipientFileWork.due()).map((job) => job.id)).not.toContain(id))
  await services.recipientFileWork.perform({ id, workspaceId: scope.workspaceId }, () => undefined)
  expect(total()).toBe(before)
  expect((await act('resume')).status).toBe(200)
  await eventually(async () => {
    shop.letGo()
    expect(await readCampaign(id)).toMatchObject({ status: 'completed', counts: { delivered: 8 } })
  })
})

test('files that nobody waits for any more are not fetched: their campaign was cancelled', async () => {
  const { id, fileOf } = await sendInvoices(['held'])
  await eventually(() => expect(shop.held).toHaveLength(1))
  expect((await owner().call('POST', `/api/campaigns/${id}/status`, { action: 'cancel' })).status).toBe(200)
  expect(await fileOf('held')).toMatchObject({ state: 'failed', detail: 'Its campaign was cancelled.' })
  expect(await fileOf('held')).not.toHaveProperty('dueAt')
  shop.letGo()
})

test('the address and the file of an erased person are forgotten, those of all others a week after the end', async () => {
  const { id, fileOf, messageOf } = await sendInvoices(['E-1', 'E-2', 'E-2'])
  await eventually(async () => expect(await readCampaign(id)).toMatchObject({ status: 'completed' }))
  const released = (mediaId: unknown) =>
    parley.database.connection
      .collection('releasedFiles')
      .countDocuments({ mediaId: new Types.ObjectId(String(mediaId)) })
  const [first, second] = [await fileOf('E-1'), await fileOf('E-2')]
  // Each is noted as it is stored and as a message with it goes, in case that nothing else has it: the sweep drops such notes.
  const dropNotes = () => parley.database.connection.collection('releasedFiles').deleteMany(parley.inWorkspace)
  await dropNotes()
  async function erase(contactId: unknown) {
    const { name } = await owner().ask('GET', `/api/contacts/${contactId}`)
    const job = await owner().call('POST', `/api/contacts/${contactId}/erase`, { name })
    await eventually(async () => {
      const { items } = await owner().ask('GET', '/api/contact-jobs')
      expect(items.find((item: { id: string }) => item.id === job.body.id)?.state).toBe('done')
    })
  }
  await erase((await messageOf('E-1'))?.['contactId'])
  await erase((await messageOf('E-2'))?.['contactId'])
  // Another recipient has the second one.
  expect([await fileOf('E-1'), (await fileOf('E-2'))?.['state']]).toEqual([null, 'ready'])
  expect(await released(first?.['mediaId'])).toBe(1)
  const isNeeded = ({ mediaId }: Record<string, unknown> = {}) =>
    parley.services.recipientFiles.hasFile(parley.scope, String(mediaId))
  expect([await isNeeded(first ?? {}), await isNeeded(second ?? {})]).toEqual([false, true])
  await dropNotes()

  const message = await messageOf('E-2')
  const sweepAt = (days: number) =>
    createExpiredFiles({
      ...parley.services,
      now: () => new Date(Date.now() + days * 86_400_000),
    }).sweep()
  // The end is noted as an ended campaign is counted again.
  await makeDue(parley, id)
  await eventually(async () => expect(await fileOf('E-2')).toHaveProperty('keptUntil'))
  await sweepAt(6)
  expect(await fileOf('E-2')).not.toBeNull()
  await sweepAt(8)
  expect(await fileOf('E-2')).toBeNull()
  expect(await released(second?.['mediaId'])).toBe(1)
  const after = await parley.database.connection
    .collection('messages')
    .findOne({ _id: message?._id ?? new Types.ObjectId() })
  expect(after?.['content']).not.toHaveProperty('mediaId')
})

test.each([
  ['no variable', { address: 'https://files.shop.example/menu.pdf' }, 'recipientFile.address'],
  ['a server by a variable', { address: 'https://{{order}}/menu.pdf' }, 'recipientFile.address'],
  ['an unfilled variable', { fields: {} }, 'recipientFile.fields.order'],
  ['a field that contacts do not have', { fields: { order: 'password' } }, 'recipientFile.fields'],
])('a review is refused beside the field: %s', async (_name, over, field) => {
  const tag = await customers(['A-1'])
  const answer = await launchCampaign(owner(), fieldsFor(tag, await documentTemplate(), invoices(over)))
  expect([answer.status, answer.body.code, Object.keys(answer.body.fields)]).toEqual([
    400,
    'validation_failed',
    [field],
  ])
})
