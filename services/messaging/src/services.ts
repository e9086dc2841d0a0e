import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import { createAnalytics } from './modules/analytics/module.ts'
import { createAutomation } from './modules/automation/module.ts'
import { createCampaigns } from './modules/campaigns/module.ts'
import { type AboveChannel, createChannel } from './modules/channel/module.ts'
import { type AboveContacts, createContacts } from './modules/contacts/module.ts'
import { createInbound } from './modules/inbound/module.ts'
import { type AboveInbox, createInbox } from './modules/inbox/module.ts'
import { createMedia } from './modules/media/module.ts'
import { createNotifications } from './modules/notifications/module.ts'
import type { LinkTokens } from './modules/outbound/link-tokens.ts'
import { type AboveOutbound, createOutbound } from './modules/outbound/module.ts'
import { createPrivacy } from './modules/privacy/module.ts'
import { createPublicMessages } from './modules/public-api/public-messages.service.ts'
import { createSample } from './modules/sample/module.ts'
import { type AboveTemplates, createTemplates } from './modules/templates/module.ts'
import { type AboveUsage, createUsageModule, type UsageSettings } from './modules/usage/module.ts'
import { createPriceAt } from './modules/usage/rate-cards/price-at.ts'
import { createWebhooks } from './modules/webhooks/module.ts'
import { createJobWork } from './platform/job-work.ts'
import { createPlatform, type PlatformDependencies } from './platform/platform.ts'

interface Settings extends PlatformDependencies, UsageSettings {
  /** Checks where webhooks are to go. */
  readonly outboundHttp: Pick<OutboundHttp, 'check'>
  /** Origin at which WhatsApp reaches the ingest process. */
  readonly hooksUrl: string
  /** Origin at which customers reach the counted links of messages; visits cannot be counted without. */
  readonly linksUrl: string | undefined
  readonly linkTokens: LinkTokens
  /** The files of one workspace together have at most these. */
  readonly storageLimitBytes: number
}
type Above = AboveChannel & AboveInbox & AboveContacts & AboveUsage & AboveTemplates & AboveOutbound

export type Services = ReturnType<typeof createServices>

/**
 * Makes the modules from the ground up, each on those before it. What one calls of a module that comes later is in `above`, and
 * called only once all are made.
 */
export function createServices(settings: Settings) {
  const above: Above = {
    addNotifications: (...of) => notifications.addNotifications(...of),
    applyParked: (...of) => inbound.apply.applyParked(...of),
    campaignsOf: (...of) => campaigns.campaignsOf(...of),
    checkTemplate: (...of) => usage.checkTemplate(...of),
    contactRecords: {
      shown: (...of) => contacts.contactRecords.shown(...of),
      mergedIds: (...of) => contacts.contactRecords.mergedIds(...of),
      noteDelivered: (...of) => contacts.contactRecords.noteDelivered(...of),
      noteMarketing: (...of) => contacts.contactRecords.noteMarketing(...of),
      noteUndelivered: (...of) => contacts.contactRecords.noteUndelivered(...of),
    },
    countSent: (...of) => inbox.messageRecords.countSent(...of),
    holders: {
      read: (...of) => campaigns.holders.read(...of),
      readMany: (...of) => campaigns.holders.readMany(...of),
    },
    isBlocked: async (...of) => (await contacts.contactRecords.read(...of))?.blocked === true,
    isContact: async (...of) => (await contacts.contactRecords.read(...of))?.live === true,
    mentionNames: (...of) => privacy.mentionNames(...of),
    mergeIdentities: (...of) => privacy.mergeIdentities(...of),
    moveSchedules: (...of) => campaigns.moveSchedules(...of),
    noteInCampaigns: (...of) => campaigns.noteInCampaigns(...of),
    planLimits: (...of) => usage.planLimits(...of),
    priceAt: (...of) => priceAt(...of),
    readCampaign: (...of) => campaigns.readCampaign(...of),
    readHours: (...of) => outbound.sendingHours.read(...of),
    renameTagInCampaigns: (...of) => campaigns.renameTag(...of),
    requestOf: (...of) => outbound.requestOf(...of),
    skipTrial: (...of) => usage.skipTrial(...of),
    sampleData: (...of) => sample.sampleStates.read(...of),
    usesOf: (...of) => campaigns.usesOf(...of),
  }
  const platform = createPlatform(settings)
  const media = createMedia(platform, settings)
  const channel = createChannel(platform, above, settings)
  const inbox = createInbox(platform, { ...media, ...channel }, above)
  const contacts = createContacts(platform, { ...channel, ...inbox }, above)
  const usage = createUsageModule(platform, { ...channel, ...inbox }, above, settings)
  const priceAt = createPriceAt({
    phoneOf: async (...of) => (await contacts.contactRecords.read(...of))?.phone,
    cardAt: usage.rateCards.at,
  })
  const templates = createTemplates(platform, { ...media, ...channel, ...usage }, above, settings)
  const ground = { ...media, ...channel, ...inbox, ...contacts, ...usage, ...templates }
  const outbound = createOutbound(platform, ground, above, settings)
  const campaigns = createCampaigns(platform, { ...ground, ...outbound }, above)
  const automation = createAutomation(platform, ground, above)
  const inbound = createInbound(platform, { ...ground, ...campaigns }, above)
  const notifications = createNotifications(platform, { ...ground, ...campaigns })
  const webhooks = createWebhooks(platform, { ...ground, ...campaigns, ...inbound, ...notifications }, settings)
  const analytics = createAnalytics(platform, { ...ground, ...outbound, ...campaigns, ...notifications })
  const privacy = createPrivacy(platform, { ...ground, ...campaigns, ...notifications })
  const sample = createSample(platform, ground)
  return {
    ...ground,
    ...outbound,
    ...campaigns,
    ...automation,
    ...inbound,
    ...notifications,
    ...webhooks,
    ...analytics,
    ...privacy,
    ...sample,
    publicMessages: createPublicMessages({ ...ground, readMessage: (...of) => ground.messageRecords.read(...of) }),
    jobWork: createJobWork(platform.jobs, {
      ...contacts.contactKinds,
      ...privacy.privacyKinds,
      ...webhooks.webhookKinds,
      ...analytics.analyticsKinds,
    }),
    graphs: platform.graphs,
    closings: platform.closings,
  }
}
