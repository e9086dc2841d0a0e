import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Db, ObjectId } from 'mongodb'
import { z } from 'zod'
import { Refusal } from './refusal.ts'

/**
 * Erasures of contacts, kept outside of every backup: a line of JSON for each, with ids alone. The worker cannot write it: it
 * has no disk of its own, and several of them would share one. The jobs of erasures are read instead, which stay for seven days.
 */
const erasureSchema = z.object({
  workspaceId: z.string().regex(/^[0-9a-f]{24}$/),
  contactId: z.string().regex(/^[0-9a-f]{24}$/),
  /** Time at which it was requested. */
  at: z.iso.datetime(),
})
type Erasure = z.infer<typeof erasureSchema>

/** Kind of such jobs at messaging. */
const eraseKind = 'contacts.erase'
const jobSchema = z.object({
  workspaceId: z.instanceof(ObjectId).transform(String),
  input: z.object({ contactId: erasureSchema.shape.contactId }),
  createdAt: z.date().transform((at) => at.toISOString()),
})

/** A list lies beside the backups of its folder. */
export const listBeside = (backup: string): string => join(dirname(backup), 'erasures.jsonl')

const keyOf = ({ workspaceId, contactId }: Erasure): string => `${workspaceId}.${contactId}`

/**
 * @returns none where there is no list yet.
 * @throws Refusal naming a line that cannot be read: it may be an erasure.
 */
export async function readErasures(file: string): Promise<Map<string, Erasure>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new Refusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
  })
  const erasures = new Map<string, Erasure>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    const read = erasureSchema.safeParse(parsed(line))
    if (!read.success)
      throw new Refusal(`Line ${index + 1} of ${file} is no erasure. Mend it, or delete it if it is empty.`)
    erasures.set(keyOf(read.data), read.data)
  }
  return erasures
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/**
 * Adds to the list what was erased, or is being erased, in these databases. What has failed is left out: the contact is back,
 * and people were told.
 * @returns how many were added.
 */
export async function recordErasures(databases: readonly Db[], file: string): Promise<number> {
  const known = await readErasures(file)
  const added: Erasure[] = []
  for (const db of databases) {
    const jobs = db
      .collection('jobs')
      .find({ kind: eraseKind, state: { $nin: ['failed', 'cancelled'] }, 'result.problem': { $exists: false } })
      .project({ workspaceId: 1, input: 1, createdAt: 1 })
    for await (const job of jobs) {
      const { workspaceId, input, createdAt } = jobSchema.parse(job)
      const erasure = { workspaceId, contactId: input.contactId, at: createdAt }
      if (known.has(keyOf(erasure))) continue
      known.set(keyOf(erasure), erasure)
      added.push(erasure)
    }
  }
  if (added.length > 0) await append(file, added.map((erasure) => `${JSON.stringify(erasure)}\n`).join(''))
  return added.length
}

async function append(file: string, lines: string): Promise<void> {
  const target = await open(file, 'a', 0o600)
  try {
    await target.appendFile(lines)
    await target.sync()
  } finally {
    await target.close()
  }
}

/** Time of deletion, long past: messaging erases a contact that was deleted then as soon as its worker runs. */
const longAgo = new Date(0)
const batchSize = 500

/** Requests the erasure of every contact of the list that a database holds. @returns their number. */
export async function repeatErasures(databases: readonly Db[], erasures: Iterable<Erasure>): Promise<number> {
  const all = [...erasures]
  let repeated = 0
  for (const db of databases) {
    for (let start = 0; start < all.length; start += batchSize) {
      const batch = all.slice(start, start + batchSize).map(({ workspaceId, contactId }) => ({
        updateOne: {
          filter: { _id: new ObjectId(contactId), workspaceId: new ObjectId(workspaceId) },
          update: { $set: { live: false, deletedAt: longAgo }, $inc: { version: 1 } },
        },
      }))
      const { matchedCount } = await db
        .collection('contacts')
        .bulkWrite(batch, { ordered: false, writeConcern: { w: 'majority', journal: true } })
      repeated += matchedCount
    }
  }
  return repeated
}
