import type { Contact } from '@parley/contracts/contacts/contacts'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addContacts } from './campaign-fixtures.ts'
import { jobEnded, newcomerWith } from './contact-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

/** Adds a member of a new workspace, and returns their actions on many contacts. */
async function withContacts(people: Parameters<typeof newcomerWith>[1] = []) {
  const { ann } = await newcomerWith(parley, people)
  const ended = (id: string) => jobEnded(ann, id)
  const start = (action: object, selection: object = { filter: {} }) =>
    ann.call('POST', '/api/contact-jobs/changes', { selection, action })
  const change = async (action: object, selection?: object) => {
    const { status, body } = await start(action, selection)
    expect(status).toBe(201)
    return ended(body.id)
  }
  const undo = async (id: string) => {
    const { status, body } = await ann.call('POST', `/api/contact-jobs/${id}/undo`)
    expect(status).toBe(201)
    return ended(body.id)
  }
  const contacts = async (): Promise<Contact[]> => (await ann.call('GET', '/api/contacts?sort=name')).body.items
  const tags = async () => Object.fromEntries((await contacts()).map((contact) => [contact.name, contact.tags]))
  const edit = async (name: string, fields: object) => {
    const found = (await contacts()).find((contact) => contact.name === name)
    const { status } = await ann.call('PATCH', `/api/contacts/${found?.id}`, { ...fields, version: found?.version })
    expect(status).toBe(200)
  }
  return { ann, start, ended, change, undo, contacts, tags, edit }
}

test('tags are added to all that match; the undo takes away what was added, and nothing that others did since', async () => {
  const { ann, change, undo, tags, edit } = await withContacts([
    { name: 'A', tags: ['vip'] },
    { name: 'B' },
    { name: 'C' },
  ])
  const job = await change({ kind: 'add_tags', tags: ['vip', 'new'] })
  expect(job).toMatchObject({ state: 'done', total: 3, done: 3, changed: 3, canUndo: true })
  expect(await tags()).toEqual({ A: ['vip', 'new'], B: ['vip', 'new'], C: ['vip', 'new'] })
  expect(await change({ kind: 'add_tags', tags: ['vip'] })).toMatchObject({ done: 3, changed: 0, canUndo: false })
  await edit('B', { tags: ['vip', 'new', 'mine'] })
  await edit('C', { tags: [] })
  expect(await undo(job.id)).toMatchObject({ task: { kind: 'undo' }, total: 3, changed: 2, kept: 1 })
  expect(await tags()).toEqual({ A: ['vip'], B: ['mine'], C: [] })
  expect((await ann.call('POST', `/api/contact-jobs/${job.id}/undo`)).status).toBe(409)
})

test('whoever may not delete contacts does it neither one by one nor by job, nor takes a deletion back', async () => {
  const { ann, change, tags, start } = await withContacts([{ name: 'A' }, { name: 'B' }])
  const agent = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  const [first] = (await ann.call('GET', '/api/contacts?sort=name')).body.items
  const bulk = (kind: string) => agent.call('POST', '/api/contacts/bulk', { ids: [first.id], action: { kind } })
  const refused = { status: 403, body: { code: 'forbidden', message: expect.stringContaining('delete contacts') } }
  expect(await bulk('delete')).toMatchObject(refused)
  expect(await bulk('restore')).toMatchObject(refused)
  const all = { selection: { filter: {} }, action: { kind: 'delete' } }
  expect(await agent.call('POST', '/api/contact-jobs/changes', all)).toMatchObject(refused)
  expect(Object.keys(await tags())).toEqual(['A', 'B'])
  const job = await change({ kind: 'delete' })
  expect(await agent.call('POST', `/api/contact-jobs/${job.id}/undo`)).toMatchObject(refused)
  expect(
    (await agent.call('POST', '/api/contact-jobs/changes', { ...all, action: { kind: 'add_tags', tags: ['x'] } }))
      .status,
  ).toBe(201)
  expect((await start({ kind: 'add_tags', tags: ['y'] })).status).toBe(201)
})

