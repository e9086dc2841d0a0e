import { startStack } from '@parley/local/stack'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { type Db, MongoClient, ObjectId } from 'mongodb'
import { z } from 'zod'
import { type Sizes, seedWorkspace } from '../seed/seed-workspace.ts'
import type { Known, Order } from './questions.ts'

/** Tokens of signed-in people live for two minutes. */
const tokenLifeMs = 60_000
/** Memory of MongoDB for its records, as for so many on a machine of their own. */
const cacheMiB = 1536
const deepPages = 50
const largestPage = 100
const orders: readonly Order[] = ['last_contact', 'name', 'newest']
const collections = ['contacts', 'conversations', 'messages', 'messageSearch'] as const

export interface Seeded {
  readonly workspaceId: string
  readonly known: Known
}

const pageSchema = z.object({ items: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })

/** The messaging service on a database of its own with a workspace of a size and one of a tenth, both loaded by the bench. */
export async function startRig(sizes: Sizes, say: (line: string) => void) {
  const authority = await startInternalAuthority()
  const stack = await startStack({
    dataDir: throwAwayFolder(),
    components: ['mongodb', 'redis', 'messaging'],
    env: { messaging: { INTERNAL_ISSUERS: authority.issuers, SAMPLE_DATA: 'off', NODE_ENV: 'production' } },
    environment: {},
    throwAway: true,
  })
  const mongo = new MongoClient(stack.env.messaging['MONGODB_URL'] ?? '')
  const stop = async () => {
    await mongo.close()
    await stack.stop()
    await authority.close()
  }
  const origin = `http://127.0.0.1:${stack.env.messaging['PORT']}`
  const bearers = new Map<string, { value: string; until: number }>()

  async function bearerOf(workspaceId: string): Promise<string> {
    const known = bearers.get(workspaceId)
    if (known && known.until > Date.now()) return known.value
    const claims = { sub: 'b'.repeat(24), wid: workspaceId, role: 'owner', aud: 'messaging' } as const
    const person = { email: 'bench@parley.test', email_verified: true, provider: 'password' }
    const value = `Bearer ${await authority.userToken({ ...claims, ...person })}`
    bearers.set(workspaceId, { value, until: Date.now() + tokenLifeMs })
    return value
  }

  async function get(path: string, workspaceId: string): Promise<unknown> {
    const response = await fetch(`${origin}${path}`, { headers: { authorization: await bearerOf(workspaceId) } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }

  /** @returns after how many milliseconds the whole answer was there. */
  async function ask(path: string, { workspaceId }: Pick<Seeded, 'workspaceId'>): Promise<number> {
    const begun = performance.now()
    await get(path, workspaceId)
    return performance.now() - begun
  }

  /** @returns the parameter that continues far down; nothing where one page is all there is. */
  async function farDown(path: string, workspaceId: string): Promise<string> {
    let from = ''
    for (let page = 0; page < deepPages; page += 1) {
      const { nextCursor } = pageSchema.parse(await get(`${path}limit=${largestPage}${from}`, workspaceId))
      if (nextCursor === null) break
      from = `&cursor=${nextCursor}`
    }
    return from
  }

  async function prepare(workspaceId: string): Promise<Seeded> {
    const deep = new Map<string, string>()
    for (const order of orders) deep.set(order, await farDown(`/api/contacts?sort=${order}&`, workspaceId))
    const deepInbox = await farDown('/api/conversations?', workspaceId)
    const { items } = pageSchema.parse(await get('/api/conversations?limit=20', workspaceId))
    const [longThread, , , thread] = items.map(({ id }) => id)
    if (longThread === undefined || thread === undefined) throw new Error('the workspace has no conversations')
    return { workspaceId, known: { deep, deepInbox, longThread, thread } }
  }

  try {
    const db = mongo.db()
    // A launcher's database keeps little in memory; a million contacts are served from as much as they are planned with.
    await db.admin().command({ setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${cacheMiB}M` })
    const tenth = { contacts: 0, conversations: 0, messages: 0 }
    for (const what of ['contacts', 'conversations', 'messages'] as const) tenth[what] = Math.ceil(sizes[what] / 10)
    const ids = { large: new ObjectId(), small: new ObjectId() }
    await withoutIndexes(db, async () => {
      await seedWorkspace(db, ids.large, { sizes, say })
      await seedWorkspace(db, ids.small, { sizes: tenth, say })
    })
    say('loaded and indexed')
    const [large, small] = [await prepare(ids.large.toHexString()), await prepare(ids.small.toHexString())]
    return { db, ask, large, small, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** An index that is built at the end costs a tenth of one that is written with each record. */
async function withoutIndexes(db: Db, work: () => Promise<void>): Promise<void> {
  const indexes = []
  for (const name of collections) {
    const all = await db.collection(name).indexes()
    indexes.push({ name, own: all.filter(({ key }) => Object.keys(key).join() !== '_id') })
    await db.collection(name).dropIndexes()
  }
  await work()
  for (const { name, own } of indexes)
    await db.collection(name).createIndexes(own.map(({ v: _version, ...index }) => ({ ...index })))
}
