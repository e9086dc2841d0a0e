import { z } from 'zod'

/** A JSON answer as its contract has it. */
export interface ParsedAnswer {
  readonly body: unknown
  /**
   * Records left out of a list because the contract does not know them: their ids, as far as they have one, and what is wrong.
   */
  readonly leftOut: readonly { readonly id: string | undefined; readonly error: z.ZodError }[]
}

/**
 * Parses an answer, at the service on its way out and in the page on its way in. Each record of a list is parsed alone: one that
 * its contract refuses is left out instead of failing the page for good, and the list says how many are missing (`leftOut`).
 * @throws ZodError where anything else is not as the contract has it.
 */
export function parseAnswer(response: z.ZodType | undefined, result: unknown): ParsedAnswer {
  if (!response) return { body: undefined, leftOut: [] }
  const parsed = response.safeParse(result)
  if (parsed.success) return { body: parsed.data, leftOut: [] }
  const [record, list] = [recordOf(response), listSchema.safeParse(result).data]
  if (!record || !list) throw parsed.error
  const read = list.items.map((item) => ({ item, parsed: record.safeParse(item) }))
  const leftOut = read.flatMap(({ item, parsed: { error } }) => (error ? [{ id: idOf(item), error }] : []))
  if (leftOut.length === 0) throw parsed.error
  const kept = read.flatMap(({ item, parsed: { success } }) => (success ? [item] : []))
  // The service may have left out some already.
  const missing = leftOut.length + (list.leftOut ?? 0)
  return { body: response.parse({ ...list, items: kept, leftOut: missing }), leftOut }
}

/** Returns whether an endpoint answers with a list that reports how many records it leaves out. */
export const isList = (response: z.ZodType | undefined): boolean =>
  response !== undefined && recordOf(response) !== undefined

/** The schema of one record of a list that can say what is missing. */
function recordOf(response: z.ZodType): z.ZodType | undefined {
  if (!(response instanceof z.ZodObject) || !('leftOut' in response.shape)) return undefined
  const { items } = response.shape
  return items instanceof z.ZodArray && items.element instanceof z.ZodType ? items.element : undefined
}

const listSchema = z.looseObject({ items: z.array(z.unknown()), leftOut: z.number().optional() })

const namedSchema = z.looseObject({ id: z.string().max(64) })
const idOf = (item: unknown): string | undefined => namedSchema.safeParse(item).data?.id
