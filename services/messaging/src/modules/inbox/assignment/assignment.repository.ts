import { type Assignment, noAssignment } from '@parley/contracts/inbox/assignment'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import {
  type AbsenceRecord,
  type AssignmentRecord,
  absenceSchema,
  assignmentSchema,
  queueWaits,
  type TurnRecord,
  turnSchema,
} from './assignment.model.ts'

type InTransaction = Pick<Tx, 'session'>
type LookAt = InTransaction & { readonly lookAt: Date }
const maxDue = 500
const maxAway = 500

export type AssignmentRepository = ReturnType<typeof createAssignmentRepository>

export function createAssignmentRepository(connection: ServiceConnection) {
  const settings = workspaceCollection<AssignmentRecord>({ connection, name: 'assignments', schema: assignmentSchema })
  const turnsOf = { connection, name: 'assignmentTurns', schema: turnSchema, bookkeeping: true } as const
  const turns = workspaceCollection<TurnRecord>(turnsOf)
  const queues = scopedCollection<object, TurnRecord>(turnsOf, () => ({ 'queue.state': queueWaits }))
  const absences = workspaceCollection<AbsenceRecord>({ connection, name: 'absences', schema: absenceSchema })
  return {
    read: async (scope: WorkspaceScope, options: SessionOption = {}): Promise<Assignment> =>
      shown(await settings(scope).findOne({}, { hint: 'workspace', ...options })),
    /** Stores a changed setting, and has the queue looked at. @returns `null` where another change came first. */
    change: async (
      scope: WorkspaceScope,
      { version, ...setting }: Assignment,
      options: LookAt,
    ): Promise<Assignment | null> => {
      const { lookAt, session } = options
      const changed =
        version === 0
          ? await settings(scope).create(setting, { session })
          : await settings(scope).findOneAndUpdate({ version }, { $set: setting }, { session })
      if (!changed) return null
      const queue = { state: queueWaits, at: lookAt } as const
      await turns(scope).updateOne({}, { $inc: { round: 1 }, $set: { queue } }, { session, upsert: true })
      return shown(changed)
    },
    /** Takes a member out; whose turn it is stays. */
    leaveOut: async (scope: WorkspaceScope, userId: string, options: InTransaction): Promise<void> => {
      await settings(scope).updateMany({ members: userId }, { $pull: { members: userId } }, options)
      await settings(scope).updateMany({ 'limits.userId': userId }, { $pull: { limits: { userId } } }, options)
      await absences(scope).deleteMany({ userId }, options)
    },
    readTurn: (scope: WorkspaceScope, options: InTransaction) =>
      turns(scope).findOne({}, { hint: 'workspace', ...options }),
    /** Makes every other transaction that gives conversations away at the same time run again. */
    takeTurn: (scope: WorkspaceScope, options: InTransaction) =>
      turns(scope).updateOne({}, { $inc: { round: 1 } }, options),
    /** @param lookAt when the queue is looked at again; `undefined` where nobody waits. */
    storeTurn: (
      scope: WorkspaceScope,
      { last, lookAt }: { readonly last: string | undefined; readonly lookAt: Date | undefined },
      options: InTransaction,
    ) =>
      turns(scope).updateOne(
        {},
        {
          $inc: { round: 1 },
          $set: { ...(last !== undefined && { last }), ...(lookAt && { queue: { state: queueWaits, at: lookAt } }) },
          ...(!lookAt && { $unset: { queue: '' } }),
        },
        options,
      ),
    /** Queues of all workspaces that are to be looked at again. */
    dueQueues: (now: Date): PromiseLike<TurnRecord[]> =>
      queues({})
        .find({ 'queue.at': { $lte: now } })
        .sort({ 'queue.at': 1 })
        .limit(maxDue)
        .hint('queue'),
    absences: (scope: WorkspaceScope, { session }: SessionOption = {}): PromiseLike<AbsenceRecord[]> =>
      absences(scope)
        .find({})
        .limit(maxAway)
        .hint('member')
        .session(session ?? null),
    beginAbsence: (
      scope: WorkspaceScope,
      { userId, until, since }: Pick<AbsenceRecord, 'userId' | 'until' | 'since'>,
      options: InTransaction,
    ) =>
      absences(scope).findOneAndUpdate(
        { userId },
        { $set: { since, ...(until && { until }) }, ...(!until && { $unset: { until: '' } }) },
        { ...options, upsert: true },
      ),
    endAbsence: (scope: WorkspaceScope, userId: string, options: InTransaction) =>
      absences(scope).deleteMany({ userId }, options),
  }
}

function shown(record: AssignmentRecord | null): Assignment {
  if (!record) return noAssignment
  const { mode, members, limit, limits, version } = record
  return { mode, members, limit: limit ?? null, limits: limits ?? [], version }
}
