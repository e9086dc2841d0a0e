import { queryPlans } from '@parley/service-kit/testing/query-plans'
import { runToEnd } from '@parley/service-kit/testing/start-process'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { type Audited, withAudit } from './audit-fixtures.ts'
import { newSignIn } from './start-profile.ts'

let people: Audited['people']
let ann: Audited['ann']
const { list, actionsOf, rename, verify, sealed, collection, own } = withAudit((audited) => {
  ;({ people, ann } = audited)
})

test('a change of a member says who, what and what it was before', async () => {
  const bob = await people.join(ann, 'agent')
  const row = (await people.call(ann, 'GET', '/api/members')).body.items.find(
    ({ userId }: { userId: string }) => userId === bob.context.userId,
  )
  await people.call(ann, 'PATCH', `/api/members/${row.id}`, { role: 'viewer', version: row.version })
  const [entry] = (await list(ann, '?resource=members')).items
  expect(entry).toMatchObject({
    action: 'members.change',
    actor: { kind: 'member', id: ann.context.userId, name: 'Ann Lee' },
    targets: [{ kind: 'members', id: row.id }],
    changes: [{ field: 'role', from: 'agent', to: 'viewer' }],
    outcome: 'done',
  })
})

test('an invitation is noted without its address, and found by its own id', async () => {
  const { body } = await people.call(ann, 'POST', '/api/invitations', { email: 'new@example.com', role: 'agent' })
  expect(await actionsOf(ann, '?resource=mails')).toEqual([])
  const { items } = await list(ann, `?target=${body.id}`)
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    action: 'invitations.create',
    changes: [{ field: 'email' }, { field: 'role', to: 'agent' }],
  })
  expect(JSON.stringify(items)).not.toContain('new@example.com')
})

test('who accepts with a new account is noted as the one who came', async () => {
  const bob = await people.join(ann, 'agent')
  const [entry] = (await list(ann, `?actor=${bob.context.userId}`)).items
  expect(entry).toMatchObject({ action: 'invitations.accept', actor: { id: bob.context.userId } })
})

