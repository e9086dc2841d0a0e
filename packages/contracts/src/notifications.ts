import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { countSchema, idSchema, pageOf, pageQueryFields, timeSchema } from './records.ts'

const notificationSeverities = ['info', 'success', 'warning', 'error'] as const

const notificationSchema = z.object({
  id: idSchema,
  category: z.enum(['message', 'campaign', 'bot', 'template', 'number', 'webhook', 'billing']),
  severity: z.enum(notificationSeverities),
  title: z.string().max(120),
  body: z.string().max(300),
  /** What it is about; leads to its screen. */
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
    summary: 'Notifications, newest first, with how many are unread.',
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
    summary: 'Marks the named notifications as read, or all of them.',
    body: z.union([z.object({ ids: z.array(idSchema).min(1).max(100) }), z.object({ all: z.literal(true) })]),
    status: 204,
    errors: [],
  }),
}
