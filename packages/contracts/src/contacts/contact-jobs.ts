import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, leftOutField, timeSchema } from '../core/records.ts'
import { timeZones } from '../core/time-zones.ts'
import { jobSchema } from '../platform/jobs.ts'
import { contactActionPermissions, contactSelectionSchema } from './contacts.ts'
import { tagNameSchema } from './tags.ts'

export const exportFormats = ['csv', 'xlsx'] as const
const formatSchema = z.enum(exportFormats)
export type ExportFormat = z.infer<typeof formatSchema>

/** `html`: a ZIP file of a page that needs nothing else, and the files of the messages. */
export const chatFormats = ['text', 'html'] as const
const chatFormatSchema = z.enum(chatFormats)
export type ChatFormat = z.infer<typeof chatFormatSchema>

/** Limits of an exported conversation: its newest messages, and their files up to these sums. */
export const chatLimits = { messages: 100_000, files: 10_000, fileBytes: 500_000_000 } as const

const tagsSchema = z.array(tagNameSchema).min(1).max(50)
/** A change of many contacts at once. */
const contactActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add_tags'), tags: tagsSchema }),
  z.object({ kind: z.literal('remove_tags'), tags: tagsSchema }),
  z.object({ kind: z.literal('delete') }),
])
export type ContactAction = z.infer<typeof contactActionSchema>

/** Renames a tag of all contacts; a tag of the new name that exists already is merged with it. */
const tagRenameSchema = z.object({ kind: z.literal('rename_tag'), tag: tagNameSchema, to: tagNameSchema })
export type TagRename = z.infer<typeof tagRenameSchema>

/** Change that a job makes to contacts. */
export const contactChangeSchema = z.discriminatedUnion('kind', [...contactActionSchema.options, tagRenameSchema])
export type ContactChange = z.infer<typeof contactChangeSchema>

/** Task of a job on contacts. */
const taskSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('export'), format: formatSchema }),
  z.object({ kind: z.literal('change'), action: contactChangeSchema }),
  /** Takes a change back. */
  z.object({ kind: z.literal('undo'), action: contactChangeSchema }),
  /** Writes everything that is stored of one contact to a file. */
  z.object({ kind: z.literal('person_export') }),
  /** Writes a conversation to a file. */
  z.object({ kind: z.literal('chat_export'), format: chatFormatSchema, conversationId: idSchema }),
  /** Writes the rows of a figure to a file. */
  z.object({ kind: z.literal('rows_export'), format: formatSchema }),
  /** Deletes everything that is stored of one contact, for good. It cannot be stopped. */
  z.object({ kind: z.literal('erase') }),
  /** Merges pairs of contacts; and separates them again. */
  z.object({ kind: z.literal('merge') }),
  z.object({ kind: z.literal('merge_undo') }),
])

