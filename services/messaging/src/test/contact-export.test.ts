import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { keptMs } from '@parley/service-kit/data/job-records'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import Papa from 'papaparse'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fileOf } from '../modules/contacts/imports/file-of.ts'
import { xlsxRecords } from '../modules/contacts/imports/xlsx-records.ts'
import { addContacts } from './campaign-fixtures.ts'
import { newcomerWith } from './contact-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

interface Person {
  readonly name: string
  readonly tags?: string[]
  readonly attributes?: Record<string, string>
}

async function withPeople(people: readonly Person[]) {
  const { ann, ids } = await newcomerWith(parley, people)
  return { ids, ...withExports(ann) }
}

function withExports(ann: ReturnType<typeof parley.signIn>) {
  const start = (body: object) =>
    ann.call('POST', '/api/contact-jobs/exports', { format: 'csv', timeZone: 'Asia/Kolkata', ...body })
  const find = async (id: string): Promise<ContactJob | undefined> =>
    (await ann.call('GET', '/api/contact-jobs')).body.items.find((job: ContactJob) => job.id === id)
  const until = (id: string, state: ContactJob['state']) =>
    vi.waitFor(
      async () => {
        const job = await find(id)
        expect(job?.state).toBe(state)
        return job
      },
      { timeout: 120_000, interval: 50 },
    )
  const carryOut = async (body: object) => {
    const { status, body: job } = await start(body)
    expect(status).toBe(201)
    const ended = await until(job.id, 'done')
    const answer = await ann.request('GET', `/api/contact-jobs/${job.id}/file`)
    expect(answer.status).toBe(200)
    return { job: ended, answer, bytes: new Uint8Array(await answer.arrayBuffer()) }
  }
  const rowsOf = (bytes: Uint8Array) => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    expect(text.charCodeAt(0)).toBe(0xfeff)
    return Papa.parse<string[]>(text.slice(1), { skipEmptyLines: true }).data
  }
  return { ann, start, until, carryOut, rowsOf }
}

const people: readonly Person[] = [
  { name: 'Asha', tags: ['vip'], attributes: { city: 'Pune' } },
  { name: '=1+1', tags: ['vip', 'lead'], attributes: { plan: 'a, "b" <c>\n& d' } },
  { name: 'Bo' },
]

