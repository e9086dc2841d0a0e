import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { AddNotifications, NewNotification } from '../../platform/notification.ts'
import type { CampaignRecord, CampaignsService } from '../campaigns/campaigns.service.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { TemplatesService } from '../templates/templates.service.ts'
import { ofAssignment, ofCampaign, ofCategory, ofTemplate } from './notification-texts.ts'
import type { NotificationsRepository } from './notifications.repository.ts'
import { ofNumber, ofNumberChange } from './number-notifications.ts'

interface Dependencies {
  readonly addNotifications: AddNotifications
  readonly campaignRecords: {
    readonly read: (scope: WorkspaceScope, id: string) => PromiseLike<CampaignRecord | null>
  }
  readonly campaigns: Pick<CampaignsService, 'countsOf'>
  readonly templates: Pick<TemplatesService, 'readMany'>
  readonly numbers: Pick<NumbersService, 'read'>
  readonly handOvers: {
    readonly watch: (scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx) => Promise<void>
  }
}

/** Turns events into notifications, in the transaction that marks the events as read. */
export function createRaiseNotifications({
  addNotifications,
  campaignRecords,
  campaigns,
  templates,
  numbers,
  handOvers,
}: Dependencies) {
  async function notificationsOf(
    scope: WorkspaceScope,
    event: RecordedEvent,
  ): Promise<NewNotification | NewNotification[] | undefined> {
    if (event.type === 'campaign.changed') {
      // An action that a member has just taken by hand is no news to them.
      const campaign = event.by.kind === 'system' ? await campaignRecords.read(scope, event.data.campaignId) : null
      return campaign ? ofCampaign(campaign, await campaigns.countsOf(scope, campaign.id)) : undefined
    }
    if (event.type === 'template.changed') {
      const { templateId, became, announced } = event.data
      const template = became || announced ? (await templates.readMany(scope, [templateId])).get(templateId) : undefined
      if (!template) return undefined
      return announced ? ofCategory(template, announced, event) : became && ofTemplate(template, became, event)
    }
    if (event.type === 'number.changed' && !event.data.removed) {
      const number = await numbers.read(scope, event.data.numberId)
      if (!number) return undefined
      const { became } = event.data
      return [ofNumber(number) ?? [], became ? ofNumberChange(number, became, event) : []].flat()
    }
    if (event.type === 'conversation.changed') return ofAssignment(event)
    return undefined
  }

  return async function raise(scope: WorkspaceScope, events: readonly RecordedEvent[], tx: Tx): Promise<void> {
    const found: NewNotification[] = []
    for (const event of events) found.push(...[(await notificationsOf(scope, event)) ?? []].flat())
    await addNotifications(scope, found, tx)
    await handOvers.watch(scope, events, tx)
  }
}

/** Tells members what was not told before. */
export function createAddNotifications(
  notifications: Pick<NotificationsRepository, 'raise' | 'trim'>,
): AddNotifications {
  return async function addNotifications(
    scope: WorkspaceScope,
    found: readonly NewNotification[],
    tx: Tx,
  ): Promise<void> {
    let isForAll = false
    const users = new Set<string>()
    for (const notification of found) {
      const notificationId = await notifications.raise(scope, notification, tx)
      if (!notificationId) continue
      if (!notification.for) isForAll = true
      for (const userId of notification.for ?? []) users.add(userId)
      tx.emit({
        workspaceId: scope.workspaceId,
        type: 'notification.raised',
        by: { kind: 'system' },
        data: { notificationId },
      })
    }
    if (isForAll || users.size > 0) await notifications.trim(scope, { all: isForAll, users: [...users] }, tx)
  }
}
