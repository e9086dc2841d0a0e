import { randomUUID } from 'node:crypto'
import type { Connection } from 'mongoose'
import { Secret, type SecretBox } from '../core/secret-box.ts'
import {
  type Begun,
  type IdempotencyStore,
  type IdempotentCall,
  intentIdOf,
  type KeptAnswer,
} from '../http/idempotency.ts'
import { fullConnection, isDuplicateKey, type ServiceConnection } from './mongo.ts'

const collectionName = 'idempotencyKeys'
const keptMs = 24 * 3600_000
/** Longer than a handler may take: a call whose lease has ended no longer runs. */
const defaultLeaseMs = 60_000
/** Pause before a repetition asks again: most calls take far less than their lease. */
const maxRetryAfterSeconds = 2

interface KeptCall {
  _id: string
  workspaceId: string
  inputHash: string
  lease: string
  leaseEndsAt: Date
  answer?: KeptAnswer
  expiresAt: Date
}

type Db = NonNullable<Connection['db']>

/** Creates the index that deletes kept answers after 24 hours; part of a service's migration. */
export async function createIdempotencyIndex(db: Db): Promise<void> {
  await db.collection(collectionName).createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0, name: 'expiry' })
}

/** Creates the index of {@link forgetAnswers}; part of a service's migration. */
export async function createAnswerIndex(db: Db): Promise<void> {
  await db.collection(collectionName).createIndex({ workspaceId: 1 }, { name: 'workspace' })
}

/**
 * Deletes a workspace's kept answers about a person. Sealed ones are not searched: secrets are about no person.
 * @param about pattern to find in their text.
 */
export async function forgetAnswers(connection: ServiceConnection, workspaceId: string, about: RegExp): Promise<void> {
  const calls = fullConnection(connection).collection<KeptCall>(collectionName)
  for await (const { _id, answer } of calls.find({ workspaceId }).hint('workspace'))
    if (answer && about.test(answer.body)) await calls.deleteOne({ _id })
}

/**
 * Keeps answers in the service's own database. A process that dies during a call leaves a lease that ends; the next repetition
 * carries the call out then.
 * @param options.box seals answers that hold a secret; they are not kept where it is absent.
 */
export function createIdempotencyStore(
  database: ServiceConnection,
  { box, leaseMs = defaultLeaseMs }: { box?: SecretBox; leaseMs?: number } = {},
): IdempotencyStore {
  const calls = () => fullConnection(database).collection<KeptCall>(collectionName)
  const placeOf = ({ workspaceId }: IdempotentCall) => ({ workspaceId, field: `${collectionName}.answer` })

  async function begin(call: IdempotentCall): Promise<Begun> {
    const lease = randomUUID()
    const now = Date.now()
    const leaseEndsAt = new Date(now + leaseMs)
    const { workspaceId, inputHash } = call
    try {
      const expiresAt = new Date(now + keptMs)
      await calls().insertOne({ _id: intentIdOf(call), workspaceId, inputHash, lease, leaseEndsAt, expiresAt })
      return { state: 'begun', lease, at: new Date(now) }
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
    const known = await calls().findOne({ _id: intentIdOf(call) })
    // The first call was forgotten at this moment; this attempt carries it out.
    if (!known) return { state: 'running', retryAfterSeconds: 1 }
    if (known.inputHash !== inputHash) return { state: 'reused' }
    if (known.answer) return { state: 'done', answer: opened(call, known.answer) }
    const takenOver =
      known.leaseEndsAt.getTime() <= now &&
      (await calls().updateOne(
        { _id: known._id, lease: known.lease, answer: { $exists: false } },
        { $set: { lease, leaseEndsAt } },
      ))
    if (takenOver && takenOver.matchedCount === 1)
      return { state: 'begun', lease, at: new Date(known.expiresAt.getTime() - keptMs) }
    const seconds = Math.ceil((known.leaseEndsAt.getTime() - now) / 1000)
    return { state: 'running', retryAfterSeconds: Math.min(maxRetryAfterSeconds, Math.max(1, seconds)) }
  }

  function opened(call: IdempotentCall, answer: KeptAnswer): KeptAnswer {
    if (!box || !call.secretAnswer) return answer
    return { ...answer, body: box.open(answer.body, placeOf(call)).reveal() }
  }

  const abandon = async (call: IdempotentCall, lease: string): Promise<void> => {
    await calls().updateOne({ _id: intentIdOf(call), lease }, { $set: { leaseEndsAt: new Date(0) } })
  }

  return {
    begin,
    renew: async (call, lease) => {
      await calls().updateOne(
        { _id: intentIdOf(call), lease },
        { $set: { leaseEndsAt: new Date(Date.now() + leaseMs) } },
      )
    },
    finish: async (call, lease, { status, body, isError, contentHash }) => {
      if (call.secretAnswer && !box) return abandon(call, lease)
      const kept = call.secretAnswer && box ? box.seal(new Secret(body), placeOf(call)) : body
      const answer = { status, body: kept, isError, ...(contentHash !== undefined && { contentHash }) }
      await calls().updateOne({ _id: intentIdOf(call), lease }, { $set: { answer } })
    },
    abandon,
    forget: async (call, lease) => {
      await calls().deleteOne({ _id: intentIdOf(call), lease })
    },
  }
}
