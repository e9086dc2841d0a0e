import { z } from 'zod'
import { countSchema, idSchema } from '../core/records.ts'
import { templateButtonKinds } from '../templates/template-buttons.ts'

/** Header of a sent template, where it is not text. */
export const templateHeaderSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['image', 'video', 'document']),
    mediaId: idSchema,
    mimeType: z.string().max(100),
    sizeBytes: countSchema,
    fileName: z.string().max(240),
  }),
  z.object({
    kind: z.literal('location'),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: z.string().max(200),
    address: z.string().max(300),
  }),
  z.object({
    kind: z.literal('product'),
    /** Content ID of the product, and the id of its catalogue at Meta. */
    id: z.string().max(2000),
    catalogId: z.string().max(40),
  }),
])

/** Buttons as customers see them. */
export const templateButtonsSchema = z
  .array(z.object({ kind: z.enum(templateButtonKinds), text: z.string().max(100) }))
  .max(10)

/** Card of a carousel. */
export const templateCardSchema = z.object({
  header: z
    .object({
      kind: z.enum(['image', 'video']),
      mediaId: idSchema,
      mimeType: z.string().max(100),
      sizeBytes: countSchema,
      fileName: z.string().max(240),
    })
    .optional(),
  text: z.string().max(4096).optional(),
  buttons: templateButtonsSchema,
})
