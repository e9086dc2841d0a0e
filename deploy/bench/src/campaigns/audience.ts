import { newContactFields, searchKeys } from '@parley/messaging/contact-fields'
import { type Db, ObjectId } from 'mongodb'
import type { Line } from '../messaging/rig.ts'
import { insertAll } from '../seed/seed-workspace.ts'

/** The lowest number of an audience; the next one begins so much further up. */
const firstPhone = 919_000_000_000

/** Contacts who have agreed to marketing, with one tag. */
export async function addAudience(
  db: Db,
  workspaceId: ObjectId,
  { tag, count, block }: { tag: string; count: number; block: number },
): Promise<void> {
  const now = new Date()
  const optIn = { marketing: 'in', source: 'import', at: now }
  const times = { version: 1, createdAt: now, updatedAt: now }
  await insertAll(db.collection('contacts'), count, (nth) => {
    const named = { name: `Asha ${nth}`, phone: `+${firstPhone + block * 10_000_000 + nth}`, tags: [tag] }
    const contact = {
      _id: new ObjectId(),
      workspaceId,
      ...named,
      ...searchKeys(named),
      attributes: [],
      optIn,
      ...times,
    }
    return { ...newContactFields('import'), ...contact }
  })
}

/** A template that WhatsApp has approved. @returns its id. */
export async function addTemplate(db: Db, workspaceId: ObjectId, line: Line): Promise<string> {
  const number = await db.collection('numbers').findOne({ _id: line.id })
  const [name, language, businessAccountId] = ['bench_offer', 'en', String(number?.['businessAccountId'])]
  const now = new Date()
  const _id = new ObjectId()
  await db.collection('templates').insertOne({
    _id,
    workspaceId,
    businessAccountId,
    name,
    language,
    key: `${businessAccountId}/${name}/${language}`,
    category: 'marketing',
    status: 'approved',
    quality: 'unknown',
    waTemplateId: '1',
    body: 'Hi {{1}}, our new tea has arrived.',
    buttons: [],
    examples: { 1: 'Asha' },
    version: 1,
    createdAt: now,
    updatedAt: now,
  })
  return _id.toHexString()
}
