import type { TemplateContent } from '@parley/contracts/templates'
import { z } from 'zod'
import type { NumberAccess } from './number-calls.ts'
import { definitionOf } from './template-components.ts'

export type TemplateAccess = Pick<NumberAccess, 'graph' | 'businessAccountId' | 'accessToken'>

const word = z.string().max(200).optional().catch(undefined)
const templateSchema = z.looseObject({
  id: z.string(),
  status: word,
  category: word,
  rejected_reason: word,
  quality_score: z.looseObject({ score: word }).optional().catch(undefined),
})
export type TemplateAtWhatsApp = z.infer<typeof templateSchema>

const fields = 'id,status,category,rejected_reason,quality_score'

/** What the Graph API does with templates. Each throws `GraphCallFailed` with WhatsApp's own words. */
export const templateCalls = {
  /** @returns its id there. */
  create: async ({ graph, businessAccountId, accessToken }: TemplateAccess, content: TemplateContent) => {
    const { id } = await graph.call('POST', `${businessAccountId}/message_templates`, {
      accessToken: accessToken.reveal(),
      body: definitionOf(content),
      answer: z.looseObject({ id: z.string() }),
    })
    return id
  },

  edit: async ({ graph, accessToken }: TemplateAccess, id: string, content: TemplateContent): Promise<void> => {
    const definition = definitionOf(content)
    const { components, category } = z.looseObject({ components: z.unknown(), category: z.string() }).parse(definition)
    await graph.call('POST', id, {
      accessToken: accessToken.reveal(),
      body: { components, category },
      answer: z.looseObject({ success: z.boolean() }),
    })
  },

  describe: ({ graph, accessToken }: TemplateAccess, id: string): Promise<TemplateAtWhatsApp> =>
    graph.call('GET', id, { accessToken: accessToken.reveal(), query: { fields }, answer: templateSchema }),
}

const statuses = {
  APPROVED: 'approved',
  REINSTATED: 'approved',
  UNARCHIVED: 'approved',
  PENDING: 'pending',
  IN_APPEAL: 'pending',
  REJECTED: 'rejected',
  PAUSED: 'paused',
  DISABLED: 'disabled',
  ARCHIVED: 'disabled',
  DELETED: 'disabled',
  PENDING_DELETION: 'disabled',
  LIMIT_EXCEEDED: 'disabled',
} as const
const qualities = { GREEN: 'high', YELLOW: 'medium', RED: 'low', UNKNOWN: 'unknown' } as const
const categories = { MARKETING: 'marketing', UTILITY: 'utility', AUTHENTICATION: 'authentication' } as const

const wordOf = <T extends object>(words: T, name: string | undefined): T[keyof T] | undefined =>
  name !== undefined && Object.hasOwn(words, name) ? words[name as keyof T] : undefined

export const statusOf = (name: string | undefined) => wordOf(statuses, name)
export const qualityOf = (name: string | undefined) => wordOf(qualities, name)
export const categoryOf = (name: string | undefined) => wordOf(categories, name)

const eventSchema = z.looseObject({
  message_template_name: z.string().max(600),
  message_template_language: z.string().max(20),
  event: word,
  reason: word,
  new_category: word,
  new_quality_score: word,
  rejection_info: z.looseObject({ reason: word, recommendation: word }).optional().catch(undefined),
})

/** What a webhook tells of a template; `undefined` for a webhook about something else. */
export function readTemplateEvent(field: string, value: unknown) {
  if (!field.includes('template')) return undefined
  const told = eventSchema.safeParse(value).data
  if (!told) return undefined
  const { rejection_info: info, reason } = told
  const rejection = info ? [info.reason, info.recommendation].filter(Boolean).join(' ') : reason
  return {
    name: told.message_template_name,
    language: told.message_template_language.replace('-', '_'),
    status: field === 'message_template_status_update' ? statusOf(told.event) : undefined,
    rejectionReason: rejection === 'NONE' ? undefined : rejection,
    category: field === 'template_category_update' ? categoryOf(told.new_category) : undefined,
    quality: qualityOf(told.new_quality_score),
  }
}
