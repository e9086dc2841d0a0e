import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { whoBreaks } from '@parley/contracts/templates/template-breaks'
import { templateCheckApi } from '@parley/contracts/templates/template-checks'
import { type templateQuerySchema, templatesApi } from '@parley/contracts/templates/template-endpoints'
import { openWarnings, type TemplateFinding, type WarningRule } from '@parley/contracts/templates/template-findings'
import { templateVersionsApi } from '@parley/contracts/templates/template-versions'
import type { Template, TemplateContent } from '@parley/contracts/templates/templates'
import { lintTemplate } from '@parley/rules/template-lint'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import type { z } from 'zod'
import { answer, refusal, refuseStale } from '../answer.ts'
import { binOf } from '../bin.ts'
import { pageOf } from '../page-of.ts'

type Query = z.output<typeof templateQuerySchema>

const now = () => new Date().toISOString()
let created = 0

function find(sampleDataset: SampleDataset, id: string): Template {
  const template = sampleDataset.templates.get(id)
  if (!template) throw refusal('not_found', 'There is no such template.')
  return template
}

function matching(sampleDataset: SampleDataset, { q = '', status, category, language }: Query): Template[] {
  const wanted = q.toLocaleLowerCase()
  const fits = (template: Template) =>
    (!status?.length || status.includes(template.status)) &&
    (!category?.length || category.includes(template.category)) &&
    (!language?.length || language.includes(template.language)) &&
    [template.name, template.header ?? '', template.body].some((text) => text.toLocaleLowerCase().includes(wanted))
  return [...sampleDataset.templates.values()]
    .filter(fits)
    .toSorted((left, right) => right.updatedAt.localeCompare(left.updatedAt))
}

function refuseTaken(sampleDataset: SampleDataset, { name, language }: TemplateContent, own?: string): void {
  const exists = [...sampleDataset.templates.values()].some(
    (other) => other.id !== own && other.name === name && other.language === language,
  )
  if (exists) {
    const message = 'There is already a template of this name in this language.'
    throw refusal('template_exists', message, { name: message })
  }
}

/** As the server judges, of an account with nothing but these templates. */
function findingsOf(
  sampleDataset: SampleDataset,
  content: Parameters<typeof lintTemplate>[0],
  id?: string,
): TemplateFinding[] {
  const others = [...sampleDataset.templates.values()].filter((template) => template.id !== id)
  const isOwn = ({ name, language }: Template) => name === content.name && language === content.language
  return lintTemplate(content, {
    now: new Date(),
    stored: id === undefined ? undefined : find(sampleDataset, id),
    isNameTaken: id === undefined && others.some(isOwn),
    count: sampleDataset.templates.size,
    createdLately: created,
    maybeUnverified: false,
    related: others.filter(
      (template) => !isOwn(template) && (template.name === content.name || template.body === content.body),
    ),
  })
}

function refuseOpen(findings: readonly TemplateFinding[], accepted: readonly WarningRule[] | undefined): void {
  const [open] = openWarnings(findings, accepted)
  if (open) throw refusal('warnings_open', `${open.message}.`, { [open.path.join('.')]: open.message })
}

/** Fields of a change; what the person left empty is absent. */
const contentOf = ({ header, footer, ...content }: TemplateContent) => ({
  ...content,
  ...(header && { header }),
  ...(footer && { footer }),
})

