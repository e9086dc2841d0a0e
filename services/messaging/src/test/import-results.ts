import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { fullConnection } from '@parley/service-kit/data/mongo'
import type { Types } from 'mongoose'

interface Scope {
  readonly workspaceId: Types.ObjectId
}
type Stored = Record<string, unknown>

/** Fields whose values differ in another import of the same file: ids and times. */
const varyingFields = new Set([
  ...['_id', 'id', 'workspaceId', 'contactId', 'importId', 'importIds', 'memberId', 'entryId', 'key'],
  ...['createdAt', 'updatedAt', 'recordedAt', 'at', 'expiresAt'],
])
/** Times of which it matters that they are there. */
const marks = new Set(['deletedAt', 'takenBackAt'])

const comparable = (record: object): Stored =>
  JSON.parse(
    JSON.stringify(record, (name, value) => {
      if (varyingFields.has(name)) return undefined
      return marks.has(name) ? true : value
    }),
  )

/** Contacts of a workspace, deleted ones too, by their phone numbers. */
export async function contactsOf(connection: ServiceConnection, { workspaceId }: Scope): Promise<Stored[]> {
  const contacts = fullConnection(connection).collection('contacts')
  return (await contacts.find({ workspaceId }).sort({ phone: 1 }).toArray()).map(comparable)
}

/** Returns the outcomes of the import's rows, of the check first, batch by batch. */
export async function rowsOf(connection: ServiceConnection, { workspaceId }: Scope): Promise<Stored[]> {
  const rows = fullConnection(connection).collection('importRows')
  return (await rows.find({ workspaceId }).sort({ phase: 1, batch: 1 }).toArray()).map(comparable)
}

/** Returns the consent entries that it has recorded, in the order of the file. */
export async function entriesOf(connection: ServiceConnection, { workspaceId }: Scope): Promise<Stored[]> {
  const entries = fullConnection(connection).collection('consentEntries')
  return (await entries.find({ workspaceId }).sort({ note: 1, category: 1 }).toArray()).map(comparable)
}

/** The first records that are not the same; a whole list would take minutes to print. */
export function differences(one: readonly Stored[], two: readonly Stored[]): { one: string; two: string }[] {
  return Array.from({ length: Math.max(one.length, two.length) }, (_, index) => ({
    one: JSON.stringify(one[index]) ?? '',
    two: JSON.stringify(two[index]) ?? '',
  }))
    .filter((pair) => pair.one !== pair.two)
    .slice(0, 3)
}
