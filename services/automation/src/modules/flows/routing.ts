import type { DraftFlow } from '@parley/contracts/automation/flow'
import { normalizeText, type RoutedTrigger } from '@parley/flow/keywords'
import { triggersOf } from '@parley/flow/program'
import { AppError } from '@parley/service-kit/core/errors'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { FlowRecord } from './flow-records.model.ts'
import { type RoutingRecord, routingSchema, type TriggerRecord, triggerSchema, watched } from './routing.model.ts'
import type { SchedulesRepository } from './schedules.ts'

export const maxKeywords = 1000
const maxDue = 500

type Claimant = Pick<FlowRecord, 'id' | 'numberIds' | 'createdAt'>

export type RoutingRepository = ReturnType<typeof createRoutingRepository>

interface Dependencies {
  /** Names bots by their ids. */
  readonly nameOf: (scope: WorkspaceScope, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly schedules: Pick<SchedulesRepository, 'claim' | 'release'>
}

/** Stores the triggers of a workspace's active flows: a keyword, and any message of a number, belong to one bot. */
export function createRoutingRepository(connection: ServiceConnection, { nameOf, schedules }: Dependencies) {
  const definition = { connection, name: 'routing', schema: routingSchema }
  const tables = workspaceCollection<RoutingRecord>(definition)
  const due = scopedCollection<object, RoutingRecord>(definition, () => ({ watch: watched }))
  const triggers = workspaceCollection<TriggerRecord>({ connection, name: 'triggers', schema: triggerSchema })

  /** Makes changes of a workspace's bots wait for each other, until the transaction ends. It is its first write. */
  async function hold(scope: WorkspaceScope, { session }: Session): Promise<void> {
    await tables(scope).updateOne({}, { $inc: { turns: 1 } }, { session, upsert: true })
  }

  /** Does the same and records that triggers change: workers read them again, and messaging is notified. */
  async function raise(scope: WorkspaceScope, { session }: Session): Promise<void> {
    await tables(scope).updateOne(
      {},
      { $inc: { turns: 1, number: 1 }, $set: { watch: watched, tellAt: new Date() } },
      { session, upsert: true },
    )
  }

  /**
   * Gives a flow what it begins with, after {@link raise} in the same transaction.
   * @throws `keyword_taken` naming the bot that has one of them, `limit_reached` above 1,000 keywords of active bots.
   */
  async function claim(scope: WorkspaceScope, bot: Claimant, flow: DraftFlow, tx: Session): Promise<void> {
    const { session } = tx
    await schedules.claim(scope, bot.id, flow, tx)
    await triggers(scope).deleteMany({ flowId: bot.id }, { session })
    const rows = rowsOf(bot, flow)
    if (rows.length === 0) return
    const rivals = await triggers(scope)
      .find({ match: { $in: [...new Set(rows.map(({ match }) => match))] }, key: { $in: rows.map(({ key }) => key) } })
      .hint('owner')
      .session(session)
    for (const row of rows) {
      const rival = rivals.find((other) => other.match === row.match && other.key === row.key && overlap(other, row))
      if (rival) throw taken(row, { id: rival.flowId, name: await nameOfBot(scope, rival.flowId) })
    }
    const others = await triggers(scope).countDocuments({}, { session, hint: 'flow' })
    if (others + rows.length > maxKeywords)
      throw new AppError(
        'limit_reached',
        `A workspace has at most ${maxKeywords.toLocaleString('en')} keywords of active bots; these would be ${(others + rows.length).toLocaleString('en')}.`,
      )
    await triggers(scope)
      .insertMany(rows, { session })
      .catch((error: unknown) => {
        throw isDuplicateKey(error) ? taken(rows[0], undefined) : error
      })
  }

  const nameOfBot = async (scope: WorkspaceScope, id: string): Promise<string> =>
    (await nameOf(scope, [id])).get(id) ?? 'another bot'

  async function release(scope: WorkspaceScope, flowId: string, tx: Session): Promise<void> {
    await triggers(scope).deleteMany({ flowId }, { session: tx.session })
    await schedules.release(scope, flowId, tx)
    await tables(scope).updateOne({}, { $set: { releasedAt: new Date() } }, { session: tx.session })
  }

  return {
    hold,
    raise,
    claim,
    release,
    triggers: async (scope: WorkspaceScope): Promise<TriggerRecord[]> => triggers(scope).find({}).hint('flow'),
    read: (scope: WorkspaceScope) => tables(scope).findOne({}, { hint: 'workspace' }),
    due: (now: Date): PromiseLike<RoutingRecord[]> =>
      due({})
        .find({ tellAt: { $lte: now } })
        .sort({ tellAt: 1 })
        .limit(maxDue)
        .hint('due'),
    /** Records that messaging knows the table of this number. */
    told: (scope: WorkspaceScope, number: number) =>
      tables(scope).updateOne({ number }, { $unset: { tellAt: 1, watch: 1 } }),
    /** Records that messaging knows it, and is to be told again at a time, even if nothing changes. */
    tellAgain: (scope: WorkspaceScope, number: number, at: Date) =>
      tables(scope).updateOne({ number }, { $inc: { number: 1 }, $set: { tellAt: at } }),
  }
}

/** Returns the rows of a bot, each once. */
function rowsOf({ id, numberIds, createdAt }: Claimant, flow: DraftFlow): Omit<TriggerRecord, 'id'>[] {
  const rows = new Map<string, Omit<TriggerRecord, 'id'>>()
  for (const { nodeId, match, keyword, interrupts, onlyFirst } of triggersOf(flow)) {
    const key = match === 'any_message' ? (onlyFirst ? 'first' : '') : normalizeText(keyword ?? '')
    if ((match !== 'any_message' && key === '') || rows.has(`${match} ${key}`)) continue
    rows.set(`${match} ${key}`, {
      flowId: id,
      nodeId,
      match,
      key,
      ...(keyword !== undefined && { keyword }),
      numberIds: numberIds.length === 0 ? ['*'] : [...numberIds],
      ...(interrupts && { interrupts }),
      order: createdAt.getTime(),
    })
  }
  return [...rows.values()]
}

const overlap = (one: Pick<TriggerRecord, 'numberIds'>, other: Pick<TriggerRecord, 'numberIds'>): boolean =>
  one.numberIds.includes('*') ||
  other.numberIds.includes('*') ||
  one.numberIds.some((id) => other.numberIds.includes(id))

function taken(row: Pick<TriggerRecord, 'keyword'> | undefined, existing: { id: string; name: string } | undefined) {
  const what = row?.keyword === undefined ? 'Any message' : `“${row.keyword}”`
  const who = existing ? `the active bot ${existing.name}` : 'another active bot'
  return new AppError('keyword_taken', `${what} starts ${who} already. Pause that bot, or choose another keyword.`, {
    ...(existing && { existing }),
  })
}

/** Returns the rows as the interpreter compiles them: one for each number. */
export const routedTriggers = (rows: readonly TriggerRecord[]): RoutedTrigger[] =>
  rows.flatMap(({ flowId, nodeId, match, key, keyword, numberIds, interrupts, order }) =>
    numberIds.map((numberId) => ({
      flowId,
      nodeId,
      numberId,
      order,
      match: match as RoutedTrigger['match'],
      ...(keyword !== undefined && { keyword }),
      ...(interrupts && { interrupts }),
      ...(match === 'any_message' && key === 'first' && { onlyFirst: true }),
    })),
  )
