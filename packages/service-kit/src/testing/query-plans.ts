import type { Connection } from 'mongoose'

/** Execution of one query by the server. */
interface QueryPlan {
  readonly collection: string
  readonly plan: string
  readonly sortsInMemory: boolean
  /** Documents that it has read, beside keys of indexes. */
  readonly documents: number
}

/**
 * Runs `work` and answers with the plan of every query that it has sent to its database, as the server's own profiler has
 * written it down.
 */
export async function queryPlans({ db }: Pick<Connection, 'db'>, work: () => Promise<unknown>): Promise<QueryPlan[]> {
  if (!db) throw new Error('the connection is not open')
  await db.setProfilingLevel('all')
  try {
    await work()
  } finally {
    await db.setProfilingLevel('off')
  }
  const profiled = await db
    .collection('system.profile')
    .find({ planSummary: { $exists: true } })
    .sort({ ts: 1 })
    .toArray()
  await db.dropCollection('system.profile')
  return profiled
    .filter(({ ns }) => !String(ns).endsWith('.system.profile'))
    .map(({ ns, planSummary, hasSortStage, docsExamined }) => ({
      collection: String(ns).slice(String(ns).indexOf('.') + 1),
      plan: String(planSummary),
      sortsInMemory: hasSortStage === true,
      documents: Number(docsExamined ?? 0),
    }))
}

/**
 * Refuses lists that walk a whole collection or sort in memory. @throws where `work` sends no query, or one that does.
 * @param options.fewSorted what few records match may be sorted in memory.
 */
export async function expectIndexed(
  connection: Connection,
  work: () => Promise<unknown>,
  { fewSorted = false }: { fewSorted?: boolean } = {},
): Promise<void> {
  const plans = await queryPlans(connection, work)
  if (plans.length === 0) throw new Error('no query was sent')
  for (const { collection, plan, sortsInMemory } of plans) {
    if (/COLLSCAN/.test(plan)) throw new Error(`a query walks all of ${collection}`)
    if (sortsInMemory && !fewSorted) throw new Error(`a query on ${collection} sorts in memory: ${plan}`)
  }
}
