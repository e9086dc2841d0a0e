import type { Audience } from '@parley/contracts/campaigns/campaign-fields'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { AppError } from '@parley/service-kit/core/errors'
import { expect, test } from 'vitest'
import { createAudienceAnswers } from './audience-answers.ts'

const unused = (): never => expect.fail('this is not asked for')
const contact: Contact = {
  id: 'c',
  name: 'Asha',
  tags: ['vip'],
  attributes: {},
  source: 'manual',
  blocked: false,
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  lastContactAt: null,
  optIn: { marketing: 'in', source: 'manual', at: null },
}

/** Returns an audience's answers about the contact, for an import with these people, batch by batch. */
function answersOf(audience: Audience, batches: readonly (readonly string[])[] | AppError = []) {
  const answers = createAudienceAnswers({
    segments: { find: unused, labels: async () => () => undefined },
    importPeople: {
      find: async () => {
        if (batches instanceof AppError) throw batches
        return { fileName: 'people.csv' } as never
      },
      batch: async (_scope, _id, number) => {
        const people = Array.isArray(batches) ? batches[number] : unused()
        return people ? [...people] : null
      },
    },
    campaigns: { read: async () => null },
    rows: { ofContacts: unused },
  })
  return answers({ workspaceId: 'w' }, audience, { contact, ids: ['c', 'merged'] })
}

test('of several tags any or all are asked for', async () => {
  const tags = ['vip', 'new']
  const conditions = [
    { text: 'Tag is vip', holds: true },
    { text: 'Tag is new', holds: false },
  ]
  expect(await answersOf({ kind: 'tags', tags })).toEqual({ text: '', match: 'any', holds: true, conditions })
  expect(await answersOf({ kind: 'tags', tags, match: 'all' })).toMatchObject({ match: 'all', holds: false })
})

test('an import has whom it has added or changed, also by a contact that was merged since', async () => {
  const audience = { kind: 'import' as const, importId: 'i' }
  const text = 'Was added or changed by the import of people.csv'
  expect(await answersOf(audience, [['a'], ['b', 'merged']])).toEqual({ text, holds: true })
  expect(await answersOf(audience, [['a'], ['b']])).toEqual({ text, holds: false })
  const gone = new AppError('wrong_state', 'It is known for 30 days only.')
  expect(await answersOf(audience, gone)).toBeNull()
})

test('of an earlier campaign that is gone nothing is answered', async () => {
  expect(await answersOf({ kind: 'campaign', campaignId: 'e', missed: 'failed' })).toBeNull()
})
