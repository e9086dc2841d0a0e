import { createEventFeed } from '@parley/service-kit/data/event-feed'
import { readNamed } from '@parley/service-kit/data/event-log'
import { completeEventsOf } from '@parley/service-kit/data/transaction'
import type { Platform } from '../../platform/platform.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Templates } from '../templates/module.ts'
import { createActionEffects } from './action-effects.ts'
import { createActionKeys } from './action-keys.repository.ts'
import { createActions } from './actions.service.ts'
import { createAutomationContacts } from './automation-contacts.ts'
import { createAutomationFacts } from './automation-facts.ts'
import { createEventFacts } from './event-facts.ts'
import { createPrepareActions } from './prepare-actions.ts'

/** Reads a workspace for bots and workflows, and performs their actions in it. */
export function createAutomation(
  platform: Platform,
  lower: Channel & Inbox & Contacts & Templates,
  above: { readonly sampleData: Parameters<typeof createAutomationFacts>[0]['readSample'] },
) {
  const parts = { ...platform, ...lower, conversations: lower.conversationRecords, contacts: lower.contactRecords }
  completeEventsOf(
    platform.mongo,
    createEventFacts({
      states: platform.automationStates,
      readContacts: lower.contactRecords.readMany,
      readConversations: lower.conversationRecords.readMany,
    }),
  )
  return {
    feed: createEventFeed({
      connection: platform.mongo,
      consumer: 'automation',
      types: ['contact.erased', 'contact.merged', 'sample_data.changed'],
    }),
    automationFacts: createAutomationFacts({
      ...lower,
      readMessage: lower.messageRecords.read,
      readMessages: lower.messageRecords.readMany,
      readEvents: (workspaceId, ids) => readNamed(platform.mongo, workspaceId, ids),
      readSample: above.sampleData,
    }),
    automationContacts: createAutomationContacts({
      lists: lower.contactLists,
      contacts: lower.contactRecords,
      find: lower.contacts.find,
      create: lower.contactChanges.create,
    }),
    automationActions: createActions({
      ...platform,
      keys: createActionKeys(platform.mongo),
      prepare: createPrepareActions({
        ...lower,
        checkMembers: platform.members.check,
        needsOptIn: lower.consentSettings.needsOptIn,
        suppressions: lower.listConsent.suppressions,
      }),
      effects: createActionEffects({ ...parts, store: lower.contactStore }),
      conversations: lower.conversations,
      withContact: lower.conversationRecords.withContact,
      defaultNumber: lower.numbers.defaultId,
      assignment: lower.assignment,
    }),
    setAutomationState: platform.automationStates.set,
  }
}
