import { join } from 'node:path'
import { describeProcess, type ProcessName, processNames } from '@parley/processes/processes'
import { loadMigrations, type Migration } from '@parley/service-kit/data/migrations'
import { MongoClient } from 'mongodb'
import { z } from 'zod'
import { withDatabase } from './components/mongodb.ts'
import { repoRoot } from './paths.ts'
import type { Check } from './problem.ts'

const timeoutMs = 2000
/** As `migrations.ts` of the service kit records what it has done; a record of an old version has no kind. */
const appliedSchema = z.array(z.object({ _id: z.number(), name: z.string(), kind: z.string().optional() }))
type Applied = z.infer<typeof appliedSchema>

/**
 * Compares the migrations of each service with those that its database has had.
 * @param url of the MongoDB that Parley uses; where it does not answer, nothing is told.
 */
export async function checkMigrations(url: string): Promise<Check[]> {
  const owners = processNames.filter((name) => describeProcess(name).migrate !== undefined)
  const checks = await Promise.all(owners.map((name) => checkDatabase(name, url)))
  const found = checks.filter((check) => check !== undefined)
  const wrong = found.filter(({ verdict }) => verdict !== 'ok')
  const finding = `all are applied: ${found.map((check) => check.finding).join(', ')}`
  return wrong.length > 0 || found.length === 0 ? wrong : [{ verdict: 'ok', subject: 'Migrations', finding }]
}

async function checkDatabase(name: ProcessName, url: string): Promise<Check | undefined> {
  const { folder, databases } = describeProcess(name)
  const [database = ''] = databases
  const applied = await readApplied(withDatabase(url, database))
  if (!applied) return undefined
  return judgeMigrations(name, { known: await loadMigrations(join(repoRoot, folder, 'src/migrations')), applied })
}

async function readApplied(url: string): Promise<Applied | undefined> {
  let client: MongoClient | undefined
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: timeoutMs, socketTimeoutMS: timeoutMs })
    return appliedSchema.parse(await client.db().collection('migrations').find().sort({ _id: 1 }).toArray())
  } catch {
    // Another check asks whether the server answers.
    return undefined
  } finally {
    await client?.close()
  }
}

/** @param options.known of the code in this checkout. */
export function judgeMigrations(
  service: string,
  { known, applied }: { known: readonly Pick<Migration, 'number' | 'name'>[]; applied: Applied },
): Check {
  const subject = 'Migrations'
  const done = new Set(applied.map(({ _id }) => _id))
  const numbers = new Set(known.map(({ number }) => number))
  const pending = known.filter(({ number }) => !done.has(number))
  const newer = applied.filter(({ _id }) => !numbers.has(_id))
  const breaking = newer.find(({ kind }) => kind !== 'additive')
  if (breaking)
    return {
      verdict: 'problem',
      subject,
      finding: `the database of ${service} had ${breaking._id} (${breaking.name}), which this code does not know and cannot work beside`,
      remedy: 'Run the newer code, or restore a backup from before.',
    }
  if (pending.length > 0)
    return {
      verdict: 'problem',
      subject,
      finding: `${pending.length} of ${service} wait: ${listed(pending.map(({ number, name }) => `${number} (${name})`))}`,
      remedy: `Start Parley again: it applies them. Where it does not, the log of ${service} says why.`,
    }
  if (newer.length > 0)
    return {
      verdict: 'note',
      subject,
      finding: `the database of ${service} is ${newer.length} ahead of this code, which works beside them`,
    }
  return { verdict: 'ok', subject, finding: `${service} ${applied.at(-1)?._id ?? 'has none'}` }
}

/** Names three at most: a database that was never migrated lacks a hundred. */
const listed = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
