import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import {
  keptForEver,
  type MessageRetention,
  maxRetentionCount,
  type messageRetentionApi,
} from '@parley/contracts/inbox/message-retention'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UserContext } from '@parley/service-kit/http/context'
import { monthsBefore } from '../campaigns/recipients/old-rows.ts'
import type { createCountedMessages } from '../inbox/messages/counted-messages.ts'
import type { createOldMessages } from '../inbox/messages/old-messages.ts'
import { chosen, monthsAt } from './kept-months.ts'
import { type RetentionRecord, watched } from './message-retention.model.ts'
import type { RetentionRepository } from './message-retention.repository.ts'

type Preview = EndpointResponse<typeof messageRetentionApi.preview>

interface Dependencies {
  readonly records: RetentionRepository
  readonly counted: Pick<ReturnType<typeof createCountedMessages>, 'numberIds'>
  readonly old: Pick<ReturnType<typeof createOldMessages>, 'count'>
  readonly now?: () => Date
}

/** Stores how long a workspace keeps its messages, and tells what a shorter time would delete. */
export function createMessageRetention({ records, counted, old, now = () => new Date() }: Dependencies) {
  const shown = ({ revision, ...setting }: RetentionRecord): MessageRetention => {
    const months = monthsAt(setting, now())
    const { next } = setting
    const waits = next && next.from > now()
    return { months, next: waits ? { months: next.months, from: next.from.toISOString() } : null, version: revision }
  }

  async function read(scope: WorkspaceScope): Promise<MessageRetention> {
    const record = await records.read(scope)
    return record ? shown(record) : keptForEver
  }

  /** @throws `stale_version`. */
  async function update(
    ctx: UserContext,
    { months, version }: EndpointInput<typeof messageRetentionApi.update>['body'],
  ): Promise<MessageRetention> {
    const record = await records.read(ctx)
    const setting = chosen(record ?? { months: null }, months, now())
    const dueAt = setting.next && setting.months === null ? setting.next.from : now()
    const isWatched = setting.months !== null || setting.next !== undefined
    const fields = { ...setting, by: ctx.userId, ...(isWatched && { watch: watched, dueAt }) }
    const changed =
      (record?.revision ?? 0) === version
        ? await (record ? records.change(ctx, version, fields) : records.create(ctx, fields)).catch(
            (error: unknown) => {
              if (isDuplicateKey(error)) return null
              throw error
            },
          )
        : null
    if (!changed) throw errors.staleVersion(await read(ctx))
    return shown(changed)
  }

  async function preview(
    scope: WorkspaceScope,
    { months }: EndpointInput<typeof messageRetentionApi.preview>['query'],
  ): Promise<Preview> {
    const before = monthsBefore(now(), months)
    let messages = 0
    for (const numberId of await counted.numberIds(scope)) {
      messages += await old.count(scope, numberId, before, maxRetentionCount + 1 - messages)
      if (messages > maxRetentionCount) break
    }
    const exact = messages <= maxRetentionCount
    return { before: before.toISOString(), messages: Math.min(messages, maxRetentionCount), exact }
  }

  /** Returns the time before which messages are no longer kept; undefined where all are. */
  async function keptSince(scope: WorkspaceScope): Promise<Date | undefined> {
    const record = await records.read(scope)
    const months = record ? monthsAt(record, now()) : null
    return months === null ? undefined : monthsBefore(now(), months)
  }

  return { read, update, preview, keptSince }
}
