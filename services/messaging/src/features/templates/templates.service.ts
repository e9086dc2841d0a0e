import { fillPlaceholders, templatePlaceholders } from '@parley/contracts/placeholders'
import type { Template, TemplateContent } from '@parley/contracts/templates'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { GraphCallFailed } from '../../whatsapp/graph-client.ts'
import {
  categoryOf,
  qualityOf,
  readTemplateEvent,
  statusOf,
  type TemplateAccess,
  type TemplateAtWhatsApp,
  templateCalls,
} from '../../whatsapp/template-calls.ts'
import { sendComponents } from '../../whatsapp/template-components.ts'
import type { TemplateRecord } from './templates.model.ts'
import type { TemplateListQuery, TemplatesRepository } from './templates.repository.ts'

const restorableMs = 30 * 24 * 3600_000

export type TemplatesService = ReturnType<typeof createTemplatesService>

/** Message templates: written here, reviewed by WhatsApp. */
export function createTemplatesService({
  templates,
  accessOf,
}: {
  templates: TemplatesRepository
  /** The account of the default number, and its token. */
  accessOf: (scope: WorkspaceScope) => Promise<TemplateAccess | undefined>
}) {
  async function list(scope: WorkspaceScope, query: TemplateListQuery) {
    const page = await templates.page(scope, query)
    return { ...page, items: page.items.map(show) }
  }

  async function summary(scope: WorkspaceScope) {
    const [total, approved, pending, rejected] = await Promise.all([
      templates.count(scope),
      templates.count(scope, 'approved'),
      templates.count(scope, 'pending'),
      templates.count(scope, 'rejected'),
    ])
    return { total, approved, pending, rejected }
  }

  async function find(scope: WorkspaceScope, id: string): Promise<TemplateRecord> {
    const template = await templates.read(scope, id)
    if (!template) throw errors.notFound('There is no such template.')
    return template
  }

  /** Stores a template and hands it to WhatsApp for review. @throws with WhatsApp's own words; nothing is kept then. */
  const create = async (scope: WorkspaceScope, content: TemplateContent): Promise<Template> =>
    submit(scope, await reach(scope), content)

  async function submit(
    scope: WorkspaceScope,
    access: TemplateAccess,
    content: TemplateContent,
    { sample }: { sample?: true } = {},
  ): Promise<Template> {
    const { businessAccountId } = access
    const record = await templates
      .create(scope, {
        ...present(content),
        businessAccountId,
        key: keyOf(businessAccountId, content),
        status: 'pending',
        ...(sample && { sample }),
      })
      .catch(refuseTaken)
    try {
      const waTemplateId = await templateCalls.create(access, content)
      const stored = await templates.change(scope, record.id, { $set: { waTemplateId } })
      return show(stored ?? record)
    } catch (error) {
      await templates.discard(scope, record.id)
      throw inWhatsAppsWords(error)
    }
  }

  /** Hands the templates of the sample data to the simulator; those that are there already stay as they are. */
  async function createSample(
    scope: WorkspaceScope,
    access: TemplateAccess,
    contents: readonly TemplateContent[],
  ): Promise<void> {
    for (const content of contents)
      await submit(scope, access, content, { sample: true }).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'template_exists')) throw error
      })
  }

  /** Replaces what a template says; WhatsApp reviews it again. Name and language are what it is known by. */
  async function update(
    scope: WorkspaceScope,
    id: string,
    { version, ...content }: TemplateContent & { version: number },
  ): Promise<Template> {
    const before = await find(scope, id)
    if (before.version !== version) throw errors.staleVersion(show(before))
    if (before.name !== content.name || before.language !== content.language) {
      const message = 'WhatsApp keeps a template’s name and language. Duplicate the template to change them.'
      throw errors.validation({ [before.name === content.name ? 'language' : 'name']: message })
    }
    if (before.waTemplateId !== undefined)
      await templateCalls.edit(await reach(scope), before.waTemplateId, content).catch((error: unknown) => {
        throw inWhatsAppsWords(error)
      })
    const absent = (['header', 'footer'] as const).filter((part) => !content[part])
    const changed = await templates.changeVersion(scope, {
      id,
      version,
      update: {
        $set: { ...present(content), status: 'pending' },
        $unset: { rejectionReason: '', ...Object.fromEntries(absent.map((part) => [part, ''])) },
      },
      toAnswer: show,
    })
    return show(changed)
  }

  /** It is hidden at once and stays with WhatsApp, so that it can come back within 30 days. */
  async function remove(scope: WorkspaceScope, id: string): Promise<void> {
    await find(scope, id)
    await templates.change(scope, id, { $set: { removedAt: new Date() }, $unset: { key: '' } })
  }

  async function restore(scope: WorkspaceScope, id: string): Promise<Template> {
    const removed = await templates.removed(scope, id, new Date(Date.now() - restorableMs))
    if (!removed) throw errors.notFound('There is no such template.')
    const back = { $set: { key: keyOf(removed.businessAccountId, removed) }, $unset: { removedAt: '' } }
    const restored = await templates.change(scope, id, back).catch(refuseTaken)
    return show(restored ?? removed)
  }

  /** A webhook about a template, inside the transaction that takes it from its lane. */
  async function applyEvent(
    scope: WorkspaceScope,
    { accountId, field, value }: { accountId: string; field: string; value: unknown },
    tx: Tx,
  ): Promise<void> {
    const told = readTemplateEvent(field, value)
    if (!told) return
    const set = {
      ...(told.status && { status: told.status }),
      ...(told.status === 'rejected' && { rejectionReason: (told.rejectionReason ?? '').slice(0, 300) }),
      ...(told.category && { category: told.category }),
      ...(told.quality && { quality: told.quality }),
    }
    const template = await templates.byKey(scope, keyOf(accountId, told), { session: tx.session })
    // What is known already is not written: people may have its form open.
    if (!template || Object.entries(set).every(([name, value]) => Reflect.get(template, name) === value)) return
    const changed = await templates.change(scope, template.id, { $set: set }, { session: tx.session })
    if (!changed) return
    tx.emit({
      workspaceId: scope.workspaceId,
      type: 'template.changed',
      recordId: changed.id,
      version: changed.version,
      by: { kind: 'system' },
      data: { templateId: changed.id },
    })
  }

  /** Asks WhatsApp what has become of a template, where a webhook has not told. */
  async function refresh(scope: WorkspaceScope, id: string): Promise<Template> {
    const template = await find(scope, id)
    if (template.status !== 'pending' || template.waTemplateId === undefined) return show(template)
    const access = await accessOf(scope)
    if (access?.businessAccountId !== template.businessAccountId) return show(template)
    const told = await templateCalls.describe(access, template.waTemplateId).catch(() => undefined)
    const set = told && toldOf(told)
    if (!set?.status || set.status === template.status) return show(template)
    return show((await templates.change(scope, id, { $set: set })) ?? template)
  }

  /** What is sent of an approved template with its values. @throws `not_found`, `template_not_approved`, `validation_failed`. */
  async function approved(scope: WorkspaceScope, id: string, values: Readonly<Record<string, string>>) {
    const template = await find(scope, id)
    if (template.status !== 'approved')
      throw new AppError('template_not_approved', `The template ${template.name} is ${template.status}, not approved.`)
    const missing = templatePlaceholders(template).find((key) => !values[key]?.trim())
    if (missing !== undefined) throw errors.validation({ [`values.${missing}`]: `Enter a value for {{${missing}}}.` })
    const { name, language, header, body, footer } = template
    const text = [header, body, footer].flatMap((part) => (part ? fillPlaceholders(part, values) : [])).join('\n\n')
    return {
      type: 'template' as const,
      templateId: id,
      name,
      language,
      text: text.slice(0, 2048),
      components: sendComponents(template, values),
    }
  }

  async function reach(scope: WorkspaceScope): Promise<TemplateAccess> {
    const access = await accessOf(scope)
    if (!access) throw errors.wrongState('Connect a WhatsApp number first: its account reviews the templates.')
    return access
  }

  return {
    list,
    summary,
    read: refresh,
    create,
    createSample,
    removeSample: templates.removeSample,
    update,
    remove,
    restore,
    applyEvent,
    approved,
  }
}

