import { MongoClient } from 'mongodb'
import { z } from 'zod'
import { Refusal } from './refusal.ts'

const urlSchema = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\/[^/]+\/[\w-]+/)
  .catch(() => {
    throw new Refusal('MONGODB_URL must be a mongodb URL that names a database.')
  })

/** Runs a command on the database of MONGODB_URL; what it refuses is one line and exit code 1. */
export async function onDatabase(work: (client: MongoClient) => Promise<void>): Promise<void> {
  let client: MongoClient | undefined
  try {
    client = new MongoClient(urlSchema.parse(process.env['MONGODB_URL']), {
      appName: 'parley-backup',
      serverSelectionTimeoutMS: 5000,
      retryWrites: true,
    })
    await client.connect()
    await work(client)
  } catch (error) {
    process.exitCode = 1
    // The URL holds a password; the driver's messages name hosts only.
    console.error(
      error instanceof Refusal ? error.message : `Failed: ${error instanceof Error ? error.message : error}`,
    )
  } finally {
    await client?.close()
  }
}

/** @throws Refusal with how the command is called. */
export function folderOf(args: readonly string[], usage: string): string {
  const [folder, ...more] = args.filter((arg) => !arg.startsWith('--'))
  if (!folder || more.length > 0) throw new Refusal(`usage: ${usage}`)
  return folder
}
