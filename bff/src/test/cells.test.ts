import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { errorBodySchema } from '@parley/contracts/core/errors'
import { ownStack } from '@parley/local/testing/own-stack'
import { everythingOf } from '@parley/service-kit/testing/every-collection'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { openDatabaseOf, openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { Redis } from 'ioredis'
import { expect, inject, onTestFinished, test } from 'vitest'
import { newAddress } from './mailbox.ts'
import { changeAccount } from './provider-admin.ts'
import { forThisTest } from './running.ts'
import { type Bff, startBff } from './start-bff.ts'

const profileFolder = `${import.meta.dirname}/../../../services/profile/src`
const ofCell = ['messaging', 'messaging-ingest', 'messaging-worker', 'automation', 'automation-worker'] as const
const cellNames = ['home', 'west'] as const
type CellName = (typeof cellNames)[number]
type Browser = ReturnType<Bff['browser']>

/**
 * Two cells behind one app: the processes of the shared stack, and a second replica set and Redis with processes of their own, which have the
 * keys of the first.
 */
async function startCells() {
  const { env, urls } = inject('stack')
  const profilePort = await freePort()
  const shared = (name: (typeof ofCell)[number]) =>
    Object.entries(env[name]).filter(([key]) =>
      ['INTERNAL_ISSUERS', 'INTERNAL_TOKEN_KEYS', 'SECRET_KEYS'].includes(key),
    )
  const ofWest = ofCell.map((name) => [
    name,
    {
      ...Object.fromEntries(shared(name)),
      PROFILE_URL: `http://127.0.0.1:${profilePort}`,
      SIMULATOR_URL: urls.simulator,
      CELL: 'west',
      // As the shared stack: the sample data takes seconds of a machine, in which a workspace answers late.
      SAMPLE_DATA: 'off',
    },
  ])
  const { stack: west } = await ownStack(['mongodb', 'redis', ...ofCell], { env: Object.fromEntries(ofWest) })
  const at = (name: (typeof ofCell)[number]) => `http://127.0.0.1:${west.env[name]['PORT']}`
  const CELLS = JSON.stringify({ west: { messaging: at('messaging'), automation: at('automation') } })

  const database = await openTestDatabase(urls.mongodb)
  onTestFinished(database.drop)
  const stores = { MONGODB_URL: database.url, REDIS_URL: await emptyTestRedis(urls.redis), CELLS }
  await forThisTest(startProcess(`${profileFolder}/server.ts`, { ...env.profile, ...stores }, '/readyz', profilePort))
  await forThisTest(startProcess(`${profileFolder}/worker.ts`, { ...env['profile-worker'], ...stores }, '/readyz'))
  const settings = { PROFILE_URL: `http://127.0.0.1:${profilePort}`, REDIS_URL: stores.REDIS_URL }
  const bff = await forThisTest(startBff({ ...settings, CELLS }))
  return {
    bff,
    settings,
    workspaces: database.connection.collection('workspaces'),
    stores: { home: { env, redis: urls.redis }, west: { env: west.env, redis: west.urls.redis } },
  }
}
type Stores = Awaited<ReturnType<typeof startCells>>['stores']

async function signedUp(bff: Bff): Promise<Browser> {
  const browser = bff.browser()
  const email = newAddress()
  await browser.signUp(email, 'correct horse')
  await changeAccount(email, { emailVerified: true })
  expect((await browser.signIn(email, 'correct horse')).status).toBe(200)
  return browser
}

async function ask(browser: Browser, method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await browser.send(method, path, body ? { body: JSON.stringify(body), headers } : {})
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Has a workspace use whatever has data in a cell, through the app and through what is reached without a session. */
async function use(browser: Browser, bff: Bff, name: CellName) {
  const { simulator } = inject('stack').urls
  const from = name === 'home' ? '919812340001' : '919812340002'
  const number = numbersApi.simulate.response.parse(await ask(browser, 'POST', '/api/numbers/simulated'))
  const written = { phone_number_id: number.phoneNumberId, from, type: 'text', text: { body: `Hello ${name}` } }
  const inbound = await fetch(`${simulator}/sim/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(written),
  })
  expect(inbound.status).toBe(200)
  const conversations = async () => (await ask(browser, 'GET', '/api/conversations')).items
  await expect.poll(conversations).toHaveLength(1)
  const [{ id }] = await conversations()
  await ask(browser, 'POST', `/api/conversations/${id}/messages`, {
    content: { type: 'text', text: `Hi from ${name}` },
  })
  const messages = async () => (await ask(browser, 'GET', `/api/conversations/${id}/messages`)).items
  await expect.poll(async () => JSON.stringify(await messages())).toMatch(/"status":"(sent|delivered|read)"/)
  const workflow = await ask(browser, 'POST', '/api/workflows', { name: `Orders ${name}` })
  const { token } = await ask(browser, 'PUT', `/api/workflows/${workflow.id}/hooks/call`)
  const called = await fetch(`${bff.url}/v1/hooks/${token}`, { method: 'POST', body: '{}' })
  // Its own cell knows the address: in another it would not be found.
  expect([called.status, errorBodySchema.parse(await called.json()).code]).toEqual([409, 'wrong_state'])
  const key = { name: 'Shop', scopes: ['contacts:read'] }
  const { secret } = apiKeysApi.create.response.parse(await ask(browser, 'POST', '/api/api-keys', key))
  const authorization = `Bearer ${secret}`
  const listed = await fetch(`${bff.url}/v1/contacts`, { headers: { authorization } })
  expect(contactsApi.list.response.parse(await listed.json()).items).toMatchObject([{ phone: `+${from}` }])
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  const requestInit = { headers: { authorization } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bff.url}/v1/mcp`), { requestInit }))
  expect(JSON.stringify(await client.callTool({ name: 'contacts_list', arguments: {} }))).toContain(from)
  await client.close()
  // Profile tells messaging of another workspace of a person who has had their trial.
  await ask(browser, 'POST', '/api/workspaces', { name: `Second of ${name}` })
  return secret
}

