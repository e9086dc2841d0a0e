import { homeCell } from '@parley/contracts/account/cells'
import { cellProcesses } from '@parley/processes/cell'
import { differences, digestWorkspace } from '@parley/service-kit/data/copy-workspace'
import { isApart, partsOf } from '@parley/service-kit/data/erase-workspace'
import type { CellStores, Store } from './cell-stores.ts'
import type { MoveRecord } from './moves.model.ts'

/** Milliseconds for which the ingest process of the other cell may take to answer. */
const answerMs = 5000
const services = ['messaging', 'automation'] as const

/** Returns documents of a collection that has few of each workspace. */
export async function documentsOf({ db }: Store, name: string, workspaceId: string) {
  const [part] = await partsOf(db.collection(name), workspaceId)
  return part ? db.collection(name).find(part.filter, { hint: part.hint }).toArray() : []
}

interface Cells {
  readonly source: CellStores
  readonly target: CellStores
  readonly oneBucket: boolean
}

/** Checks, before anything is stopped, that a move would come to its end. @throws with a sentence for the operator. */
export async function checkMove({ source, target, oneBucket }: Cells, { workspaceId, from }: MoveRecord) {
  for (const name of services) {
    const [of, to] = [source[name], target[name]]
    if ((await of.identity()) === (await to.identity()))
      throw new Error(`CELL_STORES has one ${name} database for both cells`)
    const [ofSource, ofTarget] = [await migrationsOf(of), await migrationsOf(to)]
    if (ofSource !== ofTarget)
      throw new Error(`the ${name} databases have other migrations: bring both cells to one version first`)
    await checkProcesses(name, { of, to })
    if (!oneBucket) await checkBucket(of, workspaceId)
  }
  if (from === homeCell && (await documentsOf(source.automation, 'hooks', workspaceId)).length > 0)
    throw new Error(
      'addresses of workflows made in the home cell name no workspace: revoke them first, and make them anew after the move',
    )
  await checkNumbers(source.messaging, target.messaging, workspaceId)
  const answer = await fetch(new URL(`/hooks/whatsapp/${'0'.repeat(32)}`, target.hooks), {
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
  }).catch(() => undefined)
  await answer?.body?.cancel()
  if (answer?.status !== 403)
    throw new Error(`the ingest process of the other cell does not answer at ${target.hooks}: look at CELL_STORES`)
}

/** Checks that the cell that gets a workspace has nothing of it. */
export async function checkEmpty({ target }: Pick<Cells, 'target'>, { workspaceId }: MoveRecord): Promise<void> {
  for (const name of services)
    if ((await digestWorkspace(target[name].db, workspaceId)).size > 0)
      throw new Error(`the ${name} database of the other cell has documents of the workspace: look at CELL_STORES`)
}

/** Returns what the cells have of a workspace that is not the same. @param staysUntil see `digestWorkspace`. */
export async function compareCells(
  { source, target }: Pick<Cells, 'source' | 'target'>,
  workspaceId: string,
  staysUntil: Date,
) {
  const found = []
  for (const service of services) {
    const ofSource = await digestWorkspace(source[service].db, workspaceId, staysUntil)
    const ofTarget = await digestWorkspace(target[service].db, workspaceId, staysUntil)
    found.push(...differences(ofSource, ofTarget).map((difference) => ({ service, ...difference })))
  }
  return found
}

async function migrationsOf({ db }: Store): Promise<string> {
  const found = await db
    .collection('migrations')
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .toArray()
  return found.map(({ _id }) => String(_id)).join()
}

/** Checks that all processes of both cells are there, with the same keys: those that are not known to rest might work. */
async function checkProcesses(service: (typeof services)[number], { of, to }: { of: Store; to: Store }): Promise<void> {
  const [ofSource, ofTarget] = [await of.moves.processes(), await to.moves.processes()]
  for (const found of [ofSource, ofTarget])
    for (const name of cellProcesses[service])
      if (!found.some((process) => process.name === name))
        throw new Error(
          `no ${name} process of this version tells of itself in ${found === ofSource ? 'the cell that is left' : 'the other cell'}`,
        )
  const known = new Set(ofTarget.flatMap(({ keys = [] }) => keys))
  if (ofSource.some(({ keys = [] }) => keys.some((key) => !known.has(key))))
    throw new Error(
      `${service} of the other cell lacks SECRET_KEYS of this one: what is encrypted could not be read there`,
    )
}

async function checkNumbers(of: Store, to: Store, workspaceId: string): Promise<void> {
  const numbers = (await documentsOf(of, 'numbers', workspaceId)).flatMap(({ connected }) => connected ?? [])
  const taken = await to.db
    .collection('numbers')
    .find({ connected: { $in: numbers } }, { projection: { workspaceId: 1 }, hint: 'connected' })
    .toArray()
  if (taken.some((number) => String(number['workspaceId']) !== workspaceId))
    throw new Error(
      'a number of the workspace is connected in another workspace of the other cell: disconnect one of them first',
    )
}

async function checkBucket({ db }: Store, workspaceId: string): Promise<void> {
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) {
    if (isApart(name)) continue
    const [own] = await partsOf(db.collection(name), workspaceId)
    // Files alone name their workspace by a string.
    if (
      own &&
      own.hint !== '_id_' &&
      (await db.collection(name).findOne({ workspaceId, lies: 'bucket' }, { hint: own.hint }))
    )
      throw new Error(
        'files lie in a bucket: say --one-bucket once both cells have the same, or the objects are copied',
      )
  }
}
