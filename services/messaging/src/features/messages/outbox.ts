import type { MessageRecord } from './messages.model.ts'
import type { MessagesRepository } from './messages.repository.ts'

/** Messages as work for the sender. */
export const createOutbox = (messages: MessagesRepository) => ({
  pending: async (lane: number, limit: number): Promise<MessageRecord[]> => messages.outbox(lane, limit),
  oldestIn: async (lane: number): Promise<Date | undefined> => (await messages.oldestInLane(lane))?.createdAt,
  read: ({ workspaceId, id }: MessageRecord) => messages.read({ workspaceId }, id),
  /** @returns the message as claimed; `undefined` where another process was first. */
  claim: async (
    message: MessageRecord,
    lease: { claim: string; leaseUntil: Date },
  ): Promise<MessageRecord | undefined> => {
    const set = { 'dispatch.state': 'sending', 'dispatch.claim': lease.claim, 'dispatch.leaseUntil': lease.leaseUntil }
    const matched = await messages.change({ workspaceId: message.workspaceId }, [
      { id: message.id, version: message.version, set },
    ])
    return matched === 1 ? { ...message, version: message.version + 1 } : undefined
  },
  /** Puts a claimed message back to be sent later. */
  release: (
    message: MessageRecord,
    { notBefore, attempts, code, message: words }: { notBefore: Date; attempts: number; code: number; message: string },
  ) =>
    messages.change({ workspaceId: message.workspaceId }, [
      {
        id: message.id,
        version: message.version,
        set: {
          'dispatch.state': 'queued',
          'dispatch.notBefore': notBefore,
          'dispatch.attempts': attempts,
          'dispatch.lastError': { code, message: words.slice(0, 500) },
        },
        unset: ['dispatch.claim', 'dispatch.leaseUntil'],
      },
    ]),
})
export type Outbox = ReturnType<typeof createOutbox>
