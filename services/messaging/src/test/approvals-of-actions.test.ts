import { randomUUID } from 'node:crypto'
import type { Approval } from '@parley/contracts/platform/approvals'
import { createJobRecords } from '@parley/service-kit/data/job-records'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPeople, eventually } from './campaign-fixtures.ts'
import { jobEnded } from './contact-fixtures.ts'
import { withImports } from './import-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
type Person = ReturnType<typeof parley.signIn>
let [ann, bob, eve]: [Person?, Person?, Person?] = []
vi.setConfig({ testTimeout: 120_000 })
const owner = () => ann as Person
const admin = () => bob as Person
const { addTo, people } = createPeople(() => parley, 919_871_000_000)

/** An answer that profile has been asked for: on a busy machine it may take too long at first. */
const answered = <T extends { status: number }>(call: () => Promise<T>): Promise<T> =>
  eventually(async () => {
    const answer = await call()
    expect(answer.status).not.toBe(503)
    return answer
  })
const limited = { exportedContacts: 3, deletedContacts: 3, numberRemoval: true }

beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  bob = parley.signIn({ role: 'admin' })
  eve = parley.signIn({ role: 'owner' })
  const members = await parley.members()
  await members.join(owner(), 'Ann Stone', 'active', 'owner')
  await members.join(admin(), 'Bob Reed', 'active', 'admin')
  await members.join(eve, 'Eve Wood', 'active', 'owner')
  const body = { campaignRecipients: null, campaignCost: null, ...limited, version: 0 }
  expect((await answered(() => owner().call('PUT', '/api/workspace/approvals', body))).body).toMatchObject(limited)
})
afterAll(() => parley.stop())

const exportOf = (tag: string) => ({ selection: { filter: { tags: [tag] } }, format: 'csv' })
const startExport = (tag: string, by = owner()) =>
  by.call('POST', '/api/contact-jobs/exports', { ...exportOf(tag), timeZone: 'Asia/Kolkata' })
const ask = (action: object, by = owner()) =>
  answered(() => by.call('POST', '/api/approvals', { action, note: 'For the fair' }))
const askExport = (tag: string, by = owner()) => ask({ kind: 'contact_export', ...exportOf(tag) }, by)
const decide = (id: string, by = admin(), body: object = { decision: 'approve' }) =>
  by.call('POST', `/api/approvals/${id}/decision`, body)
const listed = async (by: Person): Promise<Approval[]> => (await by.ask('GET', '/api/approvals')).items
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const refused = [409, 'approval_required']

test('a large export is asked for in words, approved by another member, and done once', async () => {
  const few = await people(3)
  expect((await startExport(few)).status).toBe(201)
  expect(codeOf(await askExport(few))).toEqual([409, 'wrong_state'])

  const tag = await people(4)
  expect(await startExport(tag)).toMatchObject({
    status: 409,
    body: { code: 'approval_required', message: expect.stringMatching(/more than 3 contacts.*Ask for it/) },
  })
  const agent = parley.signIn({ role: 'agent' })
  expect((await askExport(tag, agent)).status).toBe(403)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const [first, second] = await Promise.all([askExport(tag), askExport(tag)])
  expect([first.status, first.body.id]).toEqual([201, second.body.id])
  expect(await listed(admin())).toMatchObject([
    { state: 'pending', subject: { kind: 'contact_export', contacts: 4, filter: `Tag ${tag}` }, note: 'For the fair' },
  ])
  expect(await startExport(tag)).toMatchObject({ status: 409, body: { fields: { approval: 'pending' } } })
  expect(codeOf(await decide(first.body.id, owner()))).toEqual([409, 'wrong_state'])
  expect((await decide(first.body.id, agent)).status).toBe(403)
  expect((await decide(first.body.id, stranger)).status).toBe(404)
  expect(await listed(stranger)).toEqual([])

  const answers = await Promise.all([decide(first.body.id), decide(first.body.id, eve, { decision: 'approve' })])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await listed(owner())).toMatchObject([{ state: 'approved', subject: { kind: 'contact_export' } }])
  const told = (await owner().ask('GET', '/api/notifications')).items
  expect(told).toMatchObject([{ title: 'An export of contacts was approved', object: { kind: 'approval' } }])

  // A contact who came after the second of the request is no part of it.
  const askedIn = Math.floor(Date.parse(first.body.askedAt) / 1000)
  await eventually(async () => expect(Math.floor(Date.now() / 1000)).toBeGreaterThan(askedIn))
  await addTo(tag, 1)
  const exports = await Promise.all([startExport(tag), startExport(tag)])
  expect(exports.map(({ status }) => status).sort()).toEqual([201, 409])
  const started = exports.find(({ status }) => status === 201)
  expect(await jobEnded(owner(), started?.body.id)).toMatchObject({ state: 'done', done: 4 })
  expect(codeOf(await startExport(tag))).toEqual(refused)
})

