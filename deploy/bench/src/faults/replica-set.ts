import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sharedToolsDir } from '@parley/local/paths'
import { mongodbTool } from '@parley/local/tools/manifest'
import { toolFor } from '@parley/local/tools/tool-for'
import { freePort } from '@parley/service-kit/testing/free-port'
import { type Document, MongoClient } from 'mongodb'
import { type Program, startProgram } from '../program.ts'
import { log } from '../report.ts'

const name = 'faults'
const members = 3
const settleTimeoutMs = 90_000

/** Three mongod processes with MongoDB's own election time-out of ten seconds. */
export async function startReplicaSet(folder: string) {
  const tool = await toolFor(mongodbTool, { toolsDir: sharedToolsDir, note: log })
  const ports: number[] = []
  const servers: Program[] = []
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  try {
    for (let member = 0; member < members; member++) {
      const port = await freePort()
      ports.push(port)
      servers.push(await startMember(tool.path, port, join(folder, `mongodb-${member}`)))
    }
    const hosts = ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` }))
    await command(ports[0], { replSetInitiate: { _id: name, members: hosts } })
    await untilWhole()
  } catch (error) {
    await stop()
    throw error
  }

  async function states(): Promise<string[]> {
    for (const port of ports) {
      const status = await command(port, { replSetGetStatus: 1 }).catch(() => undefined)
      if (status) return status['members'].map((member: Document) => String(member['stateStr']))
    }
    return []
  }

  /** One primary, and every other member is a secondary. */
  async function untilWhole(): Promise<void> {
    const deadline = performance.now() + settleTimeoutMs
    for (;;) {
      const found = (await states()).sort().join()
      if (found === 'PRIMARY,SECONDARY,SECONDARY') return
      if (performance.now() > deadline) throw new Error(`the replica set does not become whole: ${found}`)
      await delay(200)
    }
  }

  async function primary(): Promise<Program> {
    for (const [index, server] of servers.entries()) {
      const hello = await command(ports[index], { hello: 1 }).catch(() => undefined)
      if (hello?.['isWritablePrimary'] === true) return server
    }
    throw new Error('there is no primary')
  }

  const url = `mongodb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/?replicaSet=${name}`
  return { url, primary, untilWhole, stop }
}

function startMember(file: string, port: number, dataDir: string): Promise<Program> {
  mkdirSync(dataDir, { recursive: true })
  const args = [
    ...['--dbpath', dataDir, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--replSet', name, '--oplogSize', '64', '--wiredTigerCacheSizeGB', '0.25'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ]
  const isHealthy = async () => (await command(port, { ping: 1 }))['ok'] === 1
  return startProgram({ file, args, env: {}, logFile: `${dataDir}.log`, isHealthy, restarts: true })
}

async function command(port: number | undefined, document: Document): Promise<Document> {
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 2000, connectTimeoutMS: 2000 })
  try {
    return await client.db('admin').command(document)
  } finally {
    await client.close()
  }
}
