import type { FastifyInstance, FastifyReply } from 'fastify'
import type { BusinessNumber, Message } from '../records.ts'
import type { Simulator } from '../simulator.ts'
import { digitsOf } from '../world.ts'
import { answerWith } from './answer-with.ts'
import { GraphError } from './graph-error.ts'
import { parseReadReceipt, parseSend, type Send } from './send-schema.ts'

interface NumberParams {
  Params: { id: string }
}

/** Sending: `POST /{phone-number-id}/messages`, and the same for marketing. */
export function serveMessages(
  graph: FastifyInstance,
  { authority, outbound, deliveries, faults, world, page }: Simulator,
): void {
  for (const path of ['/:id/messages', '/:id/marketing_messages']) {
    graph.post<NumberParams>(path, async (request, reply) => {
      const number = authority.numberOf(request, request.params.id, 'whatsapp_business_messaging')
      const receipt = parseReadReceipt(request.body)
      if (receipt) return answerReceipt(number, receipt)
      const send = parseSend(request.body)
      return answerSend(number, send, reply)
    })
  }

  function answerReceipt(number: BusinessNumber, receipt: NonNullable<ReturnType<typeof parseReadReceipt>>) {
    const message = world.messages.get(receipt.message_id)
    if (message?.direction !== 'inbound' || message.numberId !== number.id)
      throw new GraphError(131009, { details: 'message_id: is not a message of this number' })
    for (const earlier of world.messagesOf(number.id, message.customerId)) {
      if (earlier.direction === 'inbound' && earlier.status !== 'read' && earlier.at <= message.at)
        page.message(world.putMessage({ ...earlier, status: 'read' }))
    }
    if (receipt.typing_indicator) page.typing(number.id, message.customerId)
    return { success: true }
  }

  async function answerSend(number: BusinessNumber, send: Send, reply: FastifyReply) {
    const effect = faults.effectOf(number.id, digitsOf(send.to ?? ''))
    return answerWith(effect, reply, async () => {
      const body = acceptedBody(send, outbound.accept(number, send))
      if (outbound.settings().beforeAnswer) await firstStatusSent(body.messages[0].id)
      return body
    })
  }

  /** Sends the first status, and resolves once its delivery has ended. */
  async function firstStatusSent(id: string): Promise<void> {
    outbound.move(id, 'sent')
    await deliveries.whenIdle()
  }

  const acceptedBody = (send: Send, message: Message) => ({
    messaging_product: 'whatsapp',
    contacts: [
      send.recipient === undefined
        ? { input: send.to ?? '', wa_id: world.customers.get(message.customerId)?.phone ?? '' }
        : { input: send.recipient, user_id: send.recipient },
    ],
    messages: [{ id: message.id, ...(send.type === 'template' && { message_status: 'accepted' }) }] as const,
  })
}
