import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { TemplateSync } from '@parley/contracts/templates/template-endpoints'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { JobRecord, Jobs } from '@parley/service-kit/queue/jobs'
import { GraphCallFailed } from '../../whatsapp/graph-answer.ts'
import { type TemplateAccess, templateCalls } from '../../whatsapp/template-calls.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { Forms } from './forms.ts'
import { isUnanswered, missing, unansweredMs, updateOf } from './template-comparison.ts'
import { newRecordOf } from './template-differences.ts'
import type { TemplateStore } from './template-store.ts'
import { createTemplateSyncRuns, type TemplateSyncRuns } from './template-sync-runs.ts'
import type { TemplateSyncRecord } from './template-syncs.model.ts'
import { isRunning, syncErrorOf, type TemplateSyncs } from './template-syncs.ts'
import { type TemplateRecord, templateKey } from './templates.model.ts'
import type { TemplatesRepository } from './templates.repository.ts'

const retryAfterMs = 15 * 60_000
/** Findings of a run so far; a run that breaks off reports them too. */
interface Found {
  seen: number
  changed: number
  gone: number
}

/** Compares templates with those at WhatsApp: templates that were written or changed there are stored here as well. */
export function createTemplateSync({
  templates,
  store,
  syncs,
  forms,
  numbers: { accountAccess: accessOf, accounts: accountsOf },
  mongo,
  cursors,
  queues,
  transaction,
  now,
}: {
  templates: TemplatesRepository
  store: TemplateStore
  syncs: TemplateSyncs
  /** Reads the account's forms beside its templates. */
  forms: Pick<Forms, 'readAll'>
  numbers: Pick<NumbersService, 'accountAccess' | 'accounts'>
  mongo: ServiceConnection
  cursors: PageCursors
  queues: { jobs: (name: string) => Pick<Jobs, 'add'> }
  transaction: RunInTransaction
  now: Clock
}) {
  const runs = createTemplateSyncRuns(mongo, cursors)
  /** Has due accounts compared without waiting for the sweep. */
  const wake = (records: readonly JobRecord[]) =>
    queues.jobs('template-sync').add(records.map(({ id, workspaceId }) => ({ id, workspaceId })))

  async function state(scope: WorkspaceScope): Promise<TemplateSync> {
    const records = await syncs.of(scope)
    const times = records.map(({ syncedAt }) => syncedAt?.getTime())
    const known = times.every((time) => time !== undefined) && times.length > 0
    const problem = records.find((record) => record.problem !== undefined)?.problem
    const latest = await Promise.all(records.map(({ businessAccountId }) => runs.latest(scope, businessAccountId)))
    return {
      latest: latest.filter((run) => run !== undefined),
      running: records.some((record) => isRunning(record, now())),
      syncedAt: known ? new Date(Math.min(...times.map(Number))).toISOString() : null,
      ...(problem !== undefined && { problem }),
    }
  }

  /** Returns the state with a page of the comparisons. */
  async function history(scope: WorkspaceScope, query: Parameters<TemplateSyncRuns['page']>[1]) {
    const [current, page] = await Promise.all([state(scope), runs.page(scope, query)])
    return { ...current, ...page }
  }

  /** Starts a manual comparison. */
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

  /** Follows the accounts of changed numbers; a new account is compared at once. */
  async function onNumbersChanged(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    if (events.some(({ type }) => type === 'number.changed')) await syncs.follow(scope, await accountsOf(scope), tx)
  }

  /** Compares one account's templates, if its time has come. */
  async function perform({ workspaceId, id }: { workspaceId: string; id: string }): Promise<void> {
    const scope = { workspaceId }
    const sync = await syncs.claim(scope, id)
    if (!sync) return
    const access = await accessOf(scope, sync.businessAccountId)
    const startedAt = sync.startedAt ?? now()
    const found: Found = { seen: 0, changed: 0, gone: 0 }
    const { error, ...outcome } = access
      ? await run(scope, access, { startedAt, found }).then(
          ({ isUnsettled }) => ({ error: undefined, ...(isUnsettled && { retryAfterMs: unansweredMs }) }),
          (failed: unknown) => {
            if (!(failed instanceof GraphCallFailed)) throw failed
            const seconds = failed.refusal?.retryAfterSeconds
            const wait = seconds === undefined ? retryAfterMs : seconds * 1000
            const reason = syncErrorOf(failed)
            return { error: reason, problem: reason.message, retryAfterMs: wait }
          },
        )
      : { error: notConnected, problem: notConnected.message, retryAfterMs }
    if (access) await readForms(scope, sync, access)
    const { businessAccountId } = sync
    await runs.add(scope, { businessAccountId, startedAt, endedAt: now(), ...found, ...(error && { error }) })
    await syncs.end(scope, sync, outcome)
    await transaction(async (tx) =>
      tx.emit({
        workspaceId,
        type: 'templates.synced',
        by: { kind: 'system' },
        data: { changed: found.changed + found.gone },
      }),
    )
  }

  /** Reads the account's forms; that they cannot be read says nothing about its templates. */
  async function readForms(scope: WorkspaceScope, sync: TemplateSyncRecord, access: TemplateAccess): Promise<void> {
    const problem = await forms.readAll(scope, access).then(
      () => undefined,
      (failed: unknown) => {
        if (!(failed instanceof GraphCallFailed)) throw failed
        return syncErrorOf(failed).message
      },
    )
    await syncs.noteForms(scope, sync, problem)
  }

  /** Runs a comparison; only one that has read all templates marks the missing ones. @param run.found is added to. */
  async function run(
    scope: WorkspaceScope,
    access: TemplateAccess,
    { startedAt, found }: { startedAt: Date; found: Found },
  ) {
    const { businessAccountId } = access
    const known: TemplateRecord[] = []
    for await (const record of templates.ofAccount(scope, businessAccountId)) known.push(record)
    const byId = new Map(known.map((record) => [record.waTemplateId, record]))
    const byKey = new Map(known.map((record) => [record.key, record]))
    const seen = new Set<string>()
    for await (const page of templateCalls.list(access)) {
      const unknown = []
      found.seen += page.length
      for (const atWhatsApp of page) {
        const record = byId.get(atWhatsApp.id) ?? byKey.get(templateKey(businessAccountId, atWhatsApp))
        if (!record) {
          unknown.push(newRecordOf(businessAccountId, atWhatsApp))
          continue
        }
        seen.add(record.id)
        const update = updateOf(record, atWhatsApp, startedAt)
        if (update && (await store.changeIfUnchanged(scope, record, update))) found.changed += 1
      }
      found.changed += await store.addAll(
        scope,
        unknown.filter((record) => record !== undefined),
      )
    }
    for (const record of known) {
      const update = seen.has(record.id) ? undefined : missing(record, startedAt)
      if (update && (await store.changeIfUnchanged(scope, record, update))) found.gone += 1
    }
    return { isUnsettled: known.some((record) => isUnanswered(record, startedAt)) }
  }

  return {
    history,
    ask,
    onNumbersChanged,
    perform,
    due: async () => (await syncs.due()).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}

const notConnected = { code: 'not_connected', message: 'No number of this account is connected.' } as const
