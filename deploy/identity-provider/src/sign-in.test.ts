import { expect, test } from 'vitest'
import { checkPassword, recordFailure } from './sign-in.ts'
import { openDatabase } from './store/records.ts'
import { openStores } from './store/stores.ts'
import { passwordOf, type User } from './store/users.ts'

const email = 'ann@example.com'

/** @param account what differs of an enabled account without a password; none makes no account */
function setUp(account?: Partial<User>, replacedBy?: string) {
  const { users, failures } = openStores(openDatabase(':memory:'), { sessionIdle: 100, sessionMax: 250 })
  const plain = { email, emailVerified: false, enabled: true, firstName: null, lastName: null, picture: null }
  const user = account && users.create({ ...plain, requiredActions: [], password: null, ...account })
  const checked: (string | undefined)[] = []
  async function matchesPassword(password: string, stored: string | undefined): Promise<boolean> {
    checked.push(stored)
    if (user && replacedBy) users.update(user.id, { password: passwordOf(replacedBy) })
    return stored !== undefined && password === 'right'
  }
  const check = (password: string) => checkPassword({ users, failures, matchesPassword }, email, password)
  const fail = (times: number) => {
    for (let count = 0; count < times; count += 1) recordFailure({ failures }, user?.id ?? '')
  }
  return { user, check, checked, fail, failed: () => failures.find(user?.id ?? '')?.count ?? 0 }
}

const stored = { password: passwordOf('hash') }

test('every way to fail does one password check and tells no more than "credentials"', async () => {
  const locked = setUp(stored)
  locked.fail(100)
  const lockedAndDisabled = setUp({ ...stored, enabled: false })
  lockedAndDisabled.fail(100)
  for (const { check, checked } of [setUp(), setUp({}), locked, lockedAndDisabled]) {
    expect(await check('right')).toEqual({ ok: false, reason: 'credentials' })
    expect(checked).toEqual([undefined])
  }
})

test('a wrong password is counted, a try on a locked account is not', async () => {
  const { check, fail, failed } = setUp(stored)
  await check('wrong')
  expect(failed()).toBe(1)
  fail(99)
  await check('wrong')
  expect(failed()).toBe(100)
})

test('the owner of a disabled account hears of it', async () => {
  expect(await setUp({ ...stored, enabled: false }).check('right')).toEqual({ ok: false, reason: 'disabled' })
})

test('the right password clears earlier failures', async () => {
  const { user, check, fail, failed } = setUp(stored)
  fail(3)
  expect(await check('right')).toEqual({ ok: true, user })
  expect(failed()).toBe(0)
})

test('a password that is replaced while it is checked no longer opens the account', async () => {
  expect(await setUp(stored, 'new').check('right')).toEqual({ ok: false, reason: 'credentials' })
})
