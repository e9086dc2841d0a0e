import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { Types } from 'mongoose'
import { expect, inject, vi } from 'vitest'
import { addContacts } from './campaign-fixtures.ts'
import { type Importer, withImports } from './import-fixtures.ts'
import type { startMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof startMessaging>>

const ends = { check: 'checked', run: 'done', undo: 'undone' } as const satisfies Record<string, ImportRecord['state']>

interface Progress {
  readonly done: number
  readonly leaseOwner: string | undefined
}

const firstPhone = 919_700_000_000

/** Returns a file of this number of rows: every tenth is known already; a few have no number, or that of another row. */
function fileOf(rowCount: number): string {
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const rowPhone = row % 10 === 0 ? firstPhone + row / 10 : firstPhone + rowCount / 10 + row
    const phone = row % 100 === 51 ? '12' : `+${row % 100 === 52 ? firstPhone : rowPhone}`
    return `Person ${row},${phone},${row % 3 === 0 ? 'lead' : ''},Pune,${['yes', 'no', ''][row % 3]}`
  })
  return ['Name,Phone,Tags,City,Opt-in', ...rows].join('\n')
}

/** Uploads a file in a workspace that already has every tenth of its people, and no worker to read it. */
export async function uploadKnown(parley: Parley, rowCount: number) {
  const person = withImports(parley)
  const known = {
    count: rowCount / 10,
    firstPhone,
    tags: ['known'],
    over: { optIn: { marketing: 'unknown' as const, source: 'manual' } },
  }
  await addContacts(parley.database.connection, person.ann, known)
  const { body } = await person.upload(fileOf(rowCount))
  return { ...person, id: String(body.id) }
}
/** Has a step of an import done by workers, `kills` of which are killed meanwhile, each at another place of the file. */
export async function carryOut(
  parley: Parley,
  { ann, id, until }: Importer & { id: string },
  step: keyof typeof ends,
  kills: number,
) {
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
    // Kills in turns: in a batch after a stored one, and while it reads the file up to the place where it continues.
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
