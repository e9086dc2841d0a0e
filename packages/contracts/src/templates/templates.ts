import { z } from 'zod'
import { recordKey, storedFields, timeSchema } from '../core/records.ts'
import { authenticationSchema } from './template-authentication.ts'
import { judgedButtonSchema, templateButtonSchema } from './template-buttons.ts'
import { cardLimits, cardSchema, judgedCardSchema } from './template-cards.ts'
import { editRules } from './template-edits.ts'
import { headerMediaSchema } from './template-headers.ts'
import { templateLimits } from './template-limits.ts'
import { judgedOfferSchema, offerSchema } from './template-offers.ts'
import { templateProblems } from './template-problems.ts'

export const templateCategories = ['marketing', 'utility', 'authentication'] as const
export const templateStatuses = ['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled'] as const

/** The languages that WhatsApp takes, as it writes them (Cloud API, message templates: supported languages), by name. */
export const templateLanguages = [
  { value: 'af', label: 'Afrikaans' },
  { value: 'sq', label: 'Albanian' },
  { value: 'ar', label: 'Arabic' },
  { value: 'az', label: 'Azerbaijani' },
  { value: 'bn', label: 'Bengali' },
  { value: 'bg', label: 'Bulgarian' },
  { value: 'ca', label: 'Catalan' },
  { value: 'zh_CN', label: 'Chinese (China)' },
  { value: 'zh_HK', label: 'Chinese (Hong Kong)' },
  { value: 'zh_TW', label: 'Chinese (Taiwan)' },
  { value: 'hr', label: 'Croatian' },
  { value: 'cs', label: 'Czech' },
  { value: 'da', label: 'Danish' },
  { value: 'nl', label: 'Dutch' },
  { value: 'en', label: 'English' },
  { value: 'en_GB', label: 'English (UK)' },
  { value: 'en_US', label: 'English (US)' },
  { value: 'et', label: 'Estonian' },
  { value: 'fil', label: 'Filipino' },
  { value: 'fi', label: 'Finnish' },
  { value: 'fr', label: 'French' },
  { value: 'ka', label: 'Georgian' },
  { value: 'de', label: 'German' },
  { value: 'el', label: 'Greek' },
  { value: 'gu', label: 'Gujarati' },
  { value: 'ha', label: 'Hausa' },
  { value: 'he', label: 'Hebrew' },
  { value: 'hi', label: 'Hindi' },
  { value: 'hu', label: 'Hungarian' },
  { value: 'id', label: 'Indonesian' },
  { value: 'ga', label: 'Irish' },
  { value: 'it', label: 'Italian' },
  { value: 'ja', label: 'Japanese' },
  { value: 'kn', label: 'Kannada' },
  { value: 'kk', label: 'Kazakh' },
  { value: 'rw_RW', label: 'Kinyarwanda' },
  { value: 'ko', label: 'Korean' },
  { value: 'ky_KG', label: 'Kyrgyz' },
  { value: 'lo', label: 'Lao' },
  { value: 'lv', label: 'Latvian' },
  { value: 'lt', label: 'Lithuanian' },
  { value: 'mk', label: 'Macedonian' },
  { value: 'ms', label: 'Malay' },
  { value: 'ml', label: 'Malayalam' },
  { value: 'mr', label: 'Marathi' },
  { value: 'nb', label: 'Norwegian' },
  { value: 'fa', label: 'Persian' },
  { value: 'pl', label: 'Polish' },
  { value: 'pt_BR', label: 'Portuguese (Brazil)' },
  { value: 'pt_PT', label: 'Portuguese (Portugal)' },
  { value: 'pa', label: 'Punjabi' },
  { value: 'ro', label: 'Romanian' },
  { value: 'ru', label: 'Russian' },
  { value: 'sr', label: 'Serbian' },
  { value: 'sk', label: 'Slovak' },
  { value: 'sl', label: 'Slovenian' },
  { value: 'es', label: 'Spanish' },
  { value: 'es_AR', label: 'Spanish (Argentina)' },
  { value: 'es_MX', label: 'Spanish (Mexico)' },
  { value: 'es_ES', label: 'Spanish (Spain)' },
  { value: 'sw', label: 'Swahili' },
  { value: 'sv', label: 'Swedish' },
  { value: 'ta', label: 'Tamil' },
  { value: 'te', label: 'Telugu' },
  { value: 'th', label: 'Thai' },
  { value: 'tr', label: 'Turkish' },
  { value: 'uk', label: 'Ukrainian' },
  { value: 'ur', label: 'Urdu' },
  { value: 'uz', label: 'Uzbek' },
  { value: 'vi', label: 'Vietnamese' },
  { value: 'zu', label: 'Zulu' },
] as const

