import { expect, test } from 'vitest'
import { templateValue, usesFallback } from './template-values.ts'

const asha = { name: ' Asha Rao', phone: '+91 98200 00001', attributes: { city: 'Pune\n\tWest', gap: 'a        b' } }
const field = (name: string) => ({ kind: 'field' as const, field: name, fallback: 'there' })

test('a placeholder is filled from the contact, or by its fallback', () => {
  expect(templateValue(field('firstName'), asha)).toBe('Asha')
  expect(templateValue(field('phone'), asha)).toBe('+91 98200 00001')
  expect(templateValue(field('username'), asha)).toBe('there')
  expect(templateValue(field('attributes.city'), { ...asha, attributes: {} })).toBe('there')
  expect(templateValue(field('attributes.constructor'), asha)).toBe('there')
  expect(templateValue({ kind: 'text', text: '15%' }, asha)).toBe('15%')
})

test('values are of one line, as WhatsApp demands', () => {
  expect(templateValue(field('attributes.city'), asha)).toBe('Pune West')
  expect(templateValue(field('attributes.gap'), asha)).toBe('a    b')
})

test.each([
  ['+91 98200 00001', undefined],
  ['Customer', undefined],
  ['dev_x', 'dev_x'],
])('%s greets nobody: the fallback is taken, and counted', (name, username) => {
  const unnamed = { name, attributes: {}, ...(username !== undefined && { username }) }
  for (const what of ['firstName', 'name']) {
    expect(templateValue(field(what), unnamed)).toBe('there')
    expect(usesFallback(field(what), unnamed)).toBe(true)
  }
})
