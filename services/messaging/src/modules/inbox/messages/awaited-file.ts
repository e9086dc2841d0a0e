import { z } from 'zod'
import type { MessageRecord } from './messages.model.ts'

const awaitedSchema = z.object({
  /** Record of the file. */
  id: z.string(),
  kind: z.enum(['image', 'video', 'document']),
  fileName: z.string(),
})
/** File of its own that a message of a campaign waits for. */
export type AwaitedFile = z.infer<typeof awaitedSchema>

/** Returns the file that a message still waits for. */
export const awaitedFileOf = ({ content }: Pick<MessageRecord, 'content'>): AwaitedFile | undefined =>
  'awaitedFile' in content ? awaitedSchema.safeParse(content['awaitedFile']).data : undefined
