import { createIdempotencyIndex } from '@parley/service-kit/data/idempotency-store'
import type { Connection } from 'mongoose'

const unique = true
const index = (name: string, key: Record<string, 1 | -1>, options: object = {}) => ({ name, key, ...options })

const where = (partialFilterExpression: object) => ({ partialFilterExpression })
const exists = (field: string) => where({ [field]: { $exists: true } })
const day = 86_400

const indexes = {
  attention: [
    index('open-group', { workspaceId: 1, groupKey: 1 }, { unique, ...where({ state: 'open' }) }),
    index('newest', { workspaceId: 1, lastAt: -1, _id: -1 }),
    index('state', { workspaceId: 1, state: 1, lastAt: -1, _id: -1 }),
    index('flow', { workspaceId: 1, flowId: 1, state: 1, lastAt: -1, _id: -1 }),
    index('conversation', { workspaceId: 1, conversationId: 1 }),
    index('kept', { lastAt: 1 }, { expireAfterSeconds: 90 * day }),
  ],
  automationSettings: [index('workspace', { workspaceId: 1 }, { unique })],
  bots: [
    index('name', { workspaceId: 1, deletedAt: 1, nameKey: 1, _id: 1 }),
    index('removal', { removal: 1, deletedAt: 1 }, exists('removal')),
    index('sample', { workspaceId: 1, sample: 1 }, exists('sample')),
  ],
  feedCursors: [index('workspace', { workspaceId: 1 }, { unique })],
  flowVersions: [index('number', { workspaceId: 1, flowId: 1, number: -1 }, { unique })],
  flows: [index('number', { workspaceId: 1, flowId: 1, number: -1 }, { unique })],
  routing: [index('workspace', { workspaceId: 1 }, { unique }), index('due', { watch: 1, tellAt: 1 }, exists('watch'))],
  runs: [
    index('started-by', { workspaceId: 1, 'startedBy.eventId': 1, flowId: 1 }, { unique }),
    index('holder', { workspaceId: 1, conversationId: 1 }, { unique, ...exists('holds') }),
    index('live', { workspaceId: 1, contactId: 1 }, exists('live')),
    index('contact', { workspaceId: 1, contactId: 1, _id: -1 }),
    index('conversation', { workspaceId: 1, conversationId: 1, _id: -1 }),
    index('newest', { workspaceId: 1, flowId: 1, createdAt: -1, _id: -1 }),
    index('running', { workspaceId: 1, flowId: 1, number: 1 }, exists('live')),
    index('figures', { workspaceId: 1, flowId: 1, createdAt: -1, outcome: 1, followedUp: 1 }),
    index('pending', { lane: 1, retryAt: 1, _id: 1 }, exists('lane')),
    index('due', { dueFor: 1, dueAt: 1, dueLane: 1 }, exists('dueFor')),
    index('due-in-lane', { dueLane: 1, dueAt: 1 }, exists('dueLane')),
    index('expiry', { expireAt: 1 }, { expireAfterSeconds: 0 }),
  ],
  steps: [
    index('run', { workspaceId: 1, runId: 1, n: 1 }, { unique }),
    index('message', { workspaceId: 1, messageId: 1 }, exists('messageId')),
    index('kept', { at: 1 }, { expireAfterSeconds: 150 * day }),
  ],
  triggers: [
    index('owner', { workspaceId: 1, match: 1, key: 1, numberIds: 1 }, { unique }),
    index('flow', { workspaceId: 1, flowId: 1 }),
  ],
}

/** Makes the collections of 0.2.0, which transactions find made, and the indexes that their models declare. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  for (const [name, specifications] of Object.entries(indexes)) await db.collection(name).createIndexes(specifications)
  await createIdempotencyIndex(db)
}
