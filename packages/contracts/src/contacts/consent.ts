import { z } from 'zod'
import { recentDaysSchema } from '../campaigns/recent-messages.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, pageOf, pageQueryFields, timeSchema } from '../core/records.ts'

/** Categories of consent. Login codes are not subject to consent. */
export const consentCategories = ['marketing', 'utility'] as const
export type ConsentCategory = (typeof consentCategories)[number]

/**
 * Sources of a choice. `platform_error`: WhatsApp has refused a message because the customer has stopped marketing.
 * `suppression`: the address had opted out before, under a contact that is deleted. `merge`: it comes from a contact that was
 * merged into this one.
 */
export const consentSources = [
  'keyword',
  'platform',
  'platform_error',
  'import',
  'agent',
  'form',
  'bot',
  'api',
  'suppression',
  'merge',
] as const
export type ConsentSource = (typeof consentSources)[number]

export const consentEntrySchema = z.object({
  id: idSchema,
  category: z.enum(consentCategories),
  value: z.enum(['in', 'out']),
  source: z.enum(consentSources),
  /** Proof of the choice: what was written, the file and line, or a member's note. */
  note: z.string().max(500).optional(),
  /** The member who recorded it: the user's id. */
  memberId: idSchema.optional(),
  /** Time at which it was stated; `recordedAt` is when Parley learned of it. */
  at: timeSchema,
  recordedAt: timeSchema,
  /** Time since which it no longer counts: the import that brought it was undone. */
  takenBackAt: timeSchema.optional(),
})
export type ConsentEntry = z.infer<typeof consentEntrySchema>

/** Consent that a member records. */
export const newConsentSchema = z.object({
  category: z.enum(consentCategories),
  value: z.enum(['in', 'out']),
  note: z.string().trim().min(1, 'Say how they told you').max(500, 'A note has at most 500 characters'),
})
export type NewConsent = z.infer<typeof newConsentSchema>

const word = z.string().trim().min(1, 'Enter a word').max(30, 'A word has at most 30 characters')
const words = z.array(word).max(50, 'At most 50 words')
const answer = z.string().trim().max(1000, 'An answer has at most 1,000 characters')

/**
 * A workspace's rules about consent. A message counts as a word only as a whole, with no more than courtesy around it. Words for
 * it in many languages (`consentKeywords`) count beside these.
 */
export const consentSettingsFields = {
  /** Ends marketing. */
  stop: words.min(1, 'Keep at least one word'),
  /** Ends everything but answers and login codes. */
  stopAll: words,
  start: words,
  /** Words of the languages that count for nothing here. */
  ignored: words.default([]),
  /** Answer sent once, while the window is open; empty for none. */
  stopAnswer: answer,
  startAnswer: answer,
  /** True where marketing goes only to contacts who have agreed. */
  needsOptIn: z.boolean(),
  /**
   * Days for which a new campaign leaves out contacts that had marketing, unless its planner chooses otherwise; null: none is
   * left out.
   */
  recentDays: recentDaysSchema.nullable(),
}
export const consentSettingsSchema = z.object({ ...consentSettingsFields, version: z.number().int().positive() })
export type ConsentSettings = z.infer<typeof consentSettingsSchema>

export const defaultConsentSettings: Omit<ConsentSettings, 'version'> = {
  stop: ['STOP', 'UNSUBSCRIBE'],
  stopAll: ['STOP ALL'],
  start: ['START', 'SUBSCRIBE'],
  ignored: [],
  stopAnswer: 'You will get no more offers from us. Write START to get them again.',
  startAnswer: 'You will get our offers again. Write STOP at any time to end them.',
  needsOptIn: true,
  recentDays: null,
}

export const consentApi = {
  entries: defineEndpoint({
    operation: 'consent.entries',
    method: 'GET',
    path: '/api/contacts/:id/consent',
    access: 'session',
    permission: 'contacts:read',
    summary: 'A contact’s consent history for marketing and other messages, newest first.',
    params: byId,
    query: z.object({ limit: pageQueryFields.limit, cursor: pageQueryFields.cursor }),
    status: 200,
    response: pageOf(consentEntrySchema),
    errors: ['not_found'],
  }),
  record: defineEndpoint({
    operation: 'consent.record',
    method: 'POST',
    path: '/api/contacts/:id/consent',
    access: 'session',
    permission: 'contacts:write',
    summary: 'Records consent that a contact gave a member in person, with a note as proof.',
    params: byId,
    body: newConsentSchema,
    status: 201,
    response: consentEntrySchema,
    errors: ['not_found'],
  }),
  settings: defineEndpoint({
    operation: 'consent.settings',
    method: 'GET',
    path: '/api/consent/settings',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Consent settings: opt-out and opt-in keywords, their replies, and whether marketing needs an opt-in.',
    status: 200,
    response: consentSettingsSchema,
    errors: [],
  }),
  updateSettings: defineEndpoint({
    operation: 'consent.updateSettings',
    method: 'PUT',
    path: '/api/consent/settings',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Replaces the consent settings.',
    body: consentSettingsSchema,
    status: 200,
    response: consentSettingsSchema,
    errors: ['stale_version'],
  }),
  download: defineEndpoint({
    operation: 'consent.download',
    method: 'GET',
    path: '/api/consent/entries.csv',
    access: 'session',
    permission: 'contacts:export',
    audit: 'read',
    summary:
      'The consent log as CSV, oldest first: who agreed to what, when, and through which message, member or import.',
    query: z.object({ from: timeSchema.optional(), to: timeSchema.optional() }),
    status: 200,
    responseType: 'stream',
    errors: [],
  }),
}
