import { z } from 'zod'
import { GraphError } from './graph-error.ts'

const text = (max: number) => z.string().min(1).max(max)
const mediaSource = { id: z.string().max(64).optional(), link: z.url().max(2048).optional() }
const hasSource = ({ id, link }: { id?: string | undefined; link?: string | undefined }) =>
  (id === undefined) !== (link === undefined)
const oneSource = { error: 'must name either id or link' }
const captioned = z.object({ ...mediaSource, caption: z.string().max(1024).optional() }).refine(hasSource, oneSource)

const row = z.object({ id: text(200), title: text(24), description: z.string().max(72).optional() })
const header = z.looseObject({
  type: z.enum(['text', 'image', 'video', 'document']),
  text: z.string().max(60).optional(),
})
const surroundings = {
  header: header.optional(),
  body: z.object({ text: text(1024) }),
  footer: z.object({ text: text(60) }).optional(),
}
const isUnique = (values: readonly string[]) => new Set(values).size === values.length

const buttonsSchema = z.object({
  type: z.literal('button'),
  ...surroundings,
  action: z.object({
    buttons: z
      .array(z.object({ type: z.literal('reply'), reply: z.object({ id: text(256), title: text(20) }) }))
      .min(1)
      .max(3)
      .refine((buttons) => isUnique(buttons.map(({ reply }) => reply.title)), 'titles must be unique')
      .refine((buttons) => isUnique(buttons.map(({ reply }) => reply.id)), 'ids must be unique'),
  }),
})
const listSchema = z.object({
  type: z.literal('list'),
  ...surroundings,
  action: z.object({
    button: text(20),
    sections: z
      .array(z.object({ title: z.string().max(24).optional(), rows: z.array(row).min(1) }))
      .min(1)
      .max(10)
      .refine((sections) => sections.flatMap(({ rows }) => rows).length <= 10, 'at most 10 rows in total')
      .refine(
        (sections) => sections.length === 1 || sections.every(({ title }) => title),
        'every section needs a title',
      )
      .refine(
        (sections) => isUnique(sections.flatMap(({ rows }) => rows.map(({ id }) => id))),
        'row ids must be unique',
      ),
  }),
})
const linkSchema = z.object({
  type: z.literal('cta_url'),
  ...surroundings,
  action: z.object({
    name: z.literal('cta_url'),
    parameters: z.object({ display_text: text(20), url: z.url({ protocol: /^https?$/ }).max(2000) }),
  }),
})
const flowSchema = z.object({
  type: z.literal('flow'),
  ...surroundings,
  action: z.object({
    name: z.literal('flow'),
    parameters: z
      .looseObject({
        flow_message_version: z.string(),
        flow_id: z.string().optional(),
        flow_name: z.string().optional(),
        flow_cta: text(30),
      })
      .refine(
        ({ flow_id, flow_name }) => (flow_id === undefined) !== (flow_name === undefined),
        'needs flow_id or flow_name',
      ),
  }),
})
const askSchema = z.object({
  type: z.enum(['location_request_message', 'contact_request', 'call_permission_request']),
  ...surroundings,
  action: z.looseObject({ name: z.string() }),
})
const catalogueSchema = z.looseObject({
  type: z.enum(['product', 'product_list', 'catalog_message', 'order_details', 'order_status']),
  action: z.looseObject({}),
})
const interactiveSchema = z.discriminatedUnion('type', [
  buttonsSchema,
  listSchema,
  linkSchema,
  flowSchema,
  askSchema,
  catalogueSchema,
])

const parameter = z.looseObject({
  type: z.string(),
  text: z.union([z.string(), z.boolean(), z.number()]).transform(String).optional(),
  parameter_name: z.string().optional(),
})
/** A component of a template, or of one of its cards, as it is sent. */
export const sentComponentSchema = z.looseObject({
  type: z.string(),
  sub_type: z.string().optional(),
  index: z.union([z.string(), z.number()]).optional(),
  parameters: z.array(parameter).optional(),
})
const templateSchema = z.object({
  name: text(512),
  language: z.object({ code: text(15), policy: z.string().optional() }),
  components: z.array(sentComponentSchema).optional(),
})
export type SentTemplate = z.infer<typeof templateSchema>

