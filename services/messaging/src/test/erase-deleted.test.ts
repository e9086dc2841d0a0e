import { newId } from '@parley/service-kit/data/plain'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { mongo, Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { jobEnded } from './contact-fixtures.ts'
import { everythingStored } from './erase-fixtures.ts'
import { unzipped } from './files.ts'
import { withImports } from './import-fixtures.ts'
import { withMerging } from './merging-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

// Workers give a step up after five tries, each a little later.
vi.setConfig({ testTimeout: 240_000 })

let parley: Awaited<ReturnType<typeof startMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
beforeAll(async () => {
  parley = await startMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

const records = (name: string) => parley.database.connection.collection(name)
const idOf = (id: string) => new Types.ObjectId(id)
const day = 86_400_000

/** Adds a customer who has written, with the conversation. */
const writer = (digits: string, text: string) => withMerging(parley, ann).writer(digits, text)
const remove = (id: string) => ann.ask('POST', '/api/contacts/bulk', { ids: [id], action: { kind: 'delete' } })
const erase = async (contact: { id: string; name: string }) =>
  jobEnded(ann, (await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: contact.name })).id)
const isFound = async (text: string) => (await ann.ask('GET', `/api/messages/search?q=${text}`)).items.length > 0
/** Returns the places in which a text is stored. */
async function placesOf(needle: string) {
  const found = new Set<string>()
  for await (const { store, text } of everythingStored(parley)) if (text.includes(needle)) found.add(store)
  return [...found].sort()
}
async function exportTo(format: string, filter: object = {}): Promise<string> {
  const job = await ann.ask('POST', '/api/contact-jobs/exports', { selection: { filter }, format, timeZone: 'UTC' })
  expect((await jobEnded(ann, job.id)).file).not.toBeNull()
  return job.id
}
const fileStatus = async (jobId: string) => (await ann.request('GET', `/api/contact-jobs/${jobId}/file`)).status
/** Overwrites what lies in a file, or loses a part of it. */
async function damage(collection: string, fileId: unknown, isLost: boolean) {
  const chunks = records(`${collection}Files.chunks`)
  const chunk = await chunks.findOne({ files_id: fileId })
  const data = Buffer.alloc(isLost ? 1 : chunk?.['data'].length(), 'PK')
  await chunks.updateOne({ files_id: fileId }, { $set: { data: new mongo.Binary(data) } })
}

test('an export that matched nobody stops no erasure, and files that cannot be read go as if the person were in them', async () => {
  const { contact } = await writer('919812377001', 'lapwing')
  const empty = await exportTo('csv', { q: 'nobody is called so' })
  const emptySheet = await exportTo('xlsx', { q: 'nobody is called so' })
  const damaged = await exportTo('xlsx')
  const { upload } = withImports(parley, ann)
  const { body: imported } = await upload('Name,Phone\nRavi,+919812377009\n')
  const job = await records('jobs').findOne({ _id: idOf(damaged) })
  await damage('exportFiles', idOf(job?.['result'].fileId), true)
  const before = await records('imports').findOne({ _id: idOf(imported.id) })
  await records('imports').updateOne({ _id: idOf(imported.id) }, { $set: { format: { kind: 'xlsx' } } })
  await damage('importFiles', before?.['fileId'], false)
  // A record of an older version, which cannot be read any more.
  await records('jobs').insertOne({
    ...parley.inWorkspace,
    kind: 'conversations.export',
    input: { of: 'another time' },
    state: 'done',
    version: 1,
    attempts: 0,
    total: 0,
    done: 0,
    failed: 0,
    checkpoint: null,
    result: { fileId: newId(), contactIds: [] },
    startedBy: null,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + day),
  })

  expect(await erase(contact)).toMatchObject({ state: 'done', problem: null })
  expect(await records('jobs').findOne({ 'input.of': 'another time' })).toMatchObject({
    result: { problem: 'The contact was erased.' },
  })
  expect(await placesOf('919812377001')).toEqual([])
  expect([await fileStatus(empty), await fileStatus(emptySheet), await fileStatus(damaged)]).toEqual([200, 200, 404])
  const after = await records('imports').findOne({ _id: idOf(imported.id) })
  expect(after).toMatchObject({ state: 'failed', problem: expect.stringContaining('Choose it again') })
  expect(after).not.toHaveProperty('fileId')
})

test('a deleted contact is exported and erased like any other', async () => {
  const { contact, conversation } = await writer('919812377011', 'turnstone')
  await remove(contact.id)
  const path = `/api/contacts/${contact.id}`
  const exported = await ann.ask('POST', `${path}/export`)
  expect((await jobEnded(ann, exported.id)).problem).toBeNull()
  const file = await ann.request('GET', `/api/contact-jobs/${exported.id}/file`)
  const parts = await unzipped(Buffer.from(await file.arrayBuffer()))
  expect(String(parts.get('messages.json'))).toContain('turnstone')

  expect((await ann.call('POST', `${path}/erase`, { name: 'Somebody else' })).status).toBe(400)
  expect(await erase(contact)).toMatchObject({ state: 'done', problem: null })
  expect((await ann.call('GET', `/api/conversations/${conversation.id}`)).status).toBe(404)
  expect(await isFound('turnstone')).toBe(false)
  expect(await placesOf('919812377011')).toEqual([])
  for (const what of ['export', 'erase'])
    expect((await ann.call('POST', `${path}/${what}`, { name: contact.name })).status).toBe(404)
})

