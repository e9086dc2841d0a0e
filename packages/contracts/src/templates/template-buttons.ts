import { z } from 'zod'
import { templateLimits } from './template-limits.ts'

const text = z.string().trim().min(1, 'Enter the button’s text').max(templateLimits.buttonText)
/** Id of a product in the business's catalogue, which its feed names `id` and Commerce Manager “Content ID”. */
const product = z.string().trim().max(templateLimits.product)

const replySchema = z.object({ kind: z.literal('quick_reply'), text })
const linkSchema = z.object({
  kind: z.literal('url'),
  text,
  url: z.url({ protocol: /^https?$/, error: 'Enter a web address' }).max(templateLimits.url),
})
const phoneSchema = z.object({
  kind: z.literal('phone'),
  text,
  phone: z.string().trim().min(1, 'Enter a phone number').max(templateLimits.phone),
})

/** Buttons of a carousel's card. Source: Meta, media card carousel templates. */
export const cardButtonSchema = z.discriminatedUnion('kind', [replySchema, linkSchema, phoneSchema])

/**
 * Buttons below a message. Source: Meta, message templates: buttons, Flows, calling, catalogues, multi-product and single-product
 * messages.
 */
export const templateButtonSchema = z.discriminatedUnion('kind', [
  replySchema,
  linkSchema.extend({
    /**
     * Absent where visits are not counted. Otherwise the address that customers see in place of `url`, up to the token at its
     * end: a visitor who opens it is counted and redirected to `url`. The server sets its own, whatever is sent.
     */
    tracked: z
      .url({ protocol: /^https?$/ })
      .max(templateLimits.trackedUrl)
      .optional(),
  }),
  phoneSchema,
  z.object({
    kind: z.literal('copy_code'),
    text,
    /** The code that everybody gets, or one variable: `{{code}}`. */
    code: z.string().trim().min(1, 'Enter a code').max(70),
  }),
  z.object({
    kind: z.literal('flow'),
    text,
    /** Form that it opens, by its id at WhatsApp. */
    form: z.string().trim().min(1, 'Choose a form').max(64),
    /** Screen that it begins with; the form's own first one unless named. */
    screen: z.string().trim().max(templateLimits.screen).optional(),
  }),
  z.object({
    /** Calls the number that has sent the message, by WhatsApp. */
    kind: z.literal('voice_call'),
    text,
    /** Minutes for which it can be pressed; WhatsApp's own seven days unless told. */
    minutes: z
      .number('Enter minutes')
      .int('Enter whole minutes')
      .min(1, 'At least one minute')
      .max(templateLimits.callMinutes, 'At most 30 days: 43200 minutes')
      .optional(),
  }),
  z.object({
    kind: z.literal('catalog'),
    text,
    /** Product whose picture stands above the message, or one variable; that of the catalogue's first one unless told. */
    product: product.optional(),
  }),
  z.object({
    kind: z.literal('products'),
    text,
    /** Product whose picture stands above the message, or one variable. */
    product: product.min(1, 'Enter a product'),
    sections: z
      .array(
        z.object({
          title: z
            .string()
            .trim()
            .min(1, 'Enter a title')
            .max(templateLimits.sectionTitle, `At most ${templateLimits.sectionTitle} characters`),
          products: z.array(product.min(1)).min(1, 'Enter a product').max(templateLimits.products),
        }),
      )
      .min(1, 'Add a section')
      .max(templateLimits.sections),
  }),
  /** Opens the product above the message: `headerMedia` names it. */
  z.object({ kind: z.literal('product'), text }),
])
export type TemplateButton = z.infer<typeof templateButtonSchema>

export const templateButtonKinds = [
  ...(['quick_reply', 'url', 'phone', 'copy_code'] as const),
  ...(['flow', 'voice_call', 'catalog', 'products', 'product'] as const),
] as const satisfies readonly TemplateButton['kind'][]

/** Buttons whose text WhatsApp writes. */
export const buttonTexts = {
  copy_code: 'Copy offer code',
  catalog: 'View catalog',
  products: 'View items',
  product: 'View',
} as const satisfies Partial<Record<TemplateButton['kind'], string>>

/** Buttons as they are checked while they are written. */
export const judgedButtonSchema = z.object({
  kind: z.string().max(40),
  text: z.string().max(1000),
  url: z.string().max(5000).optional(),
  tracked: z.string().max(5000).optional(),
  phone: z.string().max(1000).optional(),
  code: z.string().max(1000).optional(),
  form: z.string().max(1000).optional(),
  screen: z.string().max(1000).optional(),
  minutes: z.number().nullish(),
  product: z.string().max(1000).optional(),
  sections: z
    .array(z.object({ title: z.string().max(1000), products: z.array(z.string().max(1000)).max(200) }))
    .max(50)
    .optional(),
})
export type JudgedButton = z.infer<typeof judgedButtonSchema>