test('filters by person, kind of record, outcome and time; pages follow each other', async () => {
  const bob = await people.join(ann, 'admin')
  for (const name of ['One', 'Two', 'Three']) await rename(ann, name)
  await rename(bob, 'Four')
  expect(await actionsOf(ann, `?actor=${bob.context.userId}`)).toEqual(['workspace.update', 'invitations.accept'])
  expect(await actionsOf(ann, '?resource=workspace')).toHaveLength(4)
  expect(await actionsOf(ann, '?outcome=refused')).toEqual([])
  expect(await actionsOf(ann, `?from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([])
  const first = await list(ann, '?resource=workspace&limit=3')
  const second = await list(ann, `?resource=workspace&limit=3&cursor=${first.nextCursor}`)
  const ids = [...first.items, ...second.items].map(({ id }) => id)
  expect([new Set(ids).size, second.nextCursor]).toEqual([4, null])
  expect((await people.call(ann, 'GET', '/api/audit?cursor=other')).body.code).toBe('validation_failed')
})

test('entries of a rare outcome are found without reading the others', async () => {
  const entry = {
    ...own(ann),
    actor: { kind: 'member', id: ann.context.userId },
    action: 'contacts.update',
    resource: 'contacts',
    targets: [],
    changes: [],
    outcome: 'done',
    requestId: 'r',
    personal: {},
  }
  const rows = Array.from({ length: 2003 }, (_, index) => ({
    ...entry,
    at: new Date(Date.now() - index * 1000),
    ...(index > 2000 && { outcome: 'failed' }),
  }))
  await collection().insertMany(rows)
  for (const filter of ['', '&resource=contacts', `&actor=${ann.context.userId}`]) {
    let found: string[] = []
    const plans = await queryPlans(people.profile.database.connection, async () => {
      found = await actionsOf(ann, `?outcome=failed${filter}`)
    })
    expect(found).toHaveLength(2)
    for (const { documents, sortsInMemory } of plans) expect([documents <= 30, sortsInMemory]).toEqual([true, false])
  }
})

test('what was refused for want of a permission is noted once an hour', async () => {
  const agent = await people.join(ann, 'agent')
  for (let tries = 0; tries < 3; tries += 1) expect((await rename(agent, 'Mine')).status).toBe(403)
  await expect.poll(() => actionsOf(ann, '?outcome=refused')).toEqual(['workspace.update'])
})

test.each(['agent', 'viewer'])('an %s reads nothing of it', async (role) => {
  const other = await people.join(ann, role)
  expect((await people.call(other, 'GET', '/api/audit')).status).toBe(403)
  expect((await people.call(other, 'GET', '/api/audit/file')).status).toBe(403)
})

test('another workspace sees nothing of it', async () => {
  await rename(ann, 'Ours')
  const eve = await people.profile.signIn()
  expect(await actionsOf(eve)).toEqual([])
})

test('entries of another service are taken once, however often they come', async () => {
  const { authority, call } = people.profile
  const { workspaceId } = ann.context
  const token = await authority.serviceToken('profile', { process: 'messaging-worker', workspaceId })
  const entry = {
    id: new Types.ObjectId().toHexString(),
    at: new Date().toISOString(),
    actor: { kind: 'member', id: ann.context.userId },
    action: 'campaigns.launch',
    resource: 'campaigns',
    targets: [],
    changes: [],
    outcome: 'done',
    requestId: 'r1',
  }
  for (let times = 0; times < 2; times += 1)
    expect((await call('POST', '/internal/audit', { token, json: { entries: [entry] } })).status).toBe(204)
  expect(await actionsOf(ann)).toEqual(['campaigns.launch'])
  const asBff = await authority.serviceToken('profile', { workspaceId })
  expect((await call('POST', '/internal/audit', { token: asBff, json: { entries: [entry] } })).status).toBe(403)
})

test('a failed sign-in is noted in the workspace of the account, once a quarter of an hour', async () => {
  const signIn = newSignIn()
  const bob = await people.profile.signIn(signIn)
  const note = async (account: object, action: string) => {
    const token = await people.profile.authority.serviceToken('profile')
    const json = { action, account, requestId: 'r', ip: '203.0.113.7', device: 'Firefox on Windows' }
    return (await people.profile.call('POST', '/internal/audit/sign-ins', { token, json })).status
  }
  for (let tries = 0; tries < 3; tries += 1) expect(await note({ email: signIn.email }, 'auth.signInFailed')).toBe(204)
  expect(await note({ email: 'nobody@example.com' }, 'auth.signInFailed')).toBe(204)
  await note({ userId: bob.context.userId, workspaceId: bob.context.workspaceId }, 'auth.signIn')
  expect((await list(bob)).items).toMatchObject([
    { action: 'auth.signIn', outcome: 'done', ip: '203.0.113.7', device: 'Firefox on Windows' },
    { action: 'auth.signInFailed', outcome: 'failed' },
  ])
})

test('how long entries are kept is for the owner to set, within bounds, and is an entry', async () => {
  const path = '/api/workspace/audit-retention'
  const admin = await people.join(ann, 'admin')
  expect((await people.call(admin, 'GET', path)).body).toEqual({ days: 400, version: 0 })
  expect((await people.call(admin, 'PUT', path, { days: 90, version: 0 })).status).toBe(403)
  for (const days of [89, 2558, 100.5])
    expect((await people.call(ann, 'PUT', path, { days, version: 0 })).body.code).toBe('validation_failed')
  expect((await people.call(ann, 'PUT', path, { days: 90, version: 0 })).body).toEqual({ days: 90, version: 1 })
  expect((await people.call(ann, 'PUT', path, { days: 120, version: 0 })).body.code).toBe('stale_version')
  const [entry] = (await list(ann, '?resource=auditRetention&outcome=done')).items
  expect(entry).toMatchObject({ action: 'auditRetention.update', changes: [{ field: 'days', to: 90 }] })
})

test('where a person was is erased from the log on their demand, and the chain still verifies', async () => {
  const signIn = newSignIn()
  const bob = await people.profile.signIn(signIn)
  const token = await people.profile.authority.serviceToken('profile')
  const { userId, workspaceId } = bob.context
  const account = { userId, workspaceId }
  const json = { action: 'auth.signIn', account, requestId: 'r', ip: '203.0.113.9', device: 'Safari on iOS' }
  await people.profile.call('POST', '/internal/audit/sign-ins', { token, json })
  await sealed(bob, 1)
  expect(JSON.stringify(await list(bob))).toContain('203.0.113.9')
  const erase = `${import.meta.dirname}/../audit-erase.ts`
  const environment = { MONGODB_URL: people.profile.database.url }
  expect(await runToEnd(erase, environment, ['--user', userId])).toMatchObject({ exitCode: 0 })
  const { items } = await list(bob)
  expect([items.length, JSON.stringify(items)]).toEqual([1, expect.not.stringMatching(/203\.0\.113\.9|Safari/)])
  expect(await verify(bob)).toMatchObject({ exitCode: 0 })
})
