import type { Conversation } from '@parley/contracts/inbox/conversations'
import { conversationKeys } from '../../lib/query-keys.ts'
import { createRecords } from '../../lib/records.ts'

/** Conversations in the query cache: answers, changes under way and events meet here. */
export const conversationRecords = createRecords<Conversation>(conversationKeys)
