import { z } from 'zod'

/** A part of an error is left out by itself where it is not as documented: what WhatsApp has said stays. */
const words = z.string().min(1).optional().catch(undefined)
const whole = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^\s*-?\d{1,12}\s*$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined)

const errorSchema = z.object({
  code: whole,
  message: words,
  error_subcode: whole,
  error_data: z
    .union([z.object({ details: words }), z.string().transform(detailsOf)])
    .optional()
    .catch(undefined),
  error_user_title: words,
  error_user_msg: words,
  is_transient: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
    .optional()
    .catch(undefined),
})
const answerSchema = z.object({
  error: z.union([
    errorSchema,
    z
      .string()
      .min(1)
      .transform((message) => errorSchema.parse({ message })),
  ]),
})

/** Details have been seen as a text, also as JSON within one. */
function detailsOf(text: string): { details?: string | undefined } {
  const inner = z.object({ details: z.string().min(1) }).safeParse(parseJson(text)).data
  return inner ?? (text === '' ? {} : { details: text })
}

/** The API's own word on why it refused. */
export interface GraphRefusal {
  readonly code: number
  readonly subcode?: number | undefined
  /** Meta's text, for people who have to act on it. */
  readonly message: string
  readonly retryAfterSeconds?: number | undefined
  /** Set for an answer with status 429: there were too many requests. */
  readonly isThrottled?: true | undefined
  /** Set where WhatsApp says that it would not refuse the same request again. */
  readonly isTransient?: true | undefined
}

/** An answer other than 2xx, or none. */
export class GraphCallFailed extends Error {
  readonly refusal: GraphRefusal | undefined
  /** True where nothing reached WhatsApp: the call can be made again. */
  readonly neverLeft: boolean
  constructor(message: string, refusal?: GraphRefusal, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'GraphCallFailed'
    this.refusal = refusal
    this.neverLeft = wasNotSent(cause)
  }
}

/** Errors before the request was written: nothing can have been accepted. */
const notSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Returns whether an error came before anything was asked. */
export const wasNotSent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && notSent.has(String(error.code))

export interface GraphAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
}

/** The body of an answer. @throws GraphCallFailed for an error, whatever the status is, and for what cannot be read. */
export function readAnswer<T extends z.ZodType>(schema: T, answer: GraphAnswer): z.infer<T> {
  const failed = failureOf(answer)
  if (answer.status >= 300 || failed.refusal) throw failed
  const parsed = schema.safeParse(parseJson(answer.text))
  if (parsed.success) return parsed.data
  throw new GraphCallFailed('WhatsApp answered with something that Parley does not understand.')
}

/** Returns the failure that an unsuccessful answer stands for. Without the API's own error the outcome is unknown. */
export function failureOf({ status, headers, text }: GraphAnswer): GraphCallFailed {
  const parsed = answerSchema.safeParse(parseJson(text))
  const code = parsed.data?.error.code ?? (parsed.success ? codesOfStatus[status] : undefined)
  const isThrottled = status === 429
  if (!parsed.success || code === undefined) {
    const said = `WhatsApp answered ${status}.`
    return isThrottled
      ? new GraphCallFailed(said, { code: tooManyCalls, message: said, ...waitOf(headers), isThrottled })
      : new GraphCallFailed(said)
  }
  const { error_subcode: subcode, message = '', error_data: data, error_user_msg: userMessage } = parsed.data.error
  const details = userMessage ?? data?.details
  const said = details && !message.includes(details) ? [message, details].filter(Boolean).join(': ') : message
  return new GraphCallFailed(said, {
    code,
    subcode,
    message: said.slice(0, 500),
    ...waitOf(headers),
    ...(isThrottled && { isThrottled }),
    ...(parsed.data.error.is_transient && { isTransient: true }),
  })
}

const tooManyCalls = 4
/** Error codes for a status, where the error's own code cannot be read. After a 5xx the outcome is unknown. */
const codesOfStatus: Readonly<Record<number, number>> = {
  200: 100,
  201: 100,
  202: 100,
  400: 100,
  404: 100,
  405: 100,
  410: 100,
  413: 100,
  415: 100,
  422: 100,
  401: 190,
  403: 10,
  429: tooManyCalls,
}

/** @param headers of which `Retry-After` counts, in seconds or as a date. */
function waitOf(headers: GraphAnswer['headers']): Pick<GraphRefusal, 'retryAfterSeconds'> {
  const retryAfter = String(headers['retry-after'] ?? '')
  const seconds = /^\d/.test(retryAfter) ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000)
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: seconds } : {}
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
