import { newContactFields, searchKeys } from '@parley/messaging/contact-fields'
import { searchOf } from '@parley/messaging/conversations'
import { searchTerms } from '@parley/messaging/search-terms'
import { type Collection, type Db, type Document, ObjectId } from 'mongodb'
import { log } from '../report.ts'
import { chancesOf, personAt, tagNames } from './people.ts'

const batchSize = 5000
const minuteMs = 60_000
/** Messages of the longest thread; every workspace has one such thread. */
const maxThread = 12_000
const words = [
  'order',
  'delivery',
  'invoice',
  'refund',
  'size',
  'colour',
  'tomorrow',
  'thanks',
  'please',
  'shop',
  'open',
]

export interface Sizes {
  readonly contacts: number
  readonly conversations: number
  readonly messages: number
}

/** Fills a workspace of the messaging database with stored records, as the service would have stored them. */
export async function seedWorkspace(db: Db, workspaceId: ObjectId, { sizes }: { sizes: Sizes }): Promise<void> {
  const now = new Date()
  const numberId = await seedNumber(db, workspaceId, now)
  await insertAll(db.collection('tags'), tagNames.length, (index) => ({
    ...stored(workspaceId, now),
    name: tagNames[index],
    colour: 'grey',
  }))
  const contactIds: ObjectId[] = []
  await insertAll(db.collection('contacts'), sizes.contacts, (index) => {
    const { lastContactAt, createdAt, ...person } = personAt(index, now)
    const _id = idAt(createdAt)
    if (index < sizes.conversations) contactIds.push(_id)
    return {
      ...stored(workspaceId, createdAt),
      ...newContactFields('import'),
      ...person,
      ...searchKeys(person),
      ...(lastContactAt && { lastContactAt }),
      attributes: [{ k: 'plan', v: index % 3 === 0 ? 'gold' : 'basic' }],
      _id,
    }
  })
  log(`${sizes.contacts} contacts`)
  const threads = threadsOf(sizes)
  const conversationIds = contactIds.map((_, index) => idAt(startOf(threads, index, now)))
  await insertAll(db.collection('conversations'), conversationIds.length, (index) =>
    conversationAt(index, { workspaceId, numberId, now, threads, contactIds, conversationIds }),
  )
  log(`${conversationIds.length} conversations`)
  const about = { workspaceId, numberId, now, threads, contactIds, conversationIds }
  await seedMessages(db, about)
  log(`${threads.reduce((sum, count) => sum + count, 0)} messages`)
}

interface About {
  readonly workspaceId: ObjectId
  readonly numberId: ObjectId
  readonly now: Date
  /** Messages of each conversation. */
  readonly threads: readonly number[]
  readonly contactIds: readonly ObjectId[]
  readonly conversationIds: readonly ObjectId[]
}

/** One thread is long; the others are equally short. */
function threadsOf({ conversations, messages }: Sizes): number[] {
  const longest = Math.min(maxThread, Math.floor(messages / 2))
  const others = Math.max(1, Math.floor((messages - longest) / Math.max(1, conversations - 1)))
  return Array.from({ length: conversations }, (_, index) => (index === 0 ? longest : others))
}

/** Threads end one minute after the other, the first one now; a message a minute. */
const sentAt = (index: number, back: number, now: Date) => new Date(now.getTime() - (index + back + 1) * minuteMs)
const startOf = (threads: readonly number[], index: number, now: Date) => sentAt(index, (threads[index] ?? 1) - 1, now)

function conversationAt(index: number, { workspaceId, numberId, now, threads, contactIds, conversationIds }: About) {
  const chance = chancesOf(-index - 1)
  const person = personAt(index, now)
  const at = sentAt(index, 0, now)
  const closed = chance() < 0.83
  const unread = chance() < 0.06 ? 1 + Math.floor(chance() * 4) : 0
  const contactId = contactIds[index]
  return {
    ...stored(workspaceId, startOf(threads, index, now)),
    _id: conversationIds[index],
    numberId,
    contactId,
    status: closed ? 'closed' : 'open',
    owner: { kind: 'nobody' },
    ownerEpoch: 0,
    unreadCount: unread,
    messageCount: threads[index],
    lastMessage: { id: '', text: textOf(chance), direction: 'inbound', at },
    firstMessageAt: startOf(threads, index, now),
    windowExpiresAt: new Date(at.getTime() + 24 * 60 * minuteMs),
    ...(!closed && { waitingSince: at }),
    search: searchOf({ ...person, id: String(contactId), username: undefined, blocked: false }),
  }
}

