import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { chatExportKind } from '../../contacts/jobs/chat-export-input.ts'
import { createChatExportWork } from './chat-export-work.ts'
import { createChatExportsService } from './chat-exports.service.ts'

type Dependencies = { readonly mongo: ServiceConnection } & Parameters<typeof createChatExportsService>[0] &
  Omit<Parameters<typeof createChatExportWork>[0], 'mongo'>

/** Wires exports of conversations: what people start, and what workers do for it. */
export function createChatExports({
  mongo,
  jobs,
  conversations,
  contacts,
  queue,
  transaction,
  ...forWork
}: Dependencies) {
  return {
    chatExports: createChatExportsService({ jobs, conversations, contacts, queue, transaction }),
    chatExportKinds: { [chatExportKind]: createChatExportWork({ mongo, jobs, conversations, ...forWork }) },
  }
}
