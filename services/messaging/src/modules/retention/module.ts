import type { Platform } from '../../platform/platform.ts'
import { createCountedMessages } from '../inbox/messages/counted-messages.ts'
import { createOldMessages } from '../inbox/messages/old-messages.ts'
import { createRetentionRepository } from './message-retention.repository.ts'
import { createMessageRetention } from './message-retention.service.ts'
import { createOldMessageRemoval } from './remove-old-messages.ts'

/** Setting for how long messages are kept, and their deletion. */
export function createRetention(platform: Platform) {
  const { mongo } = platform
  const parts = {
    ...platform,
    records: createRetentionRepository(mongo),
    counted: createCountedMessages(mongo),
    old: createOldMessages(mongo),
  }
  return {
    messageRetention: createMessageRetention(parts),
    /** @param over changes of its settings. */
    createOldMessageRemoval: (over: Partial<Parameters<typeof createOldMessageRemoval>[0]> = {}) =>
      createOldMessageRemoval({ ...parts, ...over }),
  }
}
