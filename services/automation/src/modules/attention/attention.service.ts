import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import type { runsApi } from '@parley/contracts/automation/run-endpoints'
import type { Attention } from '@parley/contracts/automation/runs'
import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import type { Filter } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Platform, Session } from '../../platform/platform.ts'
import { maxLookedThrough, type Sight } from '../../platform/visibility.ts'
import { type AttentionRecord, attentionSchema, untold } from './attention.model.ts'

/** Something that a person has to look at, before it is stored. */
export interface NewAttention {
  readonly code: string
  readonly sentence: string
  readonly flowId?: string | undefined
  readonly nodeId?: string | undefined
  readonly runId?: string | undefined
  readonly conversationId?: string | undefined
  /** Key by which entries are grouped into one; absent: flow, node and code. */
  readonly groupKey?: string | undefined
}

/** Names flows of either kind by their ids; those that are gone are missing. */
export type NamesOfFlows = (
  scope: WorkspaceScope,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, { readonly kind: FlowKind; readonly name: string }>>

export type AttentionService = ReturnType<typeof createAttention>

const newest: ListSort<AttentionRecord> = { field: 'lastAt', direction: -1, index: 'newest' }

/** Service of what a person has to look at: messages that nobody answered, and flows that cannot continue. */
export function createAttention({
  mongo,
  cursors,
  figures: { countAttention },
  namesOf,
}: Pick<Platform, 'mongo' | 'cursors' | 'figures'> & {
  readonly namesOf: NamesOfFlows
}) {
  const records = workspaceCollection<AttentionRecord>({
    connection: mongo,
    name: 'attention',
    schema: attentionSchema,
  })

  /** Adds entries, in the transaction of their cause. */
  async function raise(scope: WorkspaceScope, entries: readonly NewAttention[], { session }: Session): Promise<void> {
    const now = new Date()
    for (const { groupKey, sentence, ...entry } of entries) {
      countAttention(entry.code)
      const key = groupKey ?? [entry.flowId, entry.nodeId, entry.code].join(':')
      await records(scope).updateOne(
        { groupKey: key, state: 'open' },
        {
          $set: { ...defined(entry), sentence: sentence.slice(0, 500), lastAt: now },
          $setOnInsert: { firstAt: now, told: untold },
          $inc: { count: 1 },
        },
        { session, upsert: true },
      )
    }
  }

  /** Takes runs that were tried again off the entries that they are in, which are closed with the last one. */
  async function settle(
    scope: WorkspaceScope,
    tried: readonly { id: string; flowId: string; nodeId: string | null; code: string }[],
    { session }: Session,
  ): Promise<void> {
    const keys = tried.map(({ flowId, nodeId, code }) => [flowId, nodeId ?? undefined, code].join(':'))
    for (const groupKey of keys)
      await records(scope).updateOne({ groupKey, state: 'open' }, { $inc: { count: -1 } }, { session })
    const state = 'dismissed' as const
    await records(scope).updateMany(
      { groupKey: { $in: keys }, state: 'open', count: { $lte: 0 } },
      { $set: { state } },
      { session },
    )
    const looped = tried.filter(({ code }) => code === 'loop').map(({ id }) => id)
    if (looped.length > 0)
      await records(scope).updateMany({ runId: { $in: looped }, state: 'open' }, { $set: { state } }, { session })
  }

  /** Returns the conversations of the newest entries that match, as many as are looked through. */
  async function conversationsOf(scope: WorkspaceScope, query: Filter<AttentionRecord>, index: string) {
    const found = await records(scope)
      .find(query)
      .select('conversationId')
      .sort({ lastAt: -1, _id: -1 })
      .limit(maxLookedThrough)
      .hint(index)
    return found.map(({ conversationId }) => conversationId)
  }

  async function list(
    scope: WorkspaceScope,
    { state, bot, workflow, limit, cursor }: EndpointInput<typeof runsApi.attention>['query'],
    sight: Sight,
  ): Promise<EndpointResponse<typeof runsApi.attention>> {
    const flowId = bot ?? workflow
    const index = flowId !== undefined ? 'flow' : state !== undefined ? 'state' : 'newest'
    const query = { ...(flowId !== undefined && { flowId }), ...(state !== undefined && { state }) }
    const seen = await sight(() => conversationsOf(scope, query, index))
    const page = await pageOf(records(scope), {
      sort: newest,
      index,
      cursors,
      workspaceId: scope.workspaceId,
      filter: { ...query, ...(seen && seenBy(seen)) },
      query,
      limit,
      cursor,
    })
    const names = await namesOf(scope, [...new Set(page.items.flatMap(({ flowId }) => flowId ?? []))])
    return { ...page, items: page.items.map((record) => shown(record, names)) }
  }

  /**
   * Resolves entries that the caller sees, or reopens them. One that was raised again meanwhile stays the only one of its kind.
   */
  async function dismiss(
    scope: WorkspaceScope,
    { ids, state }: EndpointInput<typeof runsApi.dismiss>['body'],
    sight: Sight,
  ): Promise<{ changed: number }> {
    const seen = await sight(async () => {
      const found = await records(scope)
        .find({ _id: { $in: ids } })
        .select('conversationId')
      return found.map(({ conversationId }) => conversationId)
    })
    let changed = 0
    for (const id of new Set(ids)) {
      const { modifiedCount } = await records(scope)
        .updateOne({ _id: id, state: { $ne: state }, ...(seen && seenBy(seen)) }, { $set: { state } })
        .catch((error: unknown) => {
          if (isDuplicateKey(error)) return { modifiedCount: 0 }
          throw error
        })
      changed += modifiedCount
    }
    return { changed }
  }

  /** Counts open entries by flow; those alone that the caller sees. */
  async function countOpen(
    scope: WorkspaceScope,
    flowIds: readonly string[],
    sight: Sight,
  ): Promise<ReadonlyMap<string, number>> {
    const query = { flowId: { $in: flowIds }, state: 'open' as const }
    const seen = await sight(() => conversationsOf(scope, query, 'flow'))
    const rows = await records(scope).aggregate<{ _id: string; count: number }>(
      [{ $match: { ...query, ...(seen && seenBy(seen)) } }, { $group: { _id: '$flowId', count: { $sum: 1 } } }],
      { hint: seen ? 'open-of-conversation' : 'flow' },
    )
    return new Map(rows.map(({ _id, count }) => [_id, count]))
  }

  /** Forgets the conversations that entries were about: their person was erased. */
  const forget = (scope: WorkspaceScope, conversationIds: readonly string[], { session }: Session) =>
    records(scope).updateMany(
      { conversationId: { $in: conversationIds } },
      { $unset: { conversationId: '', runId: '' } },
      { session },
    )

  /** Removes the entries of some bots. */
  const removeOf = (scope: WorkspaceScope, botIds: readonly string[], { session }: Session) =>
    records(scope).deleteMany({ flowId: { $in: botIds } }, { session })

  return { raise, settle, list, dismiss, countOpen, forget, removeOf }
}

/** Returns the condition for entries that are about nobody's conversation, or about one of these. */
const seenBy = (conversationIds: readonly string[]) => ({ conversationId: { $in: [null, ...conversationIds] } })

const defined = (entry: object) => Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))

function shown(record: AttentionRecord, names: Awaited<ReturnType<NamesOfFlows>>): Attention {
  const { id, state, code, sentence, flowId, nodeId, runId, conversationId, count, firstAt, lastAt } = record
  const { kind = 'bot', name } = (flowId === undefined ? undefined : names.get(flowId)) ?? {}
  return {
    id,
    state,
    code,
    sentence,
    ...(kind === 'bot' ? { botId: flowId, botName: name } : { workflowId: flowId, workflowName: name }),
    nodeId,
    runId,
    conversationId,
    count,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  }
}