test('whoever nobody restores for 30 days is erased with conversation, messages and merged contacts', async () => {
  const { merge } = withMerging(parley, ann)
  const [gone, other, young] = [
    await writer('919812377021', 'avocet'),
    await writer('919812377022', 'avocet'),
    await writer('919812377023', 'dunlin'),
  ]
  await merge(gone.contact, other.contact)
  for (const { contact } of [gone, young]) await remove(contact.id)
  const deleted = (id: string, days: number) =>
    records('contacts').updateOne({ _id: idOf(id) }, { $set: { deletedAt: new Date(Date.now() - days * day) } })
  await deleted(young.contact.id, 29.9)
  await deleted(gone.contact.id, 30.1)
  // Workers look by themselves; two at once begin it once.
  await Promise.all([1, 2].map(() => parley.services.contactJobs.eraseExpired()))
  await eventually(async () => {
    const ids = [gone, other].map(({ contact }) => idOf(contact.id))
    expect(await records('contacts').countDocuments({ _id: { $in: ids } })).toBe(0)
    expect(await records('jobs').countDocuments({ leaseEndsAt: { $exists: true } })).toBe(0)
  })
  const erasures = { kind: 'contacts.erase', 'input.contactId': gone.contact.id }
  expect(await records('jobs').countDocuments(erasures)).toBe(1)
  expect(await isFound('avocet')).toBe(false)
  expect([await placesOf('919812377021'), await placesOf('919812377022')]).toEqual([[], []])
  expect(await isFound('dunlin')).toBe(true)
  await ann.ask('POST', '/api/contacts/bulk', { ids: [young.contact.id], action: { kind: 'restore' } })
  expect((await ann.call('GET', `/api/contacts/${young.contact.id}`)).status).toBe(200)
})

test('a deleted contact whose number somebody else has now is erased alone', async () => {
  const digits = '919812377031'
  const { contact, conversation } = await writer(digits, 'whimbrel')
  // It is known by the number alone.
  await records('contacts').updateOne({ _id: idOf(contact.id) }, { $unset: { waUserId: 1 } })
  await remove(contact.id)
  const heir = await ann.ask('POST', '/api/contacts', { name: 'Heir', phone: '+919812377032' })
  await ann.ask('PATCH', `/api/contacts/${heir.id}`, { version: heir.version, phone: `+${digits}` })
  const restored = await ann.ask('POST', '/api/contacts/bulk', { ids: [contact.id], action: { kind: 'restore' } })
  expect(restored.ids).toEqual([])
  await withMerging(parley, ann).says(digits, 'curlew')
  await eventually(async () => expect(await isFound('curlew')).toBe(true))

  expect(await erase(contact)).toMatchObject({ state: 'done', problem: null })
  expect((await ann.call('GET', `/api/conversations/${conversation.id}`)).status).toBe(404)
  expect([await isFound('whimbrel'), await isFound('curlew')]).toEqual([false, true])
  expect(await placesOf('whimbrel')).toEqual([])
  expect(await ann.ask('GET', `/api/contacts/${heir.id}`)).toMatchObject({ phone: `+${digits}` })
  expect(await records('rawEvents').countDocuments({ payload: { $regex: digits } })).toBeGreaterThan(0)
})

test('the deleted contacts of all workspaces whose time is over are found by an index', async () => {
  await expectIndexed(parley.database.connection, async () => {
    await parley.services.contactJobs.eraseExpired()
  })
})

test('an erasure that fails leaves the person whole, and the next one does the rest', async () => {
  const { contact, conversation } = await writer('919812377041', 'sanderling')
  await parley.worker.kill()
  const { jobWork } = parley.services
  const perform = async (id: string) => {
    // Five failures in a row, and one more where steps before them have succeeded.
    for (let tries = 0; tries < 6; tries += 1) {
      // Attempts pause for longer each time, which nobody waits for here.
      await records('jobs').updateOne(
        { _id: idOf(id), leaseEndsAt: { $exists: true } },
        { $set: { leaseEndsAt: new Date() } },
      )
      await jobWork.perform({ id, workspaceId: ann.workspaceId }).catch(() => undefined)
    }
  }
  // Reading needs these indexes: without one, a step fails again and again.
  for (const [name, index] of [
    ['importRows', 'batch'],
    ['parked', 'wamid'],
    ['messages', 'thread'],
  ] as const) {
    const { key = {}, v: _v, ...options } = (await records(name).indexes()).find((one) => one.name === index) ?? {}
    await records(name).dropIndex(index)
    const job = await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: contact.name })
    await perform(job.id)
    expect(await jobEnded(ann, job.id)).toMatchObject({ problem: expect.stringContaining('Start it again') })
    await records(name).createIndex(key, options)
    expect((await ann.call('GET', `/api/contacts/${contact.id}`)).status).toBe(200)
    expect(await withMerging(parley, ann).textsOf(conversation)).toEqual(['sanderling'])
  }
  await remove(contact.id)
  const job = await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: contact.name })
  await perform(job.id)
  expect(await jobEnded(ann, job.id)).toMatchObject({ state: 'done', problem: null })
  expect(await placesOf('919812377041')).toEqual([])
})