export const languageSchema = z.string().regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, 'Choose a language')

/** Fields that a person writes. */
export const templateFieldsSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name')
    .max(templateLimits.name, `At most ${templateLimits.name} characters`)
    .regex(/^[a-z0-9_]+$/, 'Use lower-case letters, digits and underscores only'),
  language: languageSchema,
  category: z.enum(templateCategories),
  header: z
    .string()
    .trim()
    .max(templateLimits.headerText, `At most ${templateLimits.headerText} characters`)
    .optional(),
  /** In place of a header of text. */
  headerMedia: headerMediaSchema.optional(),
  /** Offer for a limited time, between header and body. */
  offer: offerSchema.optional(),
  /** Set for an authentication template, whose texts WhatsApp writes. */
  authentication: authenticationSchema.optional(),
  /** Text with placeholders: `{{1}}` and on, or `{{order_id}}`; never both kinds. */
  body: z
    .string()
    .trim()
    .min(1, 'Enter the message')
    .max(templateLimits.body, `At most ${templateLimits.body} characters`),
  footer: z.string().trim().max(templateLimits.footer, `At most ${templateLimits.footer} characters`).optional(),
  buttons: z.array(templateButtonSchema).max(templateLimits.buttons),
  /** Carousel below the message; each card has buttons of its own. */
  cards: z.array(cardSchema).max(cardLimits.max, `At most ${cardLimits.max} cards`).optional(),
  /** Placeholder → sample value, which the platform's reviewers see. */
  examples: z.record(recordKey, z.string().max(templateLimits.value)),
})
export type TemplateContent = z.infer<typeof templateFieldsSchema>

/** Adds what WhatsApp would refuse of a template, each beside its field. */
export function addProblems(content: TemplateContent, context: z.RefinementCtx): void {
  for (const { path, message } of templateProblems(content))
    context.addIssue({ code: 'custom', path: [...path], message })
}

/** Content that a person may send for review. */
export const templateContentSchema = templateFieldsSchema.superRefine(addProblems)

/** A template that is being written: its content may break rules, and can be checked anyway. */
export const judgedContentSchema = z.object({
  name: z.string().max(1000),
  language: z.string().max(20),
  category: z.enum(templateCategories),
  header: z.string().max(1000).optional(),
  headerMedia: z
    .object({
      kind: z.string().max(40),
      file: z.object({ mimeType: z.string().max(100), sizeBytes: z.number() }).optional(),
      place: z.looseObject({}).optional(),
      product: z.object({ id: z.string().max(1000), catalogId: z.string().max(1000) }).optional(),
    })
    .optional(),
  authentication: authenticationSchema.optional(),
  offer: judgedOfferSchema.optional(),
  body: z.string().max(10_000),
  footer: z.string().max(1000).optional(),
  buttons: z.array(judgedButtonSchema).max(50),
  cards: z.array(judgedCardSchema).max(50).optional(),
  examples: z.record(recordKey, z.string().max(1000)),
})

/** Content to be sent for review next: WhatsApp does not know it yet. */
const templateDraftSchema = z.object({
  content: templateFieldsSchema,
  /** Version that it was copied from; absent where it has been edited since. */
  from: z.number().int().positive().optional(),
})

export const templateSchema = z.object({
  ...storedFields,
  ...templateFieldsSchema.shape,
  /** The business account at WhatsApp that it belongs to: only numbers of that account send it. */
  accountId: z.string().max(40).optional(),
  status: z.enum(templateStatuses),
  /** Number of its present content, among its versions. */
  contentVersion: z.number().int().positive().optional(),
  draft: templateDraftSchema.optional(),
  rejectionReason: z.string().max(300).optional(),
  quality: z.enum(['high', 'medium', 'low', 'unknown']).optional(),
  /** Details of the status from WhatsApp. */
  statusDetail: z.string().max(300).optional(),
  /** The category that WhatsApp has announced to give it. */
  nextCategory: z.enum(templateCategories).optional(),
  /** Times at which it was changed while approved, of the last 30 days: `editBudget` computes what is left. */
  editedAt: z.array(timeSchema).max(editRules.most).optional(),
  /** Parts at WhatsApp that Parley neither edits nor fills in: `gif header`. Such a template is shown, and not sent. */
  unsupported: z.array(z.string().max(100)).max(50).optional(),
})
export type Template = z.infer<typeof templateSchema>
