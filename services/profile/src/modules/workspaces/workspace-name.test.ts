import { expect, test } from 'vitest'
import { workspaceNameFor } from '../session-context/session-context.service.ts'

test.each([
  [{ name: 'Ann Lee', email: 'x@example.com' }, "Ann's workspace"],
  [{ name: '  ', email: 'ann.lee@example.com' }, "Ann's workspace"],
  [{ email: 'bob+news@example.com' }, "Bob's workspace"],
  [{ name: 'élodie', email: '' }, "Élodie's workspace"],
  [{ email: '' }, 'My workspace'],
  [{ email: '...@example.com' }, 'My workspace'],
])('%o → %s', (person, name) => {
  expect(workspaceNameFor(person)).toBe(name)
})

test('a name stays within what a workspace may be called', () => {
  expect(workspaceNameFor({ name: '🙂'.repeat(200), email: '' }).length).toBeLessThanOrEqual(80)
})
