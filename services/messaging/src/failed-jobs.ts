import { failedJobsCommand } from '@parley/service-kit/queue/failed-jobs-command'
import { configSchema } from './config.ts'

await failedJobsCommand(
  'messaging',
  configSchema.pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true, REDIS_URL: true }),
)
