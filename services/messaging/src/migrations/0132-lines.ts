import { lineForms } from '@parley/phone/line'
import mongoose, { type Connection } from 'mongoose'

type Db = NonNullable<Connection['db']>
type Contact = mongoose.mongo.WithId<mongoose.mongo.BSON.Document>

const batchSize = 1000
const categories = ['marketing', 'utility'] as const

/**
 * Contacts by their line, where its number is written in several ways: the oldest of a line has it. Those that are there twice stay two;
 * whoever of them has opted out or was blocked has done so for both.
 */
export async function up(db: Db): Promise<void> {
  const contacts = db.collection('contacts')
  await contacts.createIndex(
    { workspaceId: 1, line: 1 },
    { unique: true, partialFilterExpression: { line: { $exists: true } }, name: 'line' },
  )
  const written = { phone: /^\+(?:5[245]|22[59])/, line: { $exists: false } }
  let batch: Contact[] = []
  for await (const contact of contacts.find(written).sort({ _id: 1 }).hint({ _id: 1 })) {
    if (lineForms(contact['phone']).length > 1) batch.push(contact)
    if (batch.length < batchSize) continue
    await settle(db, batch)
    batch = []
  }
  if (batch.length > 0) await settle(db, batch)
}

async function settle(db: Db, batch: readonly Contact[]): Promise<void> {
  const contacts = db.collection('contacts')
  const writes = batch.map(({ _id, phone }) => ({
    updateOne: { filter: { _id, phone }, update: { $set: { line: lineForms(phone)[0] } } },
  }))
  const second = await contacts.bulkWrite(writes, { ordered: false }).then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error
      const failed = [error.writeErrors].flat()
      if (failed.some(({ code }) => code !== 11_000)) throw error
      return failed.flatMap(({ index }) => batch[index] ?? [])
    },
  )
  for (const { workspaceId, phone } of second) {
    const own = await contacts.find({ workspaceId, phone: { $in: lineForms(phone) } }).toArray()
    for (const contact of own) await joinChoices(db, contact, own)
  }
}

/** Gives a contact what others of its line have said against being written to. */
async function joinChoices(db: Db, contact: Contact, own: readonly Contact[]): Promise<void> {
  const set: Record<string, unknown> = {}
  if (!contact['blocked'] && own.some(({ blocked }) => blocked)) set['blocked'] = true
  for (const category of categories) {
    if (choiceOf(contact, category)?.isOut) continue
    const other = own.flatMap((each) => choiceOf(each, category) ?? []).find(({ isOut }) => isOut)
    if (!other) continue
    const key = `suppression:${contact._id.toHexString()}:line:${category}`
    const said = { contactId: contact._id, category, value: 'out', source: 'suppression', at: other.at }
    const entry = await db
      .collection('consentEntries')
      .findOneAndUpdate(
        { workspaceId: contact['workspaceId'], key },
        { $setOnInsert: { ...said, recordedAt: new Date() } },
        { upsert: true, returnDocument: 'after' },
      )
    const entryId = entry?._id.toHexString()
    if (category === 'marketing') set['optIn'] = { marketing: 'out', source: 'suppression', at: other.at, entryId }
    else set['utilityConsent'] = { value: 'out', at: other.at, entryId }
  }
  if (Object.keys(set).length === 0) return
  await db.collection('contacts').updateOne({ _id: contact._id }, { $set: set, $inc: { version: 1 } })
}

function choiceOf(contact: Contact, category: (typeof categories)[number]) {
  const choice = category === 'marketing' ? contact['optIn'] : contact['utilityConsent']
  const value = choice?.marketing ?? choice?.value
  return value === undefined ? undefined : { isOut: value === 'out', at: choice.at ?? contact['createdAt'] }
}
