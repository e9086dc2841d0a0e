import { createEventIndexes } from '@parley/service-kit/data/event-log'
import { createAnswerIndex, createIdempotencyIndex } from '@parley/service-kit/data/idempotency-store'
import { createJobIndexes } from '@parley/service-kit/data/job-record'
import { createFileAgeIndex, createMediaIndexes } from '@parley/service-kit/media/media-files'
import type { Connection } from 'mongoose'

const day = 86_400
const unique = true
const where = (partialFilterExpression: object) => ({ partialFilterExpression })
const index = (name: string, key: Record<string, 1 | -1>, options: object = {}) => ({ name, key, ...options })
const exists = (field: string) => where({ [field]: { $exists: true } })

/** Collections with one record of each workspace. */
const single = 'assignmentTurns assignments consentSettings contactCounts endpoints'
  .concat(' readReceipts sampleData sendingHours usageWatches workspacePlans')
  .split(' ')
/** Collections with records that are removed with the sample data. */
const sampled = 'campaignBlocks campaignEvents campaignRecipients campaignTotals campaigns contacts conversations'
  .concat(' messageSearch messages notifications numbers tags templates')
  .split(' ')

const indexes = {
  accountEvents: [
    index('key', { workspaceId: 1, key: 1 }, { unique }),
    index('kept', { recordedAt: 1 }, { expireAfterSeconds: 90 * day }),
    index('account', { workspaceId: 1, accountId: 1, field: 1, at: -1 }),
  ],
  campaignBlocks: [index('block', { workspaceId: 1, campaignId: 1, block: 1 }, { unique })],
  campaignEvents: [index('campaign', { workspaceId: 1, campaignId: 1, at: -1, _id: -1 })],
  campaignRecipients: [
    index('rows', { workspaceId: 1, campaignId: 1, _id: 1 }),
    index('by-state', { workspaceId: 1, campaignId: 1, state: 1, _id: 1 }),
    index('by-reason', { workspaceId: 1, campaignId: 1, state: 1, reason: 1, _id: 1 }, exists('reason')),
    index('clicked', { workspaceId: 1, campaignId: 1, clicked: 1, _id: 1 }, where({ clicked: true })),
    index('replied', { workspaceId: 1, campaignId: 1, replied: 1, _id: 1 }, where({ replied: true })),
    index('contact', { workspaceId: 1, campaignId: 1, contactId: 1 }, { unique }),
    index('address', { workspaceId: 1, campaignId: 1, to: 1 }, { unique, ...exists('to') }),
    index('order', { workspaceId: 1, campaignId: 1, n: 1, state: 1, reason: 1, clicked: 1, replied: 1 }),
    index('states', { workspaceId: 1, campaignId: 1, state: 1 }),
    index('zone', { workspaceId: 1, campaignId: 1, zone: 1, n: 1, state: 1, reason: 1 }, exists('zone')),
  ],
  campaignTotals: [index('campaign', { workspaceId: 1, campaignId: 1 }, { unique })],
  campaigns: [
    index('latest', { workspaceId: 1, createdAt: -1, _id: -1 }),
    index('due', { watch: 1, nextAt: 1 }, exists('watch')),
    index('template', { workspaceId: 1, templateId: 1, status: 1 }),
    index('status', { workspaceId: 1, status: 1, createdAt: -1, _id: -1 }),
    index('number', { workspaceId: 1, numberId: 1, status: 1 }),
  ],
  changedContacts: [
    index('batch', { workspaceId: 1, jobId: 1, batch: 1 }, { unique }),
    index('expiry', { expiresAt: 1 }, { expireAfterSeconds: 0 }),
  ],
  consentEntries: [
    index('key', { workspaceId: 1, key: 1 }, { unique }),
    index('contact', { workspaceId: 1, contactId: 1, at: -1, _id: -1 }),
    index('recorded', { workspaceId: 1, recordedAt: 1, _id: 1 }),
  ],
  contactAttributes: [
    index('label', { workspaceId: 1, labelKey: 1 }, { unique }),
    index('name', { workspaceId: 1, nameKey: 1 }, { unique }),
  ],
  contacts: [
    index('phone', { workspaceId: 1, phone: 1 }, { unique, ...exists('phone') }),
    index('user-id', { workspaceId: 1, waUserId: 1 }, { unique, ...exists('waUserId') }),
    index('last', { workspaceId: 1, live: 1, lastContactAt: -1, _id: -1 }),
    index('name', { workspaceId: 1, live: 1, nameKey: 1, _id: 1 }),
    index('newest', { workspaceId: 1, live: 1, _id: 1 }),
    index('words', { workspaceId: 1, live: 1, words: 1, nameKey: 1, _id: 1 }),
    index('tags', { workspaceId: 1, live: 1, tags: 1, nameKey: 1, _id: 1 }),
    index('grams', { workspaceId: 1, live: 1, grams: 1 }),
    index('merged', { workspaceId: 1, 'merged.id': 1, 'merged.at': -1 }, exists('merged.id')),
    index('wa-phone', { workspaceId: 1, 'waPhone.number': 1 }, exists('waPhone.number')),
    index('line', { workspaceId: 1, line: 1 }, { unique, ...exists('line') }),
    index('deleted', { deletedAt: 1 }, exists('deletedAt')),
  ],
  conversations: [
    index('pair', { workspaceId: 1, numberId: 1, contactId: 1 }, { unique }),
    index('newest', { workspaceId: 1, 'lastMessage.at': -1, _id: -1 }),
    index('status', { workspaceId: 1, status: 1, 'lastMessage.at': -1, _id: -1 }),
    index('owner', { workspaceId: 1, 'owner.id': 1, status: 1, 'lastMessage.at': -1, _id: -1 }),
    index(
      'unread',
      { workspaceId: 1, 'lastMessage.at': -1, _id: -1, unreadCount: 1 },
      where({ unreadCount: { $gt: 0 } }),
    ),
    index('waiting', { workspaceId: 1, waitingSince: 1, _id: 1 }, where({ waitingSince: { $gte: new Date(0) } })),
    index('window', { workspaceId: 1, windowExpiresAt: 1, _id: 1 }),
    index('contact', { workspaceId: 1, contactId: 1, 'lastMessage.at': -1, _id: -1 }),
    index('tags', { workspaceId: 1, 'search.tags': 1 }),
    index('words', { workspaceId: 1, 'search.words': 1 }),
    index('timer', { timer: 1, snoozedUntil: 1 }, exists('timer')),
  ],
  endpoints: [index('address', { publicId: 1 }, { unique })],
  importRows: [
    index('batch', { workspaceId: 1, importId: 1, phase: 1, batch: 1 }, { unique }),
    index('expiry', { expiresAt: 1 }, { expireAfterSeconds: 0 }),
  ],
  imports: [
    index('newest', { workspaceId: 1, _id: 1 }),
    index('remembered', { workspaceId: 1, headerKey: 1, _id: -1 }, where({ state: 'done' })),
    index('kept', { stored: 1, keptUntil: 1 }, where({ stored: 'file' })),
    index('expiry', { createdAt: 1 }, { expireAfterSeconds: 365 * day }),
  ],
  jobs: [
    index('kind', { workspaceId: 1, kind: 1, _id: -1 }),
    index(
      'chat-exports',
      { workspaceId: 1, 'input.conversationId': 1, _id: -1 },
      where({ kind: 'conversations.export' }),
    ),
  ],
  limits: [index('of', { workspaceId: 1, of: 1 }, { unique })],
  linkClicks: [index('link', { workspaceId: 1, messageId: 1, index: 1 }, { unique })],
  mediaUploads: [
    index('media', { workspaceId: 1, mediaId: 1, numberId: 1 }, { unique }),
    index('kept', { uploadedAt: 1 }, { expireAfterSeconds: 29 * day }),
  ],
  messageSearch: [index('words', { workspaceId: 1, words: 1, at: -1, _id: -1 })],
  messages: [
    index('wamid', { workspaceId: 1, waMessageId: 1 }, { unique, ...exists('waMessageId') }),
    index('thread', { workspaceId: 1, conversationId: 1, sentAt: -1, _id: -1 }),
    index('client-id', { workspaceId: 1, conversationId: 1, clientId: 1 }, { unique, ...exists('clientId') }),
    index('sent-by-number', { workspaceId: 1, numberId: 1, sentAt: 1 }, where({ direction: 'outbound' })),
    index('outbox', { sendLane: 1, numberId: 1, 'dispatch.priority': 1, _id: 1 }, exists('sendLane')),
    index('outbox-conversation', { workspaceId: 1, conversationId: 1, _id: 1 }, exists('sendLane')),
    index('scheduled', { sendLane: 1, 'dispatch.notBefore': 1 }, exists('sendLane')),
    index('leases', { 'dispatch.leaseUntil': 1 }, exists('dispatch.leaseUntil')),
    index('uncertain', { 'dispatch.uncertainAt': 1 }, exists('dispatch.uncertainAt')),
    index('media-due', { createdAt: 1 }, exists('mediaFetch.state')),
    index('media', { workspaceId: 1, 'content.mediaId': 1 }, exists('content.mediaId')),
    index(
      'open-of-campaign',
      { workspaceId: 1, 'cause.id': 1, 'dispatch.state': 1 },
      where({ 'cause.kind': 'campaign', sendLane: { $exists: true } }),
    ),
    index(
      'campaigns-in-conversation',
      { workspaceId: 1, conversationId: 1, sentAt: 1 },
      where({ 'cause.kind': 'campaign' }),
    ),
    index('moved', { workspaceId: 1, 'moved.conversationId': 1, _id: 1 }, exists('moved.conversationId')),
    index('contact-notes', { workspaceId: 1, contactId: 1, sentAt: -1, _id: -1 }, where({ direction: 'note' })),
    index('portfolio', { workspaceId: 1, 'limit.portfolioId': 1, 'limit.at': 1, contactId: 1 }, exists('limit.at')),
  ],
  notifications: [
    index('recent', { workspaceId: 1, at: -1, _id: -1 }),
    index('key', { workspaceId: 1, key: 1 }, { unique }),
    index('expiry', { at: 1 }, { expireAfterSeconds: 90 * day }),
  ],
  numberActivity: [
    index('number', { workspaceId: 1, numberId: 1 }, { unique }),
    index('due', { watch: 1, nextCheckAt: 1 }),
  ],
  numbers: [
    index('workspace', { workspaceId: 1, _id: 1 }),
    index('connected', { connected: 1 }, { unique, ...exists('connected') }),
    index('account', { businessAccountId: 1 }, exists('connected')),
    index('own', { workspaceId: 1, phoneNumberId: 1 }, { unique }),
    index('stopped', { status: 1, simulated: 1, 'stopped.at': 1 }, exists('stopped.at')),
  ],
  parked: [
    index('wamid', { workspaceId: 1, waMessageId: 1 }, { unique }),
    index('kept', { createdAt: 1 }, { expireAfterSeconds: 7 * day }),
  ],
  rateCards: [index('from', { workspaceId: 1, effectiveFrom: 1 }, { unique })],
  rawEvents: [
    index('pending', { lane: 1, _id: 1 }, exists('lane')),
    index('dead', { workspaceId: 1, deadAt: -1 }, exists('deadAt')),
    index('kept', { appliedAt: 1 }, { expireAfterSeconds: 7 * day }),
    index('message', { workspaceId: 1, waMessageId: 1, _id: 1 }, exists('waMessageId')),
    index('other', { workspaceId: 1, kind: 1 }, where({ kind: 'other' })),
    index('dead-of-kind', { kind: 1, deadAt: 1 }, exists('deadAt')),
  ],
  savedReplies: [
    index('shortcut', { workspaceId: 1, shortcut: 1 }, { unique }),
    index('list', { workspaceId: 1, shortcut: 1, _id: 1 }),
  ],
  segments: [index('name', { workspaceId: 1, nameKey: 1 }, { unique })],
  suppressions: [index('address', { workspaceId: 1, addressHash: 1, category: 1 }, { unique })],
  tags: [index('name', { workspaceId: 1, name: 1 }, { unique }), index('oldest', { workspaceId: 1, _id: 1 })],
  templateReads: [
    index('template', { workspaceId: 1, waTemplateId: 1 }, { unique }),
    index('due', { watch: 1, nextAt: 1 }),
  ],
  templateSyncRuns: [
    index('latest', { workspaceId: 1, startedAt: -1, _id: -1 }),
    index('account', { workspaceId: 1, businessAccountId: 1, startedAt: -1, _id: -1 }),
    index('kept', { startedAt: 1 }, { expireAfterSeconds: 90 * day }),
  ],
  templateSyncs: [
    index('account', { workspaceId: 1, businessAccountId: 1 }, { unique }),
    index('due', { watch: 1, nextAt: 1 }),
  ],
  templateVersions: [index('number', { workspaceId: 1, templateId: 1, number: -1 }, { unique })],
  templates: [
    index('key', { workspaceId: 1, key: 1 }, { unique, ...exists('key') }),
    index('latest', { workspaceId: 1, updatedAt: -1, _id: -1 }, exists('key')),
    index('platform', { workspaceId: 1, waTemplateId: 1 }, { unique, ...exists('waTemplateId') }),
    index('account', { workspaceId: 1, businessAccountId: 1 }),
    index('hidden', { workspaceId: 1, hiddenKey: 1 }, exists('hiddenKey')),
    index('purge', { purge: 1, purgeAt: 1 }, exists('purge')),
    index('sent', { workspaceId: 1, businessAccountId: 1, sentAt: 1 }, exists('sentAt')),
    index('file', { workspaceId: 1, 'headerMedia.file.mediaId': 1 }, exists('headerMedia.file.mediaId')),
    index(
      'draft-file',
      { workspaceId: 1, 'draft.content.headerMedia.file.mediaId': 1 },
      exists('draft.content.headerMedia.file.mediaId'),
    ),
  ],
  thumbnails: [index('media', { workspaceId: 1, mediaId: 1 }, { unique })],
  usage: [
    index('message', { workspaceId: 1, messageId: 1 }, { unique }),
    index('time', { workspaceId: 1, at: 1 }),
    index(
      'campaign',
      { workspaceId: 1, campaignId: 1, country: 1, category: 1, billable: 1, at: 1 },
      exists('campaignId'),
    ),
  ],
  usageCounts: [index('quarter', { workspaceId: 1, from: 1 }, { unique })],
  usageEntries: [
    index('message', { workspaceId: 1, messageId: 1 }, { unique }),
    index('kept', { from: 1 }, { expireAfterSeconds: 400 * day }),
  ],
  usagePeriods: [index('period', { workspaceId: 1, period: 1 }, { unique })],
  usageWatches: [index('due', { watch: 1, dueAt: 1 }, exists('watch'))],
  views: [index('name', { workspaceId: 1, screen: 1, ownerId: 1, nameKey: 1 }, { unique })],
}

/** Makes the collections of 0.2.0, which transactions find made, and the indexes that their models declare. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  for (const [name, specifications] of Object.entries(indexes)) await db.collection(name).createIndexes(specifications)
  for (const name of single) await db.collection(name).createIndex({ workspaceId: 1 }, { name: 'workspace', unique })
  const sample = { name: 'sample', partialFilterExpression: { sample: true } }
  for (const name of sampled) await db.collection(name).createIndex({ workspaceId: 1, sample: 1 }, sample)
  await createEventIndexes(db)
  await createIdempotencyIndex(db)
  await createAnswerIndex(db)
  await createJobIndexes(db)
  await createMediaIndexes(db)
  await createMediaIndexes(db, 'importFiles', { distinct: true })
  await createMediaIndexes(db, 'exportFiles', { distinct: true })
  await createFileAgeIndex(db, 'exportFiles')
}
