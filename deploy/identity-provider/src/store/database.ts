import { DatabaseSync } from 'node:sqlite'

/**
 * Everything a realm must remember, in one SQLite file. `synchronous = FULL` puts each commit on disk before the call
 * returns, so an answered request survives a kill or a power cut.
 */
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA busy_timeout = 5000;

  CREATE TABLE IF NOT EXISTS users (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL,
    enabled INTEGER NOT NULL,
    first_name TEXT,
    last_name TEXT,
    attributes TEXT NOT NULL,
    required_actions TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE IF NOT EXISTS passwords (
    user_id TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE IF NOT EXISTS login_failures (
    user_id TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
    failures INTEGER NOT NULL,
    lockouts INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    last_failure INTEGER NOT NULL,
    last_ip TEXT NOT NULL
  ) STRICT;

  CREATE TABLE IF NOT EXISTS sessions (
    sid TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    identity_provider TEXT,
    ip TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS sessions_user ON sessions(user_id);
  CREATE INDEX IF NOT EXISTS sessions_grant ON sessions(grant_id);

  CREATE TABLE IF NOT EXISTS federated_identities (
    provider TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    username TEXT NOT NULL,
    PRIMARY KEY (provider, subject),
    UNIQUE (user_id, provider)
  ) STRICT;

  CREATE TABLE IF NOT EXISTS action_links (
    key_hash TEXT PRIMARY KEY,
    action TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    redirect_uri TEXT,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT;

  CREATE TABLE IF NOT EXISTS protocol_records (
    model TEXT NOT NULL,
    id TEXT NOT NULL,
    grant_id TEXT,
    payload TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (model, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS protocol_records_grant ON protocol_records(grant_id);
`

export type Database = DatabaseSync

/** Opens or creates the file and its tables. Use `:memory:` in a unit test. */
export function openRealmDatabase(file: string): Database {
  const database = new DatabaseSync(file)
  database.exec(schema)
  return database
}

/** Runs several writes as one: all are kept or none. */
export function atomically<T>(database: Database, write: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = write()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
