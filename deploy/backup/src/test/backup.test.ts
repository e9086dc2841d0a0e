import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { Decimal128, Double, Int32, Long, MongoClient, ObjectId } from 'mongodb'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { verifyBackup, writeManifest } from '../archive.ts'
import { backupDatabases } from '../backup-databases.ts'
import { restoreDatabases } from '../restore-databases.ts'

const { urls, repoRoot } = inject('stack')
let client: MongoClient
let url: string
let home: string
const folder = () => join(home, 'saved')
const backup = (into: string) => backupDatabases(client, [client.db().databaseName], into)

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

/** More than one batch, each kind of number, an index with every trait of ours, a validator. */
async function fill() {
  const db = client.db()
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

/** Every document byte for byte, and every index. */
async function contents() {
  const db = client.db()
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
  await backup(folder())
  await client.db().dropDatabase()
  expect(await contents()).toEqual([])
  await restoreDatabases(client, folder())
  expect(await contents()).toEqual(before)
  await expect(client.db().collection('users').insertOne({ email: 1 })).rejects.toThrow(/validation/)
})

test('a backup is one moment, whatever is written meanwhile', async () => {
  await fill()
  let writing = true
  const writer = (async () => {
    for (let n = 0; writing; n += 1) {
      await client.db().collection('empty').insertOne({ n })
      await client
        .db()
        .collection('users')
        .insertOne({ iss: 'late', sub: `late-${n}`, email: 'late@example.com' })
    }
  })()
  await expect.poll(() => client.db().collection('users').countDocuments({ iss: 'late' })).toBeGreaterThan(5)
  const { manifest } = await backup(folder())
  writing = false
  await writer
  const count = (name: string) => manifest.collections.find((saved) => saved.name === name)?.documents ?? 0
  // A pair is written one after the other: at any moment the two differ by one at most.
  expect(Math.abs(count('users') - 2500 - count('empty'))).toBeLessThanOrEqual(1)
})

test('several databases are one moment in one backup, and each is put back in its place', async () => {
  const other = client.db(`${client.db().databaseName}_other`)
  const both = [client.db().databaseName, other.databaseName]
  try {
    await fill()
    await other.collection('notes').insertOne({ text: 'kept' })
    const before = await contents()
    await backupDatabases(client, both, folder())
    await client.db().dropDatabase()
    await expect(restoreDatabases(client, folder())).rejects.toThrow(`Database ${other.databaseName} is not empty`)
    expect(await contents()).toEqual([])
    await expect(restoreDatabases(client, folder(), { into: 'elsewhere' })).rejects.toThrow('leave the database out')
    await other.collection('notes').deleteMany({})
    await restoreDatabases(client, folder(), { force: true })
    expect(await contents()).toEqual(before)
    expect(await other.collection('notes').find().toArray()).toMatchObject([{ text: 'kept' }])
  } finally {
    await other.dropDatabase()
  }
})

test('the only database of a backup may be put under another name', async () => {
  const other = client.db(`${client.db().databaseName}_other`)
  try {
    await fill()
    await backup(folder())
    await restoreDatabases(client, folder(), { into: other.databaseName })
    expect(await other.collection('users').countDocuments()).toBe(2500)
  } finally {
    await other.dropDatabase()
  }
})

test('the files are for their owner alone', async () => {
  await fill()
  await backup(folder())
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
  const { manifest } = await backup(folder())
  await harm(join(folder(), manifest.collections.find(({ name }) => name === 'users')?.file ?? ''))
  const before = await contents()
  await expect(restoreDatabases(client, folder(), { force: true })).rejects.toThrow(/cannot be read|is not what|middle/)
  expect(await contents()).toEqual(before)
})

test('a manifest that is missing, changed or newer is refused', async () => {
  await fill()
  const { manifest } = await backup(folder())
  const file = join(folder(), 'manifest.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"documents": 2500', '"documents": 2499'))
  await expect(verifyBackup(folder())).rejects.toThrow('manifest.json is not what the backup has written')
  await writeManifest(folder(), { ...manifest, collections: manifest.collections.map((c) => ({ ...c, documents: 7 })) })
  await expect(verifyBackup(folder())).rejects.toThrow('the manifest says 7')
  await writeManifest(folder(), JSON.parse(JSON.stringify({ ...manifest, format: 3 })))
  await expect(verifyBackup(folder())).rejects.toThrow('has format 3; this version reads 2 only')
  await rm(file)
  await expect(verifyBackup(folder())).rejects.toThrow('is no backup')
})

test('a database that holds anything is left alone, unless --force says so', async () => {
  await fill()
  await backup(folder())
  const before = await contents()
  await client
    .db()
    .collection('users')
    .deleteMany({ version: { $lt: 100 } })
  const since = await contents()
  await expect(restoreDatabases(client, folder())).rejects.toThrow('is not empty')
  expect(await contents()).toEqual(since)
  await restoreDatabases(client, folder(), { force: true })
  expect(await contents()).toEqual(before)
})

test('a folder that exists is not written over, and a failed backup leaves none behind', async () => {
  await fill()
  await backup(folder())
  await expect(backup(folder())).rejects.toThrow('exists already')
  await client.db().createCollection('seen', { viewOn: 'users', pipeline: [] })
  await expect(backup(join(home, 'other'))).rejects.toThrow('seen is a view')
  expect(await readdir(home)).toEqual(['saved'])
})

const command = (name: string, ...args: string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const file = join(repoRoot, 'deploy/backup/src/command.ts')
    execFile(process.execPath, [file, name, ...args], { env: { MONGODB_URL: url } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: `${stdout}${stderr}`.trim() }),
    )
  })

