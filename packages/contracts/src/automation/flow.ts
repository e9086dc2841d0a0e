import { z } from 'zod'
import { comparisons } from '../contacts/conditions.ts'
import { tagNameSchema } from '../contacts/tags.ts'
import { idSchema, recordKey } from '../core/records.ts'
import { maxCaptionLength } from '../inbox/messages.ts'
import { businessHoursSchema } from '../inbox/opening-hours.ts'
import { assigneeSchema } from './bot-settings.ts'
import { attributeNameSchema, mappingsSchema } from './field-mappings.ts'
import { httpRequestFields } from './http-request.ts'
import { triggerSettings } from './triggers.ts'

/** Version of the stored form of flows. Older ones are read by `upgradeFlow` of `@parley/flow`. */
export const flowFormat = 2

/** Kinds of a flow's step: it starts the flow, does something, decides or waits. */
export const flowNodeTypes = ['trigger', 'action', 'condition', 'delay'] as const
export type FlowNodeType = (typeof flowNodeTypes)[number]

const textSchema = z.string().trim().min(1, 'Enter the message').max(4096, 'At most 4,096 characters')
const promptSchema = z.string().trim().min(1, 'Enter the message').max(1024, 'At most 1,024 characters')
/** Option that the customer taps; the platform allows 20 characters on a button. */
const choiceSchema = z.object({
  id: idSchema,
  title: z.string().trim().min(1, 'Enter the button’s text').max(20, 'At most 20 characters'),
})
const rowSchema = z.object({
  id: idSchema,
  title: z.string().trim().min(1, 'Enter the row’s title').max(24, 'At most 24 characters'),
  description: z.string().trim().max(72, 'At most 72 characters').optional(),
})

/** Answers that a question can ask for. */
const answerKinds = ['any', 'text', 'number', 'email', 'phone', 'date', 'location', 'media'] as const
export type AnswerKind = (typeof answerKinds)[number]

/** Kinds of file that a flow can send. */
export const flowMediaKinds = ['image', 'video', 'audio', 'document'] as const

/** Answers that do not fit before a question is left by `invalid`, unless the node sets another number. */
export const defaultTries = 2

const deadlineSchema = z
  .number()
  .int()
  .min(10, 'At least ten seconds')
  .max(7 * 86_400, 'At most seven days')
const questionFields = {
  /** Maximum answers that do not fit; absent: {@link defaultTries}. */
  tries: z.number().int().min(1, 'At least one').max(5, 'At most five').optional(),
  /** Absent: the idle time of the bot. */
  timeoutSeconds: deadlineSchema.optional(),
}

