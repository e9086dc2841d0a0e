import { can, roles } from '@parley/contracts/account/permissions'
import { endpointsOf } from '@parley/processes/endpoints'
import { Types } from 'mongoose'
import { beforeAll, describe, expect, test } from 'vitest'
import { soundFlow, soundWorkflow } from './flow-fixtures.ts'
import { joinAutomation } from './start-automation.ts'

let parley: Awaited<ReturnType<typeof joinAutomation>>
beforeAll(async () => {
  parley = await joinAutomation()
})

const endpoints = endpointsOf.automation ?? []
const ofSession = endpoints.flatMap((endpoint) => (endpoint.access === 'session' ? endpoint : []))
const id = () => new Types.ObjectId().toHexString()

const aTest = {
  name: 'Made by the matrix',
  script: {
    at: 0,
    person: { name: 'Asha', tags: [], attributes: {} },
    lines: [{ type: 'message', parts: [{ contentType: 'text', text: 'hi' }] }],
  },
}

/** Valid bodies of each endpoint; a missing one fails below. */
const bodies: Readonly<Record<string, object>> = {
  'bots.create': { name: 'Made by the matrix' },
  'bots.duplicate': {},
  'bots.update': { version: 1, name: 'Changed by the matrix' },
  'bots.check': {},
  'bots.publish': { version: 1 },
  'bots.restoreVersion': { version: 1 },
  'bots.createTest': aTest,
  'bots.updateTest': { version: 1, name: 'Renamed by the matrix' },
  'bots.runTests': {},
  'bots.replay': { of: { kind: 'recent' } },
  'bots.pause': {},
  'workflows.create': { name: 'Made by the matrix' },
  'workflows.duplicate': {},
  'workflows.update': { version: 1, name: 'Changed by the matrix' },
  'workflows.check': {},
  'workflows.publish': { version: 1 },
  'workflows.restoreVersion': { version: 1 },
  'workflows.createTest': aTest,
  'workflows.updateTest': { version: 1, name: 'Renamed by the matrix' },
  'workflows.runTests': {},
  'workflows.replay': { of: { kind: 'recent' } },
  'workflows.pause': {},
  'workflows.startRuns': { action: { kind: 'contact', contactId: id() } },
  'dryRuns.start': { days: 7, of: { kind: 'draft' } },
  'workflows.changeRuns': { filter: {}, action: { kind: 'cancel' } },
  'runs.retry': {},
  'bots.startSession': { conversationId: id() },
  'automation.updateSettings': { version: 0, handOverWords: [] },
  'connections.create': {
    name: 'Made by the matrix',
    baseUrl: 'https://api.example.com',
    authentication: { kind: 'none' },
  },
  'connections.update': { version: 1, name: 'Changed by the matrix' },
  'connections.test': { method: 'GET', path: '/' },
  'attention.dismiss': { ids: [id()], state: 'dismissed' },
}
const addressOf = (path: string, flowId: string) =>
  path
    .replace(':number', '1')
    .replace(':testId', id())
    .replace(':callId', id())
    .replace(':nodeId', 'n0')
    .replace(':id', flowId)
const drafts = { bots: soundFlow('secret'), workflows: soundWorkflow('secret') }

describe.each(ofSession.map((endpoint) => [endpoint.operation, endpoint] as const))('%s', (operation, endpoint) => {
  test('is for those whose role allows it', async () => {
    for (const role of roles) {
      const person = parley.signIn({ role })
      const path = addressOf(endpoint.path, id())
      const { status, body } = await person.call(endpoint.method, path, bodies[operation])
      const { permission } = endpoint
      const isAllowed = permission === 'member' || permission === 'self' || can(role, permission)
      expect([role, status === 403]).toEqual([role, !isAllowed])
      if (!isAllowed) expect(body.code).toBe('forbidden')
      // A body of the wrong form would hide the refusal that is meant here.
      expect([role, body.code]).not.toEqual([role, 'validation_failed'])
    }
  })

  test('knows nothing of another workspace', async () => {
    const [ann, mallory] = [parley.signIn(), parley.signIn()]
    const kind = endpoint.path.startsWith('/api/workflows') ? 'workflows' : 'bots'
    const flow = await ann.ask('POST', `/api/${kind}`, { name: 'Secret name', draft: drafts[kind] })
    await ann.ask('POST', `/api/${kind}/${flow.id}/publish`, { version: 1, start: true })
    const before = await ann.ask('GET', `/api/${kind}/${flow.id}`)
    const { status, body } = await mallory.call(endpoint.method, addressOf(endpoint.path, flow.id), bodies[operation])
    expect(JSON.stringify(body)).not.toMatch(/Secret name|secret/)
    if (endpoint.path.includes(':id')) expect(status).toBe(404)
    expect(await ann.ask('GET', `/api/${kind}/${flow.id}`)).toEqual(before)
  })
})

test('an agent starts a workflow for one contact, and not for many', async () => {
  const agent = parley.signIn({ role: 'agent' })
  const start = (action: object) => agent.call('POST', `/api/workflows/${id()}/runs`, { action })
  expect((await start({ kind: 'contact', contactId: id() })).body.code).toBe('not_found')
  expect((await start({ kind: 'contacts', contactIds: [id()] })).body.code).toBe('forbidden')
  expect((await start({ kind: 'segment', segmentId: 'all' })).body.code).toBe('forbidden')
})

test('whoever comes without a token, or with one for another service, is refused', async () => {
  for (const { method, path, operation, access } of endpoints) {
    // Its path is the credential.
    if (access === 'public') continue
    const address = `${parley.server.url}${addressOf(path, id())}`
    const bare = await fetch(address, { method })
    const token = await parley.authority.serviceToken('messaging')
    const wrong = await fetch(address, { method, headers: { authorization: `Bearer ${token}` } })
    expect([operation, bare.status, wrong.status]).toEqual([operation, 401, 401])
  }
})

test('an id that is none is not found', async () => {
  const ann = parley.signIn()
  for (const odd of ['x', '0'.repeat(24), 'a'.repeat(64), '__proto__'])
    expect([odd, (await ann.call('GET', `/api/bots/${odd}`)).status]).toEqual([odd, 404])
})
