import { parseArgs } from 'node:util'
import { dateAfter } from '@parley/contracts/core/zoned-time'
import { runCommand } from '@parley/service-kit/core/run-process'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { z } from 'zod'
import { configSchema } from './config.ts'
import { createAnswersRepository } from './modules/analytics/answers.repository.ts'
import { createClosuresRepository } from './modules/analytics/closures.repository.ts'
import { createRecountFigures } from './modules/analytics/recount-figures.ts'
import { createRollupsRepository } from './modules/analytics/rollups.repository.ts'
import { createTakeOversRepository } from './modules/analytics/take-overs.repository.ts'
import { createCountedMessages } from './modules/inbox/messages/counted-messages.ts'

/** The longest period at once. */
const maxDays = 800
const optionsSchema = z.object({
  workspace: z.string().regex(/^[0-9a-f]{24}$/, 'Name a workspace by its id: --workspace <id>'),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  repair: z.boolean().default(false),
})

/**
 * Counts the rows behind dashboard and analytics of a workspace again, day by day in UTC, and compares them with the counters:
 * yesterday, or `--from` and `--to`. It reports each difference and ends with an error where there is one; with `--repair` it
 * corrects them instead, also those of messages that are older than the counters.
 */
await runCommand({
  name: 'messaging-recount-figures',
  schema: configSchema.pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true }),
  work: async (config, logger) => {
    const { values } = parseArgs({
      options: {
        workspace: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        repair: { type: 'boolean' },
      },
    })
    const { workspace: workspaceId, repair, ...asked } = optionsSchema.parse(values)
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const { from = asked.to ?? yesterday, to = asked.from ?? yesterday } = asked
    const mongo = await connectMongo(config.MONGODB_URL, { name: 'messaging-recount-figures', logger })
    const recount = createRecountFigures({
      mongo,
      rollups: createRollupsRepository(mongo),
      answers: createAnswersRepository(mongo),
      takeOvers: createTakeOversRepository(mongo),
      closures: createClosuresRepository(mongo),
      messages: createCountedMessages(mongo),
      transaction: (work) => inTransaction(mongo, work),
    })
    let differences = 0
    try {
      for (let day = from, days = 0; day <= to && days < maxDays; day = dateAfter(day, 1), days += 1)
        for (const difference of await recount({ workspaceId }, { day, repair })) {
          differences += 1
          logger.warn({ workspaceId, ...difference, repaired: repair }, 'rows do not bear out a counter')
        }
    } finally {
      await mongo.close()
    }
    logger.info({ workspaceId, from, to, differences, repaired: repair }, 'recounted')
    if (differences > 0 && !repair) throw new Error(`${differences} counters differ from their rows`)
  },
})
