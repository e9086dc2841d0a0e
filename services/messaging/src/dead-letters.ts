import { parseArgs } from 'node:util'
import { runCommand } from '@parley/service-kit/core/run-process'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { configSchema } from './config.ts'
import { createRawEventsRepository } from './modules/channel/ingest/raw-events.repository.ts'

/** Maximum dead jobs that are listed, or put back, at a time. */
const batch = 100

/**
 * Manages pieces of webhooks that failed three times. No option: the count of each workspace. `--workspace <id>` lists the
 * newest, each with its error; adding `--replay` requeues them, all or with `--event <id>` one: the worker applies them as any
 * other, and what was applied before is not applied again. `--discard` with `--event <id>` deletes one that is not needed.
 */
await runCommand({
  name: 'messaging-dead-letters',
  schema: configSchema.pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true }),
  work: async (config, logger) => {
    const { values } = parseArgs({
      options: {
        workspace: { type: 'string' },
        event: { type: 'string' },
        replay: { type: 'boolean', default: false },
        discard: { type: 'boolean', default: false },
      },
    })
    const mongo = await connectMongo(config.MONGODB_URL, { name: 'messaging-dead-letters', logger })
    const events = createRawEventsRepository(mongo)
    try {
      if (values.workspace === undefined) {
        for (const { workspaceId, count } of await events.countDead())
          logger.info({ workspaceId, count }, 'dead letters')
        logger.info('--workspace <id> lists those of one workspace')
        return
      }
      const scope = { workspaceId: values.workspace }
      if (values.discard) {
        if (values.event === undefined) throw new Error('say with --event <id> which one is to be deleted')
        logger.info({ ...scope, discarded: await events.discard(scope, [values.event]) }, 'deleted')
        return
      }
      if (values.replay) {
        logger.info({ ...scope, replayed: await replay(scope, values.event) }, 'put back; the worker applies them')
        return
      }
      for (const { id, kind, field, receivedAt, deadAt, error } of await events.dead(scope, batch))
        logger.info({ id, kind, field, receivedAt, deadAt, error }, 'dead letter')
    } finally {
      await mongo.close()
    }

    async function replay(scope: { workspaceId: string }, event: string | undefined): Promise<number> {
      if (event !== undefined) return events.replay(scope, [event], laneOf(event))
      let count = 0
      for (;;) {
        const ids = (await events.dead(scope, batch)).map(({ id }) => id)
        if (ids.length === 0) return count
        count += await events.replay(scope, ids, laneOf(scope.workspaceId))
      }
    }
  },
})
