import { inRounds } from '../load.ts'
import { type Rig, startRig } from '../messaging/rig.ts'
import { makeConversations, measureApply, measureSends, sendOneOnEachNumber } from '../messaging/worker-runs.ts'
import { log, type Measure } from '../report.ts'

const numbers = 8
/** Consumers of the log of events: counters, and the bell. */
const consumers = ['figures', 'notifications'] as const
type Consumer = (typeof consumers)[number]
/** A consumer that has read as far has nothing to do. */
const farAhead = 1e12

/** Rates of one worker with each consumer at work, with both and with neither. */
export async function measureCounting(
  { rounds, sends, short }: { rounds: number; sends: number; short: boolean },
  cleanUp: AsyncDisposableStack,
): Promise<Measure[]> {
  const rig = await startRig(numbers, cleanUp)
  const connections = short ? 16 : 128
  await makeConversations(rig, short ? 80 : 2000, connections)
  const models = await sendOneOnEachNumber(rig)
  const measure = (active: readonly Consumer[]) => async () => {
    log(`${sends} messages leave and ${sends * 4} events are applied, ${active.join(' and ') || 'nobody'} reading …`)
    await setReading(rig, active)
    const leaving = await measureSends(rig, models, sends, active)
    const applying = await measureApply(rig, connections, active)
    return { sends: leaving.perSecond, apply: applying.perSecond }
  }
  const results = await inRounds(rounds, {
    off: measure([]),
    figures: measure(['figures']),
    notifications: measure(['notifications']),
    both: measure(consumers),
  })
  const { off = [] } = results
  const ofOff = (on: string, rate: 'sends' | 'apply') =>
    (results[on] ?? []).map((run, round) => run[rate] / (off[round]?.[rate] ?? Number.NaN))
  return [
    { name: 'sends with nobody reading', values: off.map((run) => run.sends), unit: 'messages/s' },
    { name: 'apply with nobody reading', values: off.map((run) => run.apply), unit: 'events/s' },
    { name: 'sends with figures, of those without', values: ofOff('figures', 'sends'), goal: { atLeast: 0.93 } },
    { name: 'apply with figures, of that without', values: ofOff('figures', 'apply'), goal: { atLeast: 0.93 } },
    { name: 'sends with the bell, of those without', values: ofOff('notifications', 'sends') },
    { name: 'apply with the bell, of that without', values: ofOff('notifications', 'apply') },
    { name: 'sends with both, of those with neither', values: ofOff('both', 'sends') },
    { name: 'apply with both, of that with neither', values: ofOff('both', 'apply') },
  ]
}

/** Has these consumers read from now on, and the others nothing. No worker may be running. */
async function setReading({ db }: Rig, active: readonly Consumer[]): Promise<void> {
  for (const head of await db.collection('eventHeads').find().toArray())
    for (const consumer of consumers)
      await db
        .collection('eventCursors')
        .updateOne(
          { workspaceId: head._id, consumer },
          { $set: { seq: active.includes(consumer) ? head['seq'] : farAhead } },
          { upsert: true },
        )
  // Work that is due is found again with the next event.
  await db.collection('eventHeads').updateMany({}, { $pull: { due: { $in: [...consumers] } } } as object)
}
