import {
  defaultNotificationSettings,
  type NotificationKind,
  type NotificationSettings,
} from '@parley/contracts/account/settings'
import type { NotificationCategory } from '@parley/contracts/platform/notifications'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type NotificationSettingsRecord, notificationSettingsSchema } from './notification-settings.model.ts'

/** Categories that a member may switch off; all others concern work that somebody has to do. */
export const switchOf: Readonly<Partial<Record<NotificationCategory, NotificationKind>>> = {
  message: 'newMessages',
  campaign: 'broadcastCompletion',
  bot: 'botFailures',
  report: 'weeklyReports',
}

type Member = WorkspaceScope & { readonly userId: string }

/** Keeps what each member is notified of. */
export function createNotificationSettings(connection: ServiceConnection) {
  const settings = workspaceCollection<NotificationSettingsRecord>({
    connection,
    name: 'notificationSettings',
    schema: notificationSettingsSchema,
  })
  const shown = (record: NotificationSettingsRecord | null) => ({
    notifications: { ...defaultNotificationSettings, ...kindsOf(record) },
  })
  return {
    read: async (member: Member) =>
      shown(await settings(member).findOne({ userId: member.userId }, { hint: 'member' })),
    /** Two changes at once both stay: each sets only what it names. */
    update: async (member: Member, change: Partial<NotificationSettings>) => {
      const set = Object.fromEntries(Object.entries(change).map(([kind, value]) => [`kinds.${kind}`, value]))
      const update = Object.keys(set).length > 0 ? { $set: set } : { $setOnInsert: { kinds: {} } }
      return shown(await settings(member).findOneAndUpdate({ userId: member.userId }, update, { upsert: true }))
    },
  }
}

function kindsOf(record: NotificationSettingsRecord | null): Partial<NotificationSettings> {
  const { newMessages, broadcastCompletion, botFailures, weeklyReports } = record?.kinds ?? {}
  const kinds = { newMessages, broadcastCompletion, botFailures, weeklyReports }
  return Object.fromEntries(Object.entries(kinds).filter(([, value]) => value !== undefined))
}
