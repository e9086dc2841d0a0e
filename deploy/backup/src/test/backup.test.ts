import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Decimal128, Double, Int32, Long } from 'mongodb'
import { expect, test } from 'vitest'
import { verifyBackup, writeManifest } from '../archive.ts'
import { backupDatabases } from '../backup-databases.ts'
import { restoreDatabases } from '../restore-databases.ts'
import { eachWithDatabase } from './each-with-database.ts'

const { client, home, folder, backup, command } = eachWithDatabase()

/** Fills more than one batch, with each kind of number, an index with every trait of ours, and a validator. */
async function fill() {
  const db = client().db()
  await db.createCollection('users', { validator: { email: { $type: 'string' } } })
  await db.collection('users').createIndex({ iss: 1, sub: -1 }, { unique: true, name: 'identity' })
  await db
    .collection('users')
    .createIndex(
      { seenAt: 1 },
      { name: 'seen', expireAfterSeconds: 1_000_000, partialFilterExpression: { seenAt: { $gt: new Date(0) } } },
    )
  const users = Array.from({ length: 2500 }, (_, n) => ({
    iss: 'https://id.example.com/realms/parley',
    sub: `person-${n}`,
    email: `person${n}@example.com`,
    version: new Int32(n),
    balance: new Double(n),
    large: Long.fromString('9007199254740993'),
    exact: Decimal128.fromString('0.10'),
    seenAt: new Date(),
    photo: randomBytes(200),
  }))
  await db.collection('users').insertMany(users)
  await db.collection('empty').createIndex({ a: 1 }, { name: 'a' })
}

/** Returns every document byte for byte, and every index. */
async function contents() {
  const db = client().db()
  const names = (await db.listCollections().toArray()).map(({ name }) => name).sort()
  return Promise.all(
    names.map(async (name) => ({
      name,
      indexes: (await db.collection(name).indexes()).sort((a, b) => String(a.name).localeCompare(String(b.name))),
      documents: (await db.collection(name).find<Buffer>({}, { raw: true }).sort({ _id: 1 }).toArray()).map((raw) =>
        raw.toString('base64'),
      ),
    })),
  )
}

test('what is saved, deleted and put back is the same, byte for byte, with its indexes and rules', async () => {
  await fill()
  const before = await contents()
  await backup()
  await client().db().dropDatabase()
  expect(await contents()).toEqual([])
  await restoreDatabases(client(), folder())
  expect(await contents()).toEqual(before)
  await expect(client().db().collection('users').insertOne({ email: 1 })).rejects.toThrow(/validation/)
})

test('a backup is one moment, whatever is written meanwhile', async () => {
  await fill()
  let writing = true
  const writer = (async () => {
    for (let n = 0; writing; n += 1) {
      await client().db().collection('empty').insertOne({ n })
      await client()
        .db()
        .collection('users')
        .insertOne({ iss: 'late', sub: `late-${n}`, email: 'late@example.com' })
    }
  })()
  await expect.poll(() => client().db().collection('users').countDocuments({ iss: 'late' })).toBeGreaterThan(5)
  const { manifest } = await backup()
  writing = false
  await writer
  const count = (name: string) => manifest.collections.find((saved) => saved.name === name)?.documents ?? 0
  // A pair is written one after the other: at any moment the two differ by one at most.
  expect(Math.abs(count('users') - 2500 - count('empty'))).toBeLessThanOrEqual(1)
})

test('several databases are one moment in one backup, and each is put back in its place', async () => {
  const other = client().db(`${client().db().databaseName}_other`)
  const both = [client().db().databaseName, other.databaseName]
  try {
    await fill()
    await other.collection('notes').insertOne({ text: 'kept' })
    const before = await contents()
    await backupDatabases(client(), both, folder())
    await client().db().dropDatabase()
    await expect(restoreDatabases(client(), folder())).rejects.toThrow(`Database ${other.databaseName} is not empty`)
    expect(await contents()).toEqual([])
    await expect(restoreDatabases(client(), folder(), { into: 'elsewhere' })).rejects.toThrow('leave the database out')
    await other.collection('notes').deleteMany({})
    await restoreDatabases(client(), folder(), { force: true })
    expect(await contents()).toEqual(before)
    expect(await other.collection('notes').find().toArray()).toMatchObject([{ text: 'kept' }])
  } finally {
    await other.dropDatabase()
  }
})

