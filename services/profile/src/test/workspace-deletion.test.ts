import { keyVersionKey } from '@parley/contracts/account/api-keys'
import { homeCell } from '@parley/contracts/account/cells'
import type { Cells } from '@parley/service-kit/core/cells'
import { everythingOf, fillEveryCollection, unindexedParts } from '@parley/service-kit/testing/every-collection'
import { Redis } from 'ioredis'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startErasures } from './erasures-with-clock.ts'
import { startPeople } from './people.ts'
import { newSignIn, type Person } from './start-profile.ts'

let people: Awaited<ReturnType<typeof startPeople>>
let redis: Redis
beforeAll(async () => {
  people = await startPeople()
  redis = new Redis(people.redisUrl)
})
afterAll(async () => {
  redis.disconnect()
  await people.stop()
})

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const collection = (name: string) => people.profile.database.connection.collection(name)
const nameOf = async (by: Person) => (await people.call(by, 'GET', '/api/workspace')).body.name
const close = async (by: Person) => people.call(by, 'POST', '/api/workspace/deletion', { name: await nameOf(by) })
const mailsTo = (email: string) => people.mailServer.mails.filter((mail) => mail.includes(`To: ${email}`))

/** A key of a workspace, and the status with which a BFF learns what it may do. */
async function makeKey(by: Person) {
  const fields = { name: 'Shop', scopes: ['contacts:read'], expiresInDays: 30 }
  const { id } = (await people.call(by, 'POST', '/api/api-keys', fields)).body.key
  const json = { id, hash: (await collection('apiKeys').findOne({ publicId: id }))?.['hash'] }
  const statusOf = async () => {
    const token = await people.profile.authority.serviceToken('profile')
    return (await people.profile.call('POST', '/internal/key-context', { token, json })).status
  }
  return { id, statusOf }
}

/** A workspace with two owners and an agent. */
async function shop() {
  const ann = await people.profile.signIn()
  const signIn = newSignIn()
  await people.call(ann, 'POST', '/api/invitations', { email: signIn.email, role: 'admin' })
  const bob = await people.profile.signIn({ ...signIn, invitation: await people.tokenMailedTo(signIn.email) })
  const { body } = await people.call(ann, 'GET', '/api/members')
  const member = body.items.find(({ userId }: { userId: string }) => userId === bob.context.userId)
  const raised = await people.call(ann, 'PATCH', `/api/members/${member.id}`, {
    role: 'owner',
    version: member.version,
  })
  expect(raised.status).toBe(200)
  const carl = await people.join(ann, 'agent')
  return { ann, bob: await people.profile.signIn(signIn), carl }
}

test('an owner who types the name closes the workspace: all are told, keys are refused, and an owner restores it', async () => {
  const { ann, bob, carl } = await shop()
  const key = await makeKey(ann)
  const before = await collection('members')
    .find({ userId: new Types.ObjectId(carl.context.userId) })
    .toArray()

  expect((await people.call(ann, 'POST', '/api/workspace/deletion', { name: 'Another' })).body).toMatchObject({
    code: 'validation_failed',
    fields: { name: expect.stringContaining('Type the name') },
  })
  const closed = await close(ann)
  expect(closed.status).toBe(200)
  const inDays = (Date.parse(closed.body.until) - Date.now()) / dayMs
  expect(inDays).toBeGreaterThan(6.9)
  expect(inDays).toBeLessThanOrEqual(7)

  const { email } = await carl.get()
  await expect.poll(() => mailsTo(email).some((mail) => mail.includes('will be deleted'))).toBe(true)
  expect((await bob.get()).closesAt).toBe(closed.body.until)
  const [member] = await collection('members')
    .find({ userId: new Types.ObjectId(carl.context.userId) })
    .toArray()
  expect(member?.['version']).toBeGreaterThan(before[0]?.['version'])
  await expect
    .poll(() => redis.get(`access:{${carl.context.userId}}:${carl.context.workspaceId}`))
    .toBe(String(member?.['version']))

  expect(await key.statusOf()).toBe(404)
  await expect.poll(() => redis.get(keyVersionKey(key.id))).toBe('2')

  expect((await close(bob)).body.code).toBe('wrong_state')
  expect((await people.call(bob, 'DELETE', '/api/workspace/deletion')).status).toBe(204)
  expect((await people.call(ann, 'DELETE', '/api/workspace/deletion')).body.code).toBe('wrong_state')
  expect((await ann.get()).closesAt).toBeUndefined()
  expect(await key.statusOf()).toBe(200)
  await expect.poll(() => mailsTo(email).some((mail) => mail.includes('is open again'))).toBe(true)
  const states = () =>
    people.messaging.received.flatMap((message) => (message.type === 'workspace.state' ? message.data.closing : []))
  await expect.poll(states).toEqual([true, false])
  const entries = await collection('auditEntries')
    .find({ workspaceId: new Types.ObjectId(ann.context.workspaceId), resource: 'workspace' })
    .sort({ _id: 1 })
    .toArray()
  expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual(
    expect.arrayContaining([
      ['workspace.delete', 'done'],
      ['workspace.restore', 'done'],
    ]),
  )
})

