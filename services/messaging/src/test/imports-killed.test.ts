import type { ImportRecord } from '@parley/contracts/imports'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { addContacts } from './campaign-fixtures.ts'
import { type Importer, withImports } from './import-fixtures.ts'
import { contactsOf, differences, entriesOf, rowsOf } from './import-results.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
  await parley.worker.stop()
})
afterAll(() => parley.stop())

/** A kill takes a batch of a thousand, or none: there are some left at the last one. */
const rowCount = 12_000
const knownCount = rowCount / 10
const firstPhone = 919_700_000_000

/** Every tenth is known already; a few have no number, or that of another row. */
const file = [
  'Name,Phone,Tags,City,Opt-in',
  ...Array.from({ length: rowCount }, (_, row) => {
    const own = row % 10 === 0 ? firstPhone + row / 10 : firstPhone + knownCount + row
    const phone = row % 100 === 51 ? '12' : `+${row % 100 === 52 ? firstPhone : own}`
    return `Person ${row},${phone},${row % 3 === 0 ? 'lead' : ''},Pune,${['yes', 'no', ''][row % 3]}`
  }),
].join('\n')

/** A file of somebody whose workspace has some of its people already, and no worker to read it. */
async function uploaded() {
  const person = withImports(parley)
  const known = { count: knownCount, firstPhone, tags: ['known'], over: { optIn: notAsked } }
  await addContacts(parley.database.connection, person.ann, known)
  const { body } = await person.upload(file)
  return { ...person, id: String(body.id) }
}
const notAsked = { marketing: 'unknown' as const, source: 'manual' }

const ends = { check: 'checked', run: 'done', undo: 'undone' } as const satisfies Record<string, ImportRecord['state']>

interface Progress {
  readonly done: number
  readonly leaseOwner: string | undefined
}

/** Has a step of an import done by workers of which so many are killed meanwhile, each at another place of the file. */
async function carryOut({ ann, id, until }: Importer & { id: string }, step: keyof typeof ends, kills: number) {
  const ofWorkspace = { workspaceId: new Types.ObjectId(ann.workspaceId), leaseEndsAt: { $exists: true } }
  const jobs = parley.database.connection.collection('jobs')
  const progress = async (): Promise<Progress> => {
    const job = await jobs.findOne(ofWorkspace)
    if (!job) throw new Error(`the ${step} has ended before its last kill`)
    return { done: job['done'], leaseOwner: job['leaseOwner'] }
  }
  expect((await ann.call('POST', `/api/imports/${id}/${step}`)).status).toBe(200)
  for (let count = 0; count < kills; count += 1) {
    const before = await progress()
    const worker = await parley.startWorker()
    // In turns in a batch after one that was stored, and while it reads the file up to where it goes on.
    const isReached = ({ done, leaseOwner }: Progress) =>
      count % 2 === 0 ? done > before.done : leaseOwner !== before.leaseOwner
    await vi.waitFor(async () => expect(isReached(await progress())).toBe(true), { timeout: 120_000, interval: 5 })
    await worker.kill()
    // Its lease, and its lock in the queue, would end some seconds later.
    await jobs.updateMany(ofWorkspace, { $set: { leaseEndsAt: new Date(0) } })
    await emptyTestRedis(inject('stack').urls.redis)
  }
  const worker = await parley.startWorker()
  const record = await until(id, ends[step])
  await worker.stop()
  const { columns, counts, percent, undone, problem } = record
  return { columns, counts, percent, undone, problem }
}

test('workers are killed ten times while they import, and more while they check and undo: the end is that of one that is not', async () => {
  const { connection } = parley.database
  const [killed, left] = [await uploaded(), await uploaded()]
  const scopes = [killed, left].map(({ ann }) => ({ workspaceId: new Types.ObjectId(ann.workspaceId) }))
  const isSame = async (read: typeof contactsOf) => {
    const [one = [], two = []] = await Promise.all(scopes.map((scope) => read(connection, scope)))
    expect(differences(one, two)).toEqual([])
    return one
  }
  expect(await carryOut(killed, 'check', 1)).toEqual(await carryOut(left, 'check', 0))
  const done = await carryOut(killed, 'run', 10)
  expect(done).toEqual(await carryOut(left, 'run', 0))
  const [updated, invalid] = [knownCount, (rowCount / 100) * 2]
  expect(done.counts).toEqual({ created: rowCount - updated - invalid, updated, skipped: 0, invalid })
  const contacts = await isSame(contactsOf)
  expect(contacts).toHaveLength(rowCount - invalid)
  expect(new Set(contacts.map(({ phone }) => phone)).size).toBe(contacts.length)
  await isSame(rowsOf)
  await isSame(entriesOf)

  const undone = await carryOut(killed, 'undo', 3)
  expect(undone).toEqual(await carryOut(left, 'undo', 0))
  expect(undone.undone).toEqual({ removed: done.counts.created, restored: updated, kept: 0 })
  await isSame(contactsOf)
  await isSame(rowsOf)
  await isSame(entriesOf)
}, 900_000)
