import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { afterEach, beforeEach, inject } from 'vitest'
import { backupDatabases } from '../backup-databases.ts'
import type { BackupKeys } from '../encryption.ts'

/** A database and a folder for backups, new for each test of a file. */
export function eachWithDatabase() {
  const { urls, repoRoot } = inject('stack')
  let client: MongoClient
  let url: string
  let home: string
  beforeEach(async () => {
    const target = new URL(urls.mongodb)
    target.pathname = `/test_backup_${randomBytes(6).toString('hex')}`
    url = target.href
    client = await new MongoClient(url).connect()
    home = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  })
  afterEach(async () => {
    await client.db().dropDatabase()
    await client.close()
    await rm(home, { recursive: true })
  })
  return {
    client: () => client,
    home: () => home,
    /** Folder for a backup of the test. */
    folder: () => join(home, 'saved'),
    backup: (into = join(home, 'saved'), keys: BackupKeys = []) =>
      backupDatabases(client, [client.db().databaseName], into, keys),
    /** A command of an operator, with what it says. Variables stand among its words. */
    command: (name: string, ...args: (string | Record<string, string>)[]) =>
      new Promise<{ code: number; output: string }>((resolve) => {
        const file = join(repoRoot, 'deploy/backup/src/command.ts')
        const words = args.filter((one) => typeof one === 'string')
        const env = Object.assign({ MONGODB_URL: url }, ...args.filter((one) => typeof one === 'object'))
        execFile(process.execPath, [file, name, ...words], { env }, (error, stdout, stderr) =>
          resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}`.trim() }),
        )
      }),
  }
}
