import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, leftOutField } from '../core/records.ts'
import { timeZones } from '../core/time-zones.ts'
import {
  chatFormatSchema,
  contactActionSchema,
  contactJobSchema,
  exportFormatSchema,
  tagRenameSchema,
} from './contact-jobs.ts'
import { contactActionPermissions, contactSelectionSchema } from './contacts.ts'

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
      format: exportFormatSchema,
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
