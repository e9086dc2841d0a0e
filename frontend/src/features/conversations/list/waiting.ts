import { idSchema, timeSchema } from '@parley/contracts/core/records'
import { type Message, messageSchema } from '@parley/contracts/inbox/messages'
import { outgoingContentSchema, outgoingFileSchema } from '@parley/contracts/inbox/outgoing-content'
import { z } from 'zod'

const requestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    content: outgoingContentSchema,
    replyTo: idSchema.optional(),
    sendAt: timeSchema.optional(),
  }),
  z.object({ kind: z.literal('template'), templateId: idSchema, values: z.record(z.string(), z.string()) }),
  z.object({
    kind: z.literal('note'),
    text: z.string().optional(),
    file: outgoingFileSchema.optional(),
    mentions: z.array(idSchema).optional(),
  }),
])

/** A message that the server has not taken yet. */
export const waitingSchema = z.object({
  clientId: z.string(),
  conversationId: idSchema,
  request: requestSchema,
  /** Content that the thread shows until then. */
  shown: messageSchema.shape.content,
  at: timeSchema,
  /** `offline`: no answer so far; tried again as soon as there is a network. `failed`: refused, in words. */
  state: z.enum(['sending', 'offline', 'failed']),
  problem: z.string().optional(),
})
export type Waiting = z.infer<typeof waitingSchema>
export type Draft = Pick<Waiting, 'conversationId' | 'request' | 'shown'>

/** Converts it to a message of the thread. Its position and key are those of the server's later message. */
export const asMessage = ({ clientId, conversationId, request, shown, at }: Waiting): Message => ({
  id: `waiting-${clientId}`,
  clientId,
  conversationId,
  direction: request.kind === 'note' ? 'note' : 'outbound',
  content: shown,
  ...(request.kind !== 'note' && { status: 'queued' }),
  ...(request.kind === 'message' && request.replyTo && { replyTo: request.replyTo }),
  ...(request.kind === 'message' && request.sendAt && { sendAt: request.sendAt }),
  cause: { kind: 'member', id: 'me' },
  sentAt: at,
})
