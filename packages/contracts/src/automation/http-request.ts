import { z } from 'zod'

/** Methods of calls to other systems. */
export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type HttpMethod = (typeof httpMethods)[number]

/** Seconds for which an answer is awaited, unless the step sets another number. */
export const defaultCallSeconds = 15

/** Headers that the connection, or the protocol itself, decides. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'expect',
  'idempotency-key',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export const headerNameSchema = z
  .string()
  .trim()
  .max(64, 'At most 64 characters')
  .regex(/^[!#$%&'*+.^`|~\w-]+$/, 'Use letters, digits and hyphens')
  .refine((name) => !ownHeaders.has(name.toLowerCase()) && !/^proxy-/i.test(name), 'Parley sets this header itself')

/** Returns whether a text is JSON in which variables stand in texts only: `{"order": "{{session.order}}"}`. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Fields of a call, whose host the connection fixes. Variables may stand in its path, the values of headers, and texts of its body. */
export const httpRequestFields = {
  method: z.enum(httpMethods),
  /** Path and query below the connection's address: `/orders/{{session.order}}?full=1`. */
  path: z
    .string()
    .trim()
    .max(2000, 'At most 2,000 characters')
    .regex(/^\/[^#\\\p{Cc}]*$/u, 'Begin with /, without # and \\'),
  headers: z
    .array(z.object({ name: headerNameSchema, value: z.string().max(1000, 'At most 1,000 characters') }))
    .max(10, 'At most ten headers')
    .optional(),
  body: z
    .string()
    .max(10_000, 'At most 10,000 characters')
    .refine(
      (text) => text.trim() === '' || isJson(text),
      'Enter JSON, with variables between quotation marks: {"order": "{{session.order}}"}',
    )
    .optional(),
  timeoutSeconds: z.number().int().min(1, 'At least one second').max(30, 'At most 30 seconds').optional(),
}
