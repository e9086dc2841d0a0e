import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { z } from 'zod'

/**
 * Everything a realm must remember, in one SQLite file. `synchronous = FULL` puts each commit on disk before the call
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

/** Opens or creates the file and its table. Use `:memory:` in a unit test. */
export function openDatabase(file: string): Database {
  const database = new DatabaseSync(file)
  database.exec(tables)
  return database
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** A life for records that end with their account only, in seconds. */
export const forever = 100 * 365 * 86_400

export function removeOwnedBy(database: Database, owner: string): void {
  database.prepare('DELETE FROM records WHERE owner = ?').run(owner)
}

export function removeExpired(database: Database): void {
  database.prepare('DELETE FROM records WHERE expires_at <= ?').run(nowSeconds())
}

const row = z.object({ content: z.string() })

/** Records of one kind, each with an id, an end and, where it goes with something else, the id of that as its owner. */
export function createRecords<T>(database: Database, kind: string, schema: z.ZodType<T>) {
  const upsert = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)')
  const one = database.prepare('SELECT content FROM records WHERE kind = ? AND id = ? AND expires_at > ?')
  const owned = database.prepare('SELECT content FROM records WHERE kind = ? AND owner = ? AND expires_at > ?')
  const erase = database.prepare('DELETE FROM records WHERE kind = ? AND id = ? AND expires_at > ? RETURNING content')
  const parse = (found: unknown): T => schema.parse(JSON.parse(row.parse(found).content))
  const parseOne = (found: unknown): T | undefined => (found === undefined ? undefined : parse(found))
  const living = (key: SQLInputValue) => [kind, key, nowSeconds()] as const

  return {
    put(id: string, value: T, { lifeSeconds, owner = null }: { lifeSeconds: number; owner?: string | null }): void {
      upsert.run(kind, id, owner, JSON.stringify(value), nowSeconds() + lifeSeconds)
    },
    find: (id: string): T | undefined => parseOne(one.get(...living(id))),
    listOf: (owner: string): T[] => owned.all(...living(owner)).map(parse),
    /** Finds and removes in one step: of two callers at once only one gets it. */
    remove: (id: string): T | undefined => parseOne(erase.get(...living(id))),
  }
}
