import { hookCallsPerMinute, maxHooks, maxShownCalls } from '@parley/contracts/automation/hooks'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import {
  type HookCallRecord,
  type HookMinuteRecord,
  type HookRecord,
  hookCallSchema,
  hookSchema,
} from './hooks.model.ts'

export type HooksRepository = ReturnType<typeof createHooksRepository>

/** Trigger of a workflow. */
export interface HookPlace {
  readonly flowId: string
  readonly nodeId: string
}

/** Milliseconds within which a call of the same key is a repeat. */
const repeatMs = 24 * 3_600_000
const keptMs = 7 * 24 * 3_600_000
const minuteMs = 60_000

/** Stores addresses of triggers and their calls. */
export function createHooksRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'hooks', schema: hookSchema }
  const hooks = workspaceCollection<HookRecord>(definition)
  const counted = workspaceCollection<HookMinuteRecord>({ ...definition, bookkeeping: true })
  const byToken = scopedCollection<{ readonly tokenHash: string }, HookRecord>(definition, ({ tokenHash }) => ({
    tokenHash,
  }))
  const calls = workspaceCollection<HookCallRecord>({
    connection,
    name: 'hookCalls',
    schema: hookCallSchema,
    bookkeeping: true,
  })

  /** Counts a call. @returns false above the limit of a minute. */
  async function count({ id, workspaceId }: HookRecord, now: number): Promise<boolean> {
    const minute = Math.floor(now / minuteMs)
    const lastCallAt = new Date(now)
    const more = () =>
      counted({ workspaceId }).findOneAndUpdate(
        { _id: id, minute, calls: { $lt: hookCallsPerMinute } },
        { $inc: { calls: 1 }, $set: { lastCallAt } },
      )
    if (await more()) return true
    const first = await counted({ workspaceId }).findOneAndUpdate(
      { _id: id, minute: { $ne: minute } },
      { $set: { minute, calls: 1, lastCallAt } },
    )
    // Another call has begun the minute.
    return first !== null || (await more()) !== null
  }

  return {
    find: (tokenHash: string) => byToken({ tokenHash }).findOne({}, { hint: 'token' }),
    count,
    list: (scope: WorkspaceScope, flowId: string) => hooks(scope).find({ flowId }).limit(maxHooks).hint('node'),
    read: (scope: WorkspaceScope, place: HookPlace, { session }: Session) =>
      hooks(scope).findOne({ ...place }, { session, hint: 'node' }),
    /** Gives a trigger its address; the one before is forgotten. */
    replace: async (
      scope: WorkspaceScope,
      place: HookPlace,
      fresh: Pick<HookRecord, 'tokenHash' | 'last4' | 'createdAt'>,
      { session }: Session,
    ): Promise<void> => {
      await hooks(scope).deleteMany({ ...place }, { session })
      await hooks(scope).create({ ...place, ...fresh }, { session })
    },
    countOf: (scope: WorkspaceScope, flowId: string, { session }: Session) =>
      hooks(scope).countDocuments({ flowId }, { session, hint: 'node' }),
    /** Revokes the address of a trigger, or all of a workflow. @returns whether there was one. */
    revoke: async (
      scope: WorkspaceScope,
      { flowId, nodeId }: Pick<HookPlace, 'flowId'> & Partial<HookPlace>,
      { session }: Session,
    ): Promise<boolean> =>
      (await hooks(scope).deleteMany({ flowId, ...(nodeId !== undefined && { nodeId }) }, { session })).deletedCount >
      0,
    /** Finds the call of a key within a day; an older one gives the key up. */
    answered: async (
      scope: WorkspaceScope,
      { flowId, nodeId }: HookPlace,
      key: string,
      { now, session }: { readonly now: number; readonly session?: Session['session'] },
    ): Promise<HookCallRecord | undefined> => {
      const options = { hint: 'key', ...(session && { session }) }
      const found = await calls(scope).findOne({ flowId, nodeId, key }, options)
      if (!found || found.at.getTime() > now - repeatMs) return found ?? undefined
      if (session) await calls(scope).updateOne({ _id: found.id }, { $unset: { key: 1 } }, { session })
      return undefined
    },
    noteRepeat: (scope: WorkspaceScope, id: string) => calls(scope).updateOne({ _id: id }, { $inc: { repeats: 1 } }),
    add: async (
      scope: WorkspaceScope,
      call: Omit<HookCallRecord, 'id' | 'repeats' | 'expireAt'>,
      options: Partial<Session> = {},
    ): Promise<void> => {
      await calls(scope).create({ ...call, repeats: 0, expireAt: new Date(call.at.getTime() + keptMs) }, options)
    },
    calls: (scope: WorkspaceScope, { flowId, nodeId }: HookPlace) =>
      calls(scope).find({ flowId, nodeId }).sort({ at: -1, _id: -1 }).limit(maxShownCalls).hint('newest'),
    /** Forgets who was named by calls; that they came stays, so that a repeat starts nothing. */
    forget: async (scope: WorkspaceScope, contactId: string, { session }: Session): Promise<void> => {
      const update = { $unset: { contactId: 1, runId: 1 }, $set: { fields: [] } } as const
      await calls(scope).updateMany({ contactId }, update, { session })
    },
    /** Moves calls of a contact to the one that it was merged into. */
    merge: async (
      scope: WorkspaceScope,
      { contactId, otherId }: { contactId: string; otherId: string },
      { session }: Session,
    ): Promise<void> => {
      await calls(scope).updateMany({ contactId: otherId }, { $set: { contactId } }, { session })
    },
  }
}
