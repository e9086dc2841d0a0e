import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { z } from 'zod'
import { type MessageRecord, messagesIn } from './messages.model.ts'

/** All places in which a message names a file of ours, with the index of each. */
const places = [
  { path: 'content.mediaId', index: 'file' },
  { path: 'content.header.mediaId', index: 'header-file' },
  { path: 'content.cards.header.mediaId', index: 'card-file' },
] as const

/** Finds the messages that have a file: as what they send, above the text of a template, or on a card. */
export function createMessageFiles(connection: ServiceConnection) {
  const messages = messagesIn(connection)

  /** Returns whether a message has a file. @param within leaves out other messages. */
  async function some(scope: WorkspaceScope, mediaId: string, within: Filter<MessageRecord>): Promise<boolean> {
    for (const { path, index: hint } of places)
      if ((await messages(scope).countDocuments({ [path]: mediaId, ...within }, { hint, limit: 1 })) > 0) return true
    return false
  }

  return {
    isElsewhere: (scope: WorkspaceScope, mediaId: string, conversationIds: readonly string[]): Promise<boolean> =>
      some(scope, mediaId, { conversationId: { $nin: conversationIds } }),
    isIn: (scope: WorkspaceScope, mediaId: string, conversationIds: readonly string[]): Promise<boolean> =>
      some(scope, mediaId, { conversationId: { $in: conversationIds } }),
    /** Returns the conversations of messages with a file. @param limit messages that are read; `isAll` is false where there may be more. */
    conversationsWith: async (scope: WorkspaceScope, mediaId: string, limit: number) => {
      const ids: string[] = []
      for (const { path, index } of places) {
        if (ids.length === limit) break
        const found = await messages(scope)
          .find({ [path]: mediaId })
          .select('conversationId')
          .limit(limit - ids.length)
          .hint(index)
        ids.push(...found.map(({ conversationId }) => conversationId))
      }
      return { ids: [...new Set(ids)], isAll: ids.length < limit }
    },
  }
}

const holderSchema = z.object({ mediaId: z.string() })
const contentSchema = z.object({
  header: z.unknown().optional(),
  cards: z.array(z.object({ header: z.unknown().optional() })).catch([]),
})

/** Returns the files of a message. */
export function mediaOf({ content }: Pick<MessageRecord, 'content'>): string[] {
  const { header, cards } = contentSchema.parse(content)
  return [content, header, ...cards.map((card) => card.header)].flatMap(
    (holder) => holderSchema.safeParse(holder).data?.mediaId ?? [],
  )
}
