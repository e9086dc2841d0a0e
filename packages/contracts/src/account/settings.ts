import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'

const notificationKinds = ['newMessages', 'broadcastCompletion', 'botFailures', 'weeklyReports'] as const
export type NotificationKind = (typeof notificationKinds)[number]

const notificationSettingsSchema = z.record(z.enum(notificationKinds), z.boolean())
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>

/** Part of the settings screen that has no service yet. */
export const settingsSchema = z.object({ notifications: notificationSettingsSchema })
export type Settings = z.infer<typeof settingsSchema>

export const settingsApi = {
  read: defineEndpoint({
    operation: 'settings.read',
    method: 'GET',
    path: '/api/workspace/settings',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Settings of the workspace.',
    status: 200,
    response: settingsSchema,
    errors: [],
  }),
  updateNotifications: defineEndpoint({
    operation: 'settings.updateNotifications',
    method: 'PATCH',
    path: '/api/workspace/settings/notifications',
    access: 'session',
    permission: 'self',
    audit: 'none',
    summary: 'Switches the named kinds of notifications on or off; the others stay.',
    body: z.partialRecord(z.enum(notificationKinds), z.boolean()),
    status: 200,
    response: settingsSchema,
    errors: [],
  }),
}
