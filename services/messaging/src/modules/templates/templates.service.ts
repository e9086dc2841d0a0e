import { placeholdersOf, templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { offerEndProblem, offerEndsKey } from '@parley/contracts/templates/template-offers'
import type { Template } from '@parley/contracts/templates/templates'
import { missingMedia } from '@parley/contracts/templates/unsendable'
import { cleanValue, cleanValues, tooLongPart } from '@parley/rules/template-values'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { contentVersionOf } from './content-key.ts'
import { filledTemplate } from './filled-template.ts'
import { showTemplate } from './template-store.ts'
import type { TemplateRecord } from './templates.model.ts'
import type { TemplateListQuery, TemplatesRepository } from './templates.repository.ts'

export type { TemplateRecord } from './templates.model.ts'
export type TemplatesService = ReturnType<typeof createTemplatesService>

/** Message templates as they are read and sent. */
export function createTemplatesService({ templates }: { templates: TemplatesRepository }) {
  async function list(scope: WorkspaceScope, query: TemplateListQuery) {
    const page = await templates.page(scope, query)
    return { ...page, items: page.items.map(showTemplate) }
  }

  async function summary(scope: WorkspaceScope) {
    const [total, approved, pending, rejected, languages] = await Promise.all([
      templates.count(scope),
      templates.count(scope, 'approved'),
      templates.count(scope, 'pending'),
      templates.count(scope, 'rejected'),
      templates.languages(scope),
    ])
    return { total, approved, pending, rejected, languages }
  }

  async function find(scope: WorkspaceScope, id: string): Promise<TemplateRecord> {
    const template = await templates.read(scope, id)
    if (!template) throw errors.notFound('There is no such template.')
    return template
  }

  const read = async (scope: WorkspaceScope, id: string): Promise<Template> => showTemplate(await find(scope, id))

  /** Reads those of these templates that are not removed. */
  async function readMany(scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, TemplateRecord>> {
    const found = ids.length > 0 ? await templates.readMany(scope, ids) : []
    return new Map(found.map((template) => [template.id, template]))
  }

  /**
   * Returns the content to send for an approved template with its values.
   * @param options.accountId of the number that sends it.
   * @throws `not_found`, `template_not_approved`, `validation_failed`.
   */
  async function approved(
    scope: WorkspaceScope,
    id: string,
    { values, accountId }: { values: Readonly<Record<string, string>>; accountId?: string | undefined },
  ) {
    const template = await find(scope, id)
    if (accountId !== undefined && template.businessAccountId !== accountId)
      throw errors.validation({ templateId: 'This template belongs to another account than the number.' })
    if (template.status !== 'approved')
      throw new AppError('template_not_approved', `The template ${template.name} is ${template.status}, not approved.`)
    if (template.unsupported?.length)
      throw errors.wrongState(`Parley cannot fill in a part of ${template.name}: ${template.unsupported.join(', ')}.`)
    const lacking = missingMedia(template)
    if (lacking !== undefined) throw errors.wrongState(`${lacking} before it can be sent.`)
    const missing = templatePlaceholders(template).find((key) => !cleanValue(values[key] ?? ''))
    if (missing !== undefined) throw errors.validation({ [`values.${missing}`]: `Enter a value for {{${missing}}}.` })
    refuseEnded(template, values)
    refuseTooLong(template, values)
    return filledTemplate({ ...template, contentVersion: contentVersionOf(template) }, values)
  }

  return { list, summary, find, read, readMany, approved }
}

function refuseEnded({ offer }: TemplateRecord, values: Readonly<Record<string, string>>): void {
  const problem = offer?.hasExpiration ? offerEndProblem(values[offerEndsKey], new Date()) : undefined
  if (problem !== undefined) throw errors.validation({ [`values.${offerEndsKey}`]: problem })
}

function refuseTooLong(template: TemplateRecord, values: Readonly<Record<string, string>>): void {
  const tooLong = tooLongPart(template, cleanValues(values))
  if (!tooLong) return
  const { part, length, most } = tooLong
  const isText = part === 'header' || part === 'body'
  const keys = isText ? placeholdersOf(template[part]) : templatePlaceholders(template)
  const longest = keys.toSorted((left, right) => (values[right]?.length ?? 0) - (values[left]?.length ?? 0))[0]
  const texts = { body: 'message', header: 'header', card: 'text of a card' }
  const what = { ...texts, code: 'code', url: 'web address', product: 'product’s content ID' }[part]
  const message = `With its values the ${what} has ${length} characters: WhatsApp sends at most ${most}. Shorten this one.`
  throw errors.validation({ [`values.${longest ?? ''}`]: message })
}
