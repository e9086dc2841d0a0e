import { z } from 'zod'
import { cardButtonSchema, judgedButtonSchema } from './template-buttons.ts'
import { headerFileSchema } from './template-headers.ts'

/** Limits of a carousel and of each card. Source: Meta, media card carousel templates. */
export const cardLimits = { min: 2, max: 10, body: 160, buttons: 2 } as const

const cardFileKinds = ['image', 'video'] as const

/** The picture or video of a card, as of a header: without a file where the template was written elsewhere. */
export const cardMediaSchema = z.object({ kind: z.enum(cardFileKinds), file: headerFileSchema.optional() })

/** A card of a carousel, which customers move sideways below the message. */
export const cardSchema = z.object({
  headerMedia: cardMediaSchema,
  /** Text with placeholders. */
  body: z.string().trim().max(cardLimits.body, `At most ${cardLimits.body} characters`).optional(),
  buttons: z.array(cardButtonSchema).max(cardLimits.buttons),
})
export type Card = z.infer<typeof cardSchema>

/** A card as it is checked while it is written. */
export const judgedCardSchema = z.object({
  headerMedia: z.object({
    kind: z.string().max(40),
    file: z.object({ mimeType: z.string().max(100), sizeBytes: z.number() }).optional(),
  }),
  body: z.string().max(2000).optional(),
  buttons: z.array(judgedButtonSchema).max(10),
})
export type JudgedCard = z.infer<typeof judgedCardSchema>
