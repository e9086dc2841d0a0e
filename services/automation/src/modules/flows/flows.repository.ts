import type { BotSettings } from '@parley/contracts/automation/bot-settings'
import type { DraftFlow, FlowNodeType } from '@parley/contracts/automation/flow'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import type { Enrolment } from '@parley/contracts/automation/workflows'
import { foldText } from '@parley/rules/fold-text'
import { errors } from '@parley/service-kit/core/errors'
import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { updateVersion } from '@parley/service-kit/data/versioned'
import type { Session } from '../../platform/platform.ts'
import { deleted, type FlowRecord, flowRecordSchema } from './flow-records.model.ts'
import { type FlowTestRecord, flowTestSchema } from './flow-tests.model.ts'
import { connectionsOf, flowHash, flowText, readFlow } from './flow-text.ts'
import {
  draftNumber,
  type FlowTextRecord,
  type FlowVersionRecord,
  flowTextSchema,
  flowVersionSchema,
} from './flows.model.ts'
import { createSampleRecords } from './sample-flows.repository.ts'

export type FlowsRepository = ReturnType<typeof createFlowsRepository>

/** Fields of a flow that a person changes. */
export interface FlowChange {
  readonly name?: string | undefined
  readonly numberIds?: readonly string[] | undefined
  readonly settings?: BotSettings | undefined
  readonly enrolment?: Enrolment | undefined
  readonly draft?: DraftFlow | undefined
}

/** A new flow. */
export interface NewFlow extends Pick<FlowRecord, 'name' | 'numberIds' | 'settings' | 'enrolment'> {
  readonly draft: DraftFlow
}

const maxDue = 500
const maxUsing = 100
const live: Filter<FlowRecord> = { deletedAt: null }

