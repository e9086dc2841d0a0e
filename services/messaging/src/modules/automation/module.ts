import { createEventFeed } from '@parley/service-kit/data/event-feed'
import type { Platform } from '../../platform/platform.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Templates } from '../templates/module.ts'
import { createAutomationFacts } from './automation-facts.ts'

/** What bots and workflows read of a workspace and do in it. */
export function createAutomation(platform: Platform, lower: Channel & Inbox & Contacts & Templates) {
  return {
    feed: createEventFeed({
      connection: platform.mongo,
      consumer: 'automation',
      types: ['contact.erased', 'contact.merged'],
    }),
    automationFacts: createAutomationFacts({ ...lower, readMessage: lower.messageRecords.read }),
    setAutomationState: platform.automationStates.set,
  }
}
