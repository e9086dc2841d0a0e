import { createHash, randomBytes } from 'node:crypto'
import { copyFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyBackup } from '../archive.ts'
import { restoreDatabases } from '../restore-databases.ts'
import { eachWithDatabase } from './each-with-database.ts'

const { client, home, folder, backup, command } = eachWithDatabase()
const newKey = (id: string) => ({ id, key: randomBytes(32) })
const [current, older, other] = [newKey('k2'), newKey('k1'), newKey('k2')]
const textOf = (...keys: { id: string; key: Buffer }[]) =>
  keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',')

const people = async () => client().db().collection('people').find().sort({ _id: 1 }).toArray()
async function fill() {
  // Larger than a piece of a stream, and hard to compress.
  const notes = Array.from({ length: 300 }, (_, n) => ({
    name: `Xanthippe ${n}`,
    note: randomBytes(500).toString('hex'),
  }))
  await client().db().collection('people').insertMany(notes)
  await client().db().createCollection('nobody')
}
const fileOf = async (name: string) => join(folder(), (await readdir(folder())).find((one) => one.includes(name)) ?? '')

test('an encrypted backup holds nothing readable, and is put back with its key alone', async () => {
  await fill()
  const before = await people()
  const { manifest } = await backup(folder(), [current, older])
  expect(manifest).toMatchObject({ format: 3, encryption: { cipher: 'aes-256-gcm', key: 'k2' } })
  const files = (await readdir(folder())).filter((name) => name.includes('.bson'))
  expect(files).toHaveLength(2)
  for (const name of files) {
    expect(name).toMatch(/\.bson\.gz\.enc$/)
    // Nothing shows that it was compressed.
    expect((await readFile(join(folder(), name))).subarray(0, 2).toString('hex')).not.toBe('1f8b')
    expect((await stat(join(folder(), name))).mode & 0o077).toBe(0)
  }
  await client().db().dropDatabase()
  // A key ring that has moved on.
  await restoreDatabases(client(), folder(), { keys: [newKey('k3'), current] })
  expect(await people()).toEqual(before)
})

test('two backups of the same are not alike', async () => {
  await fill()
  await backup(folder(), [current])
  await backup(join(home(), 'again'), [current])
  const name = basename(await fileOf('people'))
  expect(await readFile(join(folder(), name))).not.toEqual(await readFile(join(home(), 'again', name)))
})

test.each([
  ['no key', [], 'The backup is encrypted with the key k2: BACKUP_KEYS has to name it.'],
  ['keys of other names', [older], 'encrypted with the key k2, which BACKUP_KEYS lacks (it has k1)'],
  ['another key of that name', [other], 'k2 in BACKUP_KEYS is not the key of this backup'],
])('%s is told as that, and nothing is touched', async (_name, keys, sentence) => {
  await fill()
  await backup(folder(), [current])
  const before = await people()
  await expect(restoreDatabases(client(), folder(), { keys, force: true })).rejects.toThrow(sentence)
  expect(await people()).toEqual(before)
})

/** Changes the manifest as an attacker who may write to the folder but has no key: they can make the sums fit. */
async function withSums(change: (text: string) => string) {
  const file = join(folder(), 'manifest.json')
  const text = change(await readFile(file, 'utf8'))
  await writeFile(file, text)
  await writeFile(`${file}.sha256`, `${createHash('sha256').update(text).digest('hex')}  manifest.json\n`)
}

test('a manifest that was changed without the key is refused, though its sum fits; so is one without its proof', async () => {
  await fill()
  await backup(folder(), [current])
  await withSums((text) => text.replace('"documents": 300', '"documents": 299'))
  await expect(verifyBackup(folder(), [current])).rejects.toThrow('or its manifest was changed without it')
  await rm(join(folder(), 'manifest.json.hmac'))
  await expect(verifyBackup(folder(), [current])).rejects.toThrow('or its manifest was changed without it')
})

test.each([
  ['cut off', async (file: string) => truncate(file, (await stat(file)).size - 20)],
  ['cut off before its end begins', async (file: string) => truncate(file, 20)],
  [
    'changed',
    async (file: string) => {
      const bytes = await readFile(file)
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
      await writeFile(file, bytes)
    },
  ],
  ['put in place of another', async (file: string) => copyFile(await fileOf('nobody'), file)],
])('a file that was %s is refused before anything is touched', async (_name, harm) => {
  await fill()
  await backup(folder(), [current])
  await harm(await fileOf('people'))
  const before = await people()
  await expect(restoreDatabases(client(), folder(), { keys: [current], force: true })).rejects.toThrow(
    'is not what the backup has written',
  )
  expect(await people()).toEqual(before)
})

test('the commands take the keys from their environment, and say when a backup is plain', async () => {
  await fill()
  const keys = { BACKUP_KEYS: textOf(current) }
  const saved = await command('backup', folder(), keys)
  expect(saved.output).not.toContain('not encrypted')
  expect(await command('restore', folder(), '--verify')).toMatchObject({
    code: 1,
    output: 'The backup is encrypted with the key k2: BACKUP_KEYS has to name it.',
  })
  expect(await command('restore', folder(), '--verify', keys)).toMatchObject({ code: 0 })
  expect((await command('restore', folder(), '--force', keys)).output).toContain('Restored')
  expect((await command('backup', join(home(), 'plain'))).output).toContain(
    'It is not encrypted: BACKUP_KEYS names no key.',
  )
  expect(await command('backup', join(home(), 'odd'), { BACKUP_KEYS: 'k1:short' })).toMatchObject({
    code: 1,
    output: 'BACKUP_KEYS must be name:key pairs, each key 32 bytes in base64.',
  })
})
