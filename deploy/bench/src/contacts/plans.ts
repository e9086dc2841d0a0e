import type { Db } from 'mongodb'

/** How the server has carried out the queries of some work, as its own profiler has written it down. */
export async function plansOf(db: Db, work: () => Promise<unknown>) {
  await db.setProfilingLevel('all')
  try {
    await work()
  } finally {
    await db.setProfilingLevel('off')
  }
  const profiled = await db
    .collection('system.profile')
    .find({ planSummary: { $exists: true } })
    .toArray()
  await db.dropCollection('system.profile')
  return profiled.map(({ ns, planSummary, hasSortStage }) => ({
    collection: String(ns),
    plan: String(planSummary),
    sortsInMemory: hasSortStage === true,
  }))
}
