import type { ImportRow } from '@parley/contracts/contacts/import-rows'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withImports } from './import-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

test('consent of a list is entries with file and line, which no opt-out yields to, and which an undo takes back', async () => {
  const { ann, carryOut, rows, until } = withImports(parley)
  const history = async (id: string) => (await ann.call('GET', `/api/contacts/${id}/consent`)).body.items
  const add = async (name: string, phone: string) =>
    (await ann.call('POST', '/api/contacts', { name, phone, tags: [], attributes: {} })).body
  const recordConsent = (id: string, value: 'in' | 'out', category = 'marketing') =>
    ann.call('POST', `/api/contacts/${id}/consent`, { category, value, note: 'On the phone.' })
  const [out, gone, notices] = [
    await add('Out', '+919800000001'),
    await add('Gone', '+919800000002'),
    await add('Notices', '+919800000003'),
  ]
  await add('Asked', '+919800000004')
  await recordConsent(out.id, 'out')
  await recordConsent(gone.id, 'out')
  await recordConsent(notices.id, 'out', 'utility')
  // The contact is purged for good, as after 30 days.
  const purged = [gone, notices].map(({ id }) => new Types.ObjectId(String(id)))
  await parley.database.connection.collection('contacts').deleteMany({ _id: { $in: purged } })

  const file = [
    'Name,Phone,Opt-in',
    ...['Out,+919800000001,yes', 'Gone,+919800000002,yes', 'Notices,+919800000003,yes', 'Asked,+919800000004,yes'],
    ...['New,+919800000005,yes', 'No,+919800000006,no', 'Silent,+919800000007,'],
  ].join('\n')
  const { id, checked, done } = await carryOut(file, { evidence: 'Spring fair' })
  expect(done.counts).toEqual(checked.counts)
  expect([checked.consentRefused, done.consentRefused]).toEqual([2, 2])
  const items: ImportRow[] = await rows(id)
  const kept = 'Kept opted out: an import cannot override the customer’s own choice.'
  expect(items.map(({ name, reason }) => [name, reason])).toEqual([
    ['Out', kept],
    ['Gone', kept],
    ...['Notices', 'Asked', 'New', 'No', 'Silent'].map((name) => [name, undefined]),
  ])
  const people = new Map(items.map(({ name, contactId = '' }) => [name, contactId]))
  const idOf = (name: string) => people.get(name) || { Out: out.id }[name]
  const consentOf = async (name: string) => (await ann.call('GET', `/api/contacts/${idOf(name)}`)).body.optIn.marketing
  expect(await Promise.all(['Out', 'Gone', 'Notices', 'Asked', 'New', 'No', 'Silent'].map(consentOf))).toEqual([
    'out',
    'out',
    'in',
    'in',
    'in',
    'out',
    'unknown',
  ])
  expect(await history(idOf('New'))).toMatchObject([
    ...[{ category: 'marketing', value: 'in', source: 'import', memberId: ann.userId }],
  ])
  expect((await history(idOf('New')))[0].note).toBe('import: Spring fair, people.csv, line 6')
  expect(await history(idOf('Gone'))).toMatchObject([{ category: 'marketing', value: 'out', source: 'suppression' }])
  expect(
    (await history(idOf('Notices')))
      .map(({ category, source }: { category: string; source: string }) => [category, source])
      .sort(),
  ).toEqual([
    ['marketing', 'import'],
    ['utility', 'suppression'],
  ])
  expect(await history(idOf('Out'))).toMatchObject([{ value: 'out', source: 'agent' }])

  // One says no after the import: that stays. The others' consent goes as it came.
  await recordConsent(idOf('New'), 'out')
  expect((await ann.call('POST', `/api/imports/${id}/undo`)).status).toBe(200)
  await until(id, 'undone')
  expect(await consentOf('Asked')).toBe('unknown')
  expect(await history(idOf('Asked'))).toMatchObject([{ source: 'import', takenBackAt: expect.any(String) }])
  const back = await carryOut('Name,Phone,Opt-in\nNew,+919800000005,yes\nNo,+919800000006,yes\n')
  const again: ImportRow[] = await rows(back.id)
  expect(again.map(({ name, reason }) => [name, reason])).toEqual([
    ['New', kept],
    ['No', undefined],
  ])
  // A statement that counts again is recorded after the entries that were taken back.
  await recordConsent(idOf('Asked'), 'out', 'utility')
  expect(await consentOf('Asked')).toBe('unknown')
})

const allAgreed = true
const evidence = 'Signed at the fair, 3 May'

