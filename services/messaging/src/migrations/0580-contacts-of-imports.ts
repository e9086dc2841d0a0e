import { type Connection, Types } from 'mongoose'

type Row = { readonly outcome: string; readonly contactId?: string; readonly undone?: string }

/** Finds the contacts that an import has added or changed: of those before it, as long as the rows of the file are kept. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const contacts = db.collection('contacts')
  await contacts.createIndex(
    { workspaceId: 1, live: 1, importIds: 1, nameKey: 1, _id: 1 },
    { name: 'imports', partialFilterExpression: { importIds: { $exists: true } } },
  )
  await contacts.updateMany({ importId: { $exists: true }, importIds: { $exists: false } }, [
    { $set: { importIds: [{ $toString: '$importId' }] } },
  ])
  const batches = db.collection<{ workspaceId: Types.ObjectId; importId: Types.ObjectId; rows: Row[] }>('importRows')
  for await (const { workspaceId, importId, rows } of batches.find({ phase: 'run' })) {
    const isFound = ({ outcome, undone, contactId }: Row) =>
      outcome === 'updated' && undone !== 'restored' && contactId !== undefined
    const changed = rows.filter(isFound)
    if (changed.length === 0) continue
    const ids = changed.map(({ contactId }) => new Types.ObjectId(contactId))
    await contacts.updateMany({ _id: { $in: ids }, workspaceId }, { $addToSet: { importIds: importId.toHexString() } })
  }
}
