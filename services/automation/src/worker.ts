import { runWorker } from '@parley/service-kit/queue/run-worker'
import { workerConfigSchema } from './config.ts'
import { openAutomation } from './open-automation.ts'

const name = 'automation-worker'

/** Moves sessions of bots on: reads what has happened, does what follows, and wakes what has waited. */
await runWorker({
  name,
  service: 'automation',
  schema: workerConfigSchema,
  start: async (config, { logger, metrics, queues, giveUp }) => {
    const automation = await openAutomation(name, config, { logger, metrics, queues, giveUp })
    const { database, services } = automation
    queues.workJobs('routing', {
      perform: services.bots.telling.perform,
      pendingRecords: async () => (database.isOpen() ? services.bots.telling.due() : []),
    })
    queues.workJobs('removed-bots', {
      perform: services.bots.removal.perform,
      pendingRecords: async () => (database.isOpen() ? services.bots.removal.due() : []),
      concurrency: 1,
    })
    return {
      probes: [automation.probe],
      publicKeys: automation.publicKeys,
      oldestPendingAt: async () => undefined,
      close: database.close,
    }
  },
})
