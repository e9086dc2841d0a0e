import { runMigrationCommand } from '@parley/service-kit/data/migration-command'

await runMigrationCommand({ name: 'automation-migrations', directory: `${import.meta.dirname}/migrations` })
