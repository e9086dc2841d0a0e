import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyRingSchema } from '@parley/service-kit/core/key-ring'
import { runToEnd } from '@parley/service-kit/testing/start-process'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAuditRepository } from '../modules/audit/audit.repository.ts'
import { createPruner } from '../modules/audit/prune-entries.ts'
import { verifyWorkspace } from '../modules/audit/verify-workspace.ts'
import { auditKeys, startPeople } from './people.ts'
import { newSignIn, type Person } from './start-profile.ts'

const verifyFile = `${import.meta.dirname}/../audit-verify.ts`
let people: Awaited<ReturnType<typeof startPeople>>
let ann: Person
beforeAll(async () => {
  people = await startPeople()
  people.messaging.state.plan = { ended: false }
})
afterAll(() => people.stop())
beforeEach(async () => {
  ann = await people.profile.signIn({ name: 'Ann Lee' })
})

const collection = () => people.profile.database.connection.collection('auditEntries')
const own = (by: Person) => ({ workspaceId: new Types.ObjectId(by.context.workspaceId) })
const list = async (by: Person, query = '') => (await people.call(by, 'GET', `/api/audit${query}`)).body
const actionsOf = async (by: Person, query = ''): Promise<string[]> =>
  (await list(by, query)).items.map(({ action }: { action: string }) => action)
const rename = async (by: Person, name: string) => {
  const { version } = (await people.call(by, 'GET', '/api/workspace')).body
  return people.call(by, 'PATCH', '/api/workspace', { version, name })
}
const verify = (by: Person, ...args: string[]) =>
  runToEnd(verifyFile, { MONGODB_URL: people.profile.database.url, AUDIT_KEYS: auditKeys }, [
    '--workspace',
    by.context.workspaceId,
    ...args,
  ])
const sealed = (by: Person, count: number) =>
  expect.poll(() => collection().countDocuments({ ...own(by), seq: { $exists: true } })).toBe(count)

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

