import type { BotSettings } from '@parley/contracts/automation/bot-settings'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { foldText } from '@parley/rules/fold-text'
import { errors } from '@parley/service-kit/core/errors'
import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { updateVersion } from '@parley/service-kit/data/versioned'
import type { Session } from '../../platform/platform.ts'
import { type BotRecord, botSchema, deleted } from './bots.model.ts'
import { flowHash, flowText, readFlow } from './flow-text.ts'
import {
  draftNumber,
  type FlowTextRecord,
  type FlowVersionRecord,
  flowTextSchema,
  flowVersionSchema,
} from './flows.model.ts'

export type BotsRepository = ReturnType<typeof createBotsRepository>

/** Fields of a bot that a person changes. */
interface BotChange {
  readonly name?: string | undefined
  readonly numberIds?: readonly string[] | undefined
  readonly settings?: BotSettings | undefined
  readonly draft?: DraftFlow | undefined
}

/** A bot of the sample as it is first stored. */
interface SampleBotRecord
  extends Pick<
    BotRecord,
    'name' | 'status' | 'numberIds' | 'settings' | 'goesTo' | 'leadsTo' | 'createdAt' | 'updatedAt' | 'sample'
  > {
  readonly _id: string
  readonly flow: DraftFlow
}

const maxDue = 500
const live: Filter<BotRecord> = { deletedAt: null }

