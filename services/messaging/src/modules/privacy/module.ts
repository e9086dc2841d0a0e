import type { Base } from '../../records.ts'
import type { ApprovalsModule } from '../approvals/module.ts'
import type { Campaigns } from '../campaigns/module.ts'
import type { Recount } from '../campaigns/run/recount.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import { createChatExportWork } from './chat-exports/chat-export-work.ts'
import { createChatExportsService } from './chat-exports/chat-exports.service.ts'
import { createEraseWork } from './erasure/erase-work.ts'
import { createPersonExport } from './erasure/person-export.ts'
import { createDuplicates } from './merging/duplicates.ts'
import { createMergeMany, createMergesWork } from './merging/merge-many.ts'
import { createMerging } from './merging/merging.service.ts'
import { createMoveMessages } from './merging/move-messages.ts'
import { createSuggestedMerges } from './merging/suggested-merges.ts'
import { createTimeline } from './timeline/timeline.service.ts'
import { timelineSources } from './timeline/timeline-sources.ts'
import { createWorkspaceExportWork } from './workspace-export/workspace-export-work.ts'
import { createWorkspaceExports } from './workspace-export/workspace-exports.service.ts'

type Lower = Base & ApprovalsModule & Channel & Inbox & Contacts & Campaigns & { readonly recount: Recount }

/** Operations on one person across all modules: timeline, exports, erasure, and the merging of two records. */
export function createPrivacy(lower: Lower) {
  const parts = { ...lower, contacts: lower.contactRecords, store: lower.contactStore }
  const merging = createMerging(parts)
  const forMerges = { ...parts, merging }
  return {
    merging,
    mergeMany: createMergeMany(forMerges),
    suggestedMerges: createSuggestedMerges(parts),
    duplicates: createDuplicates(lower.contactRecords),
    chatExports: createChatExportsService(parts),
    workspaceExports: createWorkspaceExports(parts),
    timeline: createTimeline({ ...parts, sources: timelineSources(parts) }),
    privacyKinds: {
      ...createMoveMessages(parts),
      ...createMergesWork(forMerges),
      ...createChatExportWork(parts),
      ...createEraseWork(parts),
      ...createWorkspaceExportWork(parts),
      ...createPersonExport(parts),
    },
  }
}