const keyOf = (accountId: string, { name, language }: { name: string; language: string }): string =>
  `${accountId}/${name}/${language}`

/** What a person left empty is absent. */
const present = ({ header, footer, ...content }: TemplateContent) => ({
  ...content,
  ...(header && { header }),
  ...(footer && { footer }),
})

const toldOf = ({ status, category, rejected_reason: reason, quality_score: score }: TemplateAtWhatsApp) => {
  const words = { status: statusOf(status), category: categoryOf(category), quality: qualityOf(score?.score) }
  return {
    ...(words.status && { status: words.status }),
    ...(words.category && { category: words.category }),
    ...(words.quality && { quality: words.quality }),
    ...(words.status === 'rejected' && { rejectionReason: reason ?? '' }),
  }
}

function show(record: TemplateRecord): Template {
  const { id, version, name, language, category, header, body, footer, buttons, examples } = record
  const { status, rejectionReason, quality } = record
  return {
    ...{ id, version, name, language, category, body, buttons, examples, status },
    ...(header && { header }),
    ...(footer && { footer }),
    ...(rejectionReason && { rejectionReason }),
    ...(quality && { quality }),
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    usage: { campaigns: 0, bots: 0, workflows: 0 },
  }
}

function refuseTaken(error: unknown): never {
  if (!isDuplicateKey(error)) throw error
  const message = 'There is already a template of this name in this language.'
  throw new AppError('template_exists', message, { fields: { name: message } })
}

function inWhatsAppsWords(error: unknown): unknown {
  if (!(error instanceof GraphCallFailed)) return error
  return error.refusal
    ? errors.validation({ body: error.refusal.message })
    : new AppError('upstream_failed', error.message)
}
