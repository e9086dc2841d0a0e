import type { Assignment } from '@parley/contracts/inbox/assignment'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type AssignmentRecord, assignmentSchema, type TurnRecord, turnSchema } from './assignment.model.ts'

type Setting = Omit<Assignment, 'version'>
export type AssignmentRepository = ReturnType<typeof createAssignmentRepository>

export function createAssignmentRepository(connection: ServiceConnection) {
  const settings = workspaceCollection<AssignmentRecord>({ connection, name: 'assignments', schema: assignmentSchema })
  const turns = workspaceCollection<TurnRecord>({ connection, name: 'assignmentTurns', schema: turnSchema })
  return {
    read: (scope: WorkspaceScope, options: SessionOption = {}) =>
      settings(scope).findOne({}, { hint: 'workspace', ...options }),
    create: (scope: WorkspaceScope, setting: Setting) => settings(scope).create(setting),
    /** `null` where another change came first. */
    change: (scope: WorkspaceScope, version: number, setting: Setting) =>
      settings(scope).findOneAndUpdate({ version }, { $set: setting }),
    /** Takes a member out; whose turn it is stays. */
    leaveOut: (scope: WorkspaceScope, userId: string, options: SessionOption) =>
      settings(scope).updateMany({ members: userId }, { $pull: { members: userId } }, options),
    lastTurn: async (scope: WorkspaceScope, options: SessionOption): Promise<string | undefined> =>
      (await turns(scope).findOne({}, { hint: 'workspace', ...options }))?.last,
    setLastTurn: (scope: WorkspaceScope, last: string, options: SessionOption) =>
      turns(scope).updateOne({}, { $set: { last } }, { ...options, upsert: true }),
  }
}
