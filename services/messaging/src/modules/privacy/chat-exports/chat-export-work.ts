import { Readable } from 'node:stream'
import { chatLimits } from '@parley/contracts/contacts/contact-jobs'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { AppError } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { JobStep } from '@parley/service-kit/data/run-job'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { MemberFactsService } from '../../../platform/member-facts.ts'
import { createMemberNames } from '../../../platform/member-names.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import { chatExportKind, chatInputSchema } from '../../contacts/jobs/chat-export-input.ts'
import { createExportRunner, maxExportBytes } from '../../contacts/jobs/export-runner.ts'
import { inPieces } from '../../contacts/jobs/in-pieces.ts'
import type { ConversationsService } from '../../inbox/conversations/conversations.service.ts'
import { createChatMessages } from '../../inbox/messages/chat-messages.ts'
import type { Chat } from './chat.ts'
import { createChatMedia } from './chat-media.ts'
import { chatZip } from './chat-zip.ts'
import { htmlChat } from './html-chat.ts'
import { readChat } from './read-chat.ts'
import { textChat } from './text-chat.ts'

const reportedEveryMs = 500

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly conversations: Pick<ConversationsService, 'show'>
  readonly numbers: Pick<NumbersService, 'read'>
  readonly members: Pick<MemberFactsService, 'find'>
}

/** Creates the work on an export of a conversation: it writes its file. */
export function createChatExportWork({
  mongo,
  conversations,
  members: memberFacts,
  numbers,
  ...tools
}: Dependencies & Parameters<typeof createExportRunner>[0]) {
  const { perform, setProgress, ended } = createExportRunner(tools)
  const messages = createChatMessages(mongo)
  const media = createMediaFiles(mongo)
  const files = createMediaFiles(mongo, 'exportFiles')

  async function step(job: JobRecord): Promise<JobStep> {
    const { conversationId } = chatInputSchema.parse(job.input)
    const conversation = await find(job, conversationId)
    if (!conversation) return ended(job, { problem: 'The conversation was deleted.' })
    const count = await messages.count(job, conversation.id)
    if (job.checkpoint === null) return { checkpoint: { begun: true }, total: Math.min(count, chatLimits.messages) }
    const { file, contactIds, done } = await write(job, conversation, count)
    const result = { fileId: file.id, sizeBytes: file.sizeBytes, contactIds }
    return ended(job, result, { total: done, discard: () => files.remove(job, file.id) })
  }

  async function write(job: JobRecord, conversation: Conversation, count: number) {
    const { format, timeZone, contactIds } = chatInputSchema.parse(job.input)
    const members = createMemberNames(job, memberFacts.find)
    const chat: Chat = {
      contact: conversation.contact,
      business: (await numbers.read(job, conversation.numberId))?.displayName ?? 'Business',
      members,
      timeZone,
      exportedAt: new Date(),
      messages: count,
    }
    const ids = new Set(contactIds)
    let done = 0
    let reportedAt = Date.now()
    const report = async (total?: number) => {
      done += 1
      if (Date.now() - reportedAt < reportedEveryMs) return
      reportedAt = Date.now()
      await setProgress(job, { done, ...(total !== undefined && { total }) })
    }
    const about = { messages, conversationId: conversation.id, chat, learnNames: members.learn }
    const entries = readChat(job, about, async (record) => {
      for (const { contactId } of [record, ...(record.moved ?? [])]) ids.add(contactId)
      await report()
    })
    const gathered = createChatMedia(job, media)
    const content =
      format === 'text'
        ? Readable.from(inPieces(textChat(chat, entries)), { objectMode: false })
        : chatZip(htmlChat(chat, entries, gathered), gathered.files, (written) =>
            report(done - written + 1 + gathered.files.length),
          )
    const file = await files.save(job, { content, accept: 'any', limitBytes: maxExportBytes })
    // Nothing remains of an export that was stopped meanwhile.
    await setProgress(job, { done }).catch(async (error: unknown) => {
      await files.remove(job, file.id)
      throw error
    })
    return { file, contactIds: [...ids], done }
  }

  /** Finds the conversation of a job; undefined where it was deleted since. */
  const find = (job: JobRecord, conversationId: string): Promise<Conversation | undefined> =>
    conversations.show(job, conversationId).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return undefined
      throw error
    })

  return { [chatExportKind]: perform(step) }
}
