import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { Campaigns } from '../campaigns/module.ts'
import type { Channel } from '../channel/module.ts'
import { chatExportKind } from '../contacts/jobs/chat-export-input.ts'
import { eraseKind, personExportKind, workspaceExportKind } from '../contacts/jobs/job-inputs.ts'
import type { AboveContacts, Contacts } from '../contacts/module.ts'
import { createPersonConversations } from '../inbox/conversations/person-conversations.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Notifications } from '../notifications/module.ts'
import { createChatExportWork } from './chat-exports/chat-export-work.ts'
import { createChatExportsService } from './chat-exports/chat-exports.service.ts'
import { createEraseWork } from './erasure/erase-work.ts'
import { createMentionNames } from './erasure/mentions.ts'
import { createPersonExport } from './erasure/person-export.ts'
import { createDuplicates } from './merging/duplicates.ts'
import { mergeIdentities as mergeTwo } from './merging/merge-identities.ts'
import { createMergedConsent } from './merging/merged-consent.ts'
import { createMergedThreads } from './merging/merged-threads.ts'
import { createMerging } from './merging/merging.service.ts'
import { createMoveMessages, moveKind } from './merging/move-messages.ts'
import { createTimeline } from './timeline/timeline.service.ts'
import { timelineSources } from './timeline/timeline-sources.ts'
import { createWorkspaceExportWork } from './workspace-export/workspace-export-work.ts'
import { createWorkspaceExports } from './workspace-export/workspace-exports.service.ts'

/** Operations on one person across all modules: timeline, exports, erasure, and the merging of two records. */
export function createPrivacy(
  platform: Platform,
  lower: Channel & Inbox & Contacts & Campaigns & Pick<Notifications, 'addNotifications'>,
) {
  const { mongo, queueJobs: queue } = platform
  const { conversations, contactRecords: contacts, consent, listConsent, numbers } = lower
  const people = createPersonConversations(mongo)
  const parts = {
    ...platform,
    contacts,
    conversations,
    consent,
    queue,
    recount: lower.recount,
    store: lower.contactStore,
    readNumber: numbers.read,
    findMembers: platform.members.find,
    conversationIdsOf: async (scope: WorkspaceScope, contactId: string) =>
      people.idsOf(scope, contactId, await numbers.allIds(scope)),
  }
  const threads = createMergedThreads({ conversations, stored: lower.conversationRecords, numberIds: numbers.allIds })
  const merging = createMerging({
    ...parts,
    threads,
    updateConversations: conversations.contactsChanged,
    consent: createMergedConsent({ ...consent, lists: listConsent }),
  })
  const mergeIdentities: AboveContacts['mergeIdentities'] = (scope, kept, other, account) =>
    mergeTwo(merging, scope, { kept, other, account })
  return {
    merging,
    mergeIdentities,
    duplicates: createDuplicates(contacts),
    chatExports: createChatExportsService(parts),
    workspaceExports: createWorkspaceExports(parts),
    mentionNames: createMentionNames(mongo),
    timeline: createTimeline({
      ...platform,
      find: lower.contactLists.find,
      allMerged: contacts.allMerged,
      sources: timelineSources({
        fileNames: lower.imports.fileNames,
        consent: consent.behind,
        campaigns: lower.recipientLists.behind,
        notes: lower.contactNotes,
      }),
    }),
    privacyKinds: {
      [moveKind]: createMoveMessages(parts),
      [chatExportKind]: createChatExportWork(parts),
      [eraseKind]: createEraseWork(parts),
      [workspaceExportKind]: createWorkspaceExportWork({ ...parts, addNotifications: lower.addNotifications }),
      [personExportKind]: createPersonExport({ ...parts, ratingsOf: lower.ratingRecords.ofContact }),
    },
  }
}
