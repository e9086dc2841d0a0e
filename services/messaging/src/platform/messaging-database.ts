import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import { loadMigrations } from '@parley/service-kit/data/migrations'
import { watchWrites } from '@parley/service-kit/data/mongo'
import { openDatabase } from '@parley/service-kit/data/open-database'
import type { Probe } from '@parley/service-kit/http/operations'

/** Opens the database of messaging, and tells whether it answers. */
export async function openMessagingDatabase(
  name: string,
  config: { readonly MONGODB_URL: string; readonly MONGODB_POOL_SIZE: number },
  {
    logger,
    metrics,
    giveUp,
  }: { readonly logger: Logger; readonly metrics: Metrics; readonly giveUp: (error: unknown) => void },
) {
  const migrations = await loadMigrations(`${import.meta.dirname}/../migrations`)
  const database = openDatabase(config, { name, logger, metrics, migrations, onHopeless: giveUp })
  const writes = watchWrites(database.connection)
  const probe: Probe = {
    name: 'mongodb',
    required: true,
    check: async () => database.isOpen() && writes.answers(),
    retry: database.retry,
  }
  return { database, probe, translateError: writes.translateError }
}
