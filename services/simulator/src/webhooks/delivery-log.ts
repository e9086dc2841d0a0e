import { z } from 'zod'
import type { Delivery } from '../records.ts'

/** The headers of a delivery. */
export const headersOf = ({ signature }: Pick<Delivery, 'signature'>): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'facebookexternalua',
  ...(signature !== null && { 'x-hub-signature-256': signature }),
})

const listed = z.array(z.looseObject({ type: z.string().optional(), status: z.string().optional() })).catch([])
const bodySchema = z.object({
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          field: z.string(),
          value: z
            .looseObject({ messages: listed, statuses: listed, event: z.string().optional().catch(undefined) })
            .catch({ messages: [], statuses: [] }),
        }),
      ),
    }),
  ),
})

/** Returns a delivery's content in a few words: `message text`, `status delivered +2`. */
export function aboutOf(body: string): string {
  const parsed = bodySchema.safeParse(parseJson(body))
  if (!parsed.success) return 'something else'
  const changes = parsed.data.entry
    .flatMap(({ changes }) => changes)
    .flatMap(({ field, value: { messages, statuses, event } }) => {
      if (messages.length + statuses.length === 0) return [event === undefined ? field : `${field} ${event}`]
      return [...messages.map(({ type }) => `message ${type}`), ...statuses.map(({ status }) => `status ${status}`)]
    })
  const [first = 'nothing', ...others] = changes
  return others.length === 0 ? first : `${first} +${others.length}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
