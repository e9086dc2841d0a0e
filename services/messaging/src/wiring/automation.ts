import { createEventFeed } from '@parley/service-kit/data/event-feed'
import { createAutomationFacts } from '../modules/automation/automation-facts.ts'
import type { Campaigns } from './campaigns.ts'
import type { Contacts } from './contacts.ts'
import type { Numbers } from './numbers.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

/** Wires what bots and workflows read of a workspace and do in it. */
export function wireAutomation(
  { mongo }: Platform,
  stores: Stores,
  given: { readonly numbers: Numbers; readonly contacts: Contacts; readonly campaigns: Campaigns },
) {
  return {
    feed: createEventFeed({
      connection: mongo,
      consumer: 'automation',
      types: ['contact.erased', 'contact.merged'],
    }),
    automationFacts: createAutomationFacts({
      readMessage: stores.messages.read,
      numbers: given.numbers.numbers,
      attributes: given.contacts.attributes,
      templates: given.campaigns.templates,
    }),
  }
}
