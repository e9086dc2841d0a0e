import { segmentsApi } from '@parley/contracts/contacts/segments'
import { ObjectId } from 'mongodb'
import { z } from 'zod'
import { startOwnServer } from '../messaging/own-server.ts'
import { log } from '../report.ts'
import { type Sizes, seedWorkspace, withoutIndexes } from '../seed/seed-workspace.ts'
import { fiveLevels, type Known, orders } from './questions.ts'

const deepPages = 50
const largestPage = 100

export interface Seeded {
  readonly workspaceId: string
  readonly known: Known
}

const pageSchema = z.object({ items: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })
const segmentSchema = z.object({ id: z.string() })

/** The messaging service on a database of its own with a workspace of a size and one of a tenth, both loaded by the bench. */
export async function startRig(sizes: Sizes, cleanUp: AsyncDisposableStack) {
  const { db, call } = await startOwnServer(cleanUp)
  const tenth = (count: number) => Math.ceil(count / 10)
  const sizesOfTenth = {
    contacts: tenth(sizes.contacts),
    conversations: tenth(sizes.conversations),
    messages: tenth(sizes.messages),
  }
  const ids = { large: new ObjectId(), small: new ObjectId() }
  await withoutIndexes(db, async () => {
    await seedWorkspace(db, ids.large, { sizes })
    await seedWorkspace(db, ids.small, { sizes: sizesOfTenth })
  })
  log('loaded and indexed')
  return { db, ask, large: await prepare(ids.large.toHexString()), small: await prepare(ids.small.toHexString()) }

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
}
