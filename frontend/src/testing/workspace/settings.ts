import { defaultNotificationSettings, settingsApi } from '@parley/contracts/account/settings'
import { workspaceExportApi } from '@parley/contracts/account/workspace-export'
import { defaultSendingHours, sendingHoursApi } from '@parley/contracts/campaigns/sending-hours'
import { consentApi, defaultConsentSettings } from '@parley/contracts/contacts/consent'
import type { Endpoint, EndpointResponse } from '@parley/contracts/core/endpoint'
import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { assignmentApi, noAssignment } from '@parley/contracts/inbox/assignment'
import { type Absence, availabilityApi } from '@parley/contracts/inbox/availability'
import { type Macro, macrosApi } from '@parley/contracts/inbox/macros'
import { keptForEver, type MessageRetention, messageRetentionApi } from '@parley/contracts/inbox/message-retention'
import { defaultOpeningHours, openingHoursApi } from '@parley/contracts/inbox/opening-hours'
import { defaultRatingSetting, ratingApi } from '@parley/contracts/inbox/ratings'
import { defaultReadReceipts, readReceiptsApi } from '@parley/contracts/inbox/read-receipts'
import { noResponseTarget, responseTargetApi } from '@parley/contracts/inbox/response-target'
import { defaultVisibility, visibilityApi } from '@parley/contracts/inbox/visibility'
import { approvalsApi, defaultApprovalRules } from '@parley/contracts/platform/approvals'
import { type RateCard, rateCardsApi } from '@parley/contracts/usage/rate-cards'
import { answer } from '../answer.ts'
import { refuseStale } from '../refusal.ts'
import { find, insert, newRecord, remove } from './workspace.ts'

type Versioned = { readonly version: number }

/** A setting that is read and changed as a whole. */
function setting<R extends Endpoint, U extends Endpoint>(read: R, update: U, initial: EndpointResponse<R> & Versioned) {
  let current: Versioned = initial
  return [
    answer(read, () => current as EndpointResponse<R>),
    answer(update, ({ body }) => {
      const { version, ...fields } = body as Versioned
      refuseStale('setting', current, version)
      current = { ...fields, version: version + 1 }
      return current as EndpointResponse<U>
    }),
  ]
}

/** Time for which messages are kept: a shorter one waits for a week. */
function messageRetention() {
  let current: MessageRetention = keptForEver
  return [
    answer(messageRetentionApi.read, () => current),
    answer(messageRetentionApi.preview, () => ({
      before: new Date(Date.now() - 180 * 86_400_000).toISOString(),
      messages: 12_400,
      exact: true,
    })),
    answer(messageRetentionApi.update, ({ body: { months, version } }) => {
      refuseStale('setting', current, version)
      const isShorter = months !== null && (current.months === null || months < current.months)
      const from = new Date(Date.now() + 7 * 86_400_000).toISOString()
      current = isShorter
        ? { ...current, next: { months, from }, version: version + 1 }
        : { months, next: null, version: version + 1 }
      return current
    }),
  ]
}

/** Settings of the workspace, and what a message costs. */
export function settingHandlers() {
  let notifications = defaultNotificationSettings
  const cards = new Map<string, RateCard>()
  const macros = new Map<string, Macro>()
  let away: Absence[] = []
  return [
    ...setting(sendingHoursApi.read, sendingHoursApi.update, defaultSendingHours),
    ...setting(openingHoursApi.read, openingHoursApi.update, defaultOpeningHours(defaultTimeZone)),
    ...setting(visibilityApi.read, visibilityApi.update, defaultVisibility),
    ...messageRetention(),
    ...setting(responseTargetApi.read, responseTargetApi.update, noResponseTarget),
    ...setting(ratingApi.read, ratingApi.update, defaultRatingSetting),
    ...setting(approvalsApi.readRules, approvalsApi.updateRules, defaultApprovalRules),
    answer(workspaceExportApi.list, () => ({ items: [] })),
    answer(approvalsApi.list, () => ({ items: [] })),
    ...setting(readReceiptsApi.read, readReceiptsApi.update, defaultReadReceipts),
    ...setting(assignmentApi.read, assignmentApi.update, noAssignment),
    ...setting(consentApi.settings, consentApi.updateSettings, { ...defaultConsentSettings, version: 1 }),
    answer(availabilityApi.list, () => ({ away })),
    answer(availabilityApi.update, ({ body }) => {
      const { state, until } = body
      away = state === 'away' ? [{ userId: 'user-1', since: new Date().toISOString(), until }] : []
      return { state, until }
    }),
    answer(settingsApi.read, () => ({ notifications })),
    answer(settingsApi.updateNotifications, ({ body }) => {
      notifications = { ...notifications, ...(body as Partial<typeof notifications>) }
      return { notifications }
    }),
    answer(macrosApi.list, () => ({ items: [...macros.values()] })),
    answer(macrosApi.create, ({ body }) => insert(macros, { ...body, ...newRecord('macro'), problems: [] })),
    answer(macrosApi.update, ({ params, body: { version, name, actions } }) => {
      const current = find(macros, params.id)
      refuseStale('macro', current, version)
      const changed = { name: name ?? current.name, actions: actions ?? current.actions, version: version + 1 }
      return insert(macros, { ...current, ...changed, problems: [] })
    }),
    answer(macrosApi.remove, ({ params }) => remove(macros, params.id)),
    answer(rateCardsApi.list, () => ({
      items: [...cards.values()].sort((left, right) => right.effectiveFrom.localeCompare(left.effectiveFrom)),
    })),
    answer(rateCardsApi.create, ({ body }) => {
      const today = wallTimeOf(new Date(), defaultTimeZone).date
      const { id, createdAt } = newRecord('card')
      return insert(cards, { ...body, id, createdAt, coming: body.effectiveFrom > today })
    }),
    answer(rateCardsApi.remove, ({ params }) => remove(cards, params.id)),
  ]
}
