import { z } from 'zod'
import { runCommand } from '../core/run-process.ts'
import { loadMigrations, runMigrations } from '../data/migrations.ts'
import { connectMongo } from '../data/mongo.ts'

/** A process that brings MONGODB_URL up to date with the migrations of a folder that a test wrote. */
await runCommand({
  name: 'migrate-folder',
  schema: z.object({ MONGODB_URL: z.string(), FOLDER: z.string(), LEASE_MS: z.coerce.number() }),
  work: async ({ MONGODB_URL, FOLDER, LEASE_MS }, logger) => {
    const mongo = await connectMongo(MONGODB_URL, { name: 'migrate-folder', logger })
    try {
      await runMigrations(mongo, { migrations: await loadMigrations(FOLDER), logger, leaseMs: LEASE_MS })
    } finally {
      await mongo.close()
    }
  },
})
