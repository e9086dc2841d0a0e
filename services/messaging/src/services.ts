import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import { createAnalytics } from './modules/analytics/module.ts'
import type { AboveApprovals } from './modules/approvals/approvals.service.ts'
import { createApprovalsModule } from './modules/approvals/module.ts'
import { createAutomation } from './modules/automation/module.ts'
import { createCampaigns } from './modules/campaigns/module.ts'
import { createRecount } from './modules/campaigns/run/recount.ts'
import { createChannel } from './modules/channel/module.ts'
import { type AboveContacts, createContacts } from './modules/contacts/module.ts'
import { createInbound } from './modules/inbound/module.ts'
import { createInbox } from './modules/inbox/module.ts'
import { createMacros } from './modules/macros/module.ts'
import { createMedia } from './modules/media/module.ts'
import { createNotifications } from './modules/notifications/module.ts'
import type { LinkTokens } from './modules/outbound/link-tokens.ts'
import { type AboveOutbound, createOutbound } from './modules/outbound/module.ts'
import { createRequestOf } from './modules/outbound/sending/sendable.ts'
import { createPrivacy } from './modules/privacy/module.ts'
import { createPublicMessages } from './modules/public-api/public-messages.service.ts'
import { createRetention } from './modules/retention/module.ts'
import { createSample } from './modules/sample/module.ts'
import { createTemplates } from './modules/templates/module.ts'
import { createUsageModule, type UsageSettings } from './modules/usage/module.ts'
import { createWebhooks } from './modules/webhooks/module.ts'
import { createJobWork } from './platform/job-work.ts'
import { createPlatform, type PlatformDependencies } from './platform/platform.ts'
import { createRecords } from './records.ts'

interface Settings extends PlatformDependencies, UsageSettings {
  /** Checks where webhooks are to go, and fetches files. */
  readonly outboundHttp: Pick<OutboundHttp, 'check' | 'receive'>
  /** Origin at which WhatsApp reaches the ingest process. */
  readonly hooksUrl: string
  /** Origin at which customers reach the counted links of messages; visits cannot be counted without. */
  readonly linksUrl: string | undefined
  readonly linkTokens: LinkTokens
  /** The files of one workspace together have at most these. */
  readonly storageLimitBytes: number
}
export type Services = ReturnType<typeof createServices>

/** Makes the modules, each on those before it; `above` has the few calls of ones that come later, and is used once all are made. */
export function createServices(settings: Settings) {
  const platform = createPlatform(settings)
  const records = createRecords(platform)
  const base = { ...settings, ...platform, ...records }
  const above: AboveApprovals & AboveContacts & AboveOutbound = {
    askedNow: async (scope, record) => {
      const { campaignId, asked } = record
      if (campaignId !== undefined) return campaigns.launchApprovals.draftNow(scope, record)
      if (!asked) return {}
      return asked.kind === 'number_removal'
        ? channel.numberApprovals.numberNow(scope, asked.numberId)
        : contacts.selectionApprovals.selectionNow(scope, asked)
    },
    emitDecided: (...of) => campaigns.launchApprovals.emitDraftChanged(...of),
    applyParked: (...of) => inbound.apply.applyParked(...of),
    campaigns: { renameTag: (...of) => campaigns.renameTag(...of) },
    mergeIdentities: (...of) => privacy.merging.mergeIdentities(...of),
  }
  const usage = createUsageModule(base)
  const recount = createRecount({ ...base, ...usage })
  const media = createMedia(base)
  const requestOf = createRequestOf({ ...base, ...media })
  const approving = createApprovalsModule({ ...base, ...above })
  const channel = createChannel({ ...base, ...usage, ...approving })
  const inbox = createInbox({ ...base, ...usage, ...media, ...channel, recount, requestOf })
  const contacts = createContacts({ ...base, ...approving, ...channel, ...inbox, ...above })
  const macros = createMacros({ ...base, ...inbox, ...contacts })
  const templates = createTemplates({ ...base, ...usage, ...media, ...channel, ...records.campaignsOfTemplate })
  const modules = { ...approving, ...media, ...channel, ...inbox, ...contacts, ...usage, ...templates, recount }
  const ground = { ...base, ...modules }
  const outbound = createOutbound({ ...ground, ...above })
  const campaigns = createCampaigns({ ...ground, ...outbound })
  const automation = createAutomation(ground)
  const retention = createRetention(platform)
  const inbound = createInbound({ ...ground, ...campaigns, keptSince: retention.messageRetention.keptSince })
  const notifications = createNotifications({ ...ground, ...campaigns })
  const webhooks = createWebhooks({ ...ground, ...inbound })
  const analytics = createAnalytics({ ...ground, ...outbound, ...campaigns })
  const privacy = createPrivacy({ ...ground, ...campaigns })
  const sample = createSample(ground)
  return {
    ...records,
    ...modules,
    ...macros,
    ...outbound,
    ...campaigns,
    ...automation,
    ...inbound,
    ...notifications,
    ...webhooks,
    ...analytics,
    ...privacy,
    ...sample,
    ...retention,
    publicMessages: createPublicMessages(ground),
    jobWork: createJobWork(platform.jobs, {
      ...contacts.contactKinds,
      ...privacy.privacyKinds,
      ...webhooks.webhookKinds,
      ...analytics.analyticsKinds,
    }),
    automationStates: platform.automationStates,
    graphs: platform.graphs,
    closings: platform.closings,
  }
}
