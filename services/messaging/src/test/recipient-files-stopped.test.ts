import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExpiredFiles } from '../modules/outbound/recipient-files/expired-files.ts'
import { eventually, makeDue } from './campaign-fixtures.ts'
import { sweepReleased } from './files.ts'
import { type Invoices, startInvoices } from './invoice-fixtures.ts'

let parley: Invoices['parley']
let shop: Invoices['shop']
let invoices: Invoices
beforeAll(async () => {
  invoices = await startInvoices(919_893_000_000)
  ;({ parley, shop } = invoices)
})
afterAll(() => invoices.stop())
const owner = () => parley.signIn()

test('a file that was not there is fetched anew when its campaign is resumed, and when its message is sent again', async () => {
  const { id, fileOf, messageOf } = await invoices.send(['late-1', 'late-2', 'held'])
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
    expect((await invoices.campaign(id)).status).toBe('completed')
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
    expect((await invoices.documents()).get(String(failed?._id))).toMatchObject({ text: 'late-2' })
  })
})

test('while a campaign is paused none of its files is fetched; once it is resumed each is', async () => {
  const orders = Array.from({ length: 8 }, (_, index) => `held-${index}`)
  const { id, fileOf } = await invoices.send(orders)
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
    expect(await invoices.campaign(id)).toMatchObject({ status: 'completed', counts: { delivered: 8 } })
  })
})

test('files that nobody waits for any more are not fetched: their campaign was cancelled', async () => {
  const { id, fileOf } = await invoices.send(['held'])
  await eventually(() => expect(shop.held).toHaveLength(1))
  expect((await owner().call('POST', `/api/campaigns/${id}/status`, { action: 'cancel' })).status).toBe(200)
  expect(await fileOf('held')).toMatchObject({ state: 'failed', detail: 'Its campaign was cancelled.' })
  expect(await fileOf('held')).not.toHaveProperty('dueAt')
  shop.letGo()
})

test('the address and the file of an erased person are forgotten, those of all others a week after the end', async () => {
  const { id, fileOf, messageOf } = await invoices.send(['E-1', 'E-2', 'E-2'])
  await eventually(async () => expect(await invoices.campaign(id)).toMatchObject({ status: 'completed' }))
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
  // Nothing keeps the file: the message names it, and has it no longer.
  const conversation = await owner().ask('POST', '/api/conversations', { contactId: String(message?.['contactId']) })
  const { items } = await owner().ask('GET', `/api/conversations/${conversation.id}/messages`)
  const headerText = `${message?.['content'].header.fileName} · no longer kept`
  expect(items.at(-1)?.content).toMatchObject({ type: 'template', headerText })
  expect(items.at(-1)?.content).not.toHaveProperty('header')
  await sweepReleased(parley)
  expect((await owner().request('GET', `/api/media/${second?.['mediaId']}`)).status).toBe(404)
})
