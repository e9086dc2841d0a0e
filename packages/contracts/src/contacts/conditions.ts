import { z } from 'zod'

/** Comparisons of a field with a condition's value. `is_set` and `is_not_set` have no value. */
export const comparisons = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'greater_than',
  'less_than',
  'within_days',
  'is_set',
  'is_not_set',
] as const

const conditionSchema = z.object({
  /** `tags`, `name`, `lastContactAt`, `attributes.city` … */
  field: z.string().min(1).max(80),
  comparison: z.enum(comparisons),
  value: z.union([z.string().max(200), z.number(), z.boolean()]).optional(),
})
export type Condition = z.infer<typeof conditionSchema>

export interface ConditionGroup {
  match: 'all' | 'any'
  conditions: (Condition | ConditionGroup)[]
}

/** Groups within groups, the outermost counted. */
export const maxConditionDepth = 5

const groupOf = (depth: number): z.ZodType<ConditionGroup> =>
  z.object({
    match: z.enum(['all', 'any']),
    conditions: z
      .array(depth < maxConditionDepth ? z.union([conditionSchema, z.lazy(() => groupOf(depth + 1))]) : conditionSchema)
      .max(50),
  })

/** The one language of segments, list filters, bots and workflows: a tree of all/any, at most five deep. */
export const conditionGroupSchema = groupOf(1)

/** A tree of conditions in an address: its length once it is encoded. */
export const maxInAddress = 6000

/** A tree of conditions in a query string, as JSON; in a body it may be the tree itself. */
export const conditionsParameter = (schema: z.ZodType<ConditionGroup>) =>
  z
    .preprocess((value) => (typeof value === 'string' ? readJson(value) : value), schema.optional())
    // Declared for the OpenAPI document.
    .meta({ contentMediaType: 'application/json' }) as z.ZodType<
    ConditionGroup | undefined,
    ConditionGroup | string | undefined
  >

function readJson(text: string): unknown {
  if (text.length > maxInAddress) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
