import { ownStack } from '@parley/local/testing/own-stack'
import { cellProcesses } from '@parley/processes/cell'
import { everythingOf } from '@parley/service-kit/testing/every-collection'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { openDatabaseOf, openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { Redis } from 'ioredis'
import { expect, inject, onTestFinished } from 'vitest'
import { newAddress } from './mailbox.ts'
import { changeAccount } from './provider-admin.ts'
import { forThisTest } from './running.ts'
import { type Bff, startBff } from './start-bff.ts'

export const profileFolder = `${import.meta.dirname}/../../../services/profile/src`
const ofCell = Object.values(cellProcesses).flat()
export const cellNames = ['home', 'west'] as const
export type CellName = (typeof cellNames)[number]
export type Browser = ReturnType<Bff['browser']>

/**
 * Two cells behind one app: the processes of the shared stack, or some for this test alone, and a second replica set and Redis with processes of
 * their own, which have the keys of the first.
 * @param options.ownHome true for a test that stops work of the home cell. @param options.weight of the second cell.
 */
export async function startCells({ ownHome = false, weight = 1 }: { ownHome?: boolean; weight?: number } = {}) {
  const shared = inject('stack')
  const profilePort = await freePort()
  const keysOf = (name: (typeof ofCell)[number]) =>
    Object.entries(shared.env[name]).filter(([key]) =>
      ['INTERNAL_ISSUERS', 'INTERNAL_TOKEN_KEYS', 'SECRET_KEYS'].includes(key),
    )
  const startCell = async (cell: CellName, simulator?: string) => {
    const settings = ofCell.map((name) => [
      name,
      {
        ...Object.fromEntries(keysOf(name)),
        PROFILE_URL: `http://127.0.0.1:${profilePort}`,
        CELL: cell,
        // As the shared stack: the sample data takes seconds of a machine, in which a workspace answers late.
        SAMPLE_DATA: 'off',
        ...(simulator !== undefined && { SIMULATOR_URL: simulator }),
      },
    ])
    const ownSimulator = simulator === undefined ? (['simulator'] as const) : []
    const components = ['mongodb', 'redis', ...ofCell, ...ownSimulator] as const
    return (await ownStack(components, { env: Object.fromEntries(settings) })).stack
  }
  const home = ownHome ? await startCell('home') : shared
  const { simulator } = home.urls
  const west = await startCell('west', simulator)
  const at = (name: (typeof ofCell)[number], { env }: { env: typeof west.env } = west) =>
    `http://127.0.0.1:${env[name]['PORT']}`
  const CELLS = JSON.stringify({ west: { messaging: at('messaging'), automation: at('automation'), weight } })

  const database = await openTestDatabase(shared.urls.mongodb)
  onTestFinished(database.drop)
  const ofHome = { MESSAGING_URL: at('messaging', home), AUTOMATION_URL: at('automation', home) }
  const { MESSAGING_URL } = ofHome
  const stores = { MONGODB_URL: database.url, REDIS_URL: await emptyTestRedis(shared.urls.redis), CELLS, MESSAGING_URL }
  const { profile, 'profile-worker': worker } = shared.env
  await forThisTest(startProcess(`${profileFolder}/server.ts`, { ...profile, ...stores }, '/readyz', profilePort))
  await forThisTest(startProcess(`${profileFolder}/worker.ts`, { ...worker, ...stores }, '/readyz'))
  const settings = { ...ofHome, PROFILE_URL: `http://127.0.0.1:${profilePort}`, REDIS_URL: stores.REDIS_URL }
  const bff = await forThisTest(startBff({ ...settings, CELLS }))
  return {
    bff,
    settings,
    simulator,
    profileStores: stores,
    workspaces: database.connection.collection('workspaces'),
    stores: {
      home: { env: home.env, redis: home.urls.redis, hooks: home.urls.ingest },
      west: { env: west.env, redis: west.urls.redis, hooks: west.urls.ingest },
    },
  }
}
export type Stores = Awaited<ReturnType<typeof startCells>>['stores']

/** Signs a person up, whose workspace is made with it. */
export async function signedUp(bff: Bff): Promise<Browser> {
  const browser = bff.browser()
  const email = newAddress()
  await browser.signUp(email, 'correct horse')
  await changeAccount(email, { emailVerified: true })
  expect((await browser.signIn(email, 'correct horse')).status).toBe(200)
  return browser
}

/** Asks as a browser does. @throws for an answer that is an error, with its status and text. */
export async function ask(browser: Browser, method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await browser.send(method, path, body ? { body: JSON.stringify(body), headers } : {})
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Returns names of stores of a cell that say anything of a workspace. */
export async function placesOf(
  workspaceId: string,
  { env, redis }: Pick<Stores[CellName], 'env' | 'redis'>,
): Promise<string[]> {
  const found: string[] = []
  for (const service of ['messaging', 'automation'] as const) {
    const connection = await openDatabaseOf(env[service]['MONGODB_URL'] ?? '')
    const collections = Object.keys(await everythingOf(connection, workspaceId))
    if (collections.length > 0) found.push(service)
    await connection.close()
  }
  const client = new Redis(redis)
  for await (const keys of client.scanStream({ match: `*${workspaceId}*`, count: 1000 }))
    if (keys.length > 0) found.push('redis')
  client.disconnect()
  return [...new Set(found)]
}
