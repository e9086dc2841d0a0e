import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { importAccounts } from './import-accounts.ts'
import { openDatabase } from './records.ts'
import { openStores } from './stores.ts'

/** A file as the version before records kept it. */
function earlierFile(folder: string): string {
  const file = join(folder, 'realm.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`
    CREATE TABLE users (id TEXT, email TEXT, email_verified INTEGER, enabled INTEGER, first_name TEXT, last_name TEXT,
      attributes TEXT, required_actions TEXT, created_at INTEGER);
    CREATE TABLE passwords (user_id TEXT, id TEXT, hash TEXT, created_at INTEGER);
    CREATE TABLE federated_identities (provider TEXT, subject TEXT, user_id TEXT, username TEXT);
    INSERT INTO users VALUES
      ('u1', 'ann@example.com', 1, 1, 'Ann', NULL, '{"picture":["https://example.com/a.png"]}', '[]', 1),
      ('u2', 'bob@example.com', 0, 0, NULL, NULL, '{}', '["VERIFY_EMAIL"]', 2);
    INSERT INTO passwords VALUES ('u1', 'p1', '$argon2id$ann', 1);
    INSERT INTO federated_identities VALUES ('google', 'g2', 'u2', 'bob');
  `)
  database.close()
  return file
}

test('accounts of an earlier file are taken over once, with their ids, passwords and links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'accounts-'))
  const file = earlierFile(folder)
  const stores = openStores(openDatabase(':memory:'), { sessionIdle: 100, sessionMax: 250 })
  importAccounts(file, stores)
  expect(stores.users.findByEmail('ann@example.com')).toEqual({
    id: 'u1',
    email: 'ann@example.com',
    emailVerified: true,
    enabled: true,
    firstName: 'Ann',
    lastName: null,
    picture: 'https://example.com/a.png',
    requiredActions: [],
    password: { id: 'p1', hash: '$argon2id$ann' },
  })
  expect(stores.users.find('u2')).toMatchObject({ enabled: false, requiredActions: ['VERIFY_EMAIL'], password: null })
  expect(stores.identities.find('g2')).toEqual({ userId: 'u2', subject: 'g2', username: 'bob' })
  stores.users.update('u1', { firstName: 'Anna' })
  importAccounts(file, stores)
  expect(stores.users.find('u1')?.firstName).toBe('Anna')
  expect(readdirSync(folder)).toEqual(['realm.sqlite.imported'])
})