const contactJobSchema = z.object({
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
export const contactJobResponse = contactJobSchema

const exportTimeZoneSchema = z
  .string()
  .refine((name) => timeZones.some(({ value }) => value === name), 'Choose a time zone')

/** Maximum jobs that a list shows: the newest ones. */
export const maxContactJobs = 20

export const contactJobsApi = {
  list: defineEndpoint({
    operation: 'contactJobs.list',
    method: 'GET',
    path: '/api/contact-jobs',
    access: 'session',
    permission: 'contacts:read',
    summary: 'Recent and running exports and bulk changes of contacts, newest first.',
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(contactJobSchema).max(maxContactJobs) }),
    errors: [],
  }),
  export: defineEndpoint({
    operation: 'contactJobs.export',
    method: 'POST',
    path: '/api/contact-jobs/exports',
    access: 'session',
    permission: 'contacts:export',
    summary: 'Starts an export of contacts to a file that is kept for seven days.',
    body: z.object({
      selection: contactSelectionSchema,
      format: formatSchema,
      /** Times are written as a clock there shows them. */
      timeZone: exportTimeZoneSchema,
    }),
    status: 201,
    response: contactJobSchema,
    errors: ['not_found', 'approval_required'],
  }),
  change: defineEndpoint({
    operation: 'contactJobs.change',
    method: 'POST',
    path: '/api/contact-jobs/changes',
    access: 'session',
    permission: 'contacts:write',
    actionPermissions: contactActionPermissions,
    summary: 'Starts a bulk change of contacts. It can be undone for seven days.',
    body: z.object({
      selection: contactSelectionSchema,
      action: contactActionSchema,
      /** True where workflows that wait for it start for each of these contacts. */
      startWorkflows: z.boolean().default(false),
    }),
    status: 201,
    response: contactJobSchema,
    errors: ['not_found', 'approval_required'],
  }),
  renameTag: defineEndpoint({
    operation: 'contactJobs.renameTag',
    method: 'POST',
    path: '/api/tags/rename',
    access: 'session',
    permission: 'segments:write',
    summary:
      'Starts to rename a tag or merge it into another: on contacts, then in segments and in campaigns that have not started.',
    body: tagRenameSchema.omit({ kind: true }),
    status: 201,
    response: contactJobSchema,
    errors: ['not_found', 'tag_in_use'],
  }),
  undo: defineEndpoint({
    operation: 'contactJobs.undo',
    method: 'POST',
    path: '/api/contact-jobs/:id/undo',
    access: 'session',
    permission: 'contacts:write',
    summary:
      'Starts to undo a bulk change, except where a contact was changed again since. It needs what the change needed.',
    params: byId,
    status: 201,
    response: contactJobSchema,
    errors: ['not_found', 'forbidden', 'wrong_state'],
  }),
  exportPerson: defineEndpoint({
    operation: 'contactJobs.exportPerson',
    method: 'POST',
    path: '/api/contacts/:id/export',
    access: 'session',
    permission: 'contacts:export',
    summary:
      'Starts an export of everything stored about one contact: a ZIP file of JSON and media that is kept for seven days.',
    params: byId,
    status: 201,
    response: contactJobSchema,
    errors: ['not_found'],
  }),
  exportChat: defineEndpoint({
    operation: 'contactJobs.exportChat',
    method: 'POST',
    path: '/api/conversations/:id/exports',
    access: 'session',
    permission: 'conversations:export',
    summary: 'Starts an export of one conversation to a file that is kept for seven days.',
    params: byId,
    body: z.object({
      format: chatFormatSchema,
      /** Times are written as a clock there shows them. */
      timeZone: exportTimeZoneSchema,
    }),
    status: 201,
    response: contactJobSchema,
    errors: ['not_found'],
  }),
  chatExports: defineEndpoint({
    operation: 'contactJobs.chatExports',
    method: 'GET',
    path: '/api/conversations/:id/exports',
    access: 'session',
    permission: 'conversations:export',
    summary: 'Recent and running exports of one conversation, newest first.',
    params: byId,
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(contactJobSchema).max(maxContactJobs) }),
    errors: ['not_found'],
  }),
  erase: defineEndpoint({
    operation: 'contactJobs.erase',
    method: 'POST',
    path: '/api/contacts/:id/erase',
    access: 'session',
    permission: 'contacts:erase',
    summary:
      'Starts to erase a contact: messages, files and all personal data are deleted permanently. Opt-outs and totals are kept.',
    params: byId,
    body: z.object({
      /** Name of the contact, typed as confirmation. */
      name: z.string().trim().max(120),
    }),
    status: 201,
    response: contactJobSchema,
    errors: ['not_found'],
  }),
  cancel: defineEndpoint({
    operation: 'contactJobs.cancel',
    method: 'POST',
    path: '/api/contact-jobs/:id/cancel',
    access: 'session',
    permission: 'contacts:read',
    summary: 'Stops a job. Allowed for the member who started it and for those who may change the workspace.',
    params: byId,
    status: 200,
    response: contactJobSchema,
    errors: ['not_found', 'forbidden', 'wrong_state'],
  }),
  download: defineEndpoint({
    operation: 'contactJobs.download',
    method: 'GET',
    path: '/api/contact-jobs/:id/file',
    access: 'session',
    permission: 'contacts:export',
    audit: 'read',
    summary: 'The file of an export.',
    params: byId,
    responseType: 'stream',
    status: 200,
    errors: ['not_found'],
  }),
}
