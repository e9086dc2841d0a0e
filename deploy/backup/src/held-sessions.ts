import { type Db, Int32 } from 'mongodb'

/** Reason that people see with each held session. */
const reason =
  'Held: the database was restored, and nobody knows what has happened in this conversation since the backup.'

/** Higher than any number that messaging may have been told since the backup. */
const restoredRise = 1_000_000

/**
 * Holds the sessions of bots that had not ended when a backup was taken: what they wait for may be long over, and what they were
 * about to send may have left. Conversations of sessions that somebody has ended go to people. @returns how many.
 */
export async function holdSessions(db: Db): Promise<number> {
  const { modifiedCount } = await db.collection('runs').updateMany(
    { live: true, status: { $ne: 'held' }, ending: { $exists: false } },
    {
      $set: { status: 'held', reason },
      $unset: { lane: '', retryAt: '', dueAt: '', dueFor: '', dueLane: '' },
      $inc: { version: 1 },
    },
  )
  return modifiedCount
}

/** Doubts calls to other systems that had not been made: they may have been since. The worker repeats only what does no harm. */
export async function doubtCalls(db: Db): Promise<void> {
  await db
    .collection('calls')
    .updateMany({ state: 'waiting' }, { $set: { state: 'started', dueAt: new Date(0) }, $unset: { lease: '' } })
}

/** Has messaging told again where bots are active, by a number that it accepts. */
export async function tellRouting(db: Db): Promise<void> {
  await db
    .collection('routing')
    .updateMany({}, { $inc: { number: new Int32(restoredRise) }, $set: { watch: 'routing', tellAt: new Date() } })
}
