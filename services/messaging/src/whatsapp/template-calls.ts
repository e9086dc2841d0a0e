import type { TemplateContent } from '@parley/contracts/templates/templates'
import { z } from 'zod'
import { isNoAccess } from './error-codes.ts'
import { GraphCallFailed } from './graph-answer.ts'
import { type AccountAccess, listPages } from './graph-pages.ts'
import type { UploadedFile } from './media-form.ts'
import { definitionOf } from './template-components.ts'

export type TemplateAccess = AccountAccess

const word = z.string().max(200).optional().catch(undefined)
const templateSchema = z.looseObject({
  id: z.string().max(40),
  name: z.string().max(600),
  language: z.string().max(20),
  components: z.array(z.unknown()).max(50).catch([]),
  status: word,
  category: word,
  rejected_reason: word,
  quality_score: z.looseObject({ score: word }).optional().catch(undefined),
})
export type TemplateAtWhatsApp = z.infer<typeof templateSchema>

const fields = 'id,name,language,status,category,components,rejected_reason,quality_score'
const pageSize = 200
/** Maximum pages: far more than the 6,000 templates that an account may have. */
const maxPages = 100

/** Graph API calls for templates. Each throws `GraphCallFailed` with WhatsApp's own words. */
export const templateCalls = {
  /** @returns its id there. */
  create: async (
    { graph, businessAccountId, accessToken }: TemplateAccess,
    content: TemplateContent,
    handles: readonly string[] = [],
  ) => {
    const { id } = await graph.call('POST', `${businessAccountId}/message_templates`, {
      accessToken: accessToken.reveal(),
      body: definitionOf(content, handles),
      answer: z.looseObject({ id: z.string() }),
    })
    return id
  },

  edit: async (
    { graph, accessToken }: TemplateAccess,
    id: string,
    { content, handles }: { content: TemplateContent; handles: readonly string[] },
  ): Promise<void> => {
    const { components, category } = definitionOf(content, handles)
    await graph.call('POST', id, {
      accessToken: accessToken.reveal(),
      body: { components, category },
      answer: z.looseObject({ success: z.boolean() }),
    })
  },

  /** Returns the id of the app that a token is of: samples are uploaded to it. */
  appId: async ({ graph, accessToken }: TemplateAccess): Promise<string> => {
    const token = accessToken.reveal()
    const { data } = await graph.call('GET', 'debug_token', {
      accessToken: token,
      query: { input_token: token },
      answer: z.looseObject({ data: z.looseObject({ app_id: z.string().max(40) }) }),
    })
    return data.app_id
  },

  /** Uploads the sample file of a header or card. @returns its handle. Source: Meta, Graph API, resumable upload. */
  uploadSample: async ({ graph, accessToken }: TemplateAccess, appId: string, file: UploadedFile): Promise<string> => {
    const token = accessToken.reveal()
    const { fileName, sizeBytes, mimeType } = file
    const { id } = await graph.call('POST', `${encodeURIComponent(appId)}/uploads`, {
      accessToken: token,
      query: { file_name: fileName, file_length: String(sizeBytes), file_type: mimeType },
      answer: z.looseObject({
        id: z
          .string()
          .regex(/^upload:/)
          .max(2000),
      }),
    })
    return graph.uploadBytes(id, file, { accessToken: token })
  },

  /** Deletes one language of it: by its name alone all would go. What is not there any more is deleted. */
  remove: async (
    { graph, businessAccountId, accessToken }: TemplateAccess,
    { id, name }: { id: string; name: string },
  ): Promise<void> => {
    await graph
      .call('DELETE', `${businessAccountId}/message_templates`, {
        accessToken: accessToken.reveal(),
        query: { hsm_id: id, name },
        answer: z.looseObject({ success: z.boolean() }),
      })
      .catch((error: unknown) => {
        const refusal = error instanceof GraphCallFailed ? error.refusal : undefined
        const isUnknown = refusal?.code === 100 && !isNoAccess(refusal)
        const isGone = isUnknown && /not found|does not exist/i.test(refusal.message)
        if (!isGone) throw error
      })
  },

  /** One template, by its id there. */
  read: ({ graph, accessToken }: TemplateAccess, id: string): Promise<TemplateAtWhatsApp> =>
    graph.call('GET', encodeURIComponent(id), {
      accessToken: accessToken.reveal(),
      query: { fields },
      answer: templateSchema,
    }),

  /**
   * Yields every template of the account, page by page. Entries that cannot be read as a template are left out.
   * @param name only those whose name contains it.
   * @throws GraphCallFailed where a page fails, or the pages do not end.
   */
  list: (access: TemplateAccess, { name }: { name?: string } = {}): AsyncGenerator<TemplateAtWhatsApp[]> =>
    listPages(access, {
      edge: 'message_templates',
      fields,
      entry: templateSchema,
      pageSize,
      maxPages,
      endless: 'WhatsApp’s list of templates does not end.',
      ...(name && { query: { name } }),
    }),
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
  LIMIT_EXCEEDED: 'rejected',
  FLAGGED: 'approved',
  LOCKED: 'approved',
} as const
const qualities = { GREEN: 'high', YELLOW: 'medium', RED: 'low', UNKNOWN: 'unknown' } as const
const categories = { MARKETING: 'marketing', UTILITY: 'utility', AUTHENTICATION: 'authentication' } as const

