import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, leftOutField, timeSchema } from '../core/records.ts'
import { contactJobSchema } from './contact-jobs.ts'
import { type Contact, contactSchema } from './contacts.ts'

/** Days within which a merge can be undone. */
export const mergeUndoDays = 30

/** Values of the other contact that win where both differ: the name, the WhatsApp account, attributes by their names. */
const takenSchema = z.object({
  name: z.boolean().default(false),
  /** Phone number, user id and username belong together. */
  account: z.boolean().default(false),
  attributes: z.array(z.string().max(64)).max(100).default([]),
})
export type Taken = z.infer<typeof takenSchema>

type Account = Pick<Contact, 'phone' | 'waUserId' | 'username'>
type Mergeable = Account & Pick<Contact, 'name' | 'tags' | 'attributes'>

/** Returns whether two contacts have different WhatsApp accounts: one contact has one WhatsApp account. */
export const haveTwoAccounts = (kept: Account, other: Account): boolean =>
  differ(kept.phone, other.phone) || differ(kept.waUserId, other.waUserId)

const differ = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && left !== right

/** Returns the merge of two contacts: the kept one, what only the other has, and what was taken from the other. */
export function mergedContact(kept: Mergeable, other: Mergeable, taken: Taken): Mergeable {
  const attributes = { ...other.attributes, ...kept.attributes }
  for (const name of taken.attributes) {
    const value = other.attributes[name]
    if (value !== undefined) attributes[name] = value
  }
  return {
    name: taken.name ? other.name : kept.name,
    ...accountOf(kept, other, taken),
    tags: [...new Set([...kept.tags, ...other.tags])],
    attributes,
  }
}

function accountOf(kept: Account, other: Account, taken: Taken): Account {
  if (haveTwoAccounts(kept, other)) return onlyAccount(taken.account ? other : kept)
  return onlyAccount({
    phone: kept.phone ?? other.phone,
    waUserId: kept.waUserId ?? other.waUserId,
    username: kept.username ?? other.username,
  })
}

/** Returns how a contact is reached, without absent fields. */
export const onlyAccount = ({ phone, waUserId, username }: Account): Account => ({
  ...(phone !== undefined && { phone }),
  ...(waUserId !== undefined && { waUserId }),
  ...(username !== undefined && { username }),
})

const mergeSchema = z.object({
  otherId: idSchema,
  taken: takenSchema,
  /** Both contacts as they were seen. */
  version: z.number().int().positive(),
  otherVersion: z.number().int().positive(),
})

/** A contact that was merged into another one. */
const mergedSchema = z.object({
  id: idSchema,
  name: z.string(),
  phone: z.string().optional(),
  at: timeSchema,
  /** The member who did it: the user's id; absent where WhatsApp reported that both are the same person. */
  memberId: idSchema.optional(),
  /** End of the time in which it can be undone. */
  undoUntil: timeSchema,
})
export type MergedContact = z.infer<typeof mergedSchema>

/** Contacts that are suggested at once. */
export const maxDuplicates = 5
const duplicateSchema = z.object({
  contact: contactSchema,
  /**
   * Reason for the suggestion: one phone number in two notations, one e-mail address, or the same name where one of both has no
   * phone number.
   */
  because: z.enum(['phone', 'email', 'name']),
})
/** Another contact that may be the same person. */
export type Duplicate = z.infer<typeof duplicateSchema>

/** Suggestions of one page, and pairs that one job merges. */
export const maxSuggestedMerges = 50
export const maxMergePairs = 500

const movedSchema = z.object({ conversations: countSchema, messages: countSchema })
const suggestedMergeSchema = z.object({
  /** Contact that stays: the one that was in touch last. */
  kept: contactSchema,
  other: contactSchema,
  because: duplicateSchema.shape.because,
  /** Conversations of each, and their messages without those of campaigns: those of the one that is merged move. */
  moved: z.object({ kept: movedSchema, other: movedSchema }),
})
/** Two contacts that may be the same person. */
export type SuggestedMerge = z.infer<typeof suggestedMergeSchema>

