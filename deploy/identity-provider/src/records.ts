import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

/**
 * Everything the realm must remember, in one SQLite file. `synchronous = FULL` puts each commit on disk before the call
 * returns, so an answered request survives a kill or a power cut.
 */
const tables = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS records (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT,
    content TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_owner ON records(owner);
`

export type Database = DatabaseSync

/** Opens or creates the file and forgets what has expired. */
export function openDatabase(file: string): Database {
  const database = new DatabaseSync(file)
  database.exec(tables)
  database.prepare('DELETE FROM records WHERE expires_at <= ?').run(nowSeconds())
  return database
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export function removeOwnedBy(database: Database, owner: string): void {
  database.prepare('DELETE FROM records WHERE owner = ?').run(owner)
}

const rowSchema = z.object({ content: z.string() })

/** Records of one kind, each with an id, an end and, where it goes with something else, the id of that as its owner. */
export function createRecords<T>(database: Database, kind: string, schema: z.ZodType<T>) {
  const upsert = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)')
  const one = database.prepare('SELECT content FROM records WHERE kind = ? AND id = ? AND expires_at > ?')
  const owned = database.prepare('SELECT content FROM records WHERE kind = ? AND owner = ? AND expires_at > ?')
  const erase = database.prepare('DELETE FROM records WHERE kind = ? AND id = ? AND expires_at > ? RETURNING content')
  const parse = (row: unknown): T => schema.parse(JSON.parse(rowSchema.parse(row).content))
  const parseOne = (row: unknown): T | undefined => (row === undefined ? undefined : parse(row))

  return {
    put(id: string, value: T, lifeSeconds: number, owner: string | null = null): void {
      upsert.run(kind, id, owner, JSON.stringify(value), nowSeconds() + lifeSeconds)
    },
    find: (id: string): T | undefined => parseOne(one.get(kind, id, nowSeconds())),
    listOf: (owner: string): T[] => owned.all(kind, owner, nowSeconds()).map(parse),
    /** Finds and removes in one step: of two callers at once only one gets it. */
    remove: (id: string): T | undefined => parseOne(erase.get(kind, id, nowSeconds())),
  }
}
