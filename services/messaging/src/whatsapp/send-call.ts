import { z } from 'zod'
import { failureOf, type GraphAnswer, type GraphRefusal, parseJson, wasNotSent } from './graph-answer.ts'
import type { Credentials, GraphClient } from './graph-client.ts'

const timeoutMs = 20_000

const word = z.string().optional().catch(undefined)
/** Answer of WhatsApp to a send: a message with an id was accepted, whatever else the answer holds. */
const acceptedSchema = z.object({
  contacts: z
    .array(z.looseObject({ wa_id: word }).catch({ wa_id: undefined }))
    .default([])
    .catch([]),
  messages: z.tuple([z.looseObject({ id: z.string().min(1), message_status: word })], z.unknown()),
})

/** Outcome of a send. */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly waMessageId: string; readonly waId?: string; readonly held: boolean }
  | { readonly kind: 'refused'; readonly refusal: GraphRefusal }
  /** The request never left: it can be made again. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** Unknown: it may have been accepted, which only a status can tell. */
  | { readonly kind: 'uncertain'; readonly reason: string }

/** The caller's credentials and number. */
export interface SendAccess extends Credentials {
  readonly graph: Pick<GraphClient, 'exchange'>
  readonly phoneNumberId: string
}

/** Sends a message once. Never throws: an uncertain result is returned as such. Only the gate may reach it. */
export async function sendCall({ graph, phoneNumberId, accessToken }: SendAccess, body: object): Promise<SendOutcome> {
  try {
    const { statusCode, headers, text } = await graph.exchange({
      method: 'POST',
      path: `${encodeURIComponent(phoneNumberId)}/messages`,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      headersTimeout: timeoutMs,
    })
    return outcomeOf({ status: statusCode, headers, text })
  } catch (error) {
    return { kind: wasNotSent(error) ? 'not_sent' : 'uncertain', reason: reasonOf(error) }
  }
}

function outcomeOf(answer: GraphAnswer): SendOutcome {
  const accepted = answer.status < 300 ? acceptedSchema.safeParse(parseJson(answer.text)).data : undefined
  if (accepted) {
    const [{ id: waMessageId, message_status: state }] = accepted.messages
    const waId = accepted.contacts[0]?.wa_id
    const held = state === 'held_for_quality_assessment'
    return { kind: 'accepted', waMessageId, ...(waId !== undefined && { waId }), held }
  }
  const { refusal } = failureOf(answer)
  if (refusal) return { kind: 'refused', refusal }
  // A gateway's own page says nothing about what happened behind it.
  const reason =
    answer.status < 300 ? 'the answer could not be read' : `HTTP ${answer.status} without the API's own error`
  return { kind: 'uncertain', reason }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'unknown'