const mergePairsSchema = z
  .array(mergeSchema.omit({ taken: true }).extend({ keptId: idSchema }))
  .min(1, 'Choose at least one pair')
  .max(maxMergePairs, `At most ${maxMergePairs} pairs at once`)
  .superRefine((pairs, context) => {
    const others = new Set<string>()
    for (const [index, { keptId, otherId }] of pairs.entries()) {
      if (others.has(otherId) || keptId === otherId)
        context.addIssue({ code: 'custom', path: [index], message: 'A contact is merged into one other contact' })
      others.add(otherId)
    }
    for (const [index, { keptId }] of pairs.entries())
      if (others.has(keptId))
        context.addIssue({ code: 'custom', path: [index], message: 'A contact that stays is not merged itself' })
  })
export type MergePairs = z.infer<typeof mergePairsSchema>

export const contactMergeApi = {
  suggestions: defineEndpoint({
    operation: 'contacts.suggestedMerges',
    method: 'GET',
    path: '/api/contact-merges/suggestions',
    access: 'session',
    permission: 'contacts:read',
    summary:
      'Pairs of contacts with one name that may be the same person, by name. A page looks through part of the contacts and may be empty; `next` leads to the following one.',
    query: z.object({
      /** Contact that the page before has named as `next`. */
      after: idSchema.optional(),
    }),
    status: 200,
    response: z.object({
      ...leftOutField,
      items: z.array(suggestedMergeSchema).max(maxSuggestedMerges),
      next: idSchema.nullable(),
    }),
    errors: ['not_found'],
  }),
  mergeMany: defineEndpoint({
    operation: 'contacts.mergeMany',
    method: 'POST',
    path: '/api/contact-merges',
    access: 'session',
    permission: 'contacts:write',
    summary:
      'Starts to merge pairs of contacts, one after the other. Values of the contact that stays win. A pair that has changed since it was shown is left as it is. Can be undone for seven days.',
    body: z.object({ pairs: mergePairsSchema }),
    status: 201,
    response: contactJobSchema,
    errors: ['wrong_state'],
  }),
  duplicates: defineEndpoint({
    operation: 'contacts.duplicates',
    method: 'GET',
    path: '/api/contacts/:id/duplicates',
    access: 'session',
    permission: 'contacts:read',
    summary: 'Other contacts that may be the same person, most likely first.',
    params: byId,
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(duplicateSchema).max(maxDuplicates) }),
    errors: ['not_found'],
  }),
  merge: defineEndpoint({
    operation: 'contacts.merge',
    method: 'POST',
    path: '/api/contacts/:id/merge',
    access: 'session',
    permission: 'contacts:write',
    summary:
      'Merges another contact into this one: its conversations, tags and attributes move over, and an opt-out of either one holds. Can be undone for 30 days.',
    params: byId,
    body: mergeSchema,
    status: 200,
    response: contactSchema,
    errors: ['not_found', 'stale_version', 'wrong_state'],
  }),
  merged: defineEndpoint({
    operation: 'contacts.merged',
    method: 'GET',
    path: '/api/contacts/:id/merged',
    access: 'session',
    permission: 'contacts:read',
    summary: 'The contacts that were merged into this one, latest first.',
    params: byId,
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(mergedSchema).max(100) }),
    errors: ['not_found'],
  }),
  undo: defineEndpoint({
    operation: 'contacts.undoMerge',
    method: 'POST',
    path: '/api/contacts/:id/unmerge',
    access: 'session',
    permission: 'contacts:write',
    summary:
      'Undoes a merge: the other contact is restored with its conversations. What was written or changed since stays with this one.',
    params: byId,
    body: z.object({ otherId: idSchema }),
    status: 200,
    response: contactSchema,
    errors: ['not_found', 'contact_exists', 'wrong_state'],
  }),
}
