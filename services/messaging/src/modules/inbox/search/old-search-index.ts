import { fullConnection, type ServiceConnection } from '@parley/service-kit/data/mongo'

type Db = NonNullable<ReturnType<typeof fullConnection>['db']>

/** Number of the migration since which the index is not asked for. */
const replacedBy = 652
/** Milliseconds after which an upgrade has replaced every older process. */
const upgradedMs = 24 * 3600_000
const name = 'words'

const hasIt = async (db: Db): Promise<boolean> =>
  (await db.collection('messageSearch').indexes()).some((index) => index.name === name)

/** Drops the index of words that older versions used. Safe to run again. */
export async function dropOldSearchIndex(db: Db): Promise<void> {
  if (await hasIt(db)) await db.collection('messageSearch').dropIndex(name)
}

/** Makes what tells whether the old index is still there a day after it was replaced; it asks no more once it is gone. */
export function createOldSearchIndex(connection: ServiceConnection, now = Date.now) {
  let isGone = false
  const dbOf = () => {
    const { db } = fullConnection(connection)
    if (!db) throw new Error('the database is not open')
    return db
  }
  return {
    isDue: async (): Promise<boolean> => {
      if (isGone) return false
      const db = dbOf()
      isGone = !(await hasIt(db))
      if (isGone) return false
      const applied = await db.collection<{ _id: number; appliedAt: Date }>('migrations').findOne({ _id: replacedBy })
      return applied !== null && applied.appliedAt.getTime() < now() - upgradedMs
    },
    drop: () => dropOldSearchIndex(dbOf()),
  }
}
