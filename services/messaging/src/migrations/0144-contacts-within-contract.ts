import type { Connection } from 'mongoose'
import { z } from 'zod'

const contactSchema = z.object({
  _id: z.unknown(),
  name: z.string().catch(''),
  phone: z.string().optional(),
  waUserId: z.string().optional(),
  username: z.string().optional(),
})
const phonePattern = /^\+[1-9]\d{6,14}$/
const maxName = 120
const maxUserId = 140
const maxUsername = 35

/**
 * Brings names, usernames, phone numbers and user ids of contacts back into what a contact may have: webhooks have stored others,
 * which no list can tell.
 */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const contacts = db.collection('contacts')
  const odd = {
    $or: [
      { name: { $not: /\S/ } },
      // Characters beyond the first plane count twice in the contract.
      { name: new RegExp(`^[\\s\\S]{${maxName / 2 + 1}}`) },
      { phone: { $exists: true, $not: phonePattern } },
      { username: new RegExp(`^(?:$|[\\s\\S]{${maxUsername + 1}})`) },
      { waUserId: new RegExp(`^[\\s\\S]{${maxUserId + 1}}`) },
    ],
  }
  for await (const document of contacts.find(odd)) {
    const { _id: id, ...before } = contactSchema.parse(document)
    const phone = before.phone !== undefined && phonePattern.test(before.phone) ? before.phone : undefined
    const username = before.username && before.username.length <= maxUsername ? before.username : undefined
    const waUserId = (before.waUserId ?? (phone ? undefined : before.phone?.replace(/^\+/, '')))?.slice(0, maxUserId)
    const name = before.name.slice(0, maxName).trim() || phone || username || 'Customer'
    const after = { phone, username, waUserId }
    const unset = Object.keys(after).filter((field) => after[field as keyof typeof after] === undefined)
    await contacts
      .updateOne(
        { _id: document._id },
        {
          $set: { name, ...(phone && { phone }), ...(username && { username }), ...(waUserId && { waUserId }) },
          ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((field) => [field, ''])) }),
          $inc: { version: 1 },
        },
      )
      .catch((error: unknown) => {
        // Somebody else has the user id already: lists go without this one until people merge them.
        if (!(error instanceof Error && 'code' in error && error.code === 11_000)) throw error
        return id
      })
  }
}
