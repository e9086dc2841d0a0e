import { expect, test } from 'vitest'
import { splitDisplayName } from './form-values.ts'

test.each([
  ['Asha Rao', 'Asha', 'Rao'],
  ['  Asha \t Devi  Rao ', 'Asha', 'Devi Rao'],
  ['Cher', 'Cher', ''],
  ['', '', ''],
  ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
  ['Rao, Asha Devi', 'Asha Devi', 'Rao'],
  ['Rao,', 'Rao,', ''],
  ['山田 太郎', '山田', '太郎'],
])('%j becomes %j and %j', (displayName, firstName, lastName) => {
  expect(splitDisplayName(displayName)).toEqual({ firstName, lastName })
})

test('neither part is longer than the contract allows, and no character is cut in half', () => {
  const { firstName, lastName } = splitDisplayName(`${'a'.repeat(79)}👩 ${'b'.repeat(200)}`)
  expect(firstName).toBe('a'.repeat(79))
  expect(lastName).toHaveLength(80)
})