test('the only database of a backup may be put under another name', async () => {
  const other = client().db(`${client().db().databaseName}_other`)
  try {
    await fill()
    await backup()
    await restoreDatabases(client(), folder(), { into: other.databaseName })
    expect(await other.collection('users').countDocuments()).toBe(2500)
  } finally {
    await other.dropDatabase()
  }
})

test('the files are for their owner alone', async () => {
  await fill()
  await backup()
  expect((await stat(folder())).mode & 0o077).toBe(0)
  for (const name of await readdir(folder())) expect((await stat(join(folder(), name))).mode & 0o077, name).toBe(0)
})

const harms: [string, (file: string) => Promise<void>][] = [
  ['a cut off file', async (file) => truncate(file, (await stat(file)).size - 20)],
  ['an emptied file', (file) => truncate(file, 0)],
  ['a missing file', (file) => rm(file)],
  [
    'a changed byte',
    async (file) => {
      const bytes = await readFile(file)
      const middle = Math.floor(bytes.length / 2)
      bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
      await writeFile(file, bytes)
    },
  ],
]
test.each(harms)('%s is refused before anything is touched, even with --force', async (_name, harm) => {
  await fill()
  const { manifest } = await backup()
  await harm(join(folder(), manifest.collections.find(({ name }) => name === 'users')?.file ?? ''))
  const before = await contents()
  await expect(restoreDatabases(client(), folder(), { force: true })).rejects.toThrow(
    /cannot be read|is not what|middle/,
  )
  expect(await contents()).toEqual(before)
})

test('a manifest that is missing, changed or newer is refused', async () => {
  await fill()
  const { manifest } = await backup()
  const file = join(folder(), 'manifest.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"documents": 2500', '"documents": 2499'))
  await expect(verifyBackup(folder())).rejects.toThrow('manifest.json is not what the backup has written')
  await writeManifest(folder(), { ...manifest, collections: manifest.collections.map((c) => ({ ...c, documents: 7 })) })
  await expect(verifyBackup(folder())).rejects.toThrow('the manifest says 7')
  await writeManifest(folder(), JSON.parse(JSON.stringify({ ...manifest, format: 4 })))
  await expect(verifyBackup(folder())).rejects.toThrow('has format 4; this version reads 2 and 3 only')
  await rm(file)
  await expect(verifyBackup(folder())).rejects.toThrow('is no backup')
})

test('a database that holds anything is left alone, unless --force says so', async () => {
  await fill()
  await backup()
  const before = await contents()
  await client()
    .db()
    .collection('users')
    .deleteMany({ version: { $lt: 100 } })
  const since = await contents()
  await expect(restoreDatabases(client(), folder())).rejects.toThrow('is not empty')
  expect(await contents()).toEqual(since)
  await restoreDatabases(client(), folder(), { force: true })
  expect(await contents()).toEqual(before)
})

test('a folder that exists is not written over, and a failed backup leaves none behind', async () => {
  await fill()
  await backup()
  await expect(backup()).rejects.toThrow('exists already')
  await client().db().createCollection('seen', { viewOn: 'users', pipeline: [] })
  await expect(backup(join(home(), 'other'))).rejects.toThrow('seen is a view')
  expect(await readdir(home())).toEqual(['saved'])
})

test('the commands save, verify and restore, and say in one line what they refuse', async () => {
  await fill()
  expect((await command('backup', folder())).output).toMatch(/users: 2500 documents.*is whole/s)
  expect(await command('restore', folder(), '--verify')).toMatchObject({ code: 0 })
  const refused = await command('restore', folder())
  expect(refused.code).toBe(1)
  expect(refused.output.split('\n')).toHaveLength(1)
  expect((await command('restore', folder(), '--force')).output).toContain('Restored')
  expect(await command('restore', folder(), '--forse')).toMatchObject({ code: 1 })
  expect(await command('backup')).toMatchObject({ code: 1, output: expect.stringContaining('usage:') })
})
