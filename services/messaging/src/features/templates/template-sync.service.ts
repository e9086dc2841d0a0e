import type { RecordedEvent } from '@parley/contracts/events'
import type { TemplateSync } from '@parley/contracts/template-endpoints'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { GraphCallFailed } from '../../whatsapp/graph-client.ts'
import { type TemplateAccess, type TemplateAtWhatsApp, templateCalls } from '../../whatsapp/template-calls.ts'
import { changesOf, newRecordOf, saysTheSame } from './template-differences.ts'
import type { TemplateStore } from './template-store.ts'
import type { TemplateSyncs } from './template-syncs.ts'
import { type TemplateRecord, templateKey } from './templates.model.ts'
import type { FieldChange, TemplatesRepository } from './templates.repository.ts'

const retryAfterMs = 15 * 60_000
/** What WhatsApp has not answered may still be on its way there. */
const unansweredMs = 10 * 60_000

/** Compares templates with those at WhatsApp: who wrote or changed them there is found here as well. */
export function createTemplateSync({
  templates,
  store,
  syncs,
  accessOf,
  accountsOf,
  transaction,
  wake,
  now,
}: {
  templates: TemplatesRepository
  store: TemplateStore
  syncs: TemplateSyncs
  accessOf: (scope: WorkspaceScope, accountId?: string) => Promise<TemplateAccess | undefined>
  /** The accounts of the numbers that are connected. */
  accountsOf: (scope: WorkspaceScope) => Promise<string[]>
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Has due accounts compared without waiting for the sweep. */
  wake: (records: readonly { id: string; workspaceId: string }[]) => Promise<void>
  now: () => Date
}) {
  async function state(scope: WorkspaceScope): Promise<TemplateSync> {
    const records = await syncs.of(scope)
    const times = records.map(({ syncedAt }) => syncedAt?.getTime())
    const known = times.every((time) => time !== undefined) && times.length > 0
    const problem = records.find((record) => record.problem !== undefined)?.problem
    return {
      running: records.some(({ startedAt, nextAt }) => startedAt !== undefined || nextAt <= now()),
      syncedAt: known ? new Date(Math.min(...times.map(Number))).toISOString() : null,
      ...(problem !== undefined && { problem }),
    }
  }

  /** By hand. */
  async function ask(scope: WorkspaceScope): Promise<TemplateSync> {
    const accounts = await accountsOf(scope)
    if (accounts.length === 0)
      throw errors.wrongState(
        'No number is connected yet. Templates are compared for the account of a connected number.',
      )
    await transaction((tx) => syncs.follow(scope, accounts, tx))
    await syncs.askSoon(scope)
    await wake(await syncs.of(scope))
    return state(scope)
  }

  /** Where numbers have changed, a new account is compared at once. */
  async function heedNumbers(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    if (events.some(({ type }) => type === 'number.changed')) await syncs.follow(scope, await accountsOf(scope), tx)
  }

  /** Compares one account's templates, if its time has come. */
  async function perform({ workspaceId, id }: { workspaceId: string; id: string }): Promise<void> {
    const scope = { workspaceId }
    const sync = await syncs.take(scope, id)
    if (!sync) return
    const access = await accessOf(scope, sync.businessAccountId)
    const { changed, ...outcome } = access
      ? await run(scope, access, sync.startedAt ?? now()).then(
          ({ changed, isUnsettled }) => ({ changed, ...(isUnsettled && { retryAfterMs: unansweredMs }) }),
          (error: unknown) => {
            if (!(error instanceof GraphCallFailed)) throw error
            const seconds = error.refusal?.retryAfterSeconds
            const wait = seconds === undefined ? retryAfterMs : seconds * 1000
            return { changed: 0, problem: error.message.slice(0, 500), retryAfterMs: wait }
          },
        )
      : { changed: 0, problem: 'No number of this account is connected.', retryAfterMs }
    await syncs.end(scope, sync, outcome)
    await transaction(async (tx) =>
      tx.emit({ workspaceId, type: 'templates.synced', by: { kind: 'system' }, data: { changed } }),
    )
  }

  /** @returns how many templates were not as WhatsApp has them. Only a run that has read all marks those that are missing. */
  async function run(scope: WorkspaceScope, access: TemplateAccess, startedAt: Date) {
    const { businessAccountId } = access
    const known: TemplateRecord[] = []
    for await (const record of templates.ofAccount(scope, businessAccountId)) known.push(record)
    const byId = new Map(known.map((record) => [record.waTemplateId, record]))
    const byKey = new Map(known.map((record) => [record.key, record]))
    const seen = new Set<string>()
    let changed = 0
    for await (const page of templateCalls.list(access)) {
      const unknown = []
      for (const told of page) {
        const record = byId.get(told.id) ?? byKey.get(templateKey(businessAccountId, told))
        if (!record) {
          unknown.push(newRecordOf(businessAccountId, told))
          continue
        }
        seen.add(record.id)
        const update = updateOf(record, told, startedAt)
        if (update && (await store.changeSeen(scope, record, update))) changed += 1
      }
      changed += await store.addAll(
        scope,
        unknown.filter((record) => record !== undefined),
      )
    }
    for (const record of known) {
      const update = seen.has(record.id) ? undefined : missing(record, startedAt)
      if (update && (await store.changeSeen(scope, record, update))) changed += 1
    }
    return { changed, isUnsettled: known.some((record) => isUnanswered(record, startedAt)) }
  }

  return {
    state,
    ask,
    heedNumbers,
    perform,
    due: async () => (await syncs.due()).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}

/** Whether WhatsApp may still be about to take what was handed to it. */
function isUnanswered(record: TemplateRecord, startedAt: Date): boolean {
  const { removedAt, submittedAt, waTemplateId, status, updatedAt } = record
  const since = submittedAt ?? (waTemplateId === undefined && status === 'pending' ? updatedAt : undefined)
  return !removedAt && since !== undefined && since.getTime() > startedAt.getTime() - unansweredMs
}

/** What was handed to WhatsApp is there, or is not after a while: then what is there counts, and no change was used up. */
function updateOf(record: TemplateRecord, told: TemplateAtWhatsApp, startedAt: Date): FieldChange | undefined {
  if (record.removedAt) return undefined
  const { submittedAt, editedAt = [] } = record
  const changes = changesOf(record, told, startedAt)
  if (!submittedAt) return changes
  const isTaken = saysTheSame(record, told)
  if (!isTaken && isUnanswered(record, startedAt)) return undefined
  const counted = isTaken ? editedAt : editedAt.filter((at) => at.getTime() !== submittedAt.getTime())
  const set = { ...changes?.$set, editedAt: counted }
  return {
    $set: set,
    $unset: { ...('statusDetail' in set ? {} : { statusDetail: '' }), ...changes?.$unset, submittedAt: '' },
  }
}

function missing(record: TemplateRecord, startedAt: Date): FieldChange | undefined {
  const { removedAt, waTemplateId, status, createdAt } = record
  if (removedAt || isUnanswered(record, startedAt)) return undefined
  if (waTemplateId === undefined) {
    if (status !== 'pending') return undefined
    const statusDetail = 'It has not reached WhatsApp: edit it and send it again.'
    return { $set: { status: 'draft', statusDetail }, $unset: { submittedAt: '' } }
  }
  if (status === 'disabled' || createdAt >= startedAt) return undefined
  return { $set: { status: 'disabled', statusDetail: 'WhatsApp does not have it any more.' } }
}
