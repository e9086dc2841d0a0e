import { z } from 'zod'

export const roles = ['owner', 'admin', 'agent', 'viewer'] as const
export const roleSchema = z.enum(roles)
export type Role = z.infer<typeof roleSchema>

/** Everything that a role can be allowed to do: `resource:action`. */
export const permissions = [
  'conversations:read',
  'conversations:write',
  'conversations:assign',
  'conversations:export',
  'contacts:read',
  'contacts:write',
  'contacts:delete',
  'contacts:import',
  'contacts:export',
  'contacts:erase',
  'segments:read',
  'segments:write',
  'templates:read',
  'templates:write',
  'campaigns:read',
  'campaigns:write',
  'campaigns:send',
  'bots:read',
  'bots:write',
  'bots:publish',
  'workflows:read',
  'workflows:write',
  'workflows:publish',
  'numbers:read',
  'numbers:write',
  'numbers:secret',
  'webhooks:read',
  'webhooks:write',
  'webhooks:secret',
  'webhooks:replay',
  'api_keys:read',
  'api_keys:write',
  'events:read',
  'approvals:read',
  'approvals:decide',
  'approvals:write',
  'audit:read',
  'audit:export',
  'audit:retain',
  'analytics:read',
  'analytics:export',
  'members:read',
  'members:invite',
  'members:change',
  'members:remove',
  'workspace:read',
  'workspace:write',
  'workspace:export',
  'workspace:transfer',
  'workspace:delete',
  'billing:read',
  'billing:change',
] as const
export type Permission = (typeof permissions)[number]

const notForAdmins: readonly Permission[] = [
  // Two admins would else lift the rule for each other's campaign.
  'approvals:write',
  'audit:retain',
  'workspace:export',
  'workspace:transfer',
  'workspace:delete',
  'billing:change',
]

const viewer: readonly Permission[] = [
  'conversations:read',
  'contacts:read',
  'segments:read',
  'templates:read',
  'campaigns:read',
  'bots:read',
  'workflows:read',
  'numbers:read',
  'webhooks:read',
  'analytics:read',
  'members:read',
  'workspace:read',
]

const agent: readonly Permission[] = [
  ...viewer.filter((permission) => permission !== 'webhooks:read'),
  'conversations:write',
  'conversations:assign',
  'contacts:write',
  // Agents prepare campaigns; `campaigns:send` is for those who are responsible for the cost.
  'campaigns:write',
]

/**
 * Permissions of each role in its workspace. The services check them before a handler runs; the page hides what would be refused.
 */
const rolePermissions: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  admin: new Set(permissions.filter((permission) => !notForAdmins.includes(permission))),
  agent: new Set(agent),
  viewer: new Set(viewer),
}

/** Returns whether a role has a permission. */
export const can = (role: Role, permission: Permission): boolean => rolePermissions[role].has(permission)

/** Returns whether a role is not above another: a holder may grant it, and change members who have it. */
export const isWithin = (role: Role, limit: Role): boolean => roles.indexOf(role) >= roles.indexOf(limit)

const resourceLabels: Readonly<Record<string, string>> = {
  numbers: 'WhatsApp numbers',
  webhooks: 'webhooks',
  api_keys: 'API keys',
  events: 'the event log',
  approvals: 'approvals',
  audit: 'the audit log',
  workspace: 'the workspace',
  billing: 'plan and billing',
}
const actionLabels: Readonly<Record<string, string>> = {
  read: 'see',
  write: 'change',
  secret: 'see the secrets of',
  decide: 'decide on',
  retain: 'set the retention of',
}

/** A permission as the end of "You may not …": `contacts:write` is "change contacts". */
export function describePermission(permission: Permission): string {
  const [resource = '', action = ''] = permission.split(':')
  return `${actionLabels[action] ?? action} ${resourceLabels[resource] ?? resource}`
}

/** Roles that have a permission and may change other people's roles: their holders can be asked for it. */
export const rolesGranting = (permission: Permission): Role[] =>
  roles.filter((role) => can(role, permission) && can(role, 'members:change'))
