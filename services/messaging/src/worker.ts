import { createSecretBox } from '@parley/service-kit/core/secret-box'
import { loadMigrations } from '@parley/service-kit/data/migrations'
import { watchWrites } from '@parley/service-kit/data/mongo'
import { openDatabase } from '@parley/service-kit/data/open-database'
import { laneCount } from '@parley/service-kit/queue/lanes'
import { runWorker } from '@parley/service-kit/queue/run-worker'
import { workerConfigSchema } from './config.ts'
import { createServices } from './services.ts'

/** Work that is younger is left to its wake-up. */
const overdueMs = 3000

const allLanes = Array.from({ length: laneCount }, (_, lane) => lane)

/** Applies what WhatsApp has sent, and sends what people have written. */
await runWorker({
  name: 'messaging-worker',
  service: 'messaging',
  schema: workerConfigSchema,
  start: async (config, { logger, queues, giveUp }) => {
    const migrations = await loadMigrations(`${import.meta.dirname}/migrations`)
    const database = openDatabase(config.MONGODB_URL, {
      name: 'messaging-worker',
      logger,
      migrations,
      onHopeless: giveUp,
    })
    const writes = watchWrites(database.connection)
    const services = createServices({
      logger,
      mongo: database.connection,
      box: createSecretBox(config.SECRET_KEYS),
      applyLanes: queues.lanes('apply'),
      sendLanes: queues.lanes('send'),
      hooksUrl: config.HOOKS_PUBLIC_URL,
    })
    const overdueIn = (oldestIn: (lane: number) => Promise<Date | undefined>) => async () => {
      if (!database.isOpen()) return []
      const before = Date.now() - overdueMs
      const oldest = await Promise.all(allLanes.map(oldestIn))
      return allLanes.filter((lane) => (oldest[lane]?.getTime() ?? Number.POSITIVE_INFINITY) < before)
    }
    queues.workLanes('apply', { drain: services.apply.drain, pendingLanes: overdueIn(services.rawEvents.oldestIn) })
    queues.workLanes('send', { drain: services.sender.drain, pendingLanes: overdueIn(services.outbox.oldestIn) })
    return {
      probes: [
        {
          name: 'mongodb',
          required: true,
          check: async () => database.isOpen() && writes.answers(),
          retry: database.retry,
        },
      ],
      oldestPendingAt: async () => {
        const dates = await Promise.all(allLanes.map(services.rawEvents.oldestIn))
        const times = dates.flatMap((date) => date?.getTime() ?? [])
        return times.length > 0 ? new Date(Math.min(...times)) : undefined
      },
      close: async () => {
        await services.graphs.close()
        await database.close()
      },
    }
  },
})
