import { uneditable } from '@parley/contracts/template-edits'
import type { Template } from '@parley/contracts/templates'
import { errors } from '@parley/service-kit/core/errors'
import { type Caller, showTemplate, type TemplateStore } from './template-store.ts'
import type { TemplateVersions } from './template-versions.ts'
import type { TemplateRecord } from './templates.model.ts'
import type { FieldChange } from './templates.repository.ts'
import type { TemplatesService } from './templates.service.ts'

/** Drafts of templates that WhatsApp has: they are kept until they are sent for review, or dropped. */
export function createTemplateDrafts({
  versions,
  store,
  find,
  now,
}: {
  versions: Pick<TemplateVersions, 'read'>
  store: Pick<TemplateStore, 'changeSeen'>
  find: TemplatesService['find']
  now: () => Date
}) {
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
    const { name, language, category, status } = before
    const reason = uneditable(before, now())
    if (reason === 'unsupported') throw errors.wrongState(`${name} has a part that Parley cannot change.`)
    if (reason === 'disabled')
      throw errors.wrongState(`WhatsApp has disabled ${name}: it cannot be changed. Duplicate it instead.`)
    const content = await versions.read(caller, id, number)
    const fixed = { name, language, ...(status === 'approved' && { category }) }
    return change(caller, { before, version }, { $set: { draft: { content: { ...content, ...fixed }, from: number } } })
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
    const isChanged = await store.changeSeen(caller, before, update)
    const current = showTemplate(await find(caller, before.id))
    if (!isChanged) throw errors.staleVersion(current)
    return current
  }

  return { restore, discard }
}
