import { contactChangeSchema, exportFormats } from '@parley/contracts/contacts/contact-jobs'
import { contactSelectionSchema } from '@parley/contracts/contacts/contacts'
import { z } from 'zod'

/** Contacts that it may be done to at most; absent where no rule limits them. */
const maxContactsSchema = z.number().optional()

export const changeKind = 'contacts.change'
export const undoKind = 'contacts.change_undo'

/** Input of a change's job. */
export const changeInputSchema = z.object({
  selection: contactSelectionSchema,
  action: contactChangeSchema,
  /** Ids after it were given later: contacts added since the job began are left alone. */
  upTo: z.string(),
  /** True where workflows start on it; absent in jobs of older versions. */
  startWorkflows: z.boolean().optional(),
  maxContacts: maxContactsSchema,
})

const renamedInSchema = z.object({
  segments: z.array(z.string()),
  campaigns: z.array(z.string()),
  views: z.array(z.string()),
})
/** Ids of the segments, campaigns and views that a tag was renamed in. */
export type RenamedIn = z.infer<typeof renamedInSchema>

/** Checkpoint of a change. */
export const changeCheckpointSchema = z.object({
  /** Id of the last contact that was handled; empty before the first. */
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
export const undoCheckpointSchema = z.object({ batch: z.number(), changed: z.number(), kept: z.number() })

export const personExportKind = 'contacts.person_export'
export const eraseKind = 'contacts.erase'

/** Input of a job about one contact: nothing by which the person could be recognised. */
export const personInputSchema = z.object({ contactId: z.string() })

/** An erasure's also has when the contact was deleted before, if it was. */
export const eraseInputSchema = personInputSchema.extend({ deletedAt: z.coerce.date().optional() })

export const mergesKind = 'contacts.merges'
export const mergesUndoKind = 'contacts.merges_undo'

const mergePairsSchema = z.array(
  z.object({ keptId: z.string(), otherId: z.string(), version: z.number(), otherVersion: z.number() }),
)
/** Input of a job that merges pairs: ids alone, by which an erased person is not known. */
export const mergesInputSchema = z.object({ pairs: mergePairsSchema })
/** `jobId`: the merges that are undone. */
export const mergesUndoInputSchema = mergesInputSchema.extend({ jobId: z.string() })

/** Checkpoint of both: pairs that were gone through, merged or separated, and left as they are; `left`: which those are. */
export const mergesCheckpointSchema = z.object({
  next: z.number(),
  changed: z.number(),
  kept: z.number(),
  left: z.array(z.number()),
})

export const noMerges: z.infer<typeof mergesCheckpointSchema> = { next: 0, changed: 0, kept: 0, left: [] }

/** Export of the whole workspace, and the collection of its files. */
export const workspaceExportKind = 'workspace.export'
export const workspaceExportFiles = 'workspaceExports'

export const mentionKinds = ['view', 'segment', 'campaign'] as const
export const maxMentions = 100

/** Records that mention an erased person, by their ids alone: their names may identify the person. */
export const mentionsSchema = z.array(z.object({ kind: z.enum(mentionKinds), id: z.string() })).max(maxMentions)
export type Mention = z.infer<typeof mentionsSchema>[number]

export const exportKind = 'contacts.export'

/** Input of an export's job. */
export const exportInputSchema = z.object({
  selection: contactSelectionSchema,
  format: z.enum(exportFormats),
  timeZone: z.string(),
  /** Ids after it are left out: they are no part of what was approved. */
  upTo: z.string().optional(),
  maxContacts: maxContactsSchema,
})

/** Result of an export. */
export const exportResultSchema = z.object({ fileId: z.string(), sizeBytes: z.number() })

/** `contacts-2026-11-21.csv`, the day being that of the person. */
export const exportFileName = (at: Date, { timeZone, format }: z.infer<typeof exportInputSchema>): string =>
  `contacts-${new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)}.${format}`
