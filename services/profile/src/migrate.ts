import { runMigrationCommand } from '@parley/service-kit/data/migration-command'

await runMigrationCommand({ name: 'profile-migrations', directory: `${import.meta.dirname}/migrations` })