async function seedMessages(db: Db, about: About): Promise<void> {
  const { workspaceId, numberId, now, threads, contactIds, conversationIds } = about
  let conversation = 0
  let messageIndex = 0
  const total = threads.reduce((sum, count) => sum + count, 0)
  const search: Document[] = []
  await insertAll(
    db.collection('messages'),
    total,
    (index) => {
      if (messageIndex === threads[conversation]) {
        conversation += 1
        messageIndex = 0
      }
      const at = sentAt(conversation, (threads[conversation] ?? 1) - 1 - messageIndex, now)
      const inbound = messageIndex % 2 === 0
      messageIndex += 1
      const text = textOf(chancesOf(index))
      const [_id, contactId, conversationId] = [idAt(at), contactIds[conversation], conversationIds[conversation]]
      search.push({ _id, workspaceId, conversationId, at, words: searchTerms(text) })
      return {
        ...stored(workspaceId, at),
        _id,
        conversationId,
        numberId,
        contactId,
        direction: inbound ? 'inbound' : 'outbound',
        content: { type: 'text', text },
        statusAt: {},
        ...(!inbound && { status: 'read' }),
        waMessageId: `wamid.seed.${_id.toHexString()}`,
        cause: { kind: inbound ? 'customer' : 'member', id: String(contactId) },
        sentAt: at,
      }
    },
    () => db.collection('messageSearch').insertMany(search.splice(0), { ordered: false }),
  )
}

const textOf = (chance: () => number): string =>
  Array.from({ length: 8 }, () =>
    chance() < 0.7 ? words[Math.floor(chance() * words.length)] : `w${Math.floor(chance() ** 3 * 40_000)}`,
  ).join(' ')

async function seedNumber(db: Db, workspaceId: ObjectId, now: Date): Promise<ObjectId> {
  const known = await db.collection('numbers').findOne({ workspaceId })
  if (known) return known._id
  const _id = new ObjectId()
  await db.collection('numbers').insertOne({
    ...stored(workspaceId, now),
    _id,
    displayName: 'Seeded',
    phoneNumber: '+15550000000',
    phoneNumberId: String(now.getTime()),
    businessAccountId: '1000000',
    graphUrl: 'http://127.0.0.1:9',
    simulated: true,
    status: 'disconnected',
    quality: 'unknown',
    nameStatus: 'unknown',
    verificationStatus: 'pending',
    messagingLimit: null,
    throughputPerSecond: 80,
    accessToken: '',
    tokenLast4: '',
    tokenSetAt: now,
    isDefault: true,
    checks: [],
  })
  return _id
}

const stored = (workspaceId: ObjectId, at: Date) => ({ workspaceId, version: 1, createdAt: at, updatedAt: at })

let minted = 0
/** Ids sort by the time at which a record was made. */
function idAt(at: Date): ObjectId {
  minted += 1
  const seconds = Math.floor(at.getTime() / 1000)
  return new ObjectId(seconds.toString(16).padStart(8, '0') + minted.toString(16).padStart(16, '0'))
}

/** Inserts what `documentAt` answers, in batches. */
export async function insertAll(
  collection: Collection,
  count: number,
  documentAt: (index: number) => Document,
  afterBatch: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (let start = 0; start < count; start += batchSize) {
    const length = Math.min(batchSize, count - start)
    const documents = Array.from({ length }, (_, index) => documentAt(start + index))
    await Promise.all([collection.insertMany(documents, { ordered: false }), afterBatch()])
  }
}

/** An index that is built at the end costs a tenth of one that is written with each record. */
export async function withoutIndexes(db: Db, work: () => Promise<void>): Promise<void> {
  const indexes = []
  for (const name of ['contacts', 'conversations', 'messages', 'messageSearch']) {
    const all = await db.collection(name).indexes()
    indexes.push({ name, definitions: all.filter(({ key }) => Object.keys(key).join() !== '_id') })
    await db.collection(name).dropIndexes()
  }
  await work()
  for (const { name, definitions } of indexes)
    await db.collection(name).createIndexes(definitions.map(({ v: _version, ...index }) => ({ ...index })))
}