test('an export whose first answer was lost is answered with its job, though its approval is used', async () => {
  const tag = await people(4)
  const { body: request } = await askExport(tag)
  expect((await decide(request.id)).status).toBe(200)
  const key = randomUUID()
  const start = () =>
    owner().call(
      'POST',
      '/api/contact-jobs/exports',
      { ...exportOf(tag), timeZone: 'Asia/Kolkata' },
      { 'idempotency-key': key },
    )
  const first = await start()
  expect(first.status).toBe(201)
  await parley.database.connection
    .collection('idempotencyKeys')
    .updateMany({}, { $unset: { answer: 1 }, $set: { leaseEndsAt: new Date(0) } })
  const again = await start()
  expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([201, first.body.id, null])
  expect(codeOf(await startExport(tag))).toEqual(refused)
})

test('an approval ends when more is selected than was asked for, and when the conditions of its segment change', async () => {
  const tag = await people(5)
  const spare = await people(1)
  const { body: request } = await askExport(tag)
  expect((await decide(request.id)).status).toBe(200)
  const [other] = (await owner().ask('GET', `/api/contacts?tags=${spare}`)).items
  await owner().call('POST', `/api/contacts/${other.id}/tags`, { tag })
  expect(await startExport(tag)).toMatchObject({
    status: 409,
    body: { message: 'More contacts are selected now than the 5 at the request. Ask again.' },
  })
  expect((await listed(owner())).map(({ id }) => id)).not.toContain(request.id)
  expect((await askExport(tag)).body).toMatchObject({ state: 'pending', subject: { contacts: 6 } })

  const everybody = { kind: 'contact_export', selection: { filter: {} }, format: 'xlsx' }
  expect((await ask(everybody)).body.subject).toMatchObject({ ...everybody, filter: 'All contacts' })

  const conditions = (value: string) => ({
    match: 'all',
    conditions: [{ field: 'tags', comparison: 'contains', value }],
  })
  const segment = await owner().ask('POST', '/api/segments', { name: `S ${tag}`, filter: conditions(tag) })
  const action = { kind: 'contact_export', selection: { filter: { segment: segment.id } }, format: 'csv' }
  const { body: ofSegment } = await ask(action)
  expect(ofSegment.subject.filter).toBe(`Segment S ${tag}`)
  expect((await decide(ofSegment.id)).status).toBe(200)
  const changed = { filter: { ...conditions(tag), match: 'any' }, version: segment.version }
  expect((await owner().call('PATCH', `/api/segments/${segment.id}`, changed)).status).toBe(200)
  const start = { selection: action.selection, format: 'csv', timeZone: 'Asia/Kolkata' }
  expect(await owner().call('POST', '/api/contact-jobs/exports', start)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/conditions of its segment were changed.*Ask again/) },
  })
})

test('who decides reads of which import the contacts are', async () => {
  const { carryOut } = withImports(parley, owner())
  const { id } = await carryOut(`Name,Phone\n${[1, 2, 3, 4].map((n) => `Guest ${n},+91987200000${n}`).join('\n')}\n`)
  const { body } = await ask({ kind: 'contact_export', selection: { filter: { import: id } }, format: 'csv' })
  expect(body.subject).toMatchObject({ contacts: 4, filter: 'Import people.csv' })
})

