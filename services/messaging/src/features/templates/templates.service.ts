import { fillPlaceholders, templatePlaceholders } from '@parley/contracts/placeholders'
import type { Template } from '@parley/contracts/templates'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import {
  categoryOf,
  qualityOf,
  statusOf,
  type TemplateAccess,
  type TemplateAtWhatsApp,
  templateCalls,
} from '../../whatsapp/template-calls.ts'
import { sendComponents } from '../../whatsapp/template-components.ts'
import { showTemplate, type TemplateStore } from './template-store.ts'
import type { TemplateRecord } from './templates.model.ts'
import type { TemplateListQuery, TemplatesRepository } from './templates.repository.ts'

export type TemplatesService = ReturnType<typeof createTemplatesService>

/** Message templates as they are read and sent. */
export function createTemplatesService({
  templates,
  store,
  accessOf,
}: {
  templates: TemplatesRepository
  store: TemplateStore
  accessOf: (scope: WorkspaceScope, accountId?: string) => Promise<TemplateAccess | undefined>
}) {
  async function list(scope: WorkspaceScope, query: TemplateListQuery) {
    const page = await templates.page(scope, query)
    return { ...page, items: page.items.map(showTemplate) }
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

  /** Asks WhatsApp what has become of a template, where a webhook has not told. */
  async function refresh(scope: WorkspaceScope, id: string): Promise<Template> {
    const template = await find(scope, id)
    if (template.status !== 'pending' || template.waTemplateId === undefined) return showTemplate(template)
    const access = await accessOf(scope, template.businessAccountId)
    if (!access) return showTemplate(template)
    const told = await templateCalls.describe(access, template.waTemplateId).catch(() => undefined)
    const set = told && toldOf(told)
    if (!set?.status || set.status === template.status) return showTemplate(template)
    return showTemplate((await store.change(scope, id, { $set: set })) ?? template)
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

  return { list, summary, find, read: refresh, approved }
}

const toldOf = ({ status, category, rejected_reason: reason, quality_score: score }: TemplateAtWhatsApp) => {
  const words = { status: statusOf(status), category: categoryOf(category), quality: qualityOf(score?.score) }
  return {
    ...(words.status && { status: words.status }),
    ...(words.category && { category: words.category }),
    ...(words.quality && { quality: words.quality }),
    ...(words.status === 'rejected' && { rejectionReason: reason ?? '' }),
  }
}
