import { AppError } from '@parley/service-kit/core/errors'
import { createJobRecords } from '@parley/service-kit/data/job-records'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContactStore } from '../modules/contacts/contact-store.ts'
import { createContactsRepository } from '../modules/contacts/contacts.repository.ts'
import { createImports } from '../modules/contacts/module.ts'
import { createTagsRepository } from '../modules/contacts/tags/tags.repository.ts'
import { createJobWork } from '../platform/job-work.ts'
import { withImports } from './import-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
  await parley.worker.stop()
})
afterAll(() => parley.stop())

/** The same as the worker does, in this process. */
async function workOff(id: string, work: typeof parley.services.jobWork, ann: { workspaceId: string }) {
  const jobs = parley.database.connection.collection('jobs')
  let interruptions = 0
  for (;;) {
    await jobs.updateMany({ leaseEndsAt: { $exists: true } }, { $set: { leaseEndsAt: new Date(0), attempts: 0 } })
    const pending = await work.pending()
    if (pending.length === 0) return { interruptions, record: await parley.services.imports.read(ann, id) }
    for (const job of pending)
      await work.perform(job).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'service_unavailable') return
        expect(error).toMatchObject({ message: 'interrupted' })
        interruptions += 1
      })
  }
}

/** A worker that fails after some writes and before their commit. @param fails told which write it is, from 1. */
function interruptedWork(fails: (write: number) => boolean) {
  const { connection: mongo } = parley.database
  const cursors = createPageCursors('a secret of these tests, long enough')
  const contacts = createContactsRepository(mongo, cursors)
  const store = createContactStore({ contacts, updateConversations: async () => undefined })
  let writes = 0
  const jobs = createJobRecords(mongo)
  const { importKinds } = createImports({
    mongo,
    jobs,
    cursors,
    contacts,
    tags: createTagsRepository(mongo),
    attributes: parley.services.attributes,
    usedFields: async (_scope, names) => new Set(names),
    consent: { ...parley.services.listConsent, align: parley.services.consent.align },
    store: {
      ...store,
      saveQuietly: async (...args) => {
        await store.saveQuietly(...args)
        writes += 1
        if (fails(writes)) throw new Error('interrupted')
      },
    },
    queueJobs: async () => undefined,
    addNotifications: parley.services.addNotifications,
    wakeEvents: () => undefined,
    flowsHaveRead: async () => undefined,
    transaction: (work) => inTransaction(mongo, work),
  })
  return createJobWork(jobs, importKinds)
}

const people = (count: number) =>
  [
    'Name,Phone,Opt-in',
    ...Array.from({ length: count }, (_, row) => `P${row},+9170${String(row).padStart(8, '0')},yes`),
  ].join('\n')

test('an import that is interrupted at every second batch counts each row once', async () => {
  const { ann, upload } = withImports(parley)
  const { connection } = parley.database
  const workspaceId = new Types.ObjectId(ann.workspaceId)
  const contacts = () => connection.collection('contacts').countDocuments({ workspaceId, live: true })
  const { body: first } = await upload(people(6000))
  await ann.call('POST', `/api/imports/${first.id}/check`)
  await workOff(first.id, parley.services.jobWork, ann)
  await ann.call('POST', `/api/imports/${first.id}/run`)
  const { record } = await workOff(first.id, parley.services.jobWork, ann)
  expect([record.state, record.counts.created, await contacts()]).toEqual(['done', 6000, 6000])

  const { body: second } = await upload(people(12_000))
  await ann.call('POST', `/api/imports/${second.id}/check`)
  const { record: checked } = await workOff(second.id, parley.services.jobWork, ann)
  expect(checked.counts).toMatchObject({ created: 6000, skipped: 6000 })
  await ann.call('POST', `/api/imports/${second.id}/run`)
  const { interruptions, record: done } = await workOff(
    second.id,
    interruptedWork((write) => write % 2 === 0),
    ann,
  )
  expect(interruptions).toBeGreaterThan(9)
  expect([done.state, done.counts, await contacts()]).toEqual([
    'done',
    { created: 6000, updated: 0, skipped: 6000, invalid: 0 },
    12_000,
  ])
  const entries = connection.collection('consentEntries')
  expect(await entries.countDocuments({ workspaceId, source: 'import' })).toBe(12_000)
  expect(await entries.distinct('contactId', { workspaceId })).toHaveLength(12_000)
}, 300_000)

test('an undo that fails for good is asked for again, and goes on with the rows that are left', async () => {
  const { ann, upload, read, rows } = withImports(parley)
  const { body: record } = await upload(people(1500))
  for (const step of ['check', 'run']) {
    await ann.call('POST', `/api/imports/${record.id}/${step}`)
    await workOff(record.id, parley.services.jobWork, ann)
  }
  await ann.call('POST', `/api/imports/${record.id}/undo`)
  const failing = interruptedWork((write) => write > 2)
  const jobs = parley.database.connection.collection('jobs')
  for (;;) {
    // A try that failed holds its job for a pause.
    await jobs.updateMany({ leaseEndsAt: { $exists: true } }, { $set: { leaseEndsAt: new Date(0) } })
    const [job] = await failing.pending()
    if (!job) break
    await expect(failing.perform(job)).rejects.toMatchObject({ message: 'interrupted' })
  }
  const failed = await read(record.id)
  expect(failed.state).toBe('failed')
  expect(failed.undone?.removed).toBeGreaterThan(0)
  expect(failed.undone?.removed).toBeLessThan(1000)

  expect((await ann.call('POST', `/api/imports/${record.id}/undo`)).status).toBe(200)
  const { record: undone } = await workOff(record.id, parley.services.jobWork, ann)
  expect([undone.state, undone.undone]).toEqual(['undone', { removed: 1500, restored: 0, kept: 0 }])
  expect(await rows(record.id, 'undone=kept')).toEqual([])
}, 300_000)
