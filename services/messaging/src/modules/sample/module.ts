import { moveGateOf } from '@parley/service-kit/data/move-gate'
import type { Platform } from '../../platform/platform.ts'
import type { Records } from '../../records.ts'
import { createSampleFigures } from '../analytics/sample-figures.ts'
import { createSampleCampaigns } from '../campaigns/sample-campaigns.ts'
import type { Channel } from '../channel/module.ts'
import { createSampleContacts } from '../contacts/sample-contacts.ts'
import { createSampleConversations } from '../inbox/conversations/sample-conversations.ts'
import { createSampleMessages } from '../inbox/messages/sample-messages.ts'
import { createSampleSearch } from '../inbox/search/sample-search.ts'
import type { Media } from '../media/module.ts'
import { createSampleNotifications } from '../notifications/sample-notifications.ts'
import { createSampleTemplates } from '../templates/sample-templates.ts'
import { createSampleWebhooks } from '../webhooks/sample-webhooks.ts'
import { createSampleDataService } from './sample-data.service.ts'

/** The sample data that a new workspace shows until it has its own. */
export function createSample(
  platform: Platform,
  { sampleStates, readHours }: Pick<Records, 'readHours' | 'sampleStates'>,
  lower: Pick<Media, 'sampleMedia'> & Pick<Channel, 'sampleNumbers'>,
) {
  const { mongo } = platform
  return {
    sampleData: createSampleDataService({
      ...platform,
      gate: moveGateOf(mongo),
      states: sampleStates,
      contacts: createSampleContacts(mongo),
      conversations: createSampleConversations(mongo),
      messages: createSampleMessages(mongo),
      media: lower.sampleMedia,
      search: createSampleSearch(mongo),
      numbers: lower.sampleNumbers,
      templates: createSampleTemplates(mongo),
      campaigns: createSampleCampaigns(mongo),
      notifications: createSampleNotifications(mongo),
      webhooks: createSampleWebhooks(platform),
      figures: createSampleFigures(mongo, { zoneOf: async (scope) => (await readHours(scope)).zone }),
    }),
  }
}
