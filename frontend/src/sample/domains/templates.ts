import { templatePlaceholders } from '@parley/contracts/placeholders'
import { whoBreaks } from '@parley/contracts/template-breaks'
import { templateCheckApi } from '@parley/contracts/template-checks'
import { type templateQuerySchema, templatesApi } from '@parley/contracts/template-endpoints'
import { openWarnings, type TemplateFinding, type WarningRule } from '@parley/contracts/template-findings'
import { lintTemplate } from '@parley/contracts/template-lint'
import { templateVersionsApi } from '@parley/contracts/template-versions'
import type { Template, TemplateContent } from '@parley/contracts/templates'
import type { Story } from '@parley/sample/story'
import type { z } from 'zod'
import { answer, refusal, refuseStale } from '../answer.ts'
import { binOf } from '../bin.ts'
import { pageOf } from '../page-of.ts'

type Query = z.output<typeof templateQuerySchema>

const now = () => new Date().toISOString()
let created = 0

function find(story: Story, id: string): Template {
  const template = story.templates.get(id)
  if (!template) throw refusal('not_found', 'There is no such template.')
  return template
}

function matching(story: Story, { q = '', status, category, language }: Query): Template[] {
  const wanted = q.toLocaleLowerCase()
  const fits = (template: Template) =>
    (!status?.length || status.includes(template.status)) &&
    (!category?.length || category.includes(template.category)) &&
    (!language?.length || language.includes(template.language)) &&
    [template.name, template.header ?? '', template.body].some((text) => text.toLocaleLowerCase().includes(wanted))
  return [...story.templates.values()]
    .filter(fits)
    .toSorted((left, right) => right.updatedAt.localeCompare(left.updatedAt))
}

function refuseTaken(story: Story, { name, language }: TemplateContent, own?: string): void {
  const exists = [...story.templates.values()].some(
    (other) => other.id !== own && other.name === name && other.language === language,
  )
  if (exists) {
    const message = 'There is already a template of this name in this language.'
    throw refusal('template_exists', message, { name: message })
  }
}

/** As the server judges, of an account with nothing but these templates. */
function findingsOf(story: Story, content: Parameters<typeof lintTemplate>[0], id?: string): TemplateFinding[] {
  const others = [...story.templates.values()].filter((template) => template.id !== id)
  const isOwn = ({ name, language }: Template) => name === content.name && language === content.language
  return lintTemplate(content, {
    now: new Date(),
    stored: id === undefined ? undefined : find(story, id),
    isNameTaken: id === undefined && others.some(isOwn),
    count: story.templates.size,
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
  answer(templatesApi.list, ({ query }, story) => pageOf(matching(story, query), query)),
  answer(templatesApi.summary, (_, story) => {
    const count = (status: Template['status']) =>
      [...story.templates.values()].filter((template) => template.status === status).length
    return {
      total: story.templates.size,
      approved: count('approved'),
      pending: count('pending'),
      rejected: count('rejected'),
      languages: [...new Set([...story.templates.values()].map(({ language }) => language))],
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
  answer(templatesApi.read, ({ params }, story) => find(story, params.id)),
  answer(templatesApi.uses, ({ params }, story) => {
    const { id } = find(story, params.id)
    const uses = [...story.campaigns.values()].flatMap(({ id: campaignId, name, status, templateId }) =>
      templateId === id && (status === 'scheduled' || status === 'active' || status === 'paused')
        ? { id: campaignId, name, status }
        : [],
    )
    return { campaigns: uses }
  }),
  answer(templateCheckApi.usage, ({ params, body: { content, deleted } }, story) => {
    const template = find(story, params.id)
    // The sample's campaigns have a value for each variable.
    const variables = Object.fromEntries(templatePlaceholders(template).map((key) => [key, true]))
    const uses = [...story.campaigns.values()].flatMap(({ id, name, status, templateId }) =>
      templateId === template.id && (status === 'scheduled' || status === 'active' || status === 'paused')
        ? { id, name, status, variables }
        : [],
    )
    const breaks = content || deleted ? whoBreaks(uses, template, deleted ? undefined : content) : []
    return { uses: uses.map(({ variables: _, ...use }, index) => ({ ...use, breaks: breaks[index] ?? [] })) }
  }),
  answer(templateVersionsApi.list, ({ params }, story) => {
    find(story, params.id)
    return { items: [] }
  }),
  answer(templateVersionsApi.restore, ({ params }, story) => {
    find(story, params.id)
    throw refusal('not_found', 'The template has no such version.')
  }),
  answer(templateVersionsApi.saveDraft, ({ params, body: { version, ...content } }, story) => {
    const before = find(story, params.id)
    refuseStale('template', before, version)
    const { id, createdAt, name, language, category, status } = before
    const fixed = { name, language, ...(status === 'approved' && { category }) }
    if (status === 'draft') refuseTaken(story, content, id)
    const after: Template =
      status === 'draft'
        ? { id, createdAt, status, updatedAt: now(), version: version + 1, ...contentOf(content) }
        : { ...before, version: version + 1, draft: { content: { ...content, ...fixed } } }
    story.templates.set(id, after)
    return after
  }),
  answer(templateVersionsApi.discardDraft, ({ params, query: { version } }, story) => {
    const { draft: _draft, ...before } = find(story, params.id)
    refuseStale('template', before, version)
    const after = { ...before, version: version + 1 }
    story.templates.set(before.id, after)
    return after
  }),
  answer(templateCheckApi.lint, ({ body: { content, templateId } }, story) => ({
    findings: findingsOf(story, content, templateId),
  })),
  answer(templatesApi.create, ({ body: { accountId: _accountId, accepted, review, ...body } }, story) => {
    refuseTaken(story, body)
    if (review !== false) refuseOpen(findingsOf(story, body), accepted)
    created += 1
    const template: Template = {
      id: `template-new-${created}`,
      createdAt: now(),
      updatedAt: now(),
      version: 1,
      ...contentOf(body),
      status: review === false ? 'draft' : 'pending',
    }
    story.templates.set(template.id, template)
    return template
  }),
  answer(templatesApi.update, ({ params, body: { version, accepted, ...content } }, story) => {
    const before = find(story, params.id)
    refuseStale('template', before, version)
    refuseTaken(story, content, before.id)
    refuseOpen(findingsOf(story, content, before.id), accepted)
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
    story.templates.set(id, after)
    return after
  }),
  answer(templateCheckApi.header, ({ params, body: { version, headerMedia } }, story) => {
    const before = find(story, params.id)
    refuseStale('template', before, version)
    const after = { ...before, headerMedia, version: version + 1 }
    story.templates.set(before.id, after)
    return after
  }),
  answer(templatesApi.remove, ({ params }, story) => {
    const template = find(story, params.id)
    binOf<Template>(story, 'templates').set(template.id, template)
    story.templates.delete(template.id)
    return undefined
  }),
  answer(templatesApi.restore, ({ params }, story) => {
    const template = binOf<Template>(story, 'templates').get(params.id)
    if (!template) throw refusal('not_found', 'There is no such template.')
    refuseTaken(story, template)
    binOf<Template>(story, 'templates').delete(template.id)
    story.templates.set(template.id, template)
    return template
  }),
]