/** Settings of a node, by its kind. A node's `type` is the group that its kind belongs to: {@link nodeTypeOf}. */
export const nodeSettingsSchema = z.discriminatedUnion('kind', [
  ...triggerSettings,
  // action
  z.object({ kind: z.literal('send_text'), text: textSchema }),
  z.object({
    kind: z.literal('send_media'),
    media: z.enum(flowMediaKinds),
    mediaId: z.string().min(1, 'Upload a file').max(64),
    /** Name of the file, which a document shows. */
    fileName: z.string().trim().max(240).optional(),
    /** Text under it; audio has none. */
    caption: z.string().trim().max(maxCaptionLength, 'At most 1,024 characters').optional(),
  }),
  z.object({
    kind: z.literal('send_template'),
    templateId: z.string().min(1, 'Choose a template').max(64),
    variables: z.record(recordKey, z.string().max(200)),
  }),
  z.object({
    kind: z.literal('ask'),
    text: textSchema,
    /** Absent: `text`. */
    expects: z.enum(answerKinds).optional(),
    /** Sent where the answer does not fit; absent: the question again. */
    invalidText: promptSchema.optional(),
    attribute: attributeNameSchema,
    /** `session`: forgotten when the session ends. Absent: `contact`. */
    save: z.enum(['contact', 'session']).optional(),
    ...questionFields,
  }),
  z.object({
    kind: z.literal('buttons'),
    text: promptSchema,
    choices: z.array(choiceSchema).min(1, 'Add at least one button').max(3, 'At most three buttons'),
    ...questionFields,
  }),
  z.object({
    kind: z.literal('list'),
    text: promptSchema,
    button: z.string().trim().min(1, 'Enter the button’s text').max(20, 'At most 20 characters'),
    rows: z.array(rowSchema).min(1, 'Add at least one row').max(10, 'At most ten rows'),
    ...questionFields,
  }),
  /** A form that the customer fills in; its answers are kept as `session.<question>`. */
  z.object({
    kind: z.literal('form'),
    text: promptSchema,
    button: z.string().trim().min(1, 'Enter the button’s text').max(20, 'At most 20 characters'),
    /** Id of the form at WhatsApp, which calls it a flow. */
    formId: z.string().min(1, 'Choose a form').max(64),
    /** Screen on which it opens; absent: its own first one. */
    screen: z.string().trim().max(80).regex(/^\w+$/, 'Letters, digits and underscores only, as in WELCOME').optional(),
    /** Sent where something else than the form comes; absent: the form again. */
    invalidText: promptSchema.optional(),
    ...questionFields,
  }),
  z.object({ kind: z.literal('set_attribute'), attribute: attributeNameSchema, value: z.string().max(1000) }),
  z.object({ kind: z.literal('add_tag'), tag: tagNameSchema }),
  z.object({ kind: z.literal('remove_tag'), tag: tagNameSchema }),
  z.object({
    kind: z.literal('assign'),
    to: assigneeSchema,
    /** Internal note for the person who takes over. */
    note: z.string().trim().max(1000, 'At most 1,000 characters').optional(),
  }),
  /** Closes the conversation; the session ends with it. */
  z.object({ kind: z.literal('close') }),
  z.object({
    kind: z.literal('http_call'),
    connectionId: z.string().min(1, 'Choose a connection').max(64),
    ...httpRequestFields,
    /** Fields of the answer's JSON that are kept. */
    mappings: mappingsSchema(10).optional(),
  }),
  z.object({ kind: z.literal('go_to_bot'), botId: z.string().min(1, 'Choose a bot').max(64) }),
  z.object({ kind: z.literal('end') }),
  // condition: leaves by `yes` or `no`
  z.object({
    kind: z.literal('business_hours'),
    hours: z.discriminatedUnion('use', [
      z.object({ use: z.literal('workspace') }),
      z.object({
        use: z.literal('own'),
        ...businessHoursSchema.shape,
        spans: businessHoursSchema.shape.spans.min(1, 'Choose at least one day'),
      }),
    ]),
  }),
  z.object({
    kind: z.literal('attribute'),
    attribute: attributeNameSchema,
    comparison: z.enum(comparisons),
    value: z.string().max(200).optional(),
  }),
  z.object({ kind: z.literal('tag'), tag: tagNameSchema }),
  z.object({ kind: z.literal('last_answer'), comparison: z.enum(comparisons), value: z.string().max(200).optional() }),
  // delay
  z.object({
    kind: z.literal('wait_time'),
    seconds: z
      .number()
      .int()
      .min(1, 'At least one second')
      .max(30 * 86_400, 'At most 30 days'),
  }),
  /** Leaves by `reply` or `timeout`. */
  z.object({ kind: z.literal('wait_reply'), timeoutSeconds: deadlineSchema }),
])
export type NodeSettings = z.infer<typeof nodeSettingsSchema>
export type NodeKind = NodeSettings['kind']

/** The kinds of each type, in the order of the palette. */
export const nodeKinds = {
  trigger: ['keyword', 'any_message', 'handed_over', 'event', 'schedule', 'hook'],
  action: [
    'send_text',
    'send_media',
    'send_template',
    'ask',
    'buttons',
    'list',
    'form',
    'set_attribute',
    'add_tag',
    'remove_tag',
    'assign',
    'close',
    'http_call',
    'go_to_bot',
    'end',
  ],
  condition: ['business_hours', 'attribute', 'tag', 'last_answer'],
  delay: ['wait_time', 'wait_reply'],
} as const satisfies Record<FlowNodeType, readonly NodeKind[]>

/** The type that a kind belongs to. */
export function nodeTypeOf(kind: NodeKind): FlowNodeType {
  const found = flowNodeTypes.find((type) => (nodeKinds[type] as readonly NodeKind[]).includes(kind))
  if (found === undefined) throw new Error(`No node type has the kind ${kind}`)
  return found
}

const flowNodeSchema = z.object({
  id: idSchema,
  type: z.enum(flowNodeTypes),
  label: z.string().max(60),
  description: z.string().max(300),
  position: z.object({ x: z.number(), y: z.number() }),
  settings: nodeSettingsSchema,
})

const flowEdgeSchema = z.object({
  id: idSchema,
  source: idSchema,
  target: idSchema,
  /** `next`; `yes` and `no` of a condition; a choice's id; `reply` and `timeout` of a wait; `invalid`, `timeout`, `failed`. */
  branch: z.string().min(1).max(64),
})
export type FlowEdge = z.infer<typeof flowEdgeSchema>

export const maxFlowNodes = 200

export const flowSchema = z.object({
  format: z.literal(flowFormat),
  nodes: z.array(flowNodeSchema).max(maxFlowNodes),
  edges: z.array(flowEdgeSchema).max(2 * maxFlowNodes),
})

/**
 * A flow while it is being built: settings may still be incomplete (an empty message), so they are checked by
 * {@link nodeSettingsSchema} where they run and where the builder marks what is wrong.
 */
export const draftFlowSchema = z.object({
  format: z.literal(flowFormat),
  nodes: z.array(flowNodeSchema.extend({ settings: z.looseObject({ kind: z.string().max(40) }) })).max(maxFlowNodes),
  edges: flowSchema.shape.edges,
})
export type DraftFlow = z.infer<typeof draftFlowSchema>
