import { z } from 'zod'
import { GraphCallFailed } from './graph-answer.ts'
import type { GraphClient } from './graph-client.ts'

interface Access {
  readonly graph: GraphClient
  readonly phoneNumberId: string
  readonly accessToken: string
}

const failedSchema = z.looseObject({
  block_users: z.looseObject({ failed_users: z.array(z.unknown()).default([]) }).optional(),
})

/**
 * Asks WhatsApp to block or unblock a customer for a number. Repeating it changes nothing. Source: Meta, WhatsApp Cloud API,
 * Block users.
 * @param phone E.164.
 * @returns whether it is so now: WhatsApp blocks only customers who have written in the last 24 hours.
 * @throws GraphCallFailed where WhatsApp has not answered.
 */
export async function askToBlock(
  { graph, phoneNumberId, accessToken }: Access,
  phone: string,
  blocked: boolean,
): Promise<boolean> {
  const body = { messaging_product: 'whatsapp', block_users: [{ user: phone }] }
  try {
    const answer = await graph.call(blocked ? 'POST' : 'DELETE', `${phoneNumberId}/block_users`, {
      accessToken,
      body,
      answer: failedSchema,
    })
    return (answer.block_users?.failed_users.length ?? 0) === 0
  } catch (error) {
    if (error instanceof GraphCallFailed && error.refusal) return false
    throw error
  }
}
