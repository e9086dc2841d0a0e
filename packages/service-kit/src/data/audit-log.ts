import { createHash, hash, randomBytes, randomInt } from 'node:crypto'
import type { AuditPersonal, AuditRow } from '@parley/contracts/account/audit'
import { maxAuditTargets } from '@parley/contracts/account/audit'
import canonicalize from 'canonicalize'
import { type ClientSession, type Connection, Types } from 'mongoose'
import type { AuditedCall } from '../core/call-context.ts'
import { fullConnection, isDuplicateKey, type ServiceConnection } from './mongo.ts'

/** An entry as it is stored: `fresh` until it has its place in the chain, or has been handed to the service that has the chain. */
export interface StoredAuditEntry extends Omit<AuditRow, 'id' | 'at'> {
  readonly _id: Types.ObjectId
  readonly workspaceId: Types.ObjectId
  readonly at: Date
  readonly fresh?: true
  readonly seq?: number
  readonly hash?: string
  /** Name of the key of `hash`. */
  readonly keyId?: string
}

/** The entries of a service's database. */
export const auditEntries = (connection: ServiceConnection) =>
  fullConnection(connection).collection<StoredAuditEntry>('auditEntries')

/** For a migration of a service whose calls are audited. Safe to run again. */
export async function createAuditIndexes(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('auditEntries')
    .createIndex({ workspaceId: 1, _id: 1 }, { name: 'fresh', partialFilterExpression: { fresh: true } })
}

type NewEntry = Omit<AuditRow, 'id' | 'at' | 'resource' | 'personal' | 'personalDigest'> & {
  readonly workspaceId: string
  readonly personal: AuditPersonal
  /** Names what is noted at most once. */
  readonly once?: string
}

/** Makes an entry plain: what is hashed later is what a database gives back. */
function toStored({ workspaceId, personal, once, ...entry }: NewEntry): StoredAuditEntry {
  const [resource = ''] = entry.action.split('.')
  const known = Object.fromEntries(Object.entries(personal).filter(([, value]) => value !== undefined && value !== ''))
  const sealed = Object.keys(known).length > 0 ? { salt: randomBytes(16).toString('base64url'), ...known } : undefined
  const plain: Omit<NewEntry, 'workspaceId' | 'personal'> = JSON.parse(JSON.stringify(entry), (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
  const id = once === undefined ? undefined : createHash('sha256').update(once).digest('hex').slice(0, 24)
  return {
    ...plain,
    _id: new Types.ObjectId(id),
    workspaceId: new Types.ObjectId(workspaceId),
    at: new Date(),
    resource,
    ...(sealed && { personal: sealed, personalDigest: digestOf(sealed) }),
    fresh: true,
  }
}

/** Returns the digest of personal details that the chain holds in their place: they can be erased, and not be altered. */
export const digestOf = (personal: NonNullable<AuditRow['personal']>): string =>
  hash('sha256', canonicalize(personal) ?? '', 'base64url')

/** Part of `inTransaction`: the entry of a call is stored with what the call changes. */
export async function insertCallEntry(
  connection: ServiceConnection,
  call: AuditedCall,
  session: ClientSession,
): Promise<void> {
  await auditEntries(connection).insertOne(toStored(entryOf(call)), { session })
}

const entryOf = ({ workspaceId, actor, action, targets, created, changes, requestId, personal }: AuditedCall) => ({
  workspaceId,
  actor,
  action,
  targets: [...targets, ...created].slice(0, maxAuditTargets),
  changes,
  outcome: 'done' as const,
  requestId,
  personal,
})

/** Stores an entry that belongs to a change of Parley itself, in the transaction of that change. */
export async function insertEntry(
  connection: ServiceConnection,
  entry: NewEntry,
  session: ClientSession,
): Promise<void> {
  await auditEntries(connection).insertOne(toStored(entry), { session })
}

/** Writes entries that belong to no change. */
export function createAuditLog(connection: ServiceConnection) {
  return {
    /** The entry of a call that has stored nothing in a transaction: it has changed nothing, or only started something. */
    recordCall: async (call: AuditedCall): Promise<void> => {
      await auditEntries(connection).insertOne(toStored(entryOf(call)))
    },
    /** Stores an entry; a second one of the same `once` changes nothing. */
    record: async (entry: NewEntry): Promise<void> => {
      await auditEntries(connection)
        .insertOne(toStored(entry))
        .catch((error: unknown) => {
          if (entry.once === undefined || !isDuplicateKey(error)) throw error
        })
    },
  }
}
export type AuditLog = ReturnType<typeof createAuditLog>

/** Returns an entry as services send it to each other. */
export function toAuditRow({
  _id,
  workspaceId: _w,
  at,
  fresh: _f,
  seq: _s,
  hash: _h,
  keyId: _k,
  ...entry
}: StoredAuditEntry): AuditRow {
  return { ...entry, id: _id.toHexString(), at: at.toISOString() }
}

/** Returns the time at which the first of the entries was made that wait for their place or their delivery: of each workspace its first counts. */
export async function oldestWaitingEntryAt(connection: ServiceConnection): Promise<Date | undefined> {
  const [oldest] = await auditEntries(connection)
    .aggregate<{ at: Date }>(
      [
        { $sort: { workspaceId: 1, _id: 1 } },
        { $group: { _id: '$workspaceId', at: { $first: '$at' } } },
        { $sort: { at: 1 } },
        { $limit: 1 },
      ],
      { hint: 'fresh' },
    )
    .toArray()
  return oldest?.at
}

/** Failures in a row whose cause is no workspace: the one who is called is away. */
const maxFailures = 10

/**
 * Works on the workspaces with entries that wait for their place or their delivery, one after the other. One that fails does not keep the
 * others from their turn: its error is thrown once they have had it. The first one is another each time, in case all of those in front fail.
 */
export async function eachWaitingWorkspace(
  connection: ServiceConnection,
  work: (workspaceId: string) => Promise<void>,
): Promise<void> {
  // The index holds such entries alone, and is jumped through. A condition on `fresh` would read every one.
  const found = await auditEntries(connection)
    .aggregate<{ _id: Types.ObjectId }>([{ $group: { _id: '$workspaceId' } }], { hint: 'fresh' })
    .toArray()
  if (found.length === 0) return
  const start = randomInt(found.length)
  const failures: unknown[] = []
  let inARow = 0
  for (const { _id } of [...found.slice(start), ...found.slice(0, start)]) {
    try {
      await work(_id.toHexString())
      inARow = 0
    } catch (error) {
      failures.push(error)
      inARow += 1
      if (inARow === maxFailures) break
    }
  }
  if (failures.length > 0) throw failures[0]
}
