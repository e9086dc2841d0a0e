import { parseArgs } from 'node:util'
import { plans } from '@parley/contracts/usage/plans'
import { runCommand } from '@parley/service-kit/core/run-process'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { configSchema } from './config.ts'
import { createReadHours } from './modules/outbound/sending-hours/sending-hours.service.ts'
import { createSampleDataRepository } from './modules/sample/sample-data.repository.ts'
import { createUsageWatchesRepository } from './modules/usage/meter/usage-watches.repository.ts'
import { createAllowance } from './modules/usage/plan/allowance.ts'
import { createApplyPlan } from './modules/usage/plan/apply-plan.ts'
import { createUsagePeriodsRepository } from './modules/usage/plan/usage-periods.repository.ts'

/** `--workspace <id> --plan <starter>`: puts a workspace on a plan at once; what it has used of its period stays used. */
await runCommand({
  name: 'messaging-set-plan',
  schema: configSchema.pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true }),
  work: async (config, logger) => {
    const { values } = parseArgs({ options: { workspace: { type: 'string' }, plan: { type: 'string' } } })
    const { workspace: workspaceId = '' } = values
    const plan = plans.find(({ id }) => id === values.plan)
    if (!plan || !isId(workspaceId))
      throw new Error(`say --workspace <id> and --plan <one of ${plans.map(({ id }) => id).join(', ')}>`)
    const mongo = await connectMongo(config.MONGODB_URL, { name: 'messaging-set-plan', logger })
    try {
      const periods = createUsagePeriodsRepository(mongo)
      const allowanceAt = createAllowance({
        periods,
        sampleStates: createSampleDataRepository(mongo),
        readHours: createReadHours(mongo),
        hasLimits: true,
      })
      const { applyPlan } = createApplyPlan({
        periods,
        allowanceAt,
        watches: createUsageWatchesRepository(mongo),
        transaction: (work) => inTransaction(mongo, work),
      })
      await applyPlan({ workspaceId }, { plan: plan.id, source: 'operator' })
      logger.info({ workspaceId, plan: plan.id }, 'the workspace is on this plan')
    } finally {
      await mongo.close()
    }
  },
})
