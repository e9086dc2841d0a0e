import { z } from 'zod'
import {
  type AnswerHeaders,
  type Credentials,
  failureOf,
  type GraphClient,
  type GraphRefusal,
  parseJson,
  wasNotSent,
} from './graph-client.ts'

const timeoutMs = 20_000

const acceptedSchema = z.object({
  contacts: z.array(z.looseObject({ wa_id: z.string().optional(), user_id: z.string().optional() })).default([]),
  messages: z.array(z.looseObject({ id: z.string(), message_status: z.string().optional() })).min(1),
})

/** What became of a send. */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly waMessageId: string; readonly waId?: string; readonly held: boolean }
  | { readonly kind: 'refused'; readonly refusal: GraphRefusal }
  /** The request never left: it can be made again. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** It may have been accepted: only a status can tell. */
  | { readonly kind: 'uncertain'; readonly reason: string }

/** Who calls, from which number. */
export interface SendAccess extends Credentials {
  readonly graph: Pick<GraphClient, 'exchange'>
  readonly phoneNumberId: string
}

/** Sends a message once. Never throws: what is not certain is told as such. Only the gate may reach it. */
export async function sendCall({ graph, phoneNumberId, accessToken }: SendAccess, body: object): Promise<SendOutcome> {
  try {
    const { statusCode, headers, text } = await graph.exchange({
      method: 'POST',
      path: `${encodeURIComponent(phoneNumberId)}/messages`,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      headersTimeout: timeoutMs,
    })
    return outcomeOf(statusCode, text, headers)
  } catch (error) {
    return { kind: wasNotSent(error) ? 'not_sent' : 'uncertain', reason: reasonOf(error) }
  }
}

function outcomeOf(status: number, text: string, headers: AnswerHeaders): SendOutcome {
  if (status >= 200 && status < 300) {
    const accepted = acceptedSchema.safeParse(parseJson(text))
    const [message] = accepted.data?.messages ?? []
    if (!message) return { kind: 'uncertain', reason: 'the answer could not be read' }
    const waId = accepted.data?.contacts[0]?.wa_id
    const held = message.message_status === 'held_for_quality_assessment'
    return { kind: 'accepted', waMessageId: message.id, ...(waId !== undefined && { waId }), held }
  }
  const { refusal } = failureOf(status, text, headers)
  if (refusal) return { kind: 'refused', refusal }
  // A gateway's own page says nothing about what happened behind it.
  return { kind: 'uncertain', reason: `HTTP ${status} without the API's own error` }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'unknown'
