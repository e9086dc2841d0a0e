import { type Db, type Document, ObjectId } from 'mongodb'
import { z } from 'zod'
import { startOwnServer } from '../messaging/own-server.ts'
import { log } from '../report.ts'
import { insertAll, type Sizes, seedWorkspace, withoutIndexes } from '../seed/seed-workspace.ts'
import type { KnownFigures } from './questions.ts'

const dayMs = 86_400_000
/** Days with counters: 90, and as many before them. */
const countedDays = 182
const quarters = 96
const members = 20
const deepPages = 50

const pageSchema = z.object({ nextCursor: z.string().nullable() })

/**
 * The messaging service on a database of its own with a workspace of a size and one of a tenth, whose messages are stored as rows
 * and whose counters and waits are written as a worker would have.
 */
export async function startFiguresRig(sizes: Sizes, cleanUp: AsyncDisposableStack) {
  const { db, call } = await startOwnServer(cleanUp)
  const tenth = (count: number) => Math.ceil(count / 10)
  const ids = { large: new ObjectId(), small: new ObjectId() }
  const sizesOfTenth = {
    contacts: tenth(sizes.contacts),
    conversations: tenth(sizes.conversations),
    messages: tenth(sizes.messages),
  }
  await withoutIndexes(db, async () => {
    await seedWorkspace(db, ids.large, { sizes })
    await seedWorkspace(db, ids.small, { sizes: sizesOfTenth })
  })
  const memberIds = Array.from({ length: members }, () => new ObjectId().toHexString())
  await seedFigures(db, ids.large, memberIds, sizes.conversations)
  await seedFigures(db, ids.small, memberIds, sizesOfTenth.conversations)
  log('loaded and indexed')
  return { ask, large: await prepare(ids.large), small: await prepare(ids.small) }

  async function ask(path: string, { workspaceId }: { readonly workspaceId: string }): Promise<number> {
    const begun = performance.now()
    await call({ path, workspaceId })
    return performance.now() - begun
  }

  async function prepare(of: ObjectId): Promise<{ workspaceId: string; known: KnownFigures }> {
    const workspaceId = of.toHexString()
    const number = await db.collection('numbers').findOne({ workspaceId: of })
    const [from, to] = [dayOf(89), dayOf(0)]
    let deep = ''
    for (let page = 0; page < deepPages; page += 1) {
      const path = `/api/analytics/rows?metric=totalMessages&from=${from}&to=${to}&limit=100${deep}`
      const { nextCursor } = pageSchema.parse(await call({ path, workspaceId }))
      if (nextCursor === null) break
      deep = `&cursor=${nextCursor}`
    }
    const known = { numberId: String(number?._id), memberId: memberIds[0] ?? '', from, to, deep }
    return { workspaceId, known }
  }
}

const dayOf = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)

/** Writes counters of each quarter of an hour, a wait for each conversation, and gives what was sent to members. */
async function seedFigures(
  db: Db,
  workspaceId: ObjectId,
  memberIds: readonly string[],
  conversations: number,
): Promise<void> {
  const number = await db.collection('numbers').findOne({ workspaceId })
  const ofMembers = memberIds.map((id) => `member:${id}`)
  const scopes = ['workspace', `number:${number?._id}`, ...ofMembers]
  const counts = (place: number): Document => ({
    sent: 7 + (place % 5),
    delivered: 6,
    received: 4,
    begun: 3,
    answered: 2,
  })
  const slotsOf = (length: number) => Object.fromEntries(Array.from({ length }, (_, place) => [place, counts(place)]))
  const [allDay, atWork] = [slotsOf(quarters), slotsOf(quarters / 3)]
  await insertAll(db.collection('rollups'), countedDays * scopes.length, (index) => ({
    workspaceId,
    scope: scopes[index % scopes.length],
    day: dayOf(Math.floor(index / scopes.length)),
    part: 'counted',
    slots: index % scopes.length < 2 ? allDay : atWork,
  }))
  const spreadMs = (90 * dayMs) / Math.max(1, conversations)
  await insertAll(db.collection('answers'), conversations, (index) => {
    const since = new Date(Date.now() - index * spreadMs)
    const isOpen = index % 50 === 0
    return {
      ...{ workspaceId, numberId: number?._id, conversationId: new ObjectId(), contactId: new ObjectId(), since },
      ...(isOpen
        ? { open: true }
        : {
            answeredAt: new Date(since.getTime() + 300_000),
            by: { kind: 'member', id: memberIds[index % memberIds.length] },
            openSeconds: 300,
            inTime: true,
          }),
    }
  })
  const author = { $arrayElemAt: [memberIds, { $mod: [{ $second: '$sentAt' }, members] }] }
  await db.collection('messages').updateMany({ workspaceId, direction: 'outbound' }, [{ $set: { 'cause.id': author } }])
}
