import { z } from 'zod'
import { countSchema, idSchema, timeSchema } from '../core/records.ts'
import { jobSchema } from '../platform/jobs.ts'
import { tagNameSchema } from './tags.ts'

export const exportFormats = ['csv', 'xlsx'] as const
export const exportFormatSchema = z.enum(exportFormats)
export type ExportFormat = z.infer<typeof exportFormatSchema>

/** `html`: a ZIP file of a page that needs nothing else, and the files of the messages. */
export const chatFormats = ['text', 'html'] as const
export const chatFormatSchema = z.enum(chatFormats)
export type ChatFormat = z.infer<typeof chatFormatSchema>

/** Limits of an exported conversation: its newest messages, and their files up to these sums. */
export const chatLimits = { messages: 100_000, files: 10_000, fileBytes: 500_000_000 } as const

const tagsSchema = z.array(tagNameSchema).min(1).max(50)
/** A change of many contacts at once. */
export const contactActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add_tags'), tags: tagsSchema }),
  z.object({ kind: z.literal('remove_tags'), tags: tagsSchema }),
  z.object({ kind: z.literal('delete') }),
])
export type ContactAction = z.infer<typeof contactActionSchema>

/** Renames a tag of all contacts; a tag of the new name that exists already is merged with it. */
export const tagRenameSchema = z.object({ kind: z.literal('rename_tag'), tag: tagNameSchema, to: tagNameSchema })
export type TagRename = z.infer<typeof tagRenameSchema>

/** Change that a job makes to contacts. */
export const contactChangeSchema = z.discriminatedUnion('kind', [...contactActionSchema.options, tagRenameSchema])
export type ContactChange = z.infer<typeof contactChangeSchema>

/** Task of a job on contacts. */
const taskSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('export'), format: exportFormatSchema }),
  z.object({ kind: z.literal('change'), action: contactChangeSchema }),
  /** Takes a change back. */
  z.object({ kind: z.literal('undo'), action: contactChangeSchema }),
  /** Writes everything that is stored of one contact to a file. */
  z.object({ kind: z.literal('person_export') }),
  /** Writes a conversation to a file. */
  z.object({ kind: z.literal('chat_export'), format: chatFormatSchema, conversationId: idSchema }),
  /** Writes the rows of a figure to a file. */
  z.object({ kind: z.literal('rows_export'), format: exportFormatSchema }),
  /** Deletes everything that is stored of one contact, for good. It cannot be stopped. */
  z.object({ kind: z.literal('erase') }),
  /** Merges pairs of contacts; and separates them again. */
  z.object({ kind: z.literal('merge') }),
  z.object({ kind: z.literal('merge_undo') }),
])

export const contactJobSchema = z.object({
  id: idSchema,
  task: taskSchema,
  state: jobSchema.shape.state,
  /** Contacts to go through, or messages and files of a conversation; 0 until they are counted. `done`: those that are finished. */
  total: countSchema,
  done: countSchema,
  /**
   * Contacts changed by a change or an undo; and those that an undo, or a merge, left as they are because they were changed since.
   */
  changed: countSchema,
  kept: countSchema,
  /** True for a change, or merges, that have ended and can be undone. */
  canUndo: z.boolean(),
  /** File that an export has written, for as long as it is kept. */
  file: z.object({ name: z.string().max(240), sizeBytes: countSchema }).nullable(),
  /** After an erasure: where members have written of the person. A null name is that of another member's own view. */
  mentions: z
    .array(
      z.object({
        kind: z.enum(['view', 'segment', 'campaign']),
        id: idSchema,
        name: z.string().max(200).nullable(),
      }),
    )
    .max(100)
    .optional(),
  /** Reason why it ended without a result. */
  problem: z.string().max(300).nullable(),
  startedBy: idSchema.nullable(),
  createdAt: timeSchema,
  /** Time at which its record and its file are deleted. */
  expiresAt: timeSchema,
})
export type ContactJob = z.infer<typeof contactJobSchema>
/** Answer of endpoints of other features that start such a job. */
