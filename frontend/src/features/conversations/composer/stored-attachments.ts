import { mediaApi } from '@parley/contracts/channel/media'
import { z } from 'zod'
import { readSessionValue, writeSessionValue } from '../../../lib/session-storage.ts'

const attachmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: mediaApi.upload.query.shape.as.unwrap(),
  caption: z.string(),
  /** Set on what was recorded here. */
  voice: z.boolean().optional(),
  /** Part that has been sent to Parley, 0–1. */
  progress: z.number(),
  media: mediaApi.upload.response.optional(),
  /** Reason why it cannot be sent. */
  problem: z.string().optional(),
})
export type Attachment = Readonly<z.infer<typeof attachmentSchema>>

const keptSchema = z.array(attachmentSchema).max(20)
const keyOf = (conversationId: string) => `attachments ${conversationId}`

/** Remembers the files that go along with what is being written, until they are sent or taken away. */
export function storeAttachments(conversationId: string, attachments: readonly Attachment[]): void {
  writeSessionValue(keyOf(conversationId), attachments.length === 0 ? undefined : attachments)
}

/**
 * Attachments of before a reload, or before another conversation was opened: those that are uploaded go along, and an upload
 * that was cut off says so, since only the person has the file.
 */
export const storedAttachments = (conversationId: string): readonly Attachment[] =>
  (readSessionValue(keyOf(conversationId), keptSchema) ?? []).map((attachment) =>
    attachment.media || attachment.problem
      ? attachment
      : { ...attachment, problem: 'The upload was cut off. Remove it and choose the file again.' },
  )
