import { newId } from '@parley/service-kit/data/plain'

/** Makes the event of a customer's message, as messaging records it, without what every event has. */
export function inboundMessage({
  conversationId,
  numberId,
  text,
  at = new Date(0).toISOString(),
}: {
  conversationId: string
  numberId: string
  text: string
  at?: string
}) {
  const contact = {
    id: newId(),
    version: 1,
    createdAt: at,
    updatedAt: at,
    name: 'Kiran',
    phone: '+919812345678',
    tags: [],
    attributes: {},
    optIn: { marketing: 'unknown', source: '', at: null },
    lastContactAt: null,
    source: 'inbound',
    blocked: false,
  }
  const conversation = { id: conversationId, numberId, status: 'open', owner: { kind: 'nobody' }, epoch: 0 }
  return {
    type: 'message.changed',
    by: { kind: 'contact' },
    contactId: contact.id,
    conversationId,
    snapshot: { contact, conversation: { ...conversation, windowExpiresAt: null, personAt: null } },
    data: {
      messageId: newId(),
      conversationId,
      direction: 'inbound',
      status: null,
      created: true,
      said: { type: 'text', text },
    },
  }
}