test('what waited to be sent is held after a restore, until a person releases it, workspace by workspace', async () => {
  const messages = client.db().collection('messages')
  const [one, two, numberId] = [new ObjectId(), new ObjectId(), new ObjectId()]
  const waiting = (workspaceId: ObjectId, state: string) => ({
    workspaceId,
    numberId,
    version: 3,
    sendLane: '7',
    dispatch: { state, attempts: 0, ...(state === 'sending' && { claim: 'a process', leaseUntil: new Date() }) },
  })
  const sent = { workspaceId: one, numberId, version: 5, dispatch: { state: 'accepted', attempts: 1 } }
  await messages.insertMany([waiting(one, 'queued'), waiting(one, 'sending'), waiting(two, 'queued'), sent])
  await backup(folder())
  expect((await command('restore', folder(), '--force')).said).toContain('3 messages that waited to be sent are held')

  expect(await messages.countDocuments({ sendLane: { $exists: true } })).toBe(0)
  expect(await messages.countDocuments({ 'dispatch.claim': { $exists: true } })).toBe(0)
  expect(await messages.countDocuments({ 'dispatch.state': 'held', version: 4 })).toBe(3)
  expect(await messages.countDocuments({ 'dispatch.state': 'accepted', version: 5 })).toBe(1)
  const { said } = await command('release-held')
  expect(said.split('\n')).toEqual([`workspace ${one}: 2 messages held`, `workspace ${two}: 1 messages held`])

  expect((await command('release-held', String(two))).said).toBe(`1 messages of workspace ${two} will be sent.`)
  const released = await messages.findOne({ workspaceId: two })
  expect(released).toMatchObject({ sendLane: String(laneOf(String(numberId))), dispatch: { state: 'queued' } })
  expect((await command('release-held')).said).toBe(`workspace ${one}: 2 messages held`)
  expect(await command('release-held', 'everybody')).toMatchObject({ code: 1, said: expect.stringContaining('24') })
})

test('no campaign runs by itself after a restore; whom it may have reached since is never sent to again', async () => {
  const db = client.db()
  const workspaceId = new ObjectId()
  const campaign = (status: string, over: object = {}) => ({
    ...{ _id: new ObjectId(), workspaceId, status, version: 1, watch: 'campaigns', nextAt: new Date() },
    frozen: { rows: 3, done: false },
    ...over,
  })
  const [running, planned, over] = [
    campaign('active', { startedAt: new Date() }),
    campaign('scheduled'),
    campaign('completed', { startedAt: new Date(), watch: undefined }),
  ]
  await db.collection('campaigns').insertMany([running, planned, over], { ignoreUndefined: true })
  const rows = ['pending', 'queued', 'read'].map((state, n) => ({ workspaceId, campaignId: running._id, n, state }))
  await db.collection('campaignRecipients').insertMany(rows)
  await backup(folder())
  expect((await command('restore', folder(), '--force')).code).toBe(0)

  const found = await db.collection('campaigns').find().sort({ _id: 1 }).toArray()
  expect(found.map(({ status, pausedFor, watch }) => [status, pausedFor, watch])).toEqual([
    ['paused', 'restored', undefined],
    ['paused', 'restored', undefined],
    ['completed', undefined, undefined],
  ])
  expect(found.map(({ frozen }) => frozen.done)).toEqual([true, false, false])
  const states = await db.collection('campaignRecipients').find().sort({ n: 1 }).toArray()
  expect(states.map(({ state }) => state)).toEqual(['uncertain', 'uncertain', 'read'])
})

test('a released message that is scheduled for later waits for its time', async () => {
  const messages = client.db().collection('messages')
  const [workspaceId, numberId] = [new ObjectId(), new ObjectId()]
  const [later, earlier] = [new Date(Date.now() + 3600_000), new Date(Date.now() - 3600_000)]
  const scheduled = (sendAt: Date) => ({
    workspaceId,
    numberId,
    version: 1,
    sendAt,
    sendLane: 'scheduled',
    dispatch: { state: 'held', attempts: 0, notBefore: sendAt },
  })
  await messages.insertMany([scheduled(later), scheduled(earlier)])
  await backup(folder())
  await command('restore', folder(), '--force')
  expect((await command('release-held', String(workspaceId))).said).toContain('2 messages')
  const waiting = { sendLane: 'scheduled', version: 3, dispatch: { state: 'held', notBefore: later } }
  expect(await messages.findOne({ sendAt: later })).toMatchObject(waiting)
  expect(await messages.findOne({ sendAt: later })).not.toHaveProperty('dispatch.lastError')
  const due = { sendLane: String(laneOf(String(numberId))), dispatch: { state: 'queued' } }
  expect(await messages.findOne({ sendAt: earlier })).toMatchObject(due)
})

test('the commands save, verify and restore, and say in one line what they refuse', async () => {
  await fill()
  expect((await command('backup', folder())).said).toMatch(/users: 2500 documents.*is whole/s)
  expect(await command('restore', folder(), '--verify')).toMatchObject({ code: 0 })
  const refused = await command('restore', folder())
  expect(refused.code).toBe(1)
  expect(refused.said.split('\n')).toHaveLength(1)
  expect((await command('restore', folder(), '--force')).said).toContain('Restored')
  expect(await command('restore', folder(), '--forse')).toMatchObject({ code: 1 })
  expect(await command('backup')).toMatchObject({ code: 1, said: expect.stringContaining('usage:') })
})
