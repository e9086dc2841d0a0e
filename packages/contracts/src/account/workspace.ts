import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema, phoneSchema, storedFields } from '../core/records.ts'
import { emailSchema } from './auth.ts'
import { roleSchema } from './permissions.ts'

/** Maximum length of a workspace's name in characters. */
export const maxWorkspaceName = 120

/** Fields of a workspace as its owner or admins type them; the form and the API check the same. */
export const workspaceFieldsSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter the name of your business.')
    .max(maxWorkspaceName, `The name can have at most ${maxWorkspaceName} characters.`),
  /** Address and number of the business, as customers know them; `""` for none. */
  email: z.union([z.literal(''), emailSchema]),
  phone: z.union([z.literal(''), phoneSchema]),
})
export type WorkspaceFields = z.infer<typeof workspaceFieldsSchema>

const workspaceSchema = z.object({
  ...storedFields,
  name: z.string().max(maxWorkspaceName),
  email: z.string().max(254),
  phone: z.string().max(20),
  /** User id of the person with whose account it was created. */
  createdBy: idSchema,
})
export type Workspace = z.infer<typeof workspaceSchema>

/** Maximum workspaces that one person can be a member of. */
export const maxWorkspaces = 50

/** The workspace of the session, and those that the signed-in person can go to. */
export const workspaceApi = {
  read: defineEndpoint({
    operation: 'workspace.read',
    method: 'GET',
    path: '/api/workspace',
    access: 'session',
    permission: 'workspace:read',
    summary: 'The workspace of the session.',
    status: 200,
    response: workspaceSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'workspace.update',
    method: 'PATCH',
    path: '/api/workspace',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Changes the given fields of the workspace.',
    body: workspaceFieldsSchema.partial().extend({ version: storedFields.version }),
    status: 200,
    response: workspaceSchema,
    errors: ['stale_version'],
  }),
  create: defineEndpoint({
    operation: 'workspace.create',
    method: 'POST',
    path: '/api/workspaces',
    access: 'session',
    permission: 'self',
    summary:
      'Creates another workspace, of which the caller is the owner. Only the first one of a person begins with a trial.',
    body: workspaceFieldsSchema.pick({ name: true }),
    status: 201,
    response: z.object({ id: idSchema, name: z.string().max(maxWorkspaceName), role: roleSchema }),
    errors: ['limit_reached'],
  }),
  list: defineEndpoint({
    operation: 'workspace.list',
    method: 'GET',
    path: '/api/workspaces',
    access: 'session',
    permission: 'self',
    summary: 'Workspaces of the signed-in person, by name.',
    status: 200,
    response: z.object({
      items: z
        .array(z.object({ id: idSchema, name: z.string().max(maxWorkspaceName), role: roleSchema }))
        .max(maxWorkspaces),
    }),
    errors: [],
  }),
}