/** Returns names of stores of a cell that say anything of a workspace. */
async function placesOf(workspaceId: string, { env, redis }: Stores[CellName]): Promise<string[]> {
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

test('workspaces of two cells: each is whole in its own, and nothing of it is in the other', async () => {
  const { bff, settings, workspaces, stores } = await startCells()
  const browsers = new Map<CellName, Browser>()
  while (browsers.size < cellNames.length) {
    const browser = await signedUp(bff)
    const { workspaceId } = await ask(browser, 'GET', '/api/auth/user')
    const placed = (await workspaces.find().toArray()).find(({ _id }) => String(_id) === workspaceId)
    if (!placed) throw new Error('the workspace is not there')
    browsers.set(placed['cell'] ?? 'home', browser)
  }
  const secrets = new Map<CellName, string>()
  for (const [name, browser] of browsers) secrets.set(name, await use(browser, bff, name))

  const all = await workspaces.find().toArray()
  expect(all.length).toBeGreaterThanOrEqual(4)
  for (const { _id, cell = 'home' } of all) {
    const workspaceId = String(_id)
    const other = cell === 'home' ? 'west' : 'home'
    expect(await placesOf(workspaceId, stores[other]), `${workspaceId} of ${cell}`).toEqual([])
  }
  for (const [name, browser] of browsers) {
    const { workspaceId } = await ask(browser, 'GET', '/api/auth/user')
    expect(await placesOf(workspaceId, stores[name])).toEqual(expect.arrayContaining(['messaging', 'automation']))
  }

  // An app that has not been told of the cell refuses: it would find an empty workspace elsewhere, and write there.
  const untold = await forThisTest(startBff(settings))
  const west = browsers.get('west')
  const same = untold.browser()
  same.setCookie(west?.cookie() ?? '')
  const answer = await same.send('GET', '/api/contacts')
  expect([answer.status, errorBodySchema.parse(await answer.json()).code]).toEqual([503, 'service_unavailable'])
  const headers = { authorization: `Bearer ${secrets.get('west')}` }
  expect((await fetch(`${untold.url}/v1/contacts`, { headers })).status).toBe(503)
  expect((await same.send('GET', '/api/auth/user')).status).toBe(200)
})
