import { z } from 'zod'

export const personExportKind = 'contacts.person_export'
export const eraseKind = 'contacts.erase'

/** Input of a job about one contact: nothing by which the person could be recognised. */
export const personInputSchema = z.object({ contactId: z.string() })

/** An erasure's also has when the contact was deleted before, if it was. */
export const eraseInputSchema = personInputSchema.extend({ deletedAt: z.coerce.date().optional() })

export const mentionKinds = ['view', 'segment', 'campaign'] as const
export const maxMentions = 100

/** Records that mention an erased person, by their ids alone: their names may tell of whom. */
export const mentionsSchema = z.array(z.object({ kind: z.enum(mentionKinds), id: z.string() })).max(maxMentions)
export type Mention = z.infer<typeof mentionsSchema>[number]
