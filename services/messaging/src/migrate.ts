import { runMigrationCommand } from '@parley/service-kit/data/migration-command'

await runMigrationCommand({ name: 'messaging-migrations', directory: `${import.meta.dirname}/migrations` })
