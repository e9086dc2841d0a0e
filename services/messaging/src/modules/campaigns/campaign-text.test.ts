import { expect, test } from 'vitest'
import { contentKey, type KeyedContent } from '../templates/content-key.ts'
import { acceptedText } from './campaign-text.ts'

type Campaign = Parameters<typeof acceptedText>[0]
const document: KeyedContent = { body: 'Your invoice', buttons: [], headerMedia: { kind: 'document' } }
const campaign = {
  template: { ...document, language: 'en', category: 'utility', contentVersion: 1 } as unknown as Campaign['template'],
  variables: {},
  frozen: { rows: 0 } as Campaign['frozen'],
  startedAt: undefined,
}
const recipientFile = { from: 'field', field: 'attributes.invoice', fields: {} } as const
const accept = (over: Partial<Campaign>, now: KeyedContent) =>
  acceptedText({ ...campaign, ...over }, now, contentKey(now))

test('a new text needs a file above it, unless each recipient has their own, of the same kind', () => {
  const now = { ...document, body: 'Your new invoice' }
  expect(() => accept({}, now)).toThrow('give it one before you continue')
  expect(accept({ recipientFile }, now)).toMatchObject({ body: 'Your new invoice', headerMedia: { kind: 'document' } })
  expect(() => accept({ recipientFile }, { ...now, headerMedia: { kind: 'image' } })).toThrow('a file of their own')
})