describe('the chain', () => {
  /** Five entries, all sealed. */
  beforeEach(async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await rename(ann, name)
    await sealed(ann, 5)
  })
  const at = (seq: number) => ({ ...own(ann), seq })
  const read = async (seq: number) => (await collection().findOne(at(seq))) ?? { _id: new Types.ObjectId(), hash: '' }

  test('is whole after ordinary work', async () => {
    expect(await verify(ann)).toMatchObject({ exitCode: 0 })
  })

  const ring = keyRingSchema.parse(auditKeys)
  const ofAnn = () => ({ ring, workspaceId: ann.context.workspaceId })
  const storedRecords = () => createAuditRepository(people.profile.database.connection)

  test('entries that are added while it is verified are no fault', async () => {
    const records = storedRecords()
    const head: typeof records.head = async (scope) => {
      const before = await records.head(scope)
      if (before?.seq === 5) {
        await rename(ann, 'F')
        await sealed(ann, 6)
      }
      return before
    }
    const { faults, seq } = await verifyWorkspace({ ...ofAnn(), records: { ...records, head } })
    expect([faults, seq]).toEqual([[], 5])
  })

  test('is verified by several threads, and what they find is named', async () => {
    const records = storedRecords()
    const threads = { url: people.profile.database.url, count: 3, minEntries: 1 }
    const chained = () => {
      throw new Error('one thread has verified it again')
    }
    const { faults, count, hash } = await verifyWorkspace({ ...ofAnn(), records: { ...records, chained }, threads })
    expect([faults, count, hash]).toEqual([[], 5, (await read(5))['hash']])
    await collection().updateOne(at(3), { $set: { 'actor.id': 'f'.repeat(24) } })
    const altered = await verifyWorkspace({ ...ofAnn(), records, threads })
    expect(altered.faults).toMatchObject([{ seq: 3, kind: 'changed' }])
    await collection().deleteOne(at(2))
    expect((await verifyWorkspace({ ...ofAnn(), records, threads })).faults).toContainEqual({ seq: 2, kind: 'missing' })
  })

  test('names an entry that was changed', async () => {
    await collection().updateOne(at(3), { $set: { 'actor.id': 'f'.repeat(24) } })
    const { exitCode, output } = await verify(ann)
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/"seq":3,"kind":"changed"/)])
    expect(output).not.toMatch(/"seq":[245],"kind"/)
  })

  test('names an entry that was deleted, also the last one', async () => {
    await collection().deleteOne(at(2))
    expect((await verify(ann)).output).toMatch(/"seq":2,"kind":"missing"/)
    await collection().deleteOne(at(5))
    expect((await verify(ann)).output).toMatch(/"seq":5,"kind":"missing"/)
  })

  test('names an entry that was added', async () => {
    for (const seq of [5, 4, 3]) await collection().updateOne(at(seq), { $set: { seq: seq + 1 } })
    const { _id, ...copy } = await read(2)
    await collection().insertOne({ ...copy, seq: 3 })
    expect((await verify(ann)).output).toMatch(/"seq":3,"kind":"(added|moved)"/)
  })

  test('names two that were swapped', async () => {
    const [second, fourth] = [await read(2), await read(4)]
    for (const { _id } of [second, fourth]) await collection().deleteOne({ _id })
    await collection().insertMany([
      { ...second, seq: 4 },
      { ...fourth, seq: 2 },
    ])
    const { output } = await verify(ann)
    expect(output).toMatch(/"seq":2,"kind":"moved"/)
    expect(output).toMatch(/"seq":4,"kind":"moved"/)
  })

  test('names what was removed from its end together with its head, by an anchor', async () => {
    const { hash: anchor } = await read(5)
    const { hash } = await read(4)
    await collection().deleteOne(at(5))
    await people.profile.database.connection
      .collection('auditHeads')
      .updateOne({ _id: new Types.ObjectId(ann.context.workspaceId) }, { $set: { seq: 4, hash } })
    expect((await verify(ann)).exitCode).toBe(0)
    expect((await verify(ann, '--anchor', `5:${anchor}`)).output).toMatch(/"seq":5,"kind":"missing"/)
  })

  test('is verified in an export too, whatever was done to the file', async () => {
    const { text } = await people.profile.call('GET', '/api/audit/file', { token: await ann.token() })
    const file = join(tmpdir(), `audit-${ann.context.workspaceId}.ndjson`)
    const check = async (content: string) => {
      await writeFile(file, content)
      return runToEnd(verifyFile, { AUDIT_KEYS: auditKeys }, ['--file', file])
    }
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    expect(await check(text)).toMatchObject({ exitCode: 0 })
    expect((await check(lines.toSpliced(1, 1).join('\n'))).output).toMatch(/"seq":2,"kind":"missing"/)
    expect((await check(text.replace('"seq":3', '"seq":3,"outcome":"refused"'))).output).toMatch(
      /"seq":3,"kind":"changed"/,
    )
    // The export itself stands in the log.
    await expect.poll(() => actionsOf(ann, '?resource=audit')).toEqual(['audit.download'])
  })

  test('another key proves nothing', async () => {
    const other = `k1:${Buffer.alloc(32, 8).toString('base64')}`
    const { exitCode } = await runToEnd(verifyFile, { MONGODB_URL: people.profile.database.url, AUDIT_KEYS: other }, [
      '--workspace',
      ann.context.workspaceId,
    ])
    expect(exitCode).toBe(1)
  })

  describe('whose first entries are over their time', () => {
    /** Removes what is older than an entry, as on the day on which the time of those before it is over. */
    async function pruneBefore(seq: number): Promise<{ removed: number; problems: string[] }> {
      const entry = await collection().findOne(at(seq))
      const problems: string[] = []
      const prune = createPruner(people.profile.database.connection, ring, {
        retentionOf: async () => ({ days: 400, version: 0 }),
        logger: { error: (_: unknown, text?: string) => void problems.push(String(text)) },
        now: () => Number(entry?.['at']) + 400 * 86_400_000,
      })
      return { removed: await prune(ann.context.workspaceId), problems }
    }
    const heads = () => people.profile.database.connection.collection('auditHeads')
    const head = () => ({ _id: new Types.ObjectId(ann.context.workspaceId) })

    test('verifies from its checkpoint, goes on, and names what is missing of the rest', async () => {
      expect(await pruneBefore(4)).toEqual({ removed: 3, problems: [] })
      expect(await collection().countDocuments(own(ann))).toBe(2)
      await rename(ann, 'F')
      await sealed(ann, 3)
      expect(await verify(ann)).toMatchObject({ exitCode: 0 })
      // Nothing else is over its time.
      expect(await pruneBefore(4)).toEqual({ removed: 0, problems: [] })
      await collection().deleteOne(at(4))
      expect((await verify(ann)).output).toMatch(/"seq":4,"kind":"missing"/)
    })

    test('is verified in an export too', async () => {
      await pruneBefore(4)
      const { text } = await people.profile.call('GET', '/api/audit/file', { token: await ann.token() })
      const file = join(tmpdir(), `audit-pruned-${ann.context.workspaceId}.ndjson`)
      await writeFile(file, text)
      const check = () => runToEnd(verifyFile, { AUDIT_KEYS: auditKeys }, ['--file', file])
      expect(await check()).toMatchObject({ exitCode: 0 })
      await writeFile(file, text.replace('"seq":3', '"seq":2'))
      expect((await check()).exitCode).toBe(1)
    })

    test('names a checkpoint that somebody without the key has moved', async () => {
      await pruneBefore(3)
      const { hash } = await read(3)
      await collection().deleteOne(at(3))
      await heads().updateOne(head(), { $set: { 'from.seq': 3, 'from.hash': hash } })
      expect((await verify(ann)).output).toMatch(/"seq":3,"kind":"changed"/)
    })

    test('keeps what was altered, and says so', async () => {
      await collection().updateOne(at(2), { $set: { outcome: 'refused' } })
      const { removed, problems } = await pruneBefore(5)
      expect([removed, problems]).toEqual([0, [expect.stringContaining('altered')]])
      expect((await verify(ann)).output).toMatch(/"seq":2,"kind":"changed"/)
    })
  })
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
