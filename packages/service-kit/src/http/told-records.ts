import { z } from 'zod'

/** A JSON answer as its contract has it. */
export interface Told {
  readonly body: unknown
  /** Where a list had to go without records that the contract cannot tell: their ids, as far as they have one, and what is wrong. */
  readonly leftOut: readonly { readonly id: string | undefined; readonly problem: string }[]
}

/**
 * Parses what a handler answers with. Of a list each record is told alone: one that its contract cannot tell is left out instead of
 * failing the page for good, and the page says how many are missing (`leftOut`).
 * @throws ZodError where anything else is not as the contract has it.
 */
export function tellAnswer(response: z.ZodType | undefined, result: unknown): Told {
  if (!response) return { body: undefined, leftOut: [] }
  const parsed = response.safeParse(result)
  if (parsed.success) return { body: parsed.data, leftOut: [] }
  const [record, items] = [recordOf(response), itemsOf(result)]
  if (!record || !items) throw parsed.error
  const read = items.map((item) => ({ item, parsed: record.safeParse(item) }))
  const leftOut = read.flatMap(({ item, parsed: { error } }) =>
    error ? [{ id: idOf(item), problem: z.prettifyError(error).slice(0, 500) }] : [],
  )
  if (leftOut.length === 0) throw parsed.error
  const kept = read.flatMap(({ item, parsed: { success } }) => (success ? [item] : []))
  return { body: response.parse({ ...Object(result), items: kept, leftOut: leftOut.length }), leftOut }
}

/** Whether an endpoint answers with a list that says how many records it goes without. */
export const isList = (response: z.ZodType | undefined): boolean =>
  response !== undefined && recordOf(response) !== undefined

/** The schema of one record of a list that can say what is missing. */
function recordOf(response: z.ZodType): z.ZodType | undefined {
  if (!(response instanceof z.ZodObject) || !('leftOut' in response.shape)) return undefined
  const { items } = response.shape
  return items instanceof z.ZodArray && items.element instanceof z.ZodType ? items.element : undefined
}

const listSchema = z.looseObject({ items: z.array(z.unknown()) })
const itemsOf = (result: unknown): unknown[] | undefined => listSchema.safeParse(result).data?.items

const namedSchema = z.looseObject({ id: z.string().max(64) })
const idOf = (item: unknown): string | undefined => namedSchema.safeParse(item).data?.id
