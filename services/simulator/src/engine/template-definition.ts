import { z } from 'zod'
import { GraphError } from '../graph/graph-error.ts'
import { variablesOf } from './fill-template.ts'

const exampleless = z.record(z.string(), z.unknown())
const componentSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('HEADER'),
    format: z.enum(['TEXT', 'IMAGE', 'VIDEO', 'GIF', 'DOCUMENT', 'LOCATION', 'PRODUCT']),
    text: z.string().min(1).max(60).optional(),
    example: exampleless.optional(),
  }),
  z.looseObject({
    type: z.literal('BODY'),
    text: z.string().min(1).max(1024).optional(),
    example: exampleless.optional(),
  }),
  z.looseObject({ type: z.literal('FOOTER'), text: z.string().min(1).max(60).optional() }),
  z.looseObject({
    type: z.literal('BUTTONS'),
    buttons: z
      .array(
        z.looseObject({ type: z.string(), text: z.string().max(25).optional(), url: z.string().max(2000).optional() }),
      )
      .min(1)
      .max(10),
  }),
  z.looseObject({ type: z.enum(['CAROUSEL', 'LIMITED_TIME_OFFER', 'CALL_PERMISSION_REQUEST']) }),
])

export const componentsSchema = z
  .array(
    z.preprocess(
      (component) =>
        typeof component === 'object' && component !== null && 'type' in component
          ? { ...component, type: String(component.type).toUpperCase() }
          : component,
      componentSchema,
    ),
  )
  .min(1)
  .max(10)

/** A template as it is handed in for review. */
export const definitionSchema = z.object({
  name: z
    .string()
    .max(512)
    .regex(/^[a-z0-9_]+$/, 'only lower-case letters, digits and underscores'),
  language: z.string().regex(/^[a-z]{2,3}(_[A-Z]{2,4})?$/),
  category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']),
  parameter_format: z
    .string()
    .transform((format) => format.toUpperCase())
    .pipe(z.enum(['POSITIONAL', 'NAMED']))
    .default('POSITIONAL'),
  components: componentsSchema,
})
export const editSchema = definitionSchema.pick({ components: true, category: true }).partial()

/** A template with its verdict. */
export const placedTemplateSchema = definitionSchema.extend({
  id: z.string().regex(/^\d{1,15}$/),
  status: z.enum(['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED']),
  rejected_reason: z.string().max(100).default('NONE'),
  quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']).default('UNKNOWN'),
})

/** @throws GraphError 100, naming the field. */
export function parsed<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new GraphError(100, {
    message: `(#100) Invalid parameter`,
    userTitle: 'Invalid parameter',
    userMessage: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not valid'}`,
  })
}

/** @throws GraphError: a body may neither begin nor end with a variable, and needs enough words between them. */
export function checkVariables(components: readonly z.infer<typeof componentSchema>[]): void {
  for (const component of components) {
    if (component.type !== 'BODY' || component.text === undefined) continue
    const { text } = component
    const count = variablesOf(text).length
    if (/^\s*\{\{|\}\}\W*$/.test(text)) {
      throw new GraphError(2388299, {
        message: 'Invalid parameter',
        userTitle: "Variables can't be at the start or end of the template",
        userMessage: 'Leading or trailing parameters are not allowed.',
      })
    }
    const words = text.replace(/\{\{[^}]*\}\}/g, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
    if (count > 0 && words < 2 * count + 1 - count) {
      throw new GraphError(2388293, {
        message: 'Invalid parameter',
        userTitle: 'This template has too many variables for its length',
        userMessage: 'Reduce the number of variables or increase the message length.',
      })
    }
  }
}
