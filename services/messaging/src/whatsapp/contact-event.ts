import { z } from 'zod'

const id = z.string().max(200).optional().catch(undefined)
const preferencesSchema = z.object({
  user_preferences: z
    .array(
      z.looseObject({
        wa_id: id,
        user_id: id,
        category: z.string().max(60),
        value: z.string().max(20),
        timestamp: z.coerce.number().int().positive(),
      }),
    )
    .max(1000),
})
const changed = z.object({ previous: z.string().min(1).max(200), current: z.string().min(1).max(200) })
const userIdsSchema = z.object({
  user_id_update: z.array(z.looseObject({ wa_id: id, user_id: changed })).max(1000),
})

/** What a customer has chosen about marketing, or another identity of theirs. */
export interface ContactEvents {
  readonly preferences: readonly {
    readonly waId: string | undefined
    readonly userId: string | undefined
    readonly marketing: 'in' | 'out'
    readonly at: Date
  }[]
  readonly userIds: readonly { readonly previous: string; readonly current: string }[]
}

/** Reads `user_preferences` and `user_id_update`; of any other field there is nothing. */
export function readContactEvents(field: string, value: unknown): ContactEvents {
  const preferences =
    field === 'user_preferences' ? preferencesSchema.safeParse(value).data?.user_preferences : undefined
  const userIds = field === 'user_id_update' ? userIdsSchema.safeParse(value).data?.user_id_update : undefined
  return {
    preferences: (preferences ?? [])
      .filter(({ category }) => category === 'marketing_messages')
      .map(({ wa_id: waId, user_id: userId, value: choice, timestamp }) => ({
        waId,
        userId,
        marketing: choice === 'stop' ? 'out' : 'in',
        at: new Date(timestamp * 1000),
      })),
    userIds: (userIds ?? []).map(({ user_id: each }) => each),
  }
}
