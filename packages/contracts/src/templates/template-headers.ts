import { z } from 'zod'
import { idSchema } from '../core/records.ts'
import { templateLimits } from './template-limits.ts'

const mib = 1024 * 1024

/**
 * Files that WhatsApp takes as the header of a template, which are fewer than it takes as a message. Source: Meta, message
 * templates, header components.
 */
export const headerFiles = {
  image: { types: ['image/jpeg', 'image/png'], bytes: 5 * mib, words: 'A picture is a JPEG or PNG of at most 5 MB' },
  video: { types: ['video/mp4'], bytes: 16 * mib, words: 'A video is an MP4 of at most 16 MB' },
  document: { types: ['application/pdf'], bytes: 100 * mib, words: 'A document is a PDF of at most 100 MB' },
} as const satisfies Record<string, { types: readonly string[]; bytes: number; words: string }>
export type HeaderFileKind = keyof typeof headerFiles
const headerFileKinds = ['image', 'video', 'document'] as const satisfies readonly HeaderFileKind[]

export const headerFileSchema = z.object({
  /** Uploaded before (`mediaApi.upload`). */
  mediaId: idSchema,
  /** File name, which customers see for a document. */
  name: z.string().trim().min(1).max(240),
  mimeType: z.string().max(100),
  sizeBytes: z.number().int().nonnegative(),
})
export type HeaderFile = z.infer<typeof headerFileSchema>

const headerPlaceSchema = z.object({
  latitude: z.number('Enter a latitude').min(-90, 'Between -90 and 90').max(90, 'Between -90 and 90'),
  longitude: z.number('Enter a longitude').min(-180, 'Between -180 and 180').max(180, 'Between -180 and 180'),
  name: z.string().trim().min(1, 'Enter the name of the place').max(200),
  address: z.string().trim().min(1, 'Enter the address').max(300),
})
export type HeaderPlace = z.infer<typeof headerPlaceSchema>

/** A product whose picture, title and price WhatsApp shows. Source: Meta, single-product message templates. */
const headerProductSchema = z.object({
  /** Content ID in the business's catalogue, or one variable. */
  id: z.string().trim().min(1, 'Enter a product').max(templateLimits.product),
  /** Catalogue that it is in, by its id at Meta. */
  catalogId: z
    .string()
    .trim()
    .regex(/^\d{1,40}$/, 'Enter the catalogue’s ID, which has digits only'),
})
export type HeaderProduct = z.infer<typeof headerProductSchema>

/**
 * Header that is not text. The file is WhatsApp's sample, and what is sent; a template written elsewhere has none until a member
 * adds one, nor a place or a product.
 */
export const headerMediaSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(headerFileKinds), file: headerFileSchema.optional() }),
  z.object({ kind: z.literal('location'), place: headerPlaceSchema.optional() }),
  z.object({ kind: z.literal('product'), product: headerProductSchema.optional() }),
])
export type HeaderMedia = z.infer<typeof headerMediaSchema>

/** Parts of a header that are checked. */
export interface JudgedHeader {
  readonly kind: string
  readonly file?: Pick<HeaderFile, 'mimeType' | 'sizeBytes'> | undefined
  readonly place?: object | undefined
  readonly product?: HeaderProduct | undefined
}

const nouns: Readonly<Record<string, string>> = {
  image: 'a picture',
  video: 'a video',
  document: 'a document',
  location: 'a place',
  product: 'a product',
}

/** Reason why nothing can be sent of a template: its header has no file, no place or no product. */
export function missingHeader(header: JudgedHeader | undefined): string | undefined {
  if (!header || (header.file ?? header.place ?? header.product)) return undefined
  return `This template needs ${nouns[header.kind] ?? 'a file'}`
}

/** Reason why WhatsApp would refuse the file of a header. */
export function headerFileProblem({ kind, file }: JudgedHeader): string | undefined {
  if (!file || !Object.hasOwn(headerFiles, kind)) return undefined
  const { types, bytes, words }: { types: readonly string[]; bytes: number; words: string } =
    headerFiles[kind as HeaderFileKind]
  return types.includes(file.mimeType) && file.sizeBytes <= bytes ? undefined : words
}