export const answers = [
  answer(templatesApi.list, ({ query }, sampleDataset) => pageOf(matching(sampleDataset, query), query)),
  answer(templatesApi.summary, (_, sampleDataset) => {
    const count = (status: Template['status']) =>
      [...sampleDataset.templates.values()].filter((template) => template.status === status).length
    return {
      total: sampleDataset.templates.size,
      approved: count('approved'),
      pending: count('pending'),
      rejected: count('rejected'),
      languages: [...new Set([...sampleDataset.templates.values()].map(({ language }) => language))],
    }
  }),
  answer(templatesApi.syncState, () => ({
    running: false,
    syncedAt: null,
    latest: [],
    items: [],
    nextCursor: null,
    previousCursor: null,
    total: 0,
  })),
  answer(templatesApi.tracking, () => ({ address: 'https://links.parley.example/l/' })),
  answer(templatesApi.sync, () => ({ running: false, syncedAt: now(), latest: [] })),
  answer(templatesApi.read, ({ params }, sampleDataset) => find(sampleDataset, params.id)),
  answer(templatesApi.uses, ({ params }, sampleDataset) => {
    const { id } = find(sampleDataset, params.id)
    const uses = [...sampleDataset.campaigns.values()].flatMap(({ id: campaignId, name, status, templateId }) =>
      templateId === id && (status === 'scheduled' || status === 'active' || status === 'paused')
        ? { id: campaignId, name, status }
        : [],
    )
    return { campaigns: uses }
  }),
  answer(templateCheckApi.usage, ({ params, body: { content, deleted } }, sampleDataset) => {
    const template = find(sampleDataset, params.id)
    // The sample's campaigns have a value for each variable.
    const variables = Object.fromEntries(templatePlaceholders(template).map((key) => [key, true]))
    const uses = [...sampleDataset.campaigns.values()].flatMap(({ id, name, status, templateId }) =>
      templateId === template.id && (status === 'scheduled' || status === 'active' || status === 'paused')
        ? { id, name, status, variables }
        : [],
    )
    const breaks = content || deleted ? whoBreaks(uses, template, deleted ? undefined : content) : []
    return { uses: uses.map(({ variables: _, ...use }, index) => ({ ...use, breaks: breaks[index] ?? [] })) }
  }),
  answer(templateVersionsApi.list, ({ params }, sampleDataset) => {
    find(sampleDataset, params.id)
    return { items: [] }
  }),
  answer(templateVersionsApi.restore, ({ params }, sampleDataset) => {
    find(sampleDataset, params.id)
    throw refusal('not_found', 'The template has no such version.')
  }),
  answer(templateVersionsApi.saveDraft, ({ params, body: { version, ...content } }, sampleDataset) => {
    const before = find(sampleDataset, params.id)
    refuseStale('template', before, version)
    const { id, createdAt, name, language, category, status } = before
    const fixed = { name, language, ...(status === 'approved' && { category }) }
    if (status === 'draft') refuseTaken(sampleDataset, content, id)
    const after: Template =
      status === 'draft'
        ? { id, createdAt, status, updatedAt: now(), version: version + 1, ...contentOf(content) }
        : { ...before, version: version + 1, draft: { content: { ...content, ...fixed } } }
    sampleDataset.templates.set(id, after)
    return after
  }),
  answer(templateVersionsApi.discardDraft, ({ params, query: { version } }, sampleDataset) => {
    const { draft: _draft, ...before } = find(sampleDataset, params.id)
    refuseStale('template', before, version)
    const after = { ...before, version: version + 1 }
    sampleDataset.templates.set(before.id, after)
    return after
  }),
  answer(templateCheckApi.lint, ({ body: { content, templateId } }, sampleDataset) => ({
    findings: findingsOf(sampleDataset, content, templateId),
  })),
  answer(templatesApi.create, ({ body: { accountId: _accountId, accepted, review, ...body } }, sampleDataset) => {
    refuseTaken(sampleDataset, body)
    if (review !== false) refuseOpen(findingsOf(sampleDataset, body), accepted)
    created += 1
    const template: Template = {
      id: `template-new-${created}`,
      createdAt: now(),
      updatedAt: now(),
      version: 1,
      ...contentOf(body),
      status: review === false ? 'draft' : 'pending',
    }
    sampleDataset.templates.set(template.id, template)
    return template
  }),
  answer(templatesApi.update, ({ params, body: { version, accepted, ...content } }, sampleDataset) => {
    const before = find(sampleDataset, params.id)
    refuseStale('template', before, version)
    refuseTaken(sampleDataset, content, before.id)
    refuseOpen(findingsOf(sampleDataset, content, before.id), accepted)
    const { id, createdAt, quality } = before
    const after: Template = {
      id,
      createdAt,
      ...(quality && { quality }),
      ...contentOf(content),
      status: 'pending',
      version: version + 1,
      updatedAt: now(),
    }
    sampleDataset.templates.set(id, after)
    return after
  }),
  answer(templateCheckApi.header, ({ params, body: { version, headerMedia } }, sampleDataset) => {
    const before = find(sampleDataset, params.id)
    refuseStale('template', before, version)
    const after = { ...before, headerMedia, version: version + 1 }
    sampleDataset.templates.set(before.id, after)
    return after
  }),
  answer(templatesApi.remove, ({ params }, sampleDataset) => {
    const template = find(sampleDataset, params.id)
    binOf<Template>(sampleDataset, 'templates').set(template.id, template)
    sampleDataset.templates.delete(template.id)
    return undefined
  }),
  answer(templatesApi.restore, ({ params }, sampleDataset) => {
    const template = binOf<Template>(sampleDataset, 'templates').get(params.id)
    if (!template) throw refusal('not_found', 'There is no such template.')
    refuseTaken(sampleDataset, template)
    binOf<Template>(sampleDataset, 'templates').delete(template.id)
    sampleDataset.templates.set(template.id, template)
    return template
  }),
]
