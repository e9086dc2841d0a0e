import type { Connection } from 'mongoose'

type Index = Readonly<Record<string, unknown>>

/** A text for each index but that of `_id`: names, the order of keys and all options count. */
const texts = (indexes: readonly Index[]): string[] =>
  indexes
    .filter(({ name }) => name !== '_id_')
    .map(({ v: _version, background: _background, name, key, ...options }) =>
      JSON.stringify([name, key, Object.entries(options).sort()]),
    )
    .sort()

/**
 * The indexes of a migrated database beside those that the schemas of its models declare, by collection. A collection without a
 * model declares none.
 * @param connection with every model of the service.
 */
export async function indexesOf({ db, models }: Connection) {
  if (!db) throw new Error('the connection is not open')
  const schemas = Object.values(models).map(({ collection, schema }) => [collection.collectionName, schema] as const)
  const declared: Record<string, string[]> = {}
  for (const [name, schema] of schemas)
    declared[name] = texts(schema.indexes().map(([key, options]) => ({ key, ...options })))
  const stored: Record<string, string[]> = {}
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    stored[name] = texts(await db.collection(name).indexes())
  return { declared, stored }
}
