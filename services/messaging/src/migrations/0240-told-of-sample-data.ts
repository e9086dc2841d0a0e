import type { Connection } from 'mongoose'

const batchSize = 1000

/** Has automation read on where sample data was loaded before bots belonged to it: it stores them when it begins there. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const heads = db.collection('eventHeads')
  let ids: unknown[] = []
  const flush = async () => {
    if (ids.length > 0) await heads.updateMany({ _id: { $in: ids as [] } }, { $addToSet: { due: 'automation' } })
    ids = []
  }
  for await (const { workspaceId } of db.collection('sampleData').find({ state: 'loaded' })) {
    ids.push(workspaceId)
    if (ids.length >= batchSize) await flush()
  }
  await flush()
}
