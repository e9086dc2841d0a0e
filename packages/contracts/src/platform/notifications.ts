import { z } from 'zod'
import type { Permission } from '../account/permissions.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, idSchema, pageOf, pageQueryFields, timeSchema } from '../core/records.ts'

const notificationSeverities = ['info', 'success', 'warning', 'error'] as const

export const notificationCategories = [
  'message',
  'campaign',
  'bot',
  'template',
  'number',
  'webhook',
  'billing',
  'api_key',
  'report',
  'team',
  'target',
  'import',
  'approval',
  'workspace',
] as const
export type NotificationCategory = (typeof notificationCategories)[number]

/** Permission that a role needs for notifications of a category: members are not notified of what they could not act on. */
export const notificationPermissions: Readonly<Record<NotificationCategory, Permission>> = {
  message: 'conversations:write',
  campaign: 'campaigns:send',
  bot: 'bots:write',
  template: 'templates:write',
  number: 'numbers:write',
  webhook: 'webhooks:write',
  billing: 'billing:read',
  api_key: 'api_keys:write',
  report: 'analytics:read',
  team: 'conversations:write',
  target: 'workspace:write',
  import: 'contacts:import',
  approval: 'approvals:read',
  workspace: 'workspace:export',
}

export const notificationSchema = z.object({
  id: idSchema,
  category: z.enum(notificationCategories),
  severity: z.enum(notificationSeverities),
  title: z.string().max(120),
  body: z.string().max(300),
  /** Action to take, on the screen that it leads to; absent where none is needed. */
  action: z.string().max(40).optional(),
  /** Object of the notification; leads to its screen. */
  object: z.object({ kind: z.string().max(40), id: idSchema }),
  at: timeSchema,
  readAt: timeSchema.nullable(),
})
export type Notification = z.infer<typeof notificationSchema>

export const notificationsApi = {
  list: defineEndpoint({
    operation: 'notifications.list',
    method: 'GET',
    path: '/api/notifications',
    access: 'session',
    permission: 'self',
    summary: 'The caller’s notifications, newest first, with the number of unread ones.',
    query: z.object({ limit: pageQueryFields.limit, cursor: pageQueryFields.cursor }),
    status: 200,
    response: pageOf(notificationSchema).extend({ unread: countSchema }),
    errors: [],
  }),
  markRead: defineEndpoint({
    operation: 'notifications.markRead',
    method: 'POST',
    path: '/api/notifications/read',
    access: 'session',
    permission: 'self',
    audit: 'none',
    summary: 'Marks the given notifications as read, or all of them.',
    body: z.union([z.object({ ids: z.array(idSchema).min(1).max(100) }), z.object({ all: z.literal(true) })]),
    status: 204,
    errors: ['not_found'],
  }),
}
