import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { errorBodySchema } from '@parley/contracts/core/errors'
import { expect, inject, test } from 'vitest'
import { forThisTest } from './running.ts'
import { type Bff, startBff } from './start-bff.ts'
import { ask, type Browser, type CellName, cellNames, placesOf, signedUp, startCells } from './two-cells.ts'

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
