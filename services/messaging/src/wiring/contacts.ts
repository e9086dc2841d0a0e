import { createRenameTag } from '../modules/campaigns/rename-tag.ts'
import { createBlockWork } from '../modules/contacts/blocking/block-work.ts'
import { blockKind, createBlocking } from '../modules/contacts/blocking/blocking.service.ts'
import { createChangeIdentity } from '../modules/contacts/change-identity.ts'
import { createConsent } from '../modules/contacts/consent/create-consent.ts'
import { createContactsService } from '../modules/contacts/contacts.service.ts'
import { createContacts } from '../modules/contacts/create-contacts.ts'
import { createViewsRepository } from '../modules/inbox/views/views.repository.ts'
import { createViewsService } from '../modules/inbox/views/views.service.ts'
import { createErasure } from '../modules/privacy/erasure/create-erasure.ts'
import { createMentionNames } from '../modules/privacy/erasure/mentions.ts'
import { createContactMerging } from '../modules/privacy/merging/create-merging.ts'
import { createHoldLimit } from '../platform/limits/hold-limit.ts'
import type { CampaignCounts } from './campaign-counts.ts'
import type { Messages } from './messages.ts'
import type { Numbers } from './numbers.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

/** A question of ours is answered within so long. */
const askedWithinMs = 30 * 86_400_000

export type Contacts = ReturnType<typeof wireContacts>

/** Wires contacts: their fields, lists, saved views, imports, consent, merging, blocking and erasure. */
export function wireContacts(
  platform: Platform,
  stores: Stores,
  given: { readonly numbers: Numbers; readonly messages: Messages; readonly counts: CampaignCounts },
) {
  const { mongo, cursors, jobs, transaction, wakeEvents, queueJobs, logger } = platform
  const { conversations, outgoing } = given.messages
  const { numbers, numberAccess } = given.numbers
  const contacts = createContactsService({
    contacts: stores.contacts,
    transaction,
    changeIdentity: createChangeIdentity({
      contacts: stores.contacts,
      updateConversations: conversations.contactsChanged,
      mergeIdentities: (...identities) => merging.mergeIdentities(...identities),
      transaction,
    }),
  })
  const views = createViewsService({
    views: createViewsRepository(mongo),
    holdLimit: createHoldLimit(mongo),
    transaction,
  })
  const { jobKinds, contactStore, ...forContacts } = createContacts({
    mongo,
    cursors,
    listConsent: stores.consent.lists,
    alignConsent: (...of) => forConsent.consent.align(...of),
    renameInCampaigns: (names) => createRenameTag(mongo, cursors, names),
    renameInViews: views.renameTag,
    contacts: stores.contacts,
    updateConversations: conversations.contactsChanged,
    mentionNames: createMentionNames(mongo),
    contactNameOf: async (scope, id) => (await conversations.showMany(scope, [id])).get(id)?.contact.name,
    jobs,
    queueJobs,
    wakeEvents,
    transaction,
    logger,
  })
  const forConsent = createConsent({
    records: stores.consent,
    contacts,
    findMembers: platform.members.find,
    transaction,
    logger,
    lastSent: async (scope, conversationId, until) => {
      const since = new Date(until.getTime() - askedWithinMs)
      const sent = await stores.messages.latestOutbound(scope, conversationId, { since, until })
      return typeof sent?.content['text'] === 'string' ? sent.content['text'] : ''
    },
    send: (scope, conversationId, { text, key }) =>
      outgoing.send(scope, conversationId, {
        content: { type: 'text', text },
        clientId: key,
        cause: { kind: 'bot', id: 'consent' },
      }),
  })
  const { merging, duplicates, mergeKinds } = createContactMerging({
    mongo,
    conversations,
    jobs,
    queueJobs,
    wakeEvents,
    transaction,
    contacts: stores.contacts,
    stored: stores.conversations,
    numberIds: numbers.allIds,
    consent: forConsent.consent,
    listConsent: stores.consent.lists,
  })
  return {
    contacts,
    views,
    ...forContacts,
    ...forConsent,
    listConsent: stores.consent.lists,
    merging,
    duplicates,
    blocking: createBlocking({ contacts: stores.contacts, store: contactStore, jobs, queueJobs, transaction }),
    contactKinds: {
      ...jobKinds,
      ...mergeKinds,
      [blockKind]: createBlockWork({
        jobs,
        wakeEvents,
        contacts: stores.contacts,
        conversations: stores.conversations,
        accessOf: numberAccess,
      }),
      ...createErasure({
        mongo,
        jobs,
        transaction,
        wakeEvents,
        logger,
        recount: given.counts.recount,
        store: contactStore,
        contacts: stores.contacts,
        consent: forConsent.consent,
        numberIds: numbers.allIds,
      }),
    },
  }
}