test('a removed tag comes back to its place; the filter that names it does not end the change early', async () => {
  const { change, undo, tags, edit } = await withContacts([
    { name: 'A', tags: ['x', 'vip', 'y'] },
    { name: 'B', tags: ['vip'] },
    { name: 'C', tags: ['x'] },
  ])
  const job = await change({ kind: 'remove_tags', tags: ['vip'] }, { filter: { tags: 'vip' } })
  expect(job).toMatchObject({ changed: 2 })
  expect(await tags()).toEqual({ A: ['x', 'y'], B: [], C: ['x'] })
  await edit('B', { tags: ['own'] })
  await undo(job.id)
  expect(await tags()).toEqual({ A: ['x', 'vip', 'y'], B: ['own', 'vip'], C: ['x'] })
})

test('all that match are deleted and come back, except who was added anew since', async () => {
  const { ann, change, undo, tags } = await withContacts([
    { name: 'A', tags: ['vip'] },
    { name: 'B', tags: ['vip'] },
    { name: 'C' },
  ])
  const job = await change({ kind: 'delete' }, { filter: { tags: 'vip' } })
  expect(Object.keys(await tags())).toEqual(['C'])
  await ann.call('POST', '/api/contacts', { name: 'B again', phone: '+919876543211' })
  expect(await undo(job.id)).toMatchObject({ changed: 1, kept: 1 })
  expect(await tags()).toEqual({ A: ['vip'], 'B again': [], C: [] })
})

test("another workspace's change can be neither seen nor undone, and who may only read starts none", async () => {
  const { ann, change } = await withContacts([{ name: 'A' }])
  const { id } = await change({ kind: 'add_tags', tags: ['vip'] })
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await eve.call('POST', `/api/contact-jobs/${id}/undo`)).status).toBe(404)
  expect((await eve.call('GET', '/api/contact-jobs')).body.items).toEqual([])
  const viewer = parley.signIn({ role: 'viewer', workspaceId: ann.workspaceId })
  expect((await viewer.call('POST', `/api/contact-jobs/${id}/undo`)).status).toBe(403)
  const body = { selection: { filter: {} }, action: { kind: 'delete' } }
  expect((await viewer.call('POST', '/api/contact-jobs/changes', body)).status).toBe(403)
  expect((await ann.call('GET', `/api/contact-jobs/${id}/file`)).status).toBe(404)
})

test('a worker that is killed among thousands of contacts is followed by another: each changes once, and back', async () => {
  const { ann, start, ended } = await withContacts()
  const collection = parley.database.connection.collection('contacts')
  const workspaceId = new Types.ObjectId(ann.workspaceId)
  const count = 6000
  await addContacts(parley.database.connection, ann, { count, firstPhone: 917_000_000_000, tags: [] })
  const jobs = parley.database.connection.collection('jobs')
  const { body: job } = await start({ kind: 'add_tags', tags: ['all'] })
  const _id = new Types.ObjectId(String(job.id))
  await vi.waitFor(async () => expect((await jobs.findOne({ _id }))?.['done']).toBeGreaterThan(0), {
    timeout: 60_000,
    interval: 5,
  })
  await parley.worker.kill()
  /** Does the next worker's work, once the lease of the killed one, and its transaction, have ended. */
  const workOff = async (id: string) => {
    for (;;) {
      await jobs.updateMany({ leaseEndsAt: { $exists: true } }, { $set: { leaseEndsAt: new Date(0), attempts: 0 } })
      await parley.services.jobWork.perform({ id, workspaceId: ann.workspaceId }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'service_unavailable' })
      })
      if ((await jobs.countDocuments({ leaseEndsAt: { $exists: true } })) === 0) return ended(id)
    }
  }
  expect(await workOff(job.id)).toMatchObject({ total: count, done: count, changed: count })
  const tagged = () => collection.countDocuments({ workspaceId, tags: 'all', version: 2 })
  expect(await tagged()).toBe(count)
  const { body: undo } = await ann.call('POST', `/api/contact-jobs/${job.id}/undo`)
  expect(await workOff(undo.id)).toMatchObject({ total: count, done: count, changed: count, kept: 0 })
  expect(await collection.countDocuments({ workspaceId, tags: [], version: 3 })).toBe(count)
  await expectIndexed(parley.database.connection, () => parley.services.contactJobs.list(ann))
}, 300_000)
