import { segmentsApi } from '@parley/contracts/segments'
import { ObjectId } from 'mongodb'
import { z } from 'zod'
import { startOwnServer } from '../messaging/own-server.ts'
import { log } from '../report.ts'
import { type Sizes, seedWorkspace } from '../seed/seed-workspace.ts'
import { withoutIndexes } from '../seed/without-indexes.ts'
import { fiveLevels, type Known, type Order } from './questions.ts'

const deepPages = 50
const largestPage = 100
const orders: readonly Order[] = ['last_contact', 'name', 'newest']

export interface Seeded {
  readonly workspaceId: string
  readonly known: Known
}

const pageSchema = z.object({ items: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })
const segmentSchema = z.object({ id: z.string() })

/** The messaging service on a database of its own with a workspace of a size and one of a tenth, both loaded by the bench. */
export async function startRig(sizes: Sizes) {
  const { db, call, stop } = await startOwnServer()

  /** @returns after how many milliseconds the whole answer was there. */
  async function ask(path: string, { workspaceId }: Pick<Seeded, 'workspaceId'>): Promise<number> {
    const begun = performance.now()
    await call({ path, workspaceId })
    return performance.now() - begun
  }

  /** @returns the parameter that continues far down; nothing where one page is all there is. */
  async function farDown(path: string, workspaceId: string): Promise<string> {
    let from = ''
    for (let page = 0; page < deepPages; page += 1) {
      const answer = await call({ path: `${path}limit=${largestPage}${from}`, workspaceId })
      const { nextCursor } = pageSchema.parse(answer)
      if (nextCursor === null) break
      from = `&cursor=${nextCursor}`
    }
    return from
  }

  async function prepare(workspaceId: string): Promise<Seeded> {
    const deep = new Map<string, string>()
    for (const order of orders) deep.set(order, await farDown(`/api/contacts?sort=${order}&`, workspaceId))
    const deepInbox = await farDown('/api/conversations?', workspaceId)
    const { items } = pageSchema.parse(await call({ path: '/api/conversations?limit=20', workspaceId }))
    const [longThread, , , thread] = items.map(({ id }) => id)
    if (longThread === undefined || thread === undefined) throw new Error('the workspace has no conversations')
    const { method, path } = segmentsApi.create
    const body = { name: 'Five levels', filter: fiveLevels }
    const { id: segment } = segmentSchema.parse(await call({ method, path, workspaceId, body }))
    return { workspaceId, known: { deep, deepInbox, longThread, thread, segment } }
  }

  try {
    const tenth = { contacts: 0, conversations: 0, messages: 0 }
    for (const what of ['contacts', 'conversations', 'messages'] as const) tenth[what] = Math.ceil(sizes[what] / 10)
    const ids = { large: new ObjectId(), small: new ObjectId() }
    await withoutIndexes(db, async () => {
      await seedWorkspace(db, ids.large, { sizes })
      await seedWorkspace(db, ids.small, { sizes: tenth })
    })
    log('loaded and indexed')
    const [large, small] = [await prepare(ids.large.toHexString()), await prepare(ids.small.toHexString())]
    return { db, ask, large, small, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
