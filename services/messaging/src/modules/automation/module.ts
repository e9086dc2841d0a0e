import { createEventFeed } from '@parley/service-kit/data/event-feed'
import { completeEventsOf } from '@parley/service-kit/data/transaction'
import type { Base } from '../../records.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Templates } from '../templates/module.ts'
import { createActions } from './actions.service.ts'
import { createAutomationContacts } from './automation-contacts.ts'
import { createAutomationFacts } from './automation-facts.ts'
import { createEventFacts } from './event-facts.ts'

/** Reads a workspace for bots and workflows, and performs their actions in it. */
export function createAutomation(lower: Base & Channel & Inbox & Contacts & Templates) {
  completeEventsOf(lower.mongo, createEventFacts(lower))
  return {
    feed: createEventFeed({
      connection: lower.mongo,
      consumer: 'automation',
      types: ['contact.erased', 'contact.merged', 'sample_data.changed'],
    }),
    automationFacts: createAutomationFacts(lower),
    automationContacts: createAutomationContacts(lower),
    automationActions: createActions(lower),
    setAutomationState: lower.automationStates.set,
  }
}
