import { fullConnection, type ServiceConnection } from './mongo.ts'

/** Milliseconds after which the clock is read again. */
const rereadMs = 30_000

/**
 * The database's clock, so that all processes mean the same moment however far the machines' own clocks are off. It is read every
 * 30 s and carried on by the process's monotonic clock.
 * @returns what gives the time, in milliseconds since 1970. It rejects where the database has never answered.
 */
export function createDatabaseClock(database: ServiceConnection): () => Promise<number> {
  const connection = fullConnection(database)
  let known: { offset: number; readAt: number } | undefined
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const before = performance.now()
    const answer = await connection.db?.command({ hello: 1, maxTimeMS: 1000 })
    const readAt = performance.now()
    const time: unknown = answer?.['localTime']
    if (!(time instanceof Date)) throw new Error('the database did not tell its time')
    known = { offset: time.getTime() - (before + readAt) / 2, readAt }
  }

  const refresh = () =>
    (reading ??= read().finally(() => {
      reading = undefined
    }))

  return async () => {
    if (!known) await refresh()
    // An older reading is good enough until the next one has arrived.
    else if (performance.now() - known.readAt > rereadMs) refresh().catch(() => undefined)
    if (!known) throw new Error('the database did not tell its time')
    return Math.round(performance.now() + known.offset)
  }
}
