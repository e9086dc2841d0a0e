import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MessageRecord } from './messages.model.ts'

/** Numbers that share one limit, and how many customers they may write to first in 24 hours. */
export interface Portfolio {
  readonly portfolioId: string
  readonly limit: number
}

/** Milliseconds for which a customer counts after the last message outside of an open window. */
export const countedMs = 24 * 3_600_000

/** A customer whom WhatsApp counts, and since when. */
export interface CountedContact {
  readonly contactId: string
  readonly at: Date
}

/** Finds the contacts that count against a portfolio's limit: messages that took a slot when they were claimed store the time. */
export function createMessagingLimitSlots(messages: (scope: WorkspaceScope) => ScopedCollection<MessageRecord>) {
  const counted = (portfolioId: string, at: Date) => ({
    'limit.portfolioId': portfolioId,
    'limit.at': { $gt: new Date(at.getTime() - countedMs) },
  })
  const byContact = (portfolioId: string, at: Date) => [
    { $match: counted(portfolioId, at) },
    { $group: { _id: '$contactId', at: { $max: '$limit.at' } } },
  ]

  return {
    /** Returns the contacts that count at a moment. */
    countedContacts: (scope: WorkspaceScope, portfolioId: string, at: Date): Promise<CountedContact[]> =>
      messages(scope).aggregate<CountedContact>(
        [...byContact(portfolioId, at), { $project: { _id: 0, contactId: { $toString: '$_id' }, at: 1 } }],
        { hint: 'portfolio' },
      ),
    /**
     * Returns how many slots are free at a moment, and when the next one becomes free; first without telling apart messages to
     * the same customer, as long as there are `enough`.
     */
    freePlaces: async (
      scope: WorkspaceScope,
      { portfolioId, limit }: Portfolio,
      { at, enough }: { at: Date; enough: number },
    ): Promise<{ free: number; nextAt?: Date }> => {
      const most = await messages(scope).countDocuments(counted(portfolioId, at), { hint: 'portfolio' })
      if (limit - most >= enough) return { free: limit - most }
      const [found] = await messages(scope).aggregate<{ used: number; first: Date }>(
        [...byContact(portfolioId, at), { $group: { _id: null, used: { $sum: 1 }, first: { $min: '$at' } } }],
        { hint: 'portfolio' },
      )
      if (!found) return { free: limit }
      return { free: Math.max(0, limit - found.used), nextAt: new Date(found.first.getTime() + countedMs) }
    },
    /** Returns how many slots become free in which minute, the next one first. */
    frees: async (scope: WorkspaceScope, portfolioId: string, at: Date): Promise<{ at: Date; count: number }[]> => {
      const minutes = await messages(scope).aggregate<{ at: Date; count: number }>(
        [
          ...byContact(portfolioId, at),
          { $group: { _id: { $dateTrunc: { date: '$at', unit: 'minute' } }, at: { $max: '$at' }, count: { $sum: 1 } } },
          { $sort: { at: 1 } },
        ],
        { hint: 'portfolio' },
      )
      return minutes.map(({ at: last, count }) => ({ at: new Date(last.getTime() + countedMs), count }))
    },
  }
}
export type MessagingLimitSlots = ReturnType<typeof createMessagingLimitSlots>