/** Stores the flows of a kind, their drafts and versions. */
export function createFlowsRepository(connection: ServiceConnection, kind: FlowKind) {
  const definition = { connection, name: `${kind}s`, schema: flowRecordSchema }
  const records = workspaceCollection<FlowRecord>(definition)
  const removed = scopedCollection<object, FlowRecord>(definition, () => ({ removal: deleted }))
  const flows = workspaceCollection<FlowTextRecord>({ connection, name: 'flows', schema: flowTextSchema })
  const versions = workspaceCollection<FlowVersionRecord>({
    connection,
    name: 'flowVersions',
    schema: flowVersionSchema,
  })

  const tests = workspaceCollection<FlowTestRecord>({ connection, name: 'flowTests', schema: flowTestSchema })

  const fields = ({ name, draft, ...others }: FlowChange) => ({
    ...(name !== undefined && { name, nameKey: foldText(name) }),
    ...(draft && { draftHash: flowHash(draft), draftConnections: connectionsOf(draft), ...countsOf(draft) }),
    ...(others.numberIds && { numberIds: others.numberIds }),
    ...(others.settings && { settings: others.settings }),
    ...(others.enrolment && { enrolment: others.enrolment }),
  })
  const countsOf = ({ nodes }: DraftFlow) => {
    const count = (wanted: FlowNodeType) => nodes.filter(({ type }) => type === wanted).length
    return kind === 'workflow' ? { counts: { triggers: count('trigger'), actions: count('action') } } : {}
  }

  const writeDraft = (scope: WorkspaceScope, flowId: string, flow: DraftFlow, { session }: Session) =>
    flows(scope).updateOne(
      { flowId, number: draftNumber },
      { $set: { flow: flowText(flow) } },
      { session, upsert: true },
    )

  async function readFlowOf(
    scope: WorkspaceScope,
    flowId: string,
    number: number,
    options: Partial<Session> = {},
  ): Promise<DraftFlow | undefined> {
    const found = await flows(scope).findOne({ flowId, number }, { hint: 'number', ...options })
    return found ? readFlow(found.flow) : undefined
  }

  /** @throws `not_found`, also for a deleted flow. */
  async function require(scope: WorkspaceScope, id: string): Promise<FlowRecord> {
    const record = isId(id) ? await records(scope).findOne({ _id: id }) : null
    if (!record || record.deletedAt) throw missing(kind)
    return record
  }

  return {
    kind,
    records,
    versions,
    tests,
    require,
    /** Reads a flow, deleted ones too. */
    read: async (scope: WorkspaceScope, id: string) => (isId(id) ? records(scope).findOne({ _id: id }) : null),
    count: (scope: WorkspaceScope, { session }: Session) =>
      records(scope).countDocuments(live, { session, hint: 'name' }),
    /** Returns every flow that is not deleted. */
    all: (scope: WorkspaceScope) => records(scope).find(live).hint('name'),
    /** Counts those of some bots that a flow can continue to, inside a transaction. */
    countPublished: (scope: WorkspaceScope, ids: readonly string[], { session }: Session) =>
      records(scope).countDocuments({ ...live, _id: { $in: ids }, publishedVersion: { $exists: true } }, { session }),
    /** Finds a published bot that continues to this one. */
    leadingTo: async (scope: WorkspaceScope, id: string, { session }: Session): Promise<FlowRecord | undefined> =>
      (
        await records(scope)
          .find({ ...live, goesTo: id, publishedVersion: { $exists: true } })
          .limit(1)
          .hint('name')
          .session(session)
      )[0],
    /** Finds flows that call a connection, by name; `published`: by what runs now. */
    calling: async (scope: WorkspaceScope, connectionId: string, options: Partial<Session> = {}) => {
      const found = await records(scope)
        .find({ ...live, $or: [{ connections: connectionId }, { draftConnections: connectionId }] })
        .sort({ nameKey: 1 })
        .limit(maxUsing)
        .hint('name')
        .session(options.session ?? null)
      return found.map(({ id, name, connections = [] }) => ({
        kind,
        id,
        name,
        published: connections.includes(connectionId),
      }))
    },
    nameOf: async (scope: WorkspaceScope, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const found = await records(scope)
        .find({ _id: { $in: ids } })
        .select('name')
      return new Map(found.map(({ id, name }) => [id, name]))
    },
    create: async (scope: WorkspaceScope, { draft, name, ...others }: NewFlow, tx: Session): Promise<FlowRecord> => {
      const created = await records(scope).create(
        {
          ...others,
          name,
          nameKey: foldText(name),
          status: 'paused',
          draftHash: flowHash(draft),
          draftConnections: connectionsOf(draft),
          ...countsOf(draft),
          goesTo: [],
          leadsTo: [],
        },
        { session: tx.session },
      )
      await writeDraft(scope, created.id, draft, tx)
      return created
    },
    /** @throws `stale_version` without the record as it is now: that is read once the transaction has ended. */
    update: async (
      scope: WorkspaceScope,
      { id, version, change }: { id: string; version: number; change: FlowChange },
      tx: Session,
    ): Promise<FlowRecord> => {
      const changed = await updateVersion(
        records(scope),
        { id, version, update: { $set: fields(change) }, toAnswer: () => undefined },
        { session: tx.session },
      )
      if (change.draft) await writeDraft(scope, id, change.draft, tx)
      return changed
    },
    /** Changes a flow that is not deleted, whatever its version; null where there is none. */
    change: (
      scope: WorkspaceScope,
      id: string,
      update: Parameters<ReturnType<typeof records>['findOneAndUpdate']>[1],
      { session, isDeleted = false }: Session & { isDeleted?: boolean },
    ) => records(scope).findOneAndUpdate({ _id: id, deletedAt: isDeleted ? { $ne: null } : null }, update, { session }),
    readDraft: (scope: WorkspaceScope, flowId: string) => readFlowOf(scope, flowId, draftNumber),
    readFlow: readFlowOf,
    /** Reads the published flow; `undefined` before the first publication. */
    publishedFlow: async (
      scope: WorkspaceScope,
      { id, publishedVersion }: FlowRecord,
      options: Partial<Session> = {},
    ) => (publishedVersion === undefined ? undefined : readFlowOf(scope, id, publishedVersion, options)),
    readVersion: (scope: WorkspaceScope, flowId: string, number: number) =>
      versions(scope).findOne({ flowId, number }, { hint: 'number' }),
    addVersion: async (
      scope: WorkspaceScope,
      { flow, ...version }: Omit<FlowVersionRecord, 'id'> & { flow: DraftFlow },
      tx: Session,
    ): Promise<void> => {
      const { flowId, number } = version
      await versions(scope).create(version, { session: tx.session })
      await flows(scope).create({ flowId, number, flow: flowText(flow) }, { session: tx.session })
    },
    /** Removes versions up to a number, but for those that still run. */
    removeVersions: async (
      scope: WorkspaceScope,
      flowId: string,
      upTo: number,
      running: readonly number[],
    ): Promise<void> => {
      if (upTo <= draftNumber) return
      const old = { flowId, number: { $gt: draftNumber, $lte: upTo, $nin: running } }
      await versions(scope).deleteMany(old)
      await flows(scope).deleteMany(old)
    },
    ...createSampleRecords({ records, versions, flows, countsOf }),
    /** Removes flows with their texts, whatever their state. */
    removeAll: async (scope: WorkspaceScope, ids: readonly string[], { session }: Session): Promise<void> => {
      await records(scope).deleteMany({ _id: { $in: ids } }, { session })
      await versions(scope).deleteMany({ flowId: { $in: ids } }, { session })
      await tests(scope).deleteMany({ flowId: { $in: ids } }, { session })
      await flows(scope).deleteMany({ flowId: { $in: ids } }, { session })
    },
    /** Finds flows of all workspaces that were deleted before a moment. */
    removable: (before: Date): PromiseLike<FlowRecord[]> =>
      removed({})
        .find({ deletedAt: { $lt: before } })
        .sort({ deletedAt: 1 })
        .limit(maxDue)
        .hint('removal'),
    /** Forgets a deleted flow and its texts, unless it was restored. @returns whether it is forgotten. */
    forget: async (scope: WorkspaceScope, id: string, { session }: Session): Promise<boolean> => {
      const { deletedCount } = await records(scope).deleteOne({ _id: id, removal: deleted }, { session })
      if (deletedCount === 0) return false
      await versions(scope).deleteMany({ flowId: id }, { session })
      await tests(scope).deleteMany({ flowId: id }, { session })
      await flows(scope).deleteMany({ flowId: id }, { session })
      return true
    },
  }
}

export const missing = (kind: FlowKind) => errors.notFound(`There is no such ${kind}.`)
