import { type Document, MongoClient } from 'mongodb'
import type { Component, StackContext } from '../component.ts'
import { backingUrl } from '../environment.ts'
import { Problem } from '../problem.ts'
import { mongodbTool } from '../tools/manifest.ts'
import { storeComponent } from './store.ts'

const replicaSet = 'rs0'

/** Runs MongoDB as a replica set of one (transactions and change streams need a set), or uses the server that MONGODB_URL names. */
export const mongodbComponent = (context: StackContext): Component =>
  storeComponent(context, {
    name: 'mongodb',
    label: 'MongoDB',
    variable: 'MONGODB_URL',
    tool: mongodbTool,
    argumentsFor: (folder) => serverArguments(context.ports.mongodb, folder, context.forTests),
    container: { image: 'MONGO_IMAGE', entrypoint: ['mongod'], folder: '/data/db' },
    isUrlHealthy: async (url) => takesTransactions(await askMongodb(url, { hello: 1 })),
    isReady: () => isPrimary(context.ports.mongodb),
  })

/**
 * Tells whether a server answers; changes of several records at once need a replica set.
 * @param hello its answer to `hello` (MongoDB manual, Database Commands).
 * @throws Problem where it is none, which waiting does not mend.
 */
export function takesTransactions(hello: Document | undefined): boolean {
  if (hello && !hello['setName'] && hello['msg'] !== 'isdbgrid')
    throw new Problem(
      'The MongoDB that MONGODB_URL names is no replica set.',
      'Start it with --replSet and run rs.initiate(): changes of several records at once need one.',
    )
  return hello !== undefined
}

/** The URL under which a process reaches the stack's MongoDB. */
export function mongodbUrl(context: StackContext): string {
  const external = backingUrl(context.environment, 'MONGODB_URL')
  return external ?? `mongodb://127.0.0.1:${context.ports.mongodb}/?replicaSet=${replicaSet}`
}

/**
 * The same URL with another database name. Credentials that were checked against the database named before still are.
 */
export function withDatabase(url: string, database: string): string {
  const match = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url)
  if (!match) return url
  const [, server = '', before = '', options = ''] = match
  const parameters = new URLSearchParams(options)
  if (server.includes('@') && before !== '' && !parameters.has('authSource')) parameters.set('authSource', before)
  const query = parameters.toString()
  return `${server}/${database}${query ? `?${query}` : ''}`
}

function serverArguments(port: number, dataDir: string, forTests: boolean): string[] {
  const parameters = [
    // A killed process keeps the documents of its open transaction locked for that long; by default it is a minute.
    'transactionLifetimeLimitSeconds=3',
    'diagnosticDataCollectionEnabled=false',
    // A set of one has no member to hand over to when it stops.
    'shutdownTimeoutMillisForSignaledShutdown=100',
    ...(forTests ? ['ttlMonitorSleepSecs=1', 'enableTestCommands=1'] : []),
  ]
  return [
    ...['--dbpath', dataDir, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    // The cache takes half of the machine by default; one that is full keeps MongoDB busy making room.
    ...['--replSet', replicaSet, '--oplogSize', '64', '--wiredTigerCacheSizeGB', '1'],
    ...parameters.flatMap((parameter) => ['--setParameter', parameter]),
  ]
}

/** Initiates the set on the first start, then waits for its only member to take writes. */
async function isPrimary(port: number): Promise<boolean> {
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`
  const hello = await askMongodb(url, { hello: 1 })
  if (hello?.['isreplicaset'] === true) {
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }]
    // Refused where the set was initiated and is not ready yet.
    await askMongodb(url, {
      replSetInitiate: { _id: replicaSet, members, settings: { electionTimeoutMillis: 2000 } },
    })
  }
  return hello?.['isWritablePrimary'] === true
}

/** Runs one command on the admin database; `undefined` if the server cannot be reached within two seconds, is silent for thirty or refuses. */
export async function askMongodb(url: string, command: Document): Promise<Document | undefined> {
  let client: MongoClient | undefined
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: 2000, connectTimeoutMS: 2000, socketTimeoutMS: 30_000 })
    return await client.db('admin').command(command)
  } catch {
    return undefined
  } finally {
    await client?.close()
  }
}
