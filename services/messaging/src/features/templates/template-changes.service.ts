import { editBudget, editRules } from '@parley/contracts/template-edits'
import type { Template, TemplateContent } from '@parley/contracts/templates'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { GraphCallFailed } from '../../whatsapp/graph-client.ts'
import { type TemplateAccess, templateCalls } from '../../whatsapp/template-calls.ts'
import { type Caller, showTemplate, type TemplateStore } from './template-store.ts'
import { type TemplateRecord, templateKey } from './templates.model.ts'
import type { TemplatesRepository } from './templates.repository.ts'
import type { TemplatesService } from './templates.service.ts'

const restorableMs = 30 * 24 * 3600_000

/** How people change templates: what they write is handed to WhatsApp for review. */
export function createTemplateChanges({
  templates,
  store,
  find,
  accessOf,
  now,
}: {
  templates: Pick<TemplatesRepository, 'removed'>
  store: TemplateStore
  find: TemplatesService['find']
  /** An account and its token; that of the default number unless one is named. */
  accessOf: (scope: WorkspaceScope, accountId?: string) => Promise<TemplateAccess | undefined>
  now: () => Date
}) {
  /** Stores a template and hands it to WhatsApp for review. @throws with WhatsApp's own words; nothing is kept then. */
  async function create(caller: Caller, content: TemplateContent): Promise<Template> {
    const access = await reach(caller)
    const { businessAccountId } = access
    const record = await store
      .create(caller, {
        ...present(content),
        businessAccountId,
        key: templateKey(businessAccountId, content),
        status: 'pending',
      })
      .catch(refuseTaken)
    try {
      const waTemplateId = await templateCalls.create(access, content)
      return showTemplate((await store.change(caller, record.id, { $set: { waTemplateId } })) ?? record)
    } catch (error) {
      await store.discard(caller, record)
      throw inWhatsAppsWords(error)
    }
  }

  /** Replaces what a template says; WhatsApp reviews it again. Name and language are what it is known by. */
  async function update(
    caller: Caller,
    id: string,
    { version, ...content }: TemplateContent & { version: number },
  ): Promise<Template> {
    const before = await find(caller, id)
    if (before.version !== version) throw errors.staleVersion(showTemplate(before))
    if (before.name !== content.name || before.language !== content.language) {
      const message = 'WhatsApp keeps a template’s name and language. Duplicate the template to change them.'
      throw errors.validation({ [before.name === content.name ? 'language' : 'name']: message })
    }
    refuseUneditable(before, now())
    if (before.waTemplateId !== undefined)
      await templateCalls
        .edit(await reach(caller, before.businessAccountId), before.waTemplateId, content)
        .catch((error: unknown) => {
          throw inWhatsAppsWords(error)
        })
    const absent = (['header', 'footer'] as const).filter((part) => !content[part])
    const changed = await store.changeVersion(caller, {
      id,
      version,
      update: {
        $set: { ...present(content), status: 'pending' },
        $unset: { rejectionReason: '', ...Object.fromEntries(absent.map((part) => [part, ''])) },
        ...(before.status === 'approved' && { $push: { editedAt: { $each: [now()], $slice: -editRules.most } } }),
      },
    })
    return showTemplate(changed)
  }

  /** It is hidden at once and stays with WhatsApp, so that it can come back within 30 days. */
  async function remove(caller: Caller, id: string): Promise<void> {
    await find(caller, id)
    await store.change(caller, id, { $set: { removedAt: new Date() }, $unset: { key: '' } })
  }

  async function restore(caller: Caller, id: string): Promise<Template> {
    const removed = await templates.removed(caller, id, new Date(Date.now() - restorableMs))
    if (!removed) throw errors.notFound('There is no such template.')
    const back = { $set: { key: templateKey(removed.businessAccountId, removed) }, $unset: { removedAt: '' } }
    const restored = await store.change(caller, id, back).catch(refuseTaken)
    return showTemplate(restored ?? removed)
  }

  async function reach(scope: WorkspaceScope, accountId?: string): Promise<TemplateAccess> {
    const access = await accessOf(scope, accountId)
    if (!access)
      throw errors.wrongState(
        'No number is connected yet. WhatsApp reviews templates for the account of a connected number.',
      )
    return access
  }

  return { create, update, remove, restore }
}

/** What WhatsApp would refuse whatever the change says. */
function refuseUneditable({ name, status, unsupported, editedAt = [] }: TemplateRecord, now: Date): void {
  if (unsupported?.length) throw errors.wrongState(`Parley cannot change a part of ${name}: ${unsupported.join(', ')}.`)
  if (status === 'pending')
    throw errors.wrongState(`WhatsApp is still reviewing ${name}. It can be changed once there is a verdict.`)
  if (status === 'disabled')
    throw errors.wrongState(`WhatsApp has disabled ${name}: it cannot be changed. Duplicate it instead.`)
  const { nextAt } = editBudget(editedAt, now)
  if (status !== 'approved' || !nextAt) return
  const hours = Math.ceil((nextAt.getTime() - now.getTime()) / 3600_000)
  const wait = hours > 48 ? `${Math.ceil(hours / 24)} days` : hours === 1 ? 'an hour' : `${hours} hours`
  const message = `WhatsApp takes one change of an approved template in 24 hours, and ten in 30 days. ${name} can be changed in ${wait}.`
  throw new AppError('edit_limit', message)
}

/** What a person left empty is absent. */
const present = ({ header, footer, ...content }: TemplateContent) => ({
  ...content,
  ...(header && { header }),
  ...(footer && { footer }),
})

function refuseTaken(error: unknown): never {
  if (!isDuplicateKey(error)) throw error
  const message = 'There is already a template of this name in this language.'
  throw new AppError('template_exists', message, { fields: { name: message } })
}

/** Fields that WhatsApp's refusals are about: the name that exists, the form of header and footer. */
const refusedFields: Readonly<Record<number, string>> = { 2388024: 'name', 2388047: 'header', 2388073: 'footer' }

function inWhatsAppsWords(error: unknown): unknown {
  if (!(error instanceof GraphCallFailed)) return error
  const { refusal } = error
  return refusal
    ? errors.validation({ [refusedFields[refusal.subcode ?? refusal.code] ?? 'body']: refusal.message })
    : new AppError('upstream_failed', error.message)
}
