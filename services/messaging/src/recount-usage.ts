import { parseArgs } from 'node:util'
import { runCommand } from '@parley/service-kit/core/run-process'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { configSchema } from './config.ts'
import { createPricedMessages } from './modules/inbox/messages/priced-messages.ts'
import { createUsageRecount } from './modules/usage/ledger/recount-usage.ts'

/**
 * Compares the rows of usage, of which credits and costs are sums, with WhatsApp's reports on each message: of all workspaces or,
 * with `--workspace <id>`, of one. It changes nothing, reports each difference, and ends with an error where there is one.
 */
await runCommand({
  name: 'messaging-recount-usage',
  schema: configSchema.pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true }),
  work: async (config, logger) => {
    const { values } = parseArgs({ options: { workspace: { type: 'string' } } })
    const mongo = await connectMongo(config.MONGODB_URL, { name: 'messaging-recount-usage', logger })
    const recount = createUsageRecount(mongo)
    const { workspace } = values
    let differences = 0
    try {
      const workspaceIds = workspace === undefined ? await createPricedMessages(mongo).workspaceIds() : [workspace]
      for (const workspaceId of workspaceIds) {
        const counts = await recount({ workspaceId }, (difference) => {
          differences += 1
          logger.warn({ workspaceId, ...difference }, 'a message and its row of usage do not agree')
        })
        logger.info({ workspaceId, ...counts }, 'recounted')
      }
    } finally {
      await mongo.close()
    }
    if (differences > 0) throw new Error(`${differences} messages and their rows of usage do not agree`)
  },
})
