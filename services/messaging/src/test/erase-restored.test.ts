import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { jobEnded } from './contact-fixtures.ts'
import { everythingStored } from './erase-fixtures.ts'
import { withMerging } from './merging-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let backups: string
beforeAll(async () => {
  parley = await startMessaging()
  ann = parley.signIn()
  backups = await mkdtemp(join(tmpdir(), 'parley-erased-'))
})
afterAll(async () => {
  await parley.stop()
  await rm(backups, { recursive: true })
})

/** An operator's command. @returns what it says. */
async function type(command: 'backup' | 'restore', ...args: string[]): Promise<string> {
  const file = join(inject('stack').repoRoot, 'deploy/backup/src/command.ts')
  const env = { MONGODB_URL: parley.database.url }
  const words = [file, command, join(backups, 'saved'), ...args]
  return (await promisify(execFile)(process.execPath, words, { env })).stdout
}

async function placesOf(needle: string) {
  const found = new Set<string>()
  for await (const { store, text } of everythingStored(parley)) if (text.includes(needle)) found.add(store)
  return [...found].sort()
}

test('who was erased after a backup is erased again once it was restored, with everything they wrote', async () => {
  const { writer } = withMerging(parley, ann)
  const { contact, conversation } = await writer('919812378001', 'kingfisher')
  const { contact: other } = await writer('919812378002', 'sandpiper')
  await type('backup')
  await jobEnded(ann, (await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: contact.name })).id)
  expect(await placesOf('kingfisher')).toEqual([])

  await parley.worker.stop()
  expect(await type('restore', '--force')).toContain('1 contacts of the list of erasures are erased again')
  const redis = new Redis(parley.redisUrl)
  await redis.flushdb()
  redis.disconnect()
  expect(await placesOf('kingfisher')).toContain('messages')

  const worker = await parley.startWorker()
  await eventually(async () => expect(await placesOf('kingfisher')).toEqual([]))
  await eventually(async () => {
    const { connection } = parley.database
    expect(await connection.collection('contacts').findOne({ _id: new Types.ObjectId(contact.id) })).toBeNull()
    expect((await ann.call('GET', `/api/conversations/${conversation.id}`)).status).toBe(404)
  })
  expect((await ann.ask('GET', '/api/contacts')).items.map(({ id }: { id: string }) => id)).toEqual([other.id])
  expect(await placesOf('sandpiper')).toContain('messages')
  await worker.stop()
})