test('of two owners who close it at once one does', async () => {
  const { ann, bob } = await shop()
  const name = await nameOf(ann)
  const both = await Promise.all([ann, bob].map((by) => people.call(by, 'POST', '/api/workspace/deletion', { name })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test.each([
  ['POST', '/api/workspace/deletion', { name: 'Shop' }],
  ['POST', '/api/workspace/deletion/now', { name: 'Shop' }],
  ['DELETE', '/api/workspace/deletion', undefined],
])('%s %s is for owners alone, also where the token is older than the role', async (method, path, json) => {
  const { ann, bob, carl } = await shop()
  expect((await people.call(carl, method, path, json)).status).toBe(403)
  const { body } = await people.call(ann, 'GET', '/api/members')
  const member = body.items.find(({ userId }: { userId: string }) => userId === bob.context.userId)
  await people.call(ann, 'PATCH', `/api/members/${member.id}`, { role: 'agent', version: member.version })
  expect((await people.call(bob, method, path, json)).status).toBe(403)
  expect((await ann.get()).closesAt).toBeUndefined()
})

test('a session says that the workspace is closed, until it is restored', async () => {
  const signIn = newSignIn()
  const ann = await people.profile.signIn(signIn)
  await close(ann)
  const open = () => people.profile.openContext(signIn)
  expect(await open()).toMatchObject({ workspaceId: ann.context.workspaceId, closing: true })
  await people.call(ann, 'DELETE', '/api/workspace/deletion')
  expect((await open()).closing).toBeUndefined()
})

const withClock = (cells?: Pick<Cells, 'urls'>) => startErasures(people.profile.database.connection, cells)
const services = ['svc:messaging-worker', 'svc:automation-worker']

test('after its days a workspace is erased by every service, its members begin anew, and another one is untouched', async () => {
  const { connection } = people.profile.database
  const signIn = newSignIn()
  const ann = await people.profile.signIn(signIn)
  const dora = await people.profile.signIn()
  const carl = await people.join(ann, 'agent')
  const gone = ann.context.workspaceId
  const other = dora.context.workspaceId
  await close(ann)
  await fillEveryCollection(connection, [gone, other], {
    keyed: ['eventHeads', 'outboxHeads', 'auditHeads'],
    prefixed: ['inbox'],
    others: [
      'migrations',
      'migrationLock',
      'readiness',
      'users',
      'workspaces',
      'workspaceErasures',
      'members',
      'outbox',
    ],
    // A workspace whose move is under way is not erased.
    covered: { events: [{ seq: 1_000_000 }], workspaceMoves: [{ state: 'done' }] },
  })
  await collection('outbox').deleteMany({ workspaceId: new Types.ObjectId(gone) })
  const before = await everythingOf(connection, other)
  const { erasures, pass } = withClock()

  await pass(6 * dayMs)
  expect((await ann.get()).closesAt).toBeDefined()
  await pass(dayMs + minuteMs)
  expect((await people.call(ann, 'GET', '/api/workspace')).status).toBe(404)
  expect((await people.call(ann, 'DELETE', '/api/workspace/deletion')).status).toBe(404)
  const due = async () =>
    (await Promise.all(services.map((caller) => erasures.due({ caller }, homeCell)))).map((ids) => ids.includes(gone))
  expect(await due()).toEqual([false, false])

  await pass(5 * minuteMs)
  // Events that profile has sent are delivered first.
  await expect.poll(due).toEqual([true, true])
  // Another cell has nothing of it, and must not be believed that nothing is left.
  for (const caller of services) expect(await erasures.due({ caller }, 'west')).not.toContain(gone)
  for (const caller of services) await erasures.report({ caller }, gone, 7)
  expect(await due()).toEqual([true, true])
  // Workspaces of the tests before are erased beside it.
  const allDone = async (caller: string) => {
    for (const id of await erasures.due({ caller }, homeCell)) await erasures.report({ caller }, id, 0)
  }
  const [first = '', second = ''] = services
  await pass(6 * 60 * minuteMs)
  await allDone(first)
  // The alert of an erasure that stays open says which service is waited for.
  const sixHours = expect.closeTo(6 * 3600 + 300, -3)
  expect(await erasures.ages()).toMatchObject({ messaging: 0, automation: sixHours, profile: 0 })
  await allDone(second)
  expect(await erasures.ages()).toMatchObject({ messaging: 0, automation: 0, profile: sixHours })
  expect(await due()).toEqual([false, false])
  const erasure = () => collection('workspaceErasures').findOne({ workspaceId: new Types.ObjectId(gone) })
  await expect
    .poll(async () => {
      await pass(minuteMs)
      return (await erasure())?.['erasedAt']
    })
    .toBeInstanceOf(Date)

  await expect
    .poll(async () => {
      await pass(minuteMs)
      return erasures.ages()
    })
    .toEqual({ messaging: 0, automation: 0, profile: 0 })
  const left = await everythingOf(connection, gone)
  expect(Object.keys(left)).toEqual(['workspaceErasures'])
  expect(left['workspaceErasures']).toEqual([
    {
      _id: expect.anything(),
      workspaceId: new Types.ObjectId(gone),
      askedAt: expect.any(Date),
      begunAt: expect.any(Date),
      erasedAt: expect.any(Date),
      done: ['messaging', 'automation'],
      removed: expect.any(Number),
    },
  ])
  expect(await everythingOf(connection, other)).toEqual(before)
  expect(await unindexedParts(connection, gone)).toEqual([])

  const again = await people.profile.signIn(signIn)
  expect(again.context).toMatchObject({ userId: ann.context.userId, role: 'owner' })
  expect(again.context.workspaceId).not.toBe(gone)
  await expect
    .poll(() => people.messaging.received.filter(({ type }) => type === 'workspace.created'))
    .toContainEqual(expect.objectContaining({ data: { trial: false } }))
  expect(carl.context.workspaceId).toBe(gone)
})

test('from the closing on no key works and nobody joins, until nothing is left', async () => {
  const ann = await people.profile.signIn()
  const key = await makeKey(ann)
  const bob = await people.profile.signIn()
  const { email } = await bob.get()
  const { body: invitation } = await people.call(ann, 'POST', '/api/invitations', { email, role: 'admin' })
  const accept = async () =>
    (await people.call(bob, 'POST', `/api/invitations/mine/${invitation.id}/accept`, {})).body?.code
  expect(await key.statusOf()).toBe(200)
  await close(ann)
  expect(await accept()).toBe('invitation_ended')
  await withClock().pass(7 * dayMs + minuteMs)
  expect((await people.call(ann, 'GET', '/api/workspace')).status).toBe(404)
  expect([await key.statusOf(), await accept()]).toEqual([404, 'invitation_ended'])
  // Erased, but for the key, which another run would find.
  await collection('workspaces').deleteOne({ _id: new Types.ObjectId(ann.context.workspaceId) })
  expect(await key.statusOf()).toBe(404)
})

test('an owner who cannot wait has it erased at once, and no one restores it then', async () => {
  const { ann } = await shop()
  const name = await nameOf(ann)
  const now = (by: Person) => people.call(by, 'POST', '/api/workspace/deletion/now', { name })
  expect((await now(ann)).body.code).toBe('wrong_state')
  await close(ann)
  expect((await now(ann)).status).toBe(204)
  const { pass } = withClock()
  await pass(minuteMs)
  expect((await people.call(ann, 'DELETE', '/api/workspace/deletion')).status).toBe(404)
})

test('once there are several cells, a worker says to which it belongs', async () => {
  const west = { messaging: 'http://127.0.0.1:9', automation: 'http://127.0.0.1:9' }
  const { erasures } = withClock({ urls: new Map([['west', west]]) })
  for (const caller of services) {
    await expect(erasures.due({ caller }, undefined)).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(erasures.due({ caller }, 'west')).resolves.toEqual([])
  }
  await expect(withClock().erasures.due({ caller: services[0] ?? '' }, undefined)).resolves.toBeInstanceOf(Array)
})
