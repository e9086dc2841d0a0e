import { uneditable } from '@parley/contracts/templates/template-edits'
import type { Template, TemplateContent } from '@parley/contracts/templates/templates'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { TemplateHeaders } from './template-headers.ts'
import type { TemplateRemoval } from './template-removal.ts'
import { type Caller, showTemplate, type TemplateStore } from './template-store.ts'
import type { TemplateVersions } from './template-versions.ts'
import { type TemplateRecord, templateKey } from './templates.model.ts'
import type { FieldChange } from './templates.repository.ts'
import type { TemplatesService } from './templates.service.ts'
import { isUnsent } from './unsent.ts'
import { present, reachAccount, refuseTaken, withAddress } from './written-content.ts'

/** Drafts, not submitted for review: templates that WhatsApp does not have, and the next text of those that it has. */
export function createTemplateDrafts({
  versions,
  store,
  headers,
  removal: { refuseHidden },
  find,
  numbers: { accountAccess: accessOf },
  trackingAddress,
  now,
}: {
  versions: Pick<TemplateVersions, 'read'>
  store: Pick<TemplateStore, 'changeIfUnchanged' | 'createDraft' | 'saveDraft'>
  headers: Pick<TemplateHeaders, 'checked' | 'withoutGone'>
  /** @throws `template_exists`, `validation_failed` for a name that a deleted template keeps. */
  removal: Pick<TemplateRemoval, 'refuseHidden'>
  find: TemplatesService['find']
  numbers: Pick<NumbersService, 'accountAccess'>
  /** Prefix of counted links; undefined where visits cannot be counted. */
  trackingAddress: string | undefined
  now: Clock
}) {
  /** Creates a template that is not submitted to WhatsApp yet. @throws `template_exists`, `wrong_state`, `validation_failed`. */
  async function create(
    caller: Caller,
    { accountId, ...written }: TemplateContent & { accountId?: string | undefined },
  ): Promise<Template> {
    const content = await headers.checked(caller, withAddress(written, trackingAddress))
    const { businessAccountId } = await reachAccount(accessOf, caller, accountId)
    const key = templateKey(businessAccountId, content)
    await refuseHidden(caller, key)
    const draft = { ...present(content), businessAccountId, key, status: 'draft' as const }
    return showTemplate(await store.createDraft(caller, draft).catch(refuseTaken))
  }

  /**
   * Keeps what is written for a template. What WhatsApp does not have says it from now on, under any free name.
   * @throws `not_found`, `stale_version`, `template_exists`, `validation_failed`; `wrong_state` as `restore`.
   */
  async function save(
    caller: Caller,
    id: string,
    { version, ...written }: TemplateContent & { version: number },
  ): Promise<Template> {
    const before = await find(caller, id)
    if (before.version !== version) throw errors.staleVersion(showTemplate(before))
    refuseFixed(before)
    const content = present(await headers.checked(caller, withAddress(written, trackingAddress)))
    if (!isUnsent(before)) {
      const draft = { content: { ...content, ...fixedOf(before) } }
      return showTemplate(await store.saveDraft(caller, before, { $set: { draft } }))
    }
    const key = templateKey(before.businessAccountId, content)
    if (key !== before.key) await refuseHidden(caller, key)
    const parts = ['header', 'headerMedia', 'authentication', 'offer', 'cards', 'footer'] as const
    const gone = ['draft', ...parts.filter((part) => content[part] === undefined)]
    const update = { $set: { ...content, key }, $unset: Object.fromEntries(gone.map((part) => [part, ''])) }
    return showTemplate(await store.saveDraft(caller, before, update).catch(refuseTaken))
  }

  /** @throws `wrong_state` for a template that can never be sent for review again. */
  function refuseFixed(template: TemplateRecord): void {
    const { name } = template
    const reason = uneditable(template, now())
    if (reason === 'unsupported') throw errors.wrongState(`${name} has a part that Parley cannot change.`)
    if (reason === 'disabled')
      throw errors.wrongState(`WhatsApp has disabled ${name}: it cannot be changed. Duplicate it instead.`)
  }

  /**
   * Makes what an earlier version says the draft. What WhatsApp does not let change stays as it is.
   * @throws `not_found`, `stale_version`, `wrong_state` for a template that can never be sent for review again.
   */
  async function restore(
    caller: Caller,
    { id, number }: { id: string; number: number },
    version: number,
  ): Promise<Template> {
    const before = await find(caller, id)
    refuseFixed(before)
    const text = await headers.withoutGone(caller, await versions.read(caller, id, number))
    const content = { ...text, ...fixedOf(before) }
    return change(caller, { before, version }, { $set: { draft: { content, from: number } } })
  }

  /** @throws `not_found`, `stale_version`. */
  async function discard(caller: Caller, id: string, version: number): Promise<Template> {
    return change(caller, { before: await find(caller, id), version }, { $set: {}, $unset: { draft: '' } })
  }

  async function change(
    caller: Caller,
    { before, version }: { before: TemplateRecord; version: number },
    update: FieldChange,
  ): Promise<Template> {
    if (before.version !== version) throw errors.staleVersion(showTemplate(before))
    const isChanged = await store.changeIfUnchanged(caller, before, update)
    const current = showTemplate(await find(caller, before.id))
    if (!isChanged) throw errors.staleVersion(current)
    return current
  }

  return { create, save, restore, discard }
}

/** Picks the fields that WhatsApp does not let change. */
const fixedOf = ({ name, language, category, status }: TemplateRecord) => ({
  name,
  language,
  ...(status === 'approved' && { category }),
})