test('everybody in a file has agreed: each with how and when, except who has said no; an undo takes it back', async () => {
  const { ann, carryOut, rows, until } = withImports(parley)
  const add = async (name: string, phone: string): Promise<string> =>
    (await ann.call('POST', '/api/contacts', { name, phone, tags: [], attributes: {} })).body.id
  const out = await add('Out', '+919800000001')
  const silent = await add('Silent', '+919800000002')
  await ann.call('POST', `/api/contacts/${out}/consent`, { category: 'marketing', value: 'out', note: 'On the phone.' })

  const file = 'Name,Phone\nOut,+919800000001\nSilent,+919800000002\nNew,+919800000003\n'
  const { id, checked, done } = await carryOut(file, { allAgreed, evidence })
  expect(done).toMatchObject({ allAgreed, evidence, counts: { created: 1, updated: 1, skipped: 1, invalid: 0 } })
  expect(done.counts).toEqual(checked.counts)
  expect([checked.consentRefused, done.consentRefused]).toEqual([1, 1])
  const items = await rows(id)
  expect(items[0]).toMatchObject({ outcome: 'skipped', reason: expect.stringContaining('Kept opted out') })
  const fresh = String(items[2].contactId)
  const saidBy = async (contact: string) => (await ann.call('GET', `/api/contacts/${contact}`)).body.optIn.marketing
  expect(await Promise.all([out, silent, fresh].map(saidBy))).toEqual(['out', 'in', 'in'])
  const { items: history } = (await ann.call('GET', `/api/contacts/${fresh}/consent`)).body
  expect(history).toMatchObject([{ value: 'in', note: `import: ${evidence}, people.csv, line 4` }])

  await ann.call('POST', `/api/imports/${id}/undo`)
  await until(id, 'undone')
  expect(await saidBy(silent)).toBe('unknown')
})

test('nobody has agreed without how and when, or where a column says who has', async () => {
  const { ann, upload } = withImports(parley)
  const refused = async (content: string, settings: object) => {
    const { body } = await upload(content)
    await ann.call('PATCH', `/api/imports/${body.id}`, settings)
    const answer = await ann.call('POST', `/api/imports/${body.id}/check`)
    return [answer.status, answer.body.message]
  }
  expect(await refused('Name,Phone\nA,+919800000001\n', { allAgreed })).toEqual([
    409,
    'Enter how and when these people agreed.',
  ])
  expect(await refused('Name,Phone,Opt-in\nA,+919800000001,no\n', { allAgreed, evidence })).toEqual([
    409,
    'Leave the consent column out, or let it say who has agreed.',
  ])
  // The next file with this header is not taken to have been agreed to.
  const { body } = await upload('Name,Phone\nA,+919800000001\n')
  expect(body).toMatchObject({ allAgreed: false, evidence: '' })
})

test('a cell that is neither yes nor no brings the contact without a consent, and the row says so', async () => {
  const { ann, carryOut, rows } = withImports(parley)
  const file = ['Name,Phone,Opt-in', 'Oui,+919800000021,VRAI', 'Web,+919800000022,website', 'Non,+919800000023,FAUX']
  const { id, checked, done } = await carryOut(file.join('\n'))
  expect(checked.counts).toMatchObject({ created: 3, invalid: 0 })
  expect(done.counts).toEqual(checked.counts)
  expect([checked.consentRefused, done.consentRefused]).toEqual([1, 1])
  const items: ImportRow[] = await rows(id)
  expect(items.map(({ value, reason }) => [value, reason])).toEqual([
    [undefined, undefined],
    ['website', 'The consent is neither yes nor no: none is recorded.'],
    [undefined, undefined],
  ])
  const consents = items.map(async ({ contactId }) => (await ann.call('GET', `/api/contacts/${contactId}`)).body.optIn)
  expect((await Promise.all(consents)).map(({ marketing }) => marketing)).toEqual(['in', 'unknown', 'out'])
})

test('a row that is refused makes no tag', async () => {
  const { ann, carryOut } = withImports(parley)
  const file = ['Name,Phone,Tags', 'Asha,+919800000031,fair', 'Asha again,+919800000031,twice', 'Nobody,12,unreachable']
  const { done } = await carryOut(file.join('\n'))
  expect(done.counts).toMatchObject({ created: 1, invalid: 2 })
  const again = await carryOut('Name,Phone,Tags\nAsha,+919800000031,known\n', { purpose: 'add' })
  expect(again.done.counts).toMatchObject({ skipped: 1 })
  const { items } = await ann.ask('GET', '/api/tags')
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['fair'])
})