test('a selection that grows once it was allowed is neither exported nor deleted beyond what was', async () => {
  const tag = await people(3)
  const selection = { filter: { tags: [tag] } }
  const { body: begun } = await startExport(tag)
  const jobs = fullConnection(parley.database.connection).collection('jobs')
  expect((await jobs.findOne({ _id: new Types.ObjectId(begun.id) }))?.['input']).toMatchObject({ maxContacts: 3 })
  await jobEnded(owner(), begun.id)

  await addTo(tag, 1)
  const upTo = 'f'.repeat(24)
  const inputs = {
    'contacts.export': { selection, format: 'csv', timeZone: 'Asia/Kolkata', maxContacts: 3 },
    'contacts.change': { selection, action: { kind: 'delete' }, upTo, maxContacts: 3 },
  }
  const records = createJobRecords(parley.database.connection)
  for (const [kind, input] of Object.entries(inputs)) {
    const { id } = await records.create(owner(), { kind, total: 0, input, startedBy: owner().userId })
    await parley.services.jobWork.perform({ id, workspaceId: owner().workspaceId })
    expect(await jobEnded(owner(), id)).toMatchObject({ file: null, problem: expect.stringMatching(/More contacts/) })
  }
  expect((await owner().ask('GET', `/api/contacts?tags=${tag}`)).items).toHaveLength(4)
})

test('a large deletion needs an approval whether contacts are named or filtered; an old approval counts no more', async () => {
  const tag = await people(4)
  const { items } = await owner().ask('GET', `/api/contacts?tags=${tag}`)
  const ids: string[] = items.map(({ id }: { id: string }) => id)
  const bulk = () => owner().call('POST', '/api/contacts/bulk', { ids, action: { kind: 'delete' } })
  const filtered = { selection: { filter: { tags: [tag] } }, action: { kind: 'delete' } }
  expect(codeOf(await bulk())).toEqual(refused)
  expect(codeOf(await owner().call('POST', '/api/contact-jobs/changes', filtered))).toEqual(refused)
  const tagging = { ...filtered, action: { kind: 'add_tags', tags: ['kept'] } }
  expect((await owner().call('POST', '/api/contact-jobs/changes', tagging)).status).toBe(201)

  const { body: named } = await ask({ kind: 'contact_deletion', selection: { ids: [...ids].reverse() } })
  expect((await decide(named.id)).status).toBe(200)
  const past = { $set: { expiresAt: new Date(Date.now() - 1000) } }
  await parley.database.connection.collection('approvals').updateOne({ _id: new Types.ObjectId(named.id) }, past)
  expect(codeOf(await bulk())).toEqual(refused)
  const { body: again } = await ask({ kind: 'contact_deletion', selection: { ids } })
  expect(again.id).not.toBe(named.id)
  expect((await decide(again.id)).status).toBe(200)
  expect((await bulk()).body.ids.sort()).toEqual(ids.sort())
  expect(codeOf(await bulk())).toEqual([200, undefined])
})

test('deleting a number needs an approval, which the number and nothing else is deleted by', async () => {
  const { id } = parley.number
  const remove = (by = owner()) => by.call('DELETE', `/api/numbers/${id}`)
  expect(codeOf(await remove())).toEqual(refused)
  const { body: request } = await ask({ kind: 'number_removal', numberId: id })
  expect(request.subject).toMatchObject({ kind: 'number_removal', name: expect.any(String) })
  const decline = { decision: 'decline', reason: 'We still use it' }
  expect((await decide(request.id, admin(), decline)).body.state).toBe('declined')
  expect(await remove()).toMatchObject({ status: 409, body: { message: expect.stringMatching(/declined/) } })
  const { body: again } = await ask({ kind: 'number_removal', numberId: id })
  expect((await decide(again.id)).status).toBe(200)
  expect((await remove()).status).toBe(204)
  expect(codeOf(await ask({ kind: 'number_removal', numberId: id }))).toEqual([404, 'not_found'])
})

test('a request that names an erased person is deleted', async () => {
  const contact = await owner().ask('POST', '/api/contacts', { name: 'Zubair Qureshi', phone: '+919812370177' })
  const action = { kind: 'contact_export', ...exportOf(await people(4)) }
  const note = '+919812370177 has asked for it'
  const { body: request } = await answered(() => owner().call('POST', '/api/approvals', { action, note }))
  const { body: other } = await askExport(await people(4))
  const erasure = await owner().ask('POST', `/api/contacts/${contact.id}/erase`, { name: 'Zubair Qureshi' })
  await jobEnded(owner(), erasure.id)
  const left = (await listed(owner())).map(({ id }) => id)
  expect([left.includes(request.id), left.includes(other.id)]).toEqual([false, true])
})
