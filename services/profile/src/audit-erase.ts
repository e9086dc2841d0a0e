import { parseArgs } from 'node:util'
import { runCommand } from '@parley/service-kit/core/run-process'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import { configSchema } from './config.ts'
import { createAuditRepository } from './modules/audit/audit.repository.ts'

/**
 * Erases what the audit logs of all workspaces say of where a person was, for one who asks for it: `--user <id>`. What they did stays,
 * under their id, and the chains still verify.
 */
await runCommand({
  name: 'audit-erase',
  schema: configSchema.pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true }),
  work: async ({ MONGODB_URL }, logger) => {
    const { user = '' } = parseArgs({ options: { user: { type: 'string' } } }).values
    if (!isId(user)) throw new Error('--user is the id of a person')
    const mongo = await connectMongo(MONGODB_URL, { name: 'audit-erase', logger })
    try {
      const records = createAuditRepository(mongo)
      let erased = 0
      for (const workspaceId of await records.workspaceIds())
        erased += await records.erasePersonal({ workspaceId }, user)
      logger.info({ user, erased }, 'addresses and devices were erased from entries')
    } finally {
      await mongo.close()
    }
  },
})
