import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { whoBreaks } from '@parley/contracts/templates/template-breaks'
import { templateCheckApi } from '@parley/contracts/templates/template-checks'
import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import { openWarnings, type TemplateFinding } from '@parley/contracts/templates/template-findings'
import { templateVersionsApi } from '@parley/contracts/templates/template-versions'
import type { Template, TemplateContent } from '@parley/contracts/templates/templates'
import { lintTemplate } from '@parley/rules/template-lint'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'
import { refusal } from '../refusal.ts'
import { change, find, insert, newRecord, type Workspace } from './workspace.ts'

/** Leaves out what a person left empty. */
const contentOf = ({ header, footer, ...content }: TemplateContent) => ({
  ...content,
  ...(header && { header }),
  ...(footer && { footer }),
})

/** Templates, judged as of an account with nothing but these. */
export function templateHandlers({ templates, campaigns }: Workspace) {
  const all = () => [...templates.values()]
  const findingsOf = (content: Parameters<typeof lintTemplate>[0], id?: string): TemplateFinding[] => {
    const others = all().filter((template) => template.id !== id)
    const hasName = ({ name, language }: Template) => name === content.name && language === content.language
    const isRelated = (one: Template) => !hasName(one) && (one.name === content.name || one.body === content.body)
    return lintTemplate(content, {
      now: new Date(),
      stored: id === undefined ? undefined : find(templates, id),
      isNameTaken: id === undefined && others.some(hasName),
      count: templates.size,
      createdLately: 0,
      maybeUnverified: false,
      related: others.filter(isRelated),
    })
  }
  const usesOf = (template: Template) =>
    [...campaigns.values()].flatMap(({ id, name, status, templateId }) =>
      templateId === template.id && (status === 'scheduled' || status === 'active' || status === 'paused')
        ? { id, name, status }
        : [],
    )
  return [
    answer(templatesApi.list, ({ query }) => {
      const { q = '', status, category, language } = query
      const found = all().filter(
        (template) =>
          (!status?.length || status.includes(template.status)) &&
          (!category?.length || category.includes(template.category)) &&
          (!language?.length || language.includes(template.language)) &&
          `${template.name} ${template.header} ${template.body}`.toLowerCase().includes(q.toLowerCase()),
      )
      return pageOf(
        found.sort((left, right) => right.updatedAt.localeCompare(left.updatedAt)),
        query,
      )
    }),
    answer(templatesApi.summary, () => {
      const count = (status: Template['status']) => all().filter((template) => template.status === status).length
      return {
        total: templates.size,
        approved: count('approved'),
        pending: count('pending'),
        rejected: count('rejected'),
        languages: [...new Set(all().map(({ language }) => language))],
      }
    }),
    answer(templatesApi.syncState, () => ({
      ...pageOf([], {}),
      running: false,
      syncedAt: null,
      latest: [],
      items: [],
    })),
    answer(templatesApi.tracking, () => ({ address: 'https://links.parley.example/l/' })),
    answer(templatesApi.read, ({ params }) => find(templates, params.id)),
    answer(templatesApi.uses, ({ params }) => ({ campaigns: usesOf(find(templates, params.id)) })),
    answer(templateCheckApi.usage, ({ params, body: { content, deleted } }) => {
      const template = find(templates, params.id)
      // The sample's campaigns have a value for each variable.
      const variables = Object.fromEntries(templatePlaceholders(template).map((key) => [key, true]))
      const uses = usesOf(template).map((use) => ({ ...use, variables }))
      const breaks = content || deleted ? whoBreaks(uses, template, deleted ? undefined : content) : []
      return { uses: uses.map(({ variables: _, ...use }, index) => ({ ...use, breaks: breaks[index] ?? [] })) }
    }),
    answer(templateCheckApi.lint, ({ body: { content, templateId } }) => ({
      findings: findingsOf(content, templateId),
    })),
    answer(templateVersionsApi.list, () => ({ items: [] })),
    answer(templateVersionsApi.saveDraft, ({ params: { id }, body: { version, ...content } }) =>
      change(
        templates,
        id,
        find(templates, id).status === 'draft' ? contentOf(content) : { draft: { content } },
        version,
      ),
    ),
    answer(templatesApi.create, ({ body: { accountId: _accountId, accepted, review, ...body } }) => {
      const [open] = review === false ? [] : openWarnings(findingsOf(body), accepted)
      if (open) throw refusal('warnings_open', `${open.message}.`, { [open.path.join('.')]: open.message })
      const status = review === false ? 'draft' : 'pending'
      return insert<Template>(templates, { ...newRecord('template'), ...contentOf(body), status })
    }),
  ]
}
