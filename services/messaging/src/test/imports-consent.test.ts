import { afterAll, beforeAll, expect, test } from 'vitest'
import { withImports } from './import-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

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
