import { z } from 'zod'
import { identityOf, momentSchema, optionalIdentity, readableItems } from './wire-values.ts'

const preferencesSchema = z.object({
  user_preferences: readableItems(
    z.looseObject({
      wa_id: optionalIdentity,
      user_id: optionalIdentity,
      category: z.string().max(60),
      value: z.string().max(20),
      timestamp: momentSchema,
    }),
    1000,
  ),
})
const identity = optionalIdentity.pipe(z.string())
const userIdsSchema = z.object({
  user_id_update: readableItems(z.looseObject({ user_id: z.object({ previous: identity, current: identity }) }), 1000),
})

const addressBookSchema = z.object({
  metadata: z.looseObject({ display_phone_number: optionalIdentity }).optional().catch(undefined),
  state_sync: readableItems(
    z.looseObject({
      type: z.string().max(60),
      action: z.string().max(60),
      contact: z.looseObject({
        full_name: z.string().optional().catch(undefined),
        first_name: z.string().optional().catch(undefined),
        phone_number: z.string().max(30),
      }),
    }),
    1000,
  ),
})
const maxNameLength = 120

/** Marketing choices of customers, changes of their ids, and entries of the business's address book. */
export interface ContactEvents {
  readonly preferences: readonly {
    readonly waId: string | undefined
    readonly userId: string | undefined
    readonly marketing: 'in' | 'out'
    readonly at: Date
  }[]
  readonly userIds: readonly { readonly previous: string; readonly current: string }[]
  /** Entries that are new or changed: one that was removed from the phone stays a contact. */
  readonly addressBook: readonly { readonly waId: string; readonly name: string | undefined }[]
}

/** Reads `user_preferences`, `user_id_update` and `smb_app_state_sync`; of any other field there is nothing. */
export function readContactEvents(field: string, value: unknown): ContactEvents {
  const preferences =
    field === 'user_preferences' ? preferencesSchema.safeParse(value).data?.user_preferences : undefined
  const userIds = field === 'user_id_update' ? userIdsSchema.safeParse(value).data?.user_id_update : undefined
  return {
    preferences: (preferences ?? []).flatMap(
      ({ wa_id: waId, user_id: userId, category, value: choice, timestamp: at }) => {
        const person = identityOf(waId, userId)
        if (category !== 'marketing_messages' || !(person.waId ?? person.userId)) return []
        return [{ ...person, marketing: choice === 'stop' ? 'out' : 'in', at }]
      },
    ),
    userIds: (userIds ?? []).map(({ user_id: userId }) => userId),
    addressBook: field === 'smb_app_state_sync' ? readAddressBook(value) : [],
  }
}

function readAddressBook(value: unknown): ContactEvents['addressBook'] {
  const { metadata, state_sync: entries } = addressBookSchema.safeParse(value).data ?? { state_sync: [] }
  const businessNumber = metadata?.display_phone_number?.replaceAll(/\D/g, '')
  return entries.flatMap(({ type, action, contact: { full_name: full, first_name: first, phone_number: phone } }) => {
    const { waId } = identityOf(phone.replaceAll(/\D/g, ''), undefined)
    if (type !== 'contact' || action === 'remove' || waId === undefined || waId === businessNumber) return []
    const name = (full?.trim() || first?.trim())?.slice(0, maxNameLength)
    return [{ waId, name: name || undefined }]
  })
}
