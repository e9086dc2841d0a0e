import { botSettingsSchema } from '@parley/contracts/automation/bot-settings'
import type { BotSummary } from '@parley/contracts/automation/bot-summary'
import type { botsApi, BotRecord as ShownBot } from '@parley/contracts/automation/bots'
import { type DraftFlow, flowFormat } from '@parley/contracts/automation/flow'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { PageOf } from '@parley/contracts/core/records'
import { foldText } from '@parley/rules/fold-text'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { OneAtATime } from '../../platform/one-at-a-time.ts'
import type { Platform, Session } from '../../platform/platform.ts'
import { type BotRecord, deleted } from './bots.model.ts'
import { type BotsRepository, missing } from './bots.repository.ts'
import type { RoutingRepository } from './routing.ts'
import type { RunsOfBots } from './runs-of-bots.ts'
import type { ShowBots } from './show-bots.ts'

const maxBots = 100
const maxNameLength = 80
const byName: ListSort<BotRecord> = { field: 'nameKey', direction: 1, index: 'name' }
const emptyFlow: DraftFlow = { format: flowFormat, nodes: [], edges: [] }

interface Dependencies extends Pick<Platform, 'cursors' | 'transaction'> {
  readonly repository: BotsRepository
  readonly routing: RoutingRepository
  readonly runs: Pick<RunsOfBots, 'end'>
  readonly show: ShowBots
  readonly oneAtATime: OneAtATime
  readonly tell: (scope: WorkspaceScope) => Promise<void>
}

/** Lists, edits and deletes bots for people. Only publishing changes the version that runs. */
export function createBotsService(dependencies: Dependencies) {
  const { repository, routing, runs, show, oneAtATime, tell, cursors, transaction } = dependencies
  const { require } = repository

  async function list(
    scope: WorkspaceScope,
    { q = '', status, limit, cursor }: EndpointInput<typeof botsApi.list>['query'],
  ): Promise<PageOf<BotSummary>> {
    const wanted = foldText(q)
    const page = await pageOf(repository.bots(scope), {
      sort: byName,
      cursors,
      workspaceId: scope.workspaceId,
      filter: {
        deletedAt: null,
        ...(wanted !== '' && { nameKey: { $regex: wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') } }),
        ...(status && { status }),
      },
      limit,
      cursor,
    })
    return { ...page, items: await show.summaries(scope, page.items) }
  }

  const read = async (scope: WorkspaceScope, id: string): Promise<ShownBot> =>
    show.whole(scope, await require(scope, id))

  /** @throws `limit_reached`. */
  async function create(scope: WorkspaceScope, bot: Parameters<BotsRepository['create']>[1]): Promise<ShownBot> {
    const created = await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.hold(scope, tx)
        await checkRoom(scope, tx)
        return repository.create(scope, bot, tx)
      }),
    )
    return show.whole(scope, created)
  }

  async function checkRoom(scope: WorkspaceScope, tx: Session): Promise<void> {
    if ((await repository.count(scope, tx)) < maxBots) return
    throw new AppError('limit_reached', `A workspace has at most ${maxBots} bots. Delete one that is no longer needed.`)
  }

  async function duplicate(scope: WorkspaceScope, id: string, name: string | undefined): Promise<ShownBot> {
    const bot = await require(scope, id)
    const draft = (await repository.readDraft(scope, id)) ?? emptyFlow
    const copied = name ?? `${bot.name.slice(0, maxNameLength - ' (copy)'.length)} (copy)`
    return create(scope, { name: copied, settings: bot.settings, numberIds: bot.numberIds, draft })
  }

  /** @throws `not_found`, `stale_version` with the bot as it is now, `keyword_taken` where an active bot listens at more numbers. */
  async function update(
    scope: WorkspaceScope,
    id: string,
    { version, settings, ...change }: EndpointInput<typeof botsApi.update>['body'],
  ): Promise<ShownBot> {
    const before = await require(scope, id)
    const merged = settings && botSettingsSchema.parse({ ...before.settings, ...omitUndefined(settings) })
    const save = (tx: Session) => repository.update(scope, { id, version, change: { ...change, settings: merged } }, tx)
    const tellCurrent = async (error: unknown) => {
      throw error instanceof AppError && error.code === 'stale_version'
        ? errors.staleVersion(await read(scope, id))
        : error
    }
    // Starting and pausing raise the version as well.
    if (!change.numberIds || before.status !== 'active')
      return show.whole(scope, await transaction(save).catch(tellCurrent))
    const changed = await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.raise(scope, tx)
        const bot = await save(tx)
        const flow = await repository.publishedFlow(scope, bot, tx)
        if (flow) await routing.claim(scope, bot, flow, tx)
        return bot
      }),
    ).catch(tellCurrent)
    await tell(scope)
    return show.whole(scope, changed)
  }

  /** Deletes a bot; its sessions end and go to people. @throws `not_found`, `in_use` naming the bot that continues to it. */
  async function remove(scope: WorkspaceScope, id: string): Promise<void> {
    await require(scope, id)
    await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.raise(scope, tx)
        const user = await repository.leadingTo(scope, id, tx)
        if (user && user.id !== id)
          throw new AppError('in_use', `${user.name} goes on to this bot. Publish it without that step first.`, {
            existing: { id: user.id, name: user.name },
          })
        const update = { $set: { status: 'paused' as const, deletedAt: new Date(), removal: deleted } } as const
        if (!(await repository.change(scope, id, update, tx))) throw missing()
        await routing.release(scope, id, tx)
        await runs.end(scope, id, { reason: 'The bot was deleted.' }, tx)
      }),
    )
    await tell(scope)
  }

  /** Restores a deleted bot, paused. One that is not deleted stays as it is. @throws `not_found`, `limit_reached`. */
  async function restore(scope: WorkspaceScope, id: string): Promise<ShownBot> {
    const bot = await repository.read(scope, id)
    if (!bot) throw missing()
    if (!bot.deletedAt) return show.whole(scope, bot)
    const restored = await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.hold(scope, tx)
        await checkRoom(scope, tx)
        const update = { $unset: { deletedAt: 1, removal: 1 } } as const
        return repository.change(scope, id, update, { ...tx, isDeleted: true })
      }),
    )
    return restored ? show.whole(scope, restored) : read(scope, id)
  }

  return {
    list,
    read,
    create: (scope: WorkspaceScope, { name, draft = emptyFlow }: { name: string; draft?: DraftFlow | undefined }) =>
      create(scope, { name, settings: botSettingsSchema.parse({}), numberIds: [], draft }),
    duplicate,
    update,
    remove,
    restore,
  }
}
