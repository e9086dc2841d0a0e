import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'

const notificationKinds = ['newMessages', 'broadcastCompletion', 'botFailures', 'weeklyReports'] as const
export type NotificationKind = (typeof notificationKinds)[number]

const notificationSettingsSchema = z.record(z.enum(notificationKinds), z.boolean())
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>

/** Toggles of a member who has set none. */
export const defaultNotificationSettings: NotificationSettings = {
  newMessages: true,
  broadcastCompletion: true,
  botFailures: true,
  weeklyReports: false,
}

const settingsSchema = z.object({ notifications: notificationSettingsSchema })
export type Settings = z.infer<typeof settingsSchema>

export const settingsApi = {
  read: defineEndpoint({
    operation: 'notificationSettings.read',
    method: 'GET',
    path: '/api/notifications/settings',
    access: 'session',
    permission: 'self',
    summary: 'What the caller is notified of.',
    status: 200,
    response: settingsSchema,
    errors: [],
  }),
  updateNotifications: defineEndpoint({
    operation: 'notificationSettings.update',
    method: 'PATCH',
    path: '/api/notifications/settings',
    access: 'session',
    permission: 'self',
    audit: 'none',
    summary: 'Switches the named kinds of notifications on or off for the caller; the others stay.',
    body: z.partialRecord(z.enum(notificationKinds), z.boolean()),
    status: 200,
    response: settingsSchema,
    errors: [],
  }),
}
