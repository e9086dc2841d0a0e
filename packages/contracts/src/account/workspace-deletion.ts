import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { timeSchema } from '../core/records.ts'
import { cellNameSchema } from './cells.ts'
import { maxWorkspaceName } from './workspace.ts'

/** Days for which a workspace can be restored. */
export const restoreDays = 7

/** The name, typed by the person who deletes the workspace. */
const typedName = z.object({ name: z.string().trim().max(maxWorkspaceName) })

/** Deletes the workspace of the session: it stands still for a week, in which an owner can restore it, and is then erased. */
export const workspaceDeletionApi = {
  begin: defineEndpoint({
    operation: 'workspace.delete',
    method: 'POST',
    path: '/api/workspace/deletion',
    access: 'session',
    permission: 'workspace:delete',
    fresh: true,
    summary: `Closes the workspace: nothing is sent, keys and other members are refused. After ${restoreDays} days it is erased.`,
    body: typedName,
    status: 200,
    response: z.object({ until: timeSchema }),
    errors: ['confirmation_required', 'validation_failed', 'wrong_state'],
  }),
  eraseNow: defineEndpoint({
    operation: 'workspace.eraseNow',
    method: 'POST',
    path: '/api/workspace/deletion/now',
    access: 'session',
    permission: 'workspace:delete',
    fresh: true,
    whileClosing: true,
    summary: 'Erases a closed workspace without waiting for its days to end. It cannot be restored any more.',
    body: typedName,
    status: 204,
    errors: ['confirmation_required', 'validation_failed', 'wrong_state'],
  }),
  restore: defineEndpoint({
    operation: 'workspace.restore',
    method: 'DELETE',
    path: '/api/workspace/deletion',
    access: 'session',
    permission: 'workspace:delete',
    whileClosing: true,
    summary: 'Opens a closed workspace again.',
    status: 204,
    errors: ['wrong_state'],
  }),
}

const workspaceIdSchema = z.string().regex(/^[0-9a-f]{24}$/)
/** Workspaces in one answer of `workspaceErasureApi.due`. */
export const maxErasures = 100

/** Calls about the erasure of workspaces, for other Parley processes only. */
export const workspaceErasureApi = {
  due: defineEndpoint({
    operation: 'erasures.due',
    method: 'GET',
    path: '/internal/erasures',
    access: 'service',
    callers: ['messaging-worker', 'automation-worker'],
    summary: 'Workspaces of its cell of which the calling service is to erase everything.',
    query: z.object({
      /** Cell of the process; needed where there are several. */
      cell: cellNameSchema.optional(),
    }),
    status: 200,
    response: z.object({ workspaceIds: z.array(workspaceIdSchema).max(maxErasures) }),
    errors: [],
  }),
  report: defineEndpoint({
    operation: 'erasures.report',
    method: 'POST',
    path: '/internal/erasures/:id',
    access: 'service',
    callers: ['messaging-worker', 'automation-worker'],
    summary: 'Reports a complete run and what it has found. A service is done once a run has found nothing.',
    params: z.object({ id: workspaceIdSchema }),
    body: z.object({ removed: z.number().int().nonnegative() }),
    /** The counts are for people. */
    repeatable: true,
    status: 204,
    errors: [],
  }),
}
