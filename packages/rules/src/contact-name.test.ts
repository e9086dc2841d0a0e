import { expect, test } from 'vitest'
import { isNamed } from './contact-name.ts'

test.each([
  ['Farah', undefined, true],
  ['王伟', undefined, true],
  ['Customer Care', undefined, true],
  ['+919811100001', undefined, false],
  ['98111 00001', undefined, false],
  ['Customer', undefined, false],
  ['dev_x', 'dev_x', false],
  ['@dev_x', 'dev_x', false],
  ['Dev', 'dev_x', true],
  ['🙂', undefined, false],
  ['', undefined, false],
])('%j of whoever has the username %j is a name: %s', (name, username, expected) =>
  expect(isNamed({ name, ...(username !== undefined && { username }) })).toBe(expected),
)
