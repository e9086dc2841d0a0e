import { membersApi } from '@parley/contracts/account/members'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAddress } from './mailbox.ts'
import { changeAccount } from './provider-admin.ts'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

test('a member who works is seen: when, is told to the team within a minute', async () => {
  const [browser, email] = [bff.browser(), newAddress('seen')]
  await browser.signUp(email, 'correct horse')
  await changeAccount(email, { emailVerified: true })
  await browser.signIn(email, 'correct horse')
  const seenAt = async () => {
    const page = membersApi.list.response.parse(await (await browser.send('GET', '/api/members')).json())
    return Date.parse(page.items[0]?.lastSeenAt ?? '')
  }
  await seenAt()
  // The time of the sign-in is told in whole seconds.
  await expect.poll(() => Date.now() % 1000).toBeGreaterThan(100)
  const before = Date.now()
  await browser.send('GET', '/api/auth/user')
  await bff.dependencies.seenMembers.tell()
  expect(await seenAt()).toBeGreaterThanOrEqual(before)
})
