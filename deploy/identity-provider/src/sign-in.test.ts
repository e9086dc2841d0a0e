import { expect, test } from 'vitest'
import { createCheckPassword } from './sign-in.ts'
import type { User } from './store/users.ts'

const user: User = {
  id: 'u1',
  email: 'ann@example.com',
  emailVerified: false,
  enabled: true,
  firstName: null,
  lastName: null,
  attributes: {},
  requiredActions: [],
  createdAt: 0,
}

function setUp(known: User | undefined, options: { locked?: boolean; stored?: string; replacedBy?: string } = {}) {
  const checked: (string | undefined)[] = []
  let current = options.stored
  const recorded: string[] = []
  const check = createCheckPassword({
    users: {
      findByEmail: () => known,
      findPassword: () => (current ? { id: 'p1', hash: current, createdAt: 0 } : undefined),
    },
    passwords: {
      matches: async (password, stored) => {
        checked.push(stored)
        current = options.replacedBy ?? current
        return stored !== undefined && password === 'right'
      },
    },
    failures: {
      isLocked: () => options.locked ?? false,
      record: (id) => recorded.push(id),
      clear: () => recorded.push('cleared'),
    },
  })
  return { check, checked, recorded }
}

test('every way to fail does one password check and tells no more than "credentials"', async () => {
  const cases = [
    setUp(undefined),
    setUp(user),
    setUp(user, { locked: true, stored: 'hash' }),
    setUp({ ...user, enabled: false }, { locked: true, stored: 'hash' }),
  ]
  for (const { check, checked } of cases) {
    expect(await check('ann@example.com', 'right', '::1')).toEqual({ ok: false, reason: 'credentials' })
    expect(checked).toEqual([undefined])
  }
})

test('a wrong password is counted, a try on a locked account is not', async () => {
  const open = setUp(user, { stored: 'hash' })
  await open.check('ann@example.com', 'wrong', '::1')
  expect(open.recorded).toEqual(['u1'])
  const locked = setUp(user, { locked: true, stored: 'hash' })
  await locked.check('ann@example.com', 'wrong', '::1')
  expect(locked.recorded).toEqual([])
})

test('the owner of a disabled or unfinished account hears of it', async () => {
  const disabled = setUp({ ...user, enabled: false }, { stored: 'hash' })
  expect(await disabled.check('ann@example.com', 'right', '::1')).toEqual({ ok: false, reason: 'disabled' })
  const unfinished = { ...user, requiredActions: ['UPDATE_PASSWORD'] }
  expect(await setUp(unfinished, { stored: 'hash' }).check('ann@example.com', 'right', '::1')).toEqual({
    ok: false,
    reason: 'not_set_up',
    user: unfinished,
  })
})

test('the right password clears earlier failures', async () => {
  const { check, recorded } = setUp(user, { stored: 'hash' })
  expect(await check('ann@example.com', 'right', '::1')).toEqual({ ok: true, user })
  expect(recorded).toEqual(['cleared'])
})

test('a password that is replaced while it is checked no longer opens the account', async () => {
  const { check } = setUp(user, { stored: 'old', replacedBy: 'new' })
  expect(await check('ann@example.com', 'right', '::1')).toEqual({ ok: false, reason: 'credentials' })
})
