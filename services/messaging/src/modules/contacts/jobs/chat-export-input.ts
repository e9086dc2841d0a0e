import { type ChatFormat, chatFormats } from '@parley/contracts/contacts/contact-jobs'
import type { JobRecords } from '@parley/service-kit/data/job-records'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { z } from 'zod'

export const chatExportKind = 'conversations.export'

/** Input of a conversation's export. The contact is named by ids alone, those merged into it among them. */
export const chatInputSchema = z.object({
  conversationId: z.string(),
  contactIds: z.array(z.string()),
  format: z.enum(chatFormats),
  timeZone: z.string(),
})

/**
 * Result of an export, with the contacts whose messages the file holds: also those that were merged only while it was written.
 */
export const chatResultSchema = z.object({ fileId: z.string(), contactIds: z.array(z.string()) })

export const chatTypes: Record<ChatFormat, string> = { text: 'text/plain; charset=utf-8', html: 'application/zip' }
const endings: Record<ChatFormat, string> = { text: 'txt', html: 'zip' }

/** A file name that every system takes: no separators, control or direction marks, no reserved name, not too long. */
export function chatFileName(contactName: string, format: ChatFormat): string {
  const safe = contactName
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
  const short = [...safe].slice(0, 50).join('').trim()
  return `WhatsApp chat with ${short || 'contact'}.${endings[format]}`
}

/** Tells of a file of exports whether it belongs to one of a conversation, or may do so once that has ended. */
export const createIsChatFile = (jobs: JobRecords) => async (scope: WorkspaceScope, fileId: string) => {
  const ofChats = { kind: chatExportKind }
  const records = jobs.collection(scope)
  if (await records.findOne({ ...ofChats, leaseEndsAt: { $exists: true } }, { hint: 'kind' })) return true
  return (await records.findOne({ ...ofChats, 'result.fileId': fileId }, { hint: 'kind' })) !== null
}
