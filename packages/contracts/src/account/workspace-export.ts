import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, timeSchema } from '../core/records.ts'
import { jobSchema } from '../platform/jobs.ts'

/** Hours for which the file of an export can be downloaded. */
export const workspaceExportHours = 24

const workspaceExportSchema = z.object({
  id: idSchema,
  state: jobSchema.shape.state,
  /** Records to write, 0 until they are counted; `done`: those that are written. */
  total: countSchema,
  done: countSchema,
  /** The file, until it is deleted. */
  file: z.object({ name: z.string().max(120), sizeBytes: countSchema, availableUntil: timeSchema }).nullable(),
  /** Reason why it ended without a file, or why the file is gone. */
  problem: z.string().max(300).nullable(),
  startedBy: idSchema.nullable(),
  createdAt: timeSchema,
})
export type WorkspaceExport = z.infer<typeof workspaceExportSchema>

/** Most exports that a list shows. */
export const maxWorkspaceExports = 5

/** Export of everything that a workspace has, for its owners. */
export const workspaceExportApi = {
  list: defineEndpoint({
    operation: 'workspaceExports.list',
    method: 'GET',
    path: '/api/workspace/exports',
    access: 'session',
    permission: 'workspace:export',
    summary: 'Recent exports of the workspace, newest first.',
    status: 200,
    response: z.object({ items: z.array(workspaceExportSchema).max(maxWorkspaceExports) }),
    errors: [],
  }),
  begin: defineEndpoint({
    operation: 'workspaceExports.begin',
    method: 'POST',
    path: '/api/workspace/exports',
    access: 'session',
    permission: 'workspace:export',
    fresh: true,
    summary: `Starts an export of the whole workspace to a ZIP file, which owners can download for ${workspaceExportHours} hours. One at a time: it replaces the file of the one before.`,
    status: 201,
    response: workspaceExportSchema,
    errors: ['confirmation_required', 'wrong_state'],
  }),
  cancel: defineEndpoint({
    operation: 'workspaceExports.cancel',
    method: 'POST',
    path: '/api/workspace/exports/:id/cancel',
    access: 'session',
    permission: 'workspace:export',
    summary: 'Stops an export; it leaves no file.',
    params: byId,
    status: 200,
    response: workspaceExportSchema,
    errors: ['not_found', 'wrong_state'],
  }),
  remove: defineEndpoint({
    operation: 'workspaceExports.remove',
    method: 'DELETE',
    path: '/api/workspace/exports/:id/file',
    access: 'session',
    permission: 'workspace:export',
    summary: 'Deletes the file of an export before its time.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
  download: defineEndpoint({
    operation: 'workspaceExports.download',
    method: 'GET',
    path: '/api/workspace/exports/:id/file',
    access: 'session',
    permission: 'workspace:export',
    audit: 'read',
    summary: 'The file of an export.',
    params: byId,
    responseType: 'stream',
    status: 200,
    errors: ['not_found'],
  }),
}

/** Files of an export that profile writes, and those of automation. */
export const profileExportFiles = ['workspace', 'members', 'invitations', 'api-keys', 'audit-log'] as const
export const automationExportFiles = [
  'bots',
  'workflows',
  'flow-versions',
  'flow-contents',
  'flow-tests',
  'flow-settings',
  'flow-schedules',
  'incoming-webhooks',
  'incoming-calls',
  'connections',
  'flow-runs',
] as const

/** Records of the workspace that the token names, for the worker that writes its export: one line of JSON each. */
export const workspaceExportInternalApi = {
  profileRecords: defineEndpoint({
    operation: 'workspaceExports.profileRecords',
    method: 'GET',
    path: '/internal/profile-records/:file',
    access: 'service',
    callers: ['messaging-worker'],
    summary: 'People, keys and the audit log of a workspace, for its export.',
    params: z.object({ file: z.enum(profileExportFiles) }),
    responseType: 'stream',
    status: 200,
    errors: [],
  }),
  automationRecords: defineEndpoint({
    operation: 'workspaceExports.automationRecords',
    method: 'GET',
    path: '/internal/automation-records/:file',
    access: 'service',
    callers: ['messaging-worker'],
    summary: 'Bots and workflows of a workspace with their versions and runs, for its export.',
    params: z.object({ file: z.enum(automationExportFiles) }),
    responseType: 'stream',
    status: 200,
    errors: [],
  }),
}
