import { join } from 'node:path'
import { MongoClient, MongoServerError } from 'mongodb'
import type { Component, StackContext } from '../component.ts'
import { wantsContainers } from '../containers/backing.ts'
import { containerProgram } from '../containers/program.ts'
import { backingUrl, hostOf, inheritedEnvironment } from '../environment.ts'
import { ensureFolder } from '../folders.ts'
import { mongodbTool } from '../tools/manifest.ts'
import { toolFor } from '../tools/tool-for.ts'
import { versionSeries } from '../tools/versions.ts'
import { acceptsConnections } from './health.ts'
import { askMongodb, directUrl } from './mongodb-client.ts'

const replicaSet = 'rs0'
/** Replication error: the set was never initiated. */
const notYetInitialized = 94

/** MongoDB as a replica set of one (transactions and change streams need a set), or the server that MONGODB_URL names. */
export function mongodbComponent(context: StackContext): Component {
  const url = backingUrl(context.environment, 'MONGODB_URL')
  const base = { name: 'mongodb', label: 'MongoDB', kind: 'real', needs: [] } as const
  if (url) {
    const choice = { source: 'environment', what: hostOf(url) } as const
    const remote = { variable: 'MONGODB_URL', isHealthy: async () => !!(await askMongodb(url, { ping: 1 })) }
    return { ...base, address: hostOf(url), dataAt: 'there', env: {}, choice, remote }
  }
  const port = context.ports.mongodb
  const dataDir = join(context.paths.data, 'mongodb')
  const env = inheritedEnvironment(context.environment)
  return {
    ...base,
    address: `mongodb://127.0.0.1:${port}`,
    dataAt: dataDir,
    env,
    local: {
      ports: ['mongodb'],
      startTimeoutMs: 60_000,
      prepare: async () => {
        if (wantsContainers(context)) return container(context, port, dataDir)
        const tool = await toolFor(mongodbTool, context)
        ensureFolder(dataDir)
        const command = { file: tool.path, args: serverArguments(port, dataDir, context.forTests), env, cwd: dataDir }
        const choice = { source: 'local', what: `mongod ${versionSeries(tool.version)}` } as const
        return { command, choice, version: tool.version }
      },
      isHealthy: async () => (await acceptsConnections(port)) && (await isPrimary(port)),
    },
  }
}

function container(context: StackContext, port: number, dataDir: string) {
  ensureFolder(dataDir)
  const args = serverArguments(port, '/data/db', context.forTests)
  const mounts = [{ source: dataDir, target: '/data/db', mode: 'rw' as const }]
  return containerProgram({ name: 'mongodb', image: 'MONGO_IMAGE', entrypoint: ['mongod'], args, mounts }, context)
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
    // A set of one has nobody to hand over to when it stops.
    'shutdownTimeoutMillisForSignaledShutdown=100',
    ...(forTests ? ['ttlMonitorSleepSecs=1', 'enableTestCommands=1'] : []),
  ]
  return [
    ...['--dbpath', dataDir, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--replSet', replicaSet, '--oplogSize', '64', '--wiredTigerCacheSizeGB', '0.25'],
    ...parameters.flatMap((parameter) => ['--setParameter', parameter]),
  ]
}

/** Initiates the set on the first start, then waits for its only member to take writes. */
async function isPrimary(port: number): Promise<boolean> {
  const client = new MongoClient(directUrl(port), {
    serverSelectionTimeoutMS: 2000,
    connectTimeoutMS: 2000,
  })
  try {
    const admin = (await client.connect()).db('admin')
    const hello = await admin.command({ hello: 1 })
    if (hello['isWritablePrimary'] === true) return true
    if (hello['isreplicaset'] === true) await initiate(admin.command.bind(admin), port)
    return false
  } catch {
    return false
  } finally {
    await client.close()
  }
}

async function initiate(command: (document: object) => Promise<unknown>, port: number): Promise<void> {
  try {
    await command({ replSetGetStatus: 1 })
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== notYetInitialized) throw error
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }]
    await command({ replSetInitiate: { _id: replicaSet, members, settings: { electionTimeoutMillis: 2000 } } })
  }
}
