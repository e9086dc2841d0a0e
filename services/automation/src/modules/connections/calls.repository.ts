import type { HttpRequest } from '@parley/flow/actions'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { newId } from '@parley/service-kit/data/plain'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Session } from '../../platform/platform.ts'
import { type CallingRun, type CallRecord, type CallResult, callSchema, open } from './calls.model.ts'

export type CallsRepository = ReturnType<typeof createCallsRepository>

/** Days for which calls of runs are kept: their steps tell of them longer. */
const keptDays = 7
/** Minutes for which the result of a test is there to be read. */
const testMinutes = 10
const maxDue = 1000

const after = (ms: number, from = Date.now()): Date => new Date(from + ms)

interface NewCall {
  readonly key: string
  readonly connectionId: string
  readonly request: HttpRequest
  readonly run?: CallingRun
}

/** A call as its document holds it. */
type Stored = Omit<CallRecord, 'values'> & { readonly values?: string | undefined }

/** Stores calls to other systems until they are made and their runs have the result. */
export function createCallsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'calls', schema: callSchema }
  const calls = workspaceCollection<Stored>(definition)
  const ofAll = scopedCollection<object, Stored>(definition, () => ({ open }))

  return {
    /** Adds a call; one of this key that is there already is the same. @returns its id. */
    add: async (scope: WorkspaceScope, { key, connectionId, request, run }: NewCall): Promise<string> => {
      const id = newId()
      const kept = run ? keptDays * 86_400_000 : testMinutes * 60_000
      try {
        await calls(scope).create({
          _id: id,
          key,
          connectionId,
          request,
          ...(run && { run }),
          state: 'waiting',
          tries: 0,
          open,
          dueAt: new Date(),
          at: new Date(),
          expireAt: after(kept),
        })
        return id
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        return (await calls(scope).findOne({ key }, { hint: 'key' }))?.id ?? id
      }
    },
    /** Reads a test of a connection. */
    readTest: async (scope: WorkspaceScope, connectionId: string, id: string): Promise<CallRecord | undefined> => {
      const found = await calls(scope).findOne({ _id: id, connectionId, run: { $exists: false } })
      return found ? toCall(found) : undefined
    },
    countOpen: (scope: WorkspaceScope, connectionId: string) =>
      calls(scope).countDocuments({ connectionId, open, run: { $exists: false } }, { hint: 'of-connection' }),
    /** Returns calls of a connection that have something to do, the oldest first. */
    due: async (scope: WorkspaceScope, connectionId: string, limit: number): Promise<CallRecord[]> =>
      (
        await calls(scope)
          .find({ connectionId, open, dueAt: { $lte: new Date() } })
          .sort({ dueAt: 1 })
          .limit(limit)
          .hint('of-connection')
      ).map(toCall),
    /** Returns connections with calls that have something to do. @param closed workspaces that are left out. */
    dueConnections: async (closed: ReadonlySet<string>): Promise<JobRecord[]> => {
      const rows = await ofAll({}).find(dueNow(closed)).sort({ dueAt: 1 }).limit(maxDue).hint('due')
      return [...new Map(rows.map(({ connectionId: id, workspaceId }) => [id, { id, workspaceId }])).values()]
    },
    /** @param closed as above. */
    oldestDueAt: async (closed: ReadonlySet<string>): Promise<Date | undefined> =>
      (await ofAll({}).find(dueNow(closed)).sort({ dueAt: 1 }).limit(1).hint('due'))[0]?.dueAt,
    /** Takes a waiting call. @returns null where another worker has it. */
    begin: (scope: WorkspaceScope, { id, tries }: CallRecord, leaseMs: number) =>
      calls(scope)
        .findOneAndUpdate(
          { _id: id, state: 'waiting', tries },
          { $set: { state: 'started', lease: newId(), dueAt: after(leaseMs) }, $inc: { tries: 1 } },
        )
        .then((found) => (found ? toCall(found) : null)),
    /** Lets a begun call be made again. */
    putOff: (scope: WorkspaceScope, { id, lease }: CallRecord, pauseMs: number) =>
      calls(scope).updateOne(
        { _id: id, state: 'started', lease: lease ?? null },
        { $set: { state: 'waiting', dueAt: after(pauseMs) } },
      ),
    /** Stores the result of a begun call. Its request is forgotten. @returns false where another try has ended it. */
    end: async (
      scope: WorkspaceScope,
      { id, lease, run }: CallRecord,
      { values, ...result }: CallResult,
    ): Promise<boolean> => {
      const kept = values && Object.keys(values).length > 0 && { values: JSON.stringify(values) }
      const { modifiedCount } = await calls(scope).updateOne(
        { _id: id, state: 'started', lease: lease ?? null },
        {
          $set: { ...result, ...kept, ...(run && { dueAt: new Date() }) },
          $unset: { request: '', lease: '', ...(!run && { open: '', dueAt: '' }) },
        },
      )
      return modifiedCount > 0
    },
    /** Closes a call whose run has its result. */
    close: (scope: WorkspaceScope, id: string) =>
      calls(scope).updateOne({ _id: id }, { $unset: { open: '', dueAt: '', values: '' } }),
    /** Has the run of a call told later. */
    tellLater: (scope: WorkspaceScope, id: string, pauseMs: number) =>
      calls(scope).updateOne({ _id: id }, { $set: { dueAt: after(pauseMs) } }),
    /** Forgets the calls of some runs. */
    forget: async (scope: WorkspaceScope, runIds: readonly string[], { session }: Session): Promise<void> => {
      if (runIds.length > 0) await calls(scope).deleteMany({ 'run.runId': { $in: [...runIds] } }, { session })
    },
  }
}

const dueNow = (closed: ReadonlySet<string>) => ({
  dueAt: { $lte: new Date() },
  ...(closed.size > 0 && { workspaceId: { $nin: [...closed] } }),
})

const toCall = ({ values, ...call }: Stored): CallRecord => ({
  ...call,
  ...(values !== undefined && { values: JSON.parse(values) }),
})