/** Stores bots, their drafts and versions. */
export function createBotsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'bots', schema: botSchema }
  const bots = workspaceCollection<BotRecord>(definition)
  const removed = scopedCollection<object, BotRecord>(definition, () => ({ removal: deleted }))
  const flows = workspaceCollection<FlowTextRecord>({ connection, name: 'flows', schema: flowTextSchema })
  const versions = workspaceCollection<FlowVersionRecord>({
    connection,
    name: 'flowVersions',
    schema: flowVersionSchema,
  })

  const fields = ({ name, draft, ...others }: BotChange) => ({
    ...(name !== undefined && { name, nameKey: foldText(name) }),
    ...(draft && { draftHash: flowHash(draft) }),
    ...(others.numberIds && { numberIds: others.numberIds }),
    ...(others.settings && { settings: others.settings }),
  })

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

  /** @throws `not_found`, also for a deleted bot. */
  async function require(scope: WorkspaceScope, id: string): Promise<BotRecord> {
    const bot = isId(id) ? await bots(scope).findOne({ _id: id }) : null
    if (!bot || bot.deletedAt) throw missing()
    return bot
  }

  return {
    bots,
    versions,
    require,
    /** Reads a bot, deleted ones too. */
    read: async (scope: WorkspaceScope, id: string) => (isId(id) ? bots(scope).findOne({ _id: id }) : null),
    count: (scope: WorkspaceScope, { session }: Session) => bots(scope).countDocuments(live, { session, hint: 'name' }),
    /** Returns every bot that is not deleted. */
    all: (scope: WorkspaceScope) => bots(scope).find(live).hint('name'),
    /** Counts those of some bots that a flow can continue to, inside a transaction. */
    countPublished: (scope: WorkspaceScope, ids: readonly string[], { session }: Session) =>
      bots(scope).countDocuments({ ...live, _id: { $in: ids }, publishedVersion: { $exists: true } }, { session }),
    /** Finds a published bot that continues to this one. */
    leadingTo: async (scope: WorkspaceScope, id: string, { session }: Session): Promise<BotRecord | undefined> =>
      (
        await bots(scope)
          .find({ ...live, goesTo: id, publishedVersion: { $exists: true } })
          .limit(1)
          .hint('name')
          .session(session)
      )[0],
    nameOf: async (scope: WorkspaceScope, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const found = await bots(scope)
        .find({ _id: { $in: ids } })
        .select('name')
      return new Map(found.map(({ id, name }) => [id, name]))
    },
    create: async (
      scope: WorkspaceScope,
      bot: { name: string; settings: BotSettings; numberIds: readonly string[]; draft: DraftFlow },
      tx: Session,
    ): Promise<BotRecord> => {
      const { draft, name, ...others } = bot
      const created = await bots(scope).create(
        {
          ...others,
          name,
          nameKey: foldText(name),
          status: 'paused',
          draftHash: flowHash(draft),
          goesTo: [],
          leadsTo: [],
        },
        { session: tx.session },
      )
      await writeDraft(scope, created.id, draft, tx)
      return created
    },
    /** @throws `stale_version` without the bot as it is now: that is read once the transaction has ended. */
    update: async (
      scope: WorkspaceScope,
      { id, version, change }: { id: string; version: number; change: BotChange },
      tx: Session,
    ): Promise<BotRecord> => {
      const changed = await updateVersion(
        bots(scope),
        { id, version, update: { $set: fields(change) }, toAnswer: () => undefined },
        { session: tx.session },
      )
      if (change.draft) await writeDraft(scope, id, change.draft, tx)
      return changed
    },
    /** Changes a bot that is not deleted, whatever its version; null where there is none. */
    change: (
      scope: WorkspaceScope,
      id: string,
      update: Parameters<ReturnType<typeof bots>['findOneAndUpdate']>[1],
      { session, isDeleted = false }: Session & { isDeleted?: boolean },
    ) => bots(scope).findOneAndUpdate({ _id: id, deletedAt: isDeleted ? { $ne: null } : null }, update, { session }),
    readDraft: (scope: WorkspaceScope, flowId: string) => readFlowOf(scope, flowId, draftNumber),
    readFlow: readFlowOf,
    /** Reads the published flow; `undefined` before the first publication. */
    publishedFlow: async (
      scope: WorkspaceScope,
      { id, publishedVersion }: BotRecord,
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
    /** Stores bots of the sample with version 1 of their flows, in the caller's transaction. */
    insertSample: async (scope: WorkspaceScope, sample: readonly SampleBotRecord[], { session }: Session) => {
      const flowRows = sample.flatMap(({ _id: flowId, flow }) =>
        [draftNumber, 1].map((number) => ({ flowId, number, flow: flowText(flow) })),
      )
      await bots(scope).insertPlain(
        sample.map(({ flow, name, ...bot }) => {
          const hash = flowHash(flow)
          return {
            ...bot,
            name,
            nameKey: foldText(name),
            draftHash: hash,
            publishedHash: hash,
            publishedVersion: 1,
          }
        }),
        { session },
      )
      await versions(scope).insertPlain(
        sample.map(({ _id: flowId, flow, updatedAt: publishedAt }) => ({
          flowId,
          number: 1,
          hash: flowHash(flow),
          publishedBy: 'sample',
          publishedAt,
        })),
        { session },
      )
      await flows(scope).insertPlain(flowRows, { session })
    },
    isSampleThere: async (scope: WorkspaceScope, options: Partial<Session> = {}): Promise<boolean> =>
      (await bots(scope).countDocuments({ sample: { $exists: true } }, { ...options, hint: 'sample' })) > 0,
    /** Removes bots with their flows, whatever their state. */
    removeAll: async (scope: WorkspaceScope, ids: readonly string[], { session }: Session): Promise<void> => {
      await bots(scope).deleteMany({ _id: { $in: ids } }, { session })
      await versions(scope).deleteMany({ flowId: { $in: ids } }, { session })
      await flows(scope).deleteMany({ flowId: { $in: ids } }, { session })
    },
    /** Finds bots of all workspaces that were deleted before a moment. */
    removable: (before: Date): PromiseLike<BotRecord[]> =>
      removed({})
        .find({ deletedAt: { $lt: before } })
        .sort({ deletedAt: 1 })
        .limit(maxDue)
        .hint('removal'),
    /** Forgets a deleted bot and its flows, unless it was restored. */
    forget: async (scope: WorkspaceScope, id: string, { session }: Session): Promise<void> => {
      const { deletedCount } = await bots(scope).deleteOne({ _id: id, removal: deleted }, { session })
      if (deletedCount === 0) return
      await versions(scope).deleteMany({ flowId: id }, { session })
      await flows(scope).deleteMany({ flowId: id }, { session })
    },
  }
}

export const missing = () => errors.notFound('There is no such bot.')