/** The object that each `type` of a message needs under its own name. */
const contentSchemas = {
  text: z.object({ body: text(4096), preview_url: z.boolean().optional() }),
  image: captioned,
  video: captioned,
  document: z
    .object({ ...mediaSource, caption: z.string().max(1024).optional(), filename: z.string().max(240).optional() })
    .refine(hasSource, oneSource),
  audio: z.object({ ...mediaSource, voice: z.boolean().optional() }).refine(hasSource, oneSource),
  sticker: z.object(mediaSource).refine(hasSource, oneSource),
  location: z.object({
    latitude: z.coerce.number().min(-90).max(90),
    longitude: z.coerce.number().min(-180).max(180),
    name: z.string().max(1000).optional(),
    address: z.string().max(1000).optional(),
  }),
  contacts: z
    .array(z.looseObject({ name: z.looseObject({ formatted_name: text(1000) }) }))
    .min(1)
    .max(257),
  reaction: z.object({ message_id: text(512), emoji: z.string().max(32) }),
  interactive: interactiveSchema,
  template: templateSchema,
} as const
type SentType = keyof typeof contentSchemas

const envelopeSchema = z.looseObject({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.enum(['individual', 'group']).default('individual'),
  to: z.string().max(40).optional(),
  recipient: z.string().max(160).optional(),
  type: z.string().optional(),
  context: z.object({ message_id: text(512) }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
})

/** A parsed send. */
export interface Send {
  readonly to: string | undefined
  readonly recipient: string | undefined
  readonly type: SentType
  readonly content: unknown
  readonly replyTo: string | undefined
  readonly callbackData: string | undefined
}

/** @throws GraphError with the API's own code for a missing or wrong field. */
export function parseSend(body: unknown): Send {
  if (typeof body !== 'object' || body === null || !('messaging_product' in body))
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' })
  const envelope = parsed(envelopeSchema, body, '')
  const { to, recipient } = envelope
  // One of Meta's own examples leaves the type out.
  const type = envelope.type ?? Object.keys(contentSchemas).find((name) => name in envelope) ?? 'text'
  if (to === undefined && recipient === undefined)
    throw new GraphError(100, { message: '(#100) The parameter to is required.' })
  if (!isSentType(type)) throw new GraphError(131051)
  if (envelope[type] === undefined) {
    throw new GraphError(100, { subcode: 2494010, details: `Parameter '${type}' is mandatory for type '${type}'` })
  }
  return {
    to,
    recipient: to === undefined ? recipient : undefined,
    type,
    content: parsed(contentSchemas[type], envelope[type], type),
    replyTo: envelope.context?.message_id,
    callbackData: envelope.biz_opaque_callback_data,
  }
}

const isSentType = (type: string): type is SentType => Object.hasOwn(contentSchemas, type)

function parsed<T extends z.ZodType>(schema: T, value: unknown, under: string): z.infer<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = [under, ...(issue?.path ?? [])].filter((part) => part !== '').join('.')
  const missing = issue?.code === 'invalid_type' && issue.message.endsWith('received undefined')
  throw new GraphError(missing ? 131008 : 131009, { details: `${path || 'body'}: ${issue?.message ?? 'invalid'}` })
}

const readReceiptSchema = z.object({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read'),
  message_id: text(512),
  typing_indicator: z.object({ type: z.literal('text') }).optional(),
})

/** A read receipt, with or without a typing indicator; `undefined` where the body is a message. */
export function parseReadReceipt(body: unknown): z.infer<typeof readReceiptSchema> | undefined {
  if (typeof body !== 'object' || body === null || !('status' in body)) return undefined
  return parsed(readReceiptSchema, body, '')
}
