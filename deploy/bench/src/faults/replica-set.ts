import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sharedToolsDir } from '@parley/local/paths'
import { mongodbTool } from '@parley/local/tools/manifest'
import { toolFor } from '@parley/local/tools/tool-for'
import { freePort } from '@parley/service-kit/testing/free-port'
import { type Document, MongoClient } from 'mongodb'
import { type Program, startProgram, until } from '../program.ts'
import { log } from '../report.ts'

const name = 'faults'
/** MongoDB's own time-out of elections. */
const ownElectionMs = 10_000

interface Member {
  readonly port: number
  readonly server: Program
}

/**
 * Starts three mongod processes.
 * @param electionMs time-out of their elections. Where it is below MongoDB's own, so are the other times for which they wait for a member that
 * is silent: a new primary asks all of them before it writes, and a secondary stays with the one that it reads from.
 */
export async function startReplicaSet(folder: string, cleanUp: AsyncDisposableStack, electionMs = ownElectionMs) {
  const { path } = await toolFor(mongodbTool, { toolsDir: sharedToolsDir, note: log })
  const start = async (): Promise<Member> => {
    const port = await freePort()
    return { port, server: cleanUp.use(await startMember(path, { port, folder, electionMs })) }
  }
  const members = [await start(), await start(), await start()] as const
  const hosts = members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` }))
  await command(members[0].port, {
    replSetInitiate: {
      _id: name,
      members: hosts,
      settings: { electionTimeoutMillis: electionMs, heartbeatTimeoutSecs: electionMs / 1000 },
    },
  })

  /** Returns each member's answer to `hello`, empty for one that is away. */
  const hellos = () =>
    Promise.all(
      members.map(async ({ port, server }) => ({ server, hello: await command(port, { hello: 1 }).catch(() => ({})) })),
    )
  const primaryIn = (found: Awaited<ReturnType<typeof hellos>>) =>
    found.find(({ hello }: { hello: Document }) => hello['isWritablePrimary'] === true)?.server

  /** One primary, and every other member is a secondary. */
  const untilWhole = () =>
    until(
      'the replica set is whole',
      async () => {
        const found = await hellos()
        const secondaries = found.filter(({ hello }: { hello: Document }) => hello['secondary'] === true)
        return primaryIn(found) !== undefined && secondaries.length === members.length - 1
      },
      { everyMs: 200, limitMs: 90_000 },
    )

  async function primary(): Promise<Program> {
    const found = primaryIn(await hellos())
    if (!found) throw new Error('there is no primary')
    return found
  }
  await untilWhole()
  return { url: `mongodb://${hosts.map(({ host }) => host).join(',')}/?replicaSet=${name}`, primary, untilWhole }
}

function startMember(
  file: string,
  { port, folder, electionMs }: { port: number; folder: string; electionMs: number },
): Promise<Program> {
  const member = `mongodb-${port}`
  const dataDir = join(folder, member)
  mkdirSync(dataDir, { recursive: true })
  const args = [
    ...['--dbpath', dataDir, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--replSet', name, '--oplogSize', '64', '--wiredTigerCacheSizeGB', '0.25'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...['--setParameter', `oplogNetworkTimeoutBufferSeconds=${electionMs < ownElectionMs ? 1 : 5}`],
  ]
  const isHealthy = () =>
    command(port, { ping: 1 }).then(
      () => true,
      () => false,
    )
  return startProgram({ name: member, folder, file, args, env: {}, isHealthy, restarts: true })
}

async function command(port: number, document: Document): Promise<Document> {
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 2000, connectTimeoutMS: 2000 })
  try {
    return await client.db('admin').command(document)
  } finally {
    await client.close()
  }
}
