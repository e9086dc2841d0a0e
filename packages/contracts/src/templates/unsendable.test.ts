import { expect, test } from 'vitest'
import { unsendableReason } from './unsendable.ts'

const file = { mimeType: 'image/png', sizeBytes: 1 }
const card = (of: object = { file }) => ({ headerMedia: { kind: 'image', ...of } })

test.each([
  [{}, undefined],
  [{ headerMedia: { kind: 'video' } }, 'This template needs a video'],
  [{ headerMedia: { kind: 'product' } }, 'This template needs a product'],
  [{ headerMedia: { kind: 'product', product: { id: 'tea-1', catalogId: '7' } } }, undefined],
  [{ cards: [card(), card()] }, undefined],
  [{ cards: [card(), card({})] }, 'This template needs a picture on card 2'],
  [{ unsupported: ['gif header'], cards: [card({})] }, 'It has a part that Parley cannot fill in: gif header'],
])('%j: %s', (template, reason) => {
  expect(unsendableReason(template)).toBe(reason)
})
