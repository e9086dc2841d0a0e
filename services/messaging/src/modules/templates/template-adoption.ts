import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { GraphCallFailed } from '../../whatsapp/graph-answer.ts'
import { type TemplateAccess, type TemplateAtWhatsApp, templateCalls } from '../../whatsapp/template-calls.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import { updateOf } from './template-comparison.ts'
import { newRecordOf } from './template-differences.ts'
import type { TemplateReads } from './template-reads.ts'
import type { TemplateStore } from './template-store.ts'
import { syncErrorOf, type TemplateSyncs } from './template-syncs.ts'
import { templateKey } from './templates.model.ts'
import type { TemplatesRepository } from './templates.repository.ts'

const maxAttempts = 5

/**
 * Reads single templates from WhatsApp of which a webhook has told that something is otherwise, but not what. What cannot be
 * read is left to the next comparison of the whole account: only that one finds that a template is gone.
 */
export function createTemplateAdoption({
  templates,
  store,
  reads,
  numbers: { accountAccess: accessOf },
  syncs: { askSoon },
  now,
}: {
  templates: Pick<TemplatesRepository, 'byPlatformId' | 'byKey'>
  store: Pick<TemplateStore, 'changeIfUnchanged' | 'addAll'>
  reads: TemplateReads
  numbers: Pick<NumbersService, 'accountAccess'>
  /** Has the account's templates compared with those at WhatsApp. */
  syncs: Pick<TemplateSyncs, 'askSoon'>
  now: Clock
}) {
  /** Reads one template, if its time has come. Safe to do again. */
  async function perform({ workspaceId, id }: JobRecord): Promise<void> {
    const scope = { workspaceId }
    const read = await reads.claim(scope, id)
    if (!read) return
    const { businessAccountId, waTemplateId, attempts } = read
    const access = await accessOf(scope, businessAccountId)
    const startedAt = now()
    const atWhatsApp = access && (await ask(access, waTemplateId))
    const isAdopted =
      typeof atWhatsApp === 'object' && (await adopt(scope, { businessAccountId, atWhatsApp, startedAt }))
    // The lease is the wait until the next attempt.
    if (atWhatsApp !== undefined && !isAdopted && attempts < maxAttempts) return
    if (!isAdopted) await askSoon(scope, businessAccountId)
    await reads.end(scope, read)
  }

  /** @returns whether it is here now as WhatsApp has it; another change at the same moment leaves that open. */
  async function adopt(
    scope: WorkspaceScope,
    {
      businessAccountId,
      atWhatsApp,
      startedAt,
    }: { businessAccountId: string; atWhatsApp: TemplateAtWhatsApp; startedAt: Date },
  ): Promise<boolean> {
    const known =
      (await templates.byPlatformId(scope, atWhatsApp.id)) ??
      (await templates.byKey(scope, templateKey(businessAccountId, atWhatsApp)))
    if (!known) {
      const record = newRecordOf(businessAccountId, atWhatsApp)
      return record === undefined || (await store.addAll(scope, [record])) > 0
    }
    const update = updateOf(known, atWhatsApp, startedAt)
    return update === undefined || store.changeIfUnchanged(scope, known, update)
  }

  return {
    perform,
    due: async (): Promise<JobRecord[]> => (await reads.due()).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}

/** @returns `later` where WhatsApp could not be asked, or does not want to be asked now; `undefined` for what it does not have. */
async function ask(access: TemplateAccess, waTemplateId: string): Promise<TemplateAtWhatsApp | 'later' | undefined> {
  try {
    return await templateCalls.read(access, waTemplateId)
  } catch (error) {
    if (!(error instanceof GraphCallFailed)) throw error
    const { code } = syncErrorOf(error)
    return code === 'unreachable' || code === 'rate_limited' ? 'later' : undefined
  }
}