const wordOf = <T extends object>(words: T, name: string | undefined): T[keyof T] | undefined =>
  name !== undefined && Object.hasOwn(words, name) ? words[name as keyof T] : undefined

/** Details that WhatsApp's status adds to our own; `undefined` where it adds none. */
const details: Readonly<Record<string, string>> = {
  FLAGGED: 'WhatsApp has flagged it for low quality: improve it, or it will be paused.',
  LOCKED: 'WhatsApp has locked it: it cannot be changed.',
  IN_APPEAL: 'WhatsApp is reviewing it again.',
  LIMIT_EXCEEDED: 'The account has as many templates as WhatsApp allows.',
  ARCHIVED: 'WhatsApp has archived it because it was not used.',
  DELETED: 'It has been deleted at WhatsApp.',
  PENDING_DELETION: 'It is being deleted at WhatsApp.',
}

/** WhatsApp's word for the reason of a rejection. */
const reasons: Readonly<Record<string, string>> = {
  ABUSIVE_CONTENT: 'Its content is abusive or threatening.',
  INCORRECT_CATEGORY: 'The category does not fit what it says.',
  INVALID_FORMAT: 'It does not follow the formatting rules. Check its variables and their sample values.',
  PROMOTIONAL: 'It advertises something, which its category does not allow.',
  SCAM: 'It looks like a scam.',
  TAG_CONTENT_MISMATCH: 'The text is not in the language that was chosen, or does not fit the category.',
  CATEGORY_NOT_AVAILABLE: 'The account may not use this category yet.',
}
export const reasonOf = (name: string | undefined): string =>
  wordOf(reasons, name) ?? (name === 'NONE' ? '' : (name ?? ''))
export const detailOf = (name: string | undefined): string | undefined => wordOf(details, name)
export const statusOf = (name: string | undefined) => wordOf(statuses, name)
export const qualityOf = (name: string | undefined) => wordOf(qualities, name)
export const categoryOf = (name: string | undefined) => wordOf(categories, name)

const eventSchema = z.looseObject({
  /** A whole number, as everywhere in webhooks about templates. */
  message_template_id: z
    .union([z.number().int().positive().transform(String), z.string().regex(/^\d{1,40}$/)])
    .optional()
    .catch(undefined),
  message_template_name: z.string().max(600),
  message_template_language: z.string().max(20),
  event: word,
  reason: word,
  new_category: word,
  new_quality_score: word,
  correct_category: word,
  other_info: z.looseObject({ description: word }).optional().catch(undefined),
  rejection_info: z.looseObject({ reason: word, recommendation: word }).optional().catch(undefined),
})

/** Reads a webhook about a template; `undefined` for a webhook about something else. */
export function readTemplateEvent(field: string, value: unknown) {
  if (!field.includes('template')) return undefined
  const event = eventSchema.safeParse(value).data
  if (!event) return undefined
  const { rejection_info: info, reason } = event
  const isStatus = field === 'message_template_status_update'
  const isCategory = field === 'template_category_update'
  const rejection = info ? [info.reason, info.recommendation].filter(Boolean).join(' ') : reasonOf(reason)
  return {
    id: event.message_template_id,
    name: event.message_template_name,
    language: event.message_template_language.replace('-', '_'),
    status: isStatus ? statusOf(event.event) : undefined,
    statusDetail: isStatus ? (detailOf(event.event) ?? event.other_info?.description) : undefined,
    rejectionReason: rejection,
    category: isCategory ? categoryOf(event.new_category) : undefined,
    nextCategory: isCategory ? categoryOf(event.correct_category) : undefined,
    /** True where it reports that something has changed, but not to which value. */
    isVague: field === 'message_template_components_update' || ['REINSTATED', 'UNARCHIVED'].includes(event.event ?? ''),
    quality: qualityOf(event.new_quality_score),
  }
}