test('an export writes what a filter matches, the newest first, as cells that no spreadsheet runs', async () => {
  const { carryOut, rowsOf } = await withPeople(people)
  const { job, answer, bytes } = await carryOut({ selection: { filter: { tags: 'vip' } } })
  expect(job).toMatchObject({ total: 2, done: 2, file: { sizeBytes: bytes.length }, problem: null })
  expect(job?.file?.name).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=${job?.file?.name}`)
  const [header, ...rows] = rowsOf(bytes)
  expect(header?.slice(0, 3)).toEqual(['Name', 'Phone', 'Tags'])
  expect(header?.slice(5)).toEqual(['WhatsApp user id', 'city', 'plan'])
  expect(rows.map(([name, phone, tags, , , , ...more]) => [name, phone, tags, ...more])).toEqual([
    ["'=1+1", '+91 98765 43211', 'vip, lead', '', 'a, "b" <c>\n& d'],
    ['Asha', '+91 98765 43210', 'vip', 'Pune', ''],
  ])
})

test('as a workbook the same rows are texts; those selected are exported alone', async () => {
  const { ids, carryOut } = await withPeople(people)
  const { bytes, answer } = await carryOut({ selection: { ids: [ids[1], ids[2], 'nobody'] }, format: 'xlsx' })
  expect(answer.headers.get('content-type')).toContain('spreadsheetml')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const records = []
  for await (const part of xlsxRecords(fileOf(bytes), bytes.length)) records.push(...part.records)
  expect(records.map(({ cells }) => cells.slice(0, 3))).toEqual([
    ['Name', 'Phone', 'Tags'],
    ['Bo', '+91 98765 43212', ''],
    ['=1+1', '+91 98765 43211', 'vip, lead'],
  ])
  expect(records[2]?.cells.at(-1)).toBe('a, "b" <c>\n& d')
})

test('a segment that does not exist is refused; one deleted before the work began is said', async () => {
  const { ann, start, until } = await withPeople(people)
  expect((await start({ selection: { filter: { segment: new Types.ObjectId().toHexString() } } })).status).toBe(404)
  expect((await start({ selection: { filter: {} }, timeZone: 'Mars/Base' })).status).toBe(400)
  const { body: job } = await start({ selection: { filter: {} } })
  const jobs = parley.database.connection.collection('jobs')
  await until(job.id, 'done')
  // Read as a worker would find it.
  const input = { selection: { filter: { segment: new Types.ObjectId().toHexString() } }, format: 'csv' }
  await jobs.updateOne(
    { _id: new Types.ObjectId(String(job.id)) },
    {
      $set: { input: { ...input, timeZone: 'UTC' }, state: 'waiting', leaseEndsAt: new Date(0), result: null },
      $unset: { checkpoint: 1 },
    },
  )
  await parley.services.jobWork.perform({ id: job.id, workspaceId: ann.workspaceId })
  expect(await until(job.id, 'done')).toMatchObject({ problem: 'The segment was deleted.', file: null })
})

test('exports belong to their workspace and need a permission', async () => {
  const { ann, carryOut } = await withPeople(people)
  const { job } = await carryOut({ selection: { filter: {} } })
  const path = `/api/contact-jobs/${job?.id}`
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await eve.call('GET', '/api/contact-jobs')).body.items).toEqual([])
  expect((await eve.call('GET', `${path}/file`)).status).toBe(404)
  expect((await eve.call('POST', `${path}/cancel`)).status).toBe(404)
  const agent = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  expect((await agent.call('GET', `${path}/file`)).status).toBe(403)
  const body = { selection: { filter: {} }, format: 'csv', timeZone: 'UTC' }
  expect((await agent.call('POST', '/api/contact-jobs/exports', body)).status).toBe(403)
  expect((await ann.call('POST', `${path}/cancel`)).status).toBe(409)
})

test('the file is deleted when its time is over; lists have an index', async () => {
  const { ann, carryOut } = await withPeople(people)
  const { job } = await carryOut({ selection: { filter: {} } })
  const { contactJobs } = parley.services
  await expectIndexed(parley.database.connection, async () => {
    await contactJobs.list(ann)
    await contactJobs.sweepFiles()
  })
  expect((await ann.call('GET', `/api/contact-jobs/${job?.id}/file`)).status).toBe(200)
  await contactJobs.sweepFiles(new Date(Date.now() + keptMs + 1000))
  expect((await ann.call('GET', `/api/contact-jobs/${job?.id}/file`)).status).toBe(404)
  expect(await parley.database.connection.collection('exportFilesFiles.chunks').countDocuments()).toBe(0)
})

test('a cancelled export makes no file; the one of a killed worker is written by the next, each contact once', async () => {
  const { ann, start, until, rowsOf } = withExports(parley.signIn({ workspaceId: new Types.ObjectId().toHexString() }))
  await addContacts(parley.database.connection, ann, { count: 40_000, firstPhone: 917_000_000_000, tags: [] })
  const begun = async () => {
    const { body } = await start({ selection: { filter: {} } })
    await vi.waitFor(
      async () => {
        const { items } = (await ann.call('GET', '/api/contact-jobs')).body
        expect(items.find(({ id }: ContactJob) => id === body.id).done).toBeGreaterThan(0)
      },
      { timeout: 60_000, interval: 5 },
    )
    return String(body.id)
  }
  const cancelled = await begun()
  expect((await ann.call('POST', `/api/contact-jobs/${cancelled}/cancel`)).body).toMatchObject({ state: 'cancelled' })
  expect((await ann.call('GET', `/api/contact-jobs/${cancelled}/file`)).status).toBe(404)

  const id = await begun()
  await parley.worker.kill()
  // The killed worker's lease lasts for some seconds more.
  await parley.database.connection
    .collection('jobs')
    .updateMany({ leaseEndsAt: { $exists: true } }, { $set: { leaseEndsAt: new Date(0) } })
  await parley.services.jobWork.perform({ id, workspaceId: ann.workspaceId })
  expect(await until(id, 'done')).toMatchObject({ total: 40_000, done: 40_000 })
  const answer = await ann.request('GET', `/api/contact-jobs/${id}/file`)
  const [, ...rows] = rowsOf(new Uint8Array(await answer.arrayBuffer()))
  expect(new Set(rows.map(([, phone]) => phone)).size).toBe(40_000)
  expect(rows).toHaveLength(40_000)
}, 300_000)
