import { waUserIdPattern } from '@parley/contracts/core/wa-user-id'
import { z } from 'zod'

/** Digits of a phone number as WhatsApp names it, and a business-scoped user id. */
export interface Identities {
  readonly waId: string | undefined
  readonly userId: string | undefined
}

const text = (max: number) => z.string().min(1).max(max).optional().catch(undefined)
const noticeSchema = z.object({
  body: text(500),
  customer: text(200),
  previous_wa_id: text(200),
  previous_user_id: text(200),
  wa_id: text(200),
  new_wa_id: text(200),
  user_id: text(200),
})

/** Reads a phone number and a user id, each of which has been seen in the place of the other. */
function identitiesOf(phone: string | undefined, user: string | undefined): Identities {
  const values = [phone, user].flatMap((one) => one || [])
  return { waId: values.find(isWaId), userId: [user, phone].find((one) => one && !isWaId(one)) || undefined }
}

const isWaId = (value: string): boolean => /^\d{5,20}$/.test(value)

/**
 * Reads a notice about a customer (`system`): who they were, and who they are from now on. Platforms name the former identity in
 * the sender, in fields of its own, or in the words alone ("… changed from X to Y"). Source: Meta, WhatsApp Cloud API, system
 * messages and business-scoped user ids.
 * @param value the `system` object of the message.
 * @param sender of the message.
 */
export function readNotice(value: unknown, sender: Identities): { before: Identities; after: Identities } {
  const notice = noticeSchema.safeParse(value).data
  if (!notice) return { before: sender, after: none }
  // Stands at the end, where no name of a customer can be.
  const [, from, to] = /\bfrom (\S+) to (\S+?)[.!]?$/.exec(notice.body?.trim() ?? '') ?? []
  const [worded, wordedAfter] = [identityIn(from), identityIn(to)]
  const stated = identitiesOf(notice.wa_id ?? notice.new_wa_id, notice.user_id)
  const after = together(stated, wordedAfter)
  const former = together(
    identitiesOf(notice.previous_wa_id ?? notice.customer, notice.previous_user_id),
    together(sender, worded),
  )
  return {
    before: {
      waId: former.waId === after.waId ? undefined : former.waId,
      userId: former.userId === after.userId ? undefined : former.userId,
    },
    after,
  }
}

const none: Identities = { waId: undefined, userId: undefined }

const identityIn = (word: string | undefined): Identities => {
  const bare = word?.replace(/^\+(?=\d)/, '')
  return bare !== undefined && (isWaId(bare) || waUserIdPattern.test(bare)) ? identitiesOf(bare, undefined) : none
}

const together = (first: Identities, second: Identities): Identities => ({
  waId: first.waId ?? second.waId,
  userId: first.userId ?? second.userId,
})

const contactSchema = z.looseObject({ wa_id: text(200), user_id: text(200) })

/**
 * Joins a sender with the entry of `contacts[]` beside the message. The entry may name the sender where the message does not, or
 * by another identity of the same person; one that names another person is ignored.
 * @param isSame whether two phone numbers (digits) are one.
 * @returns `undefined` for an entry of another person.
 */
export function joinContact(
  sender: Identities,
  contact: unknown,
  isSame: (left: string, right: string) => boolean,
): Identities | undefined {
  const entry = contactSchema.safeParse(contact).data
  const beside = identitiesOf(entry?.wa_id, entry?.user_id)
  if (sender.waId !== undefined && beside.waId !== undefined && !isSame(sender.waId, beside.waId)) return undefined
  if (sender.userId !== undefined && beside.userId !== undefined && sender.userId !== beside.userId) return undefined
  return together(sender, beside)
}
