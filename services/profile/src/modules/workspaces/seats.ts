import { AppError, errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type SeatsRecord, seatsSchema } from './seats.model.ts'

/** Invitation mails of a workspace on one day. */
const maxMailsPerDay = 50

type InTransaction = Required<SessionOption>
export type Seats = ReturnType<typeof createSeats>

/**
 * Counts owners and seats of workspaces. Each change is one conditional update in the transaction of what it counts.
 * @param count the counts of a workspace by its members, for one that has no record yet.
 */
export function createSeats(
  connection: ServiceConnection,
  count: (scope: WorkspaceScope) => Promise<Pick<SeatsRecord, 'owners' | 'taken'>>,
) {
  const seats = workspaceCollection<SeatsRecord>({ connection, name: 'seats', schema: seatsSchema, bookkeeping: true })

  /** Makes the record of a workspace that was made before there were any. Before the transaction that needs it. */
  async function ensure(scope: WorkspaceScope): Promise<void> {
    if (await seats(scope).findOne({}, { hint: 'workspace' })) return
    await seats(scope).findOneAndUpdate({}, { $setOnInsert: await count(scope) }, { upsert: true })
  }

  return {
    ensure,
    /** Counts active members and open invitations. */
    taken: async (scope: WorkspaceScope): Promise<number> => {
      await ensure(scope)
      return (await seats(scope).findOne({}, { hint: 'workspace' }))?.taken ?? 0
    },
    /** The record of a new workspace with its first owner. */
    begin: (scope: WorkspaceScope, options: InTransaction) =>
      seats(scope).updateOne({}, { $set: { owners: 1, taken: 1 } }, { ...options, upsert: true }),
    /** Raises or lowers the counts. */
    add: async (scope: WorkspaceScope, { owners = 0, taken = 0 }, options: InTransaction): Promise<void> => {
      await seats(scope).updateOne({}, { $inc: { owners, taken } }, options)
    },
    /** Counts one owner less. @throws `last_owner` where there is no other. */
    releaseOwner: async (scope: WorkspaceScope, options: InTransaction): Promise<void> => {
      const { matchedCount } = await seats(scope).updateOne({ owners: { $gt: 1 } }, { $inc: { owners: -1 } }, options)
      if (matchedCount === 0) throw lastOwner()
    },
    /** Takes a seat. @throws `plan_limit` where `limit` are taken; no limit where it is undefined. */
    take: async (scope: WorkspaceScope, limit: number | undefined, options: InTransaction): Promise<void> => {
      const filter = limit === undefined ? {} : { taken: { $lt: limit } }
      const { matchedCount } = await seats(scope).updateOne(filter, { $inc: { taken: 1 } }, options)
      if (matchedCount === 0) throw planLimit(limit ?? 0)
    },
    /** Makes transactions that add an API key conflict, so that each counts those before it. */
    addKey: async (scope: WorkspaceScope, options: InTransaction): Promise<void> => {
      await seats(scope).updateOne({}, { $inc: { keys: 1 } }, options)
    },
    /** Counts an invitation mail. @throws `rate_limited` where too many were sent today. */
    countMail: async (scope: WorkspaceScope, now: Date, options: InTransaction): Promise<void> => {
      const mailDay = now.toISOString().slice(0, 10)
      const own = seats(scope)
      const more = await own.updateOne({ mailDay, mails: { $lt: maxMailsPerDay } }, { $inc: { mails: 1 } }, options)
      if (more.matchedCount > 0) return
      const first = await own.updateOne({ mailDay: { $ne: mailDay } }, { $set: { mailDay, mails: 1 } }, options)
      if (first.matchedCount === 0) throw tooManyMails(now)
    },
  }
}

const lastOwner = () =>
  new AppError(
    'last_owner',
    'This is the last owner of the workspace. Make somebody else an owner first, or transfer the workspace.',
  )

const planLimit = (limit: number) =>
  new AppError(
    'plan_limit',
    `Your plan has room for ${limit} team members, open invitations included. Remove somebody, revoke an invitation, or choose a larger plan.`,
  )

function tooManyMails(now: Date) {
  const tomorrow = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return errors.rateLimited(
    Math.ceil((tomorrow - now.getTime()) / 1000),
    `A workspace can send ${maxMailsPerDay} invitations a day. Send the others tomorrow.`,
  )
}
