import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import type { Template } from '@parley/contracts/templates/templates'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { GraphCallFailed } from '../../whatsapp/graph-answer.ts'
import { templateCalls } from '../../whatsapp/template-calls.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import { type Caller, showTemplate, type TemplateStore } from './template-store.ts'
import { type TemplateRecord, templateKey } from './templates.model.ts'
import type { TemplatesRepository } from './templates.repository.ts'
import type { TemplatesService } from './templates.service.ts'
import { isUnsent } from './unsent.ts'
import { inUse, refuseTaken } from './written-content.ts'

const dayMs = 24 * 3600_000
const restorableMs = 30 * dayMs
/** Milliseconds after which WhatsApp accepts the name of a deleted template that was approved (Cloud API, message templates: delete). */
const nameBlockedMs = 30 * dayMs
const retryMs = 3600_000

export type TemplateRemoval = ReturnType<typeof createTemplateRemoval>

/**
 * Templates go in two steps: hidden at once, which can be taken back for 30 days, and then deleted at WhatsApp, where that cannot
 * be undone. Until then WhatsApp has the template, and its name is not free.
 */
export function createTemplateRemoval({
  templates,
  store,
  find,
  numbers: { accountAccess: accessOf },
  campaignsOf,
  now,
}: {
  templates: Pick<TemplatesRepository, 'hidden' | 'hiddenAs' | 'restorable' | 'toPurge'>
  store: Pick<TemplateStore, 'change' | 'releaseFiles' | 'removeDraft'>
  find: TemplatesService['find']
  /** An account and its token. */
  numbers: Pick<NumbersService, 'accountAccess'>
  /** The campaigns that are to send a template. */
  campaignsOf: (scope: WorkspaceScope, templateId: string) => Promise<TemplateUse[]>
  now: Clock
}) {
  /**
   * @param options.atWhatsApp deletes it there as well, at once, also where it is hidden already.
   * @throws `not_found`, `template_in_use`; `upstream_failed` where WhatsApp does not delete it: it stays hidden then.
   */
  async function remove(caller: Caller, id: string, { atWhatsApp = false } = {}): Promise<void> {
    const hidden = (atWhatsApp && (await templates.hidden(caller, id))) || (await hide(caller, id))
    if (atWhatsApp && hidden?.purge === 'due') await removeAtWhatsApp(caller, hidden)
  }

  async function hide(caller: Caller, id: string): Promise<TemplateRecord | null> {
    const template = await find(caller, id)
    const using = await campaignsOf(caller, id)
    if (using.length > 0) throw inUse(template.name, using, 'Cancel')
    const removedAt = now()
    const restorableUntil = new Date(removedAt.getTime() + restorableMs)
    if (isUnsent(template)) return removeDraft(caller, template)
    // A template that WhatsApp has never seen reserves no name.
    const isThere = template.waTemplateId !== undefined || template.submittedAt !== undefined
    const key = templateKey(template.businessAccountId, template)
    const atWhatsApp = { hiddenKey: key, purge: 'due' as const, purgeAt: restorableUntil }
    const set = { removedAt, restorableUntil, ...(isThere && atWhatsApp) }
    return store.change(caller, id, { $set: set, $unset: { key: '' } })
  }

  /** Removes a draft, of which nothing is at WhatsApp. */
  async function removeDraft(caller: Caller, draft: TemplateRecord): Promise<null> {
    if (await store.removeDraft(caller, draft)) return null
    throw errors.wrongState(`Someone has just changed ${draft.name} or sent it for review. Check it first.`)
  }

  async function restore(caller: Caller, id: string): Promise<Template> {
    const hidden = await templates.restorable(caller, id, now())
    if (!hidden) throw errors.notFound('There is no such template.')
    const back = {
      $set: { key: templateKey(hidden.businessAccountId, hidden) },
      $unset: { removedAt: '', restorableUntil: '', hiddenKey: '', purge: '', purgeAt: '' },
    } as const
    const restored = await store.change(caller, id, back).catch(refuseTaken)
    return showTemplate(restored ?? hidden)
  }

  /**
   * Refuses a name that a removed template still holds. @throws `template_exists` with what can be restored, `validation_failed`
   * beside the name.
   */
  async function refuseHidden(scope: WorkspaceScope, key: string): Promise<void> {
    const hidden = await templates.hiddenAs(scope, key)
    const there = hidden.find(({ deletedAt }) => !deletedAt)
    if (there) {
      const isRestorable = there.restorableUntil !== undefined && there.restorableUntil > now()
      const message = isRestorable
        ? 'A template of this name in this language was deleted here, and WhatsApp still has it. Restore it, or choose another name.'
        : 'WhatsApp is deleting a template of this name in this language. Choose another name.'
      const existing = isRestorable && { existing: { id: there.id, name: there.name } }
      throw new AppError('template_exists', message, { fields: { name: message }, ...existing })
    }
    const freeAt = Math.max(0, ...hidden.map(({ nameFreeAt }) => nameFreeAt?.getTime() ?? 0))
    if (freeAt <= now().getTime()) return
    const days = Math.ceil((freeAt - now().getTime()) / dayMs)
    const wait = days === 1 ? 'one more day' : `${days} more days`
    throw errors.validation({
      name: `WhatsApp keeps the name of a deleted template for 30 days, this one for ${wait}. Choose another name.`,
    })
  }

  /** Deletes what has been hidden for long enough. Safe to do again: what is not there any more is deleted. */
  async function purge({ workspaceId, id }: JobRecord): Promise<void> {
    const scope = { workspaceId }
    const hidden = await templates.hidden(scope, id)
    if (!hidden?.purgeAt || hidden.purgeAt > now()) return
    const again = { $set: { restorableUntil: now(), purgeAt: new Date(now().getTime() + retryMs) } }
    if (await store.change(scope, id, again)) await removeAtWhatsApp(scope, hidden)
  }

  async function removeAtWhatsApp(caller: Caller, template: TemplateRecord) {
    const { id, name, waTemplateId, businessAccountId, status } = template
    if (waTemplateId !== undefined) {
      const access = await accessOf(caller, businessAccountId)
      if (!access)
        throw errors.wrongState('No number of its account is connected: WhatsApp cannot be asked to delete it.')
      await templateCalls.remove(access, { id: waTemplateId, name }).catch((error: unknown) => {
        throw error instanceof GraphCallFailed ? new AppError('upstream_failed', error.message) : error
      })
    }
    const deletedAt = now()
    const wasApproved = status !== 'rejected' && status !== 'draft' && status !== 'pending'
    await store.releaseFiles(caller, template)
    const nameFreeAt = new Date(deletedAt.getTime() + (wasApproved ? nameBlockedMs : 0))
    await store.change(caller, id, {
      $set: { deletedAt, nameFreeAt, restorableUntil: deletedAt },
      $unset: { purge: '', purgeAt: '' },
    })
  }

  return {
    remove,
    restore,
    refuseHidden,
    purge,
    due: async (): Promise<JobRecord[]> =>
      (await templates.toPurge(now())).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}
