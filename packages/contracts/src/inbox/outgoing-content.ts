import { z } from 'zod'
import { idSchema, phoneSchema } from '../core/records.ts'
import { maxCaptionLength, maxMessageLength } from './messages.ts'

/** Limits of the platform for a question with options: Cloud API, interactive reply buttons and lists messages. */
export const questionLimits = {
  text: 1024,
  footer: 60,
  button: 20,
  buttons: 3,
  buttonTitle: 20,
  rows: 10,
  rowTitle: 24,
  rowDescription: 72,
} as const

/** A question with up to three reply buttons, or with a list that `button` opens. */
const questionSchema = z
  .object({
    type: z.literal('interactive'),
    text: z.string().trim().min(1).max(questionLimits.text),
    /** Small words below the text of reply buttons. */
    footer: z.string().trim().min(1).max(questionLimits.footer).optional(),
    button: z.string().trim().min(1).max(questionLimits.button).optional(),
    options: z
      .array(
        z.object({
          id: z.string().min(1).max(200),
          title: z.string().trim().min(1).max(questionLimits.rowTitle),
          description: z.string().trim().min(1).max(questionLimits.rowDescription).optional(),
        }),
      )
      .min(1)
      .max(questionLimits.rows),
  })
  .superRefine(({ button, footer, options }, context) => {
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    const isRepeated = (values: readonly string[]) => new Set(values).size < values.length
    if (isRepeated(options.map(({ id }) => id))) refuse(['options'], 'Give each option an id of its own')
    if (isRepeated(options.flatMap(({ title }) => title || [])))
      refuse(['options'], 'Give each option a title of its own')
    if (button !== undefined) {
      if (footer !== undefined) refuse(['footer'], 'Only reply buttons have a footer')
      return
    }
    if (options.length > questionLimits.buttons) refuse(['options'], `At most ${questionLimits.buttons} reply buttons`)
    for (const [index, { title, description }] of options.entries()) {
      if (title.length > questionLimits.buttonTitle)
        refuse(['options', index, 'title'], `At most ${questionLimits.buttonTitle} characters on a reply button`)
      if (description !== undefined)
        refuse(['options', index, 'description'], 'Only entries of a list have a description')
    }
  })

const captionedSchema = (type: 'image' | 'video' | 'document') =>
  z.object({
    type: z.literal(type),
    mediaId: idSchema,
    caption: z.string().trim().max(maxCaptionLength).optional(),
    /** Documents: the name that the customer sees. */
    fileName: z.string().trim().min(1).max(240).optional(),
  })

const fileSchemas = [
  captionedSchema('image'),
  captionedSchema('video'),
  captionedSchema('document'),
  /** `voice`: shown as a voice note, with its waveform; an Ogg file with Opus. */
  z.object({ type: z.literal('audio'), mediaId: idSchema, voice: z.boolean().optional() }),
  z.object({ type: z.literal('sticker'), mediaId: idSchema }),
] as const

/** File that a person sends, or puts into a note for colleagues; it was uploaded before (`mediaApi.upload`). */
export const outgoingFileSchema = z.discriminatedUnion('type', fileSchemas)
export type OutgoingFile = z.infer<typeof outgoingFileSchema>

/**
 * Content that a person sends. Media was uploaded before (`mediaApi.upload`). `text` with a `*bold*` word stays as typed:
 * WhatsApp shows it.
 */
export const outgoingContentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().trim().min(1).max(maxMessageLength) }),
  ...fileSchemas,
  z.object({
    type: z.literal('location'),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: z.string().trim().max(200).optional(),
    address: z.string().trim().max(300).optional(),
  }),
  z.object({
    type: z.literal('contacts'),
    contacts: z
      .array(z.object({ name: z.string().trim().min(1).max(200), phones: z.array(phoneSchema).min(1).max(10) }))
      .min(1)
      .max(10),
  }),
  questionSchema,
])
export type OutgoingContent = z.infer<typeof outgoingContentSchema>
/** Content that is composed in a dialog of its own. */
export type OutgoingCard = Extract<OutgoingContent, { type: 'location' | 'contacts' | 'interactive' }>
