import { contactChangeSchema } from '@parley/contracts/contacts/contact-jobs'
import { contactSelectionSchema } from '@parley/contracts/contacts/contacts'
import { z } from 'zod'

export const changeKind = 'contacts.change'
export const undoKind = 'contacts.change_undo'

/** Input of a change's job. */
export const changeInputSchema = z.object({
  selection: contactSelectionSchema,
  action: contactChangeSchema,
  /** Ids after it were given later: contacts added since the job began are left alone. */
  upTo: z.string(),
})

const renamedInSchema = z.object({
  segments: z.array(z.string()),
  campaigns: z.array(z.string()),
  // A rename that an older version has finished did not look at them.
  views: z.array(z.string()).default([]),
})
/** Ids of the segments, campaigns and views that a tag was renamed in. */
export type RenamedIn = z.infer<typeof renamedInSchema>

/** Checkpoint of a change. */
export const changePlaceSchema = z.object({
  /** The last contact that was looked at; empty before the first. */
  after: z.string(),
  batch: z.number(),
  /** Contacts that were changed until then. */
  changed: z.number(),
  /** Other records that name a renamed tag, changed at the end. */
  renamedIn: renamedInSchema.optional(),
})

export const undoInputSchema = z.object({
  jobId: z.string(),
  action: contactChangeSchema,
  renamedIn: renamedInSchema.optional(),
})

/** Checkpoint of an undo; contacts that were changed since are kept. */
export const undoPlaceSchema = z.object({ batch: z.number(), changed: z.number(), kept: z.number() })
