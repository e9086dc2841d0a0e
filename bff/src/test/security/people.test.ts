import { workspaceHeader } from '@parley/contracts/account/auth'
import { sessionContextSchema } from '@parley/contracts/account/profile-internal'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { mailsTo, newAddress } from '../mailbox.ts'
import { changeAccount, findAccount } from '../provider-admin.ts'
import { type Bff, startBff } from '../start-bff.ts'

let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

const password = 'correct horse'
type Browser = ReturnType<Bff['browser']>

async function json(browser: Browser, method: string, path: string, body?: unknown, shown?: string) {
  const response = await browser.send(method, path, {
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(shown !== undefined && { [workspaceHeader]: shown }),
    },
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: an answer of a shape that each test knows, and checks.
  const answer: any = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, body: answer }
}

/** A person with a verified account and a workspace of their own. */
async function newOwner() {
  const [browser, email] = [bff.browser(), newAddress('owner')]
  expect((await browser.signUp(email, password)).status).toBe(201)
  await changeAccount(email, { emailVerified: true })
  expect((await browser.signIn(email, password)).status).toBe(200)
  const { workspaceId } = (await json(browser, 'GET', '/api/auth/user')).body
  return { browser, email, workspaceId: sessionContextSchema.shape.workspaceId.parse(workspaceId) }
}
type Owner = Awaited<ReturnType<typeof newOwner>>

/** Invites an address, and takes the token out of the mail. */
async function invite({ browser }: Owner, email: string, role = 'agent'): Promise<string> {
  expect(await json(browser, 'POST', '/api/invitations', { email, role })).toMatchObject({ status: 201 })
  return vi.waitFor(
    async () => {
      const texts = (await mailsTo(email)).map(({ text }) => text)
      const token = texts.map((text) => /#invitation=([\w-]{43})/.exec(text)?.[1]).find((found) => found !== undefined)
      if (token === undefined) throw new Error('no mail yet')
      return token
    },
    { timeout: 120_000, interval: 200 },
  )
}

let owner: Owner
beforeEach(async () => {
  owner = await newOwner()
})

/** A new account that has followed an invitation. */
async function newMember(role = 'agent') {
  const [browser, email] = [bff.browser(), newAddress('invited')]
  const token = await invite(owner, email, role)
  const preview = await json(browser, 'POST', '/auth/invitation', { token })
  expect(preview).toMatchObject({ status: 200, body: { email, role } })
  expect((await browser.signUp(email, password)).status).toBe(201)
  return { browser, email }
}

test('an account that is made with the link is verified at once, and begins in the workspace', async () => {
  const { browser, email } = await newMember()
  expect(await browser.session()).toMatchObject({ claims: { email, email_verified: true } })
  expect(await json(browser, 'GET', '/api/auth/user')).toMatchObject({
    status: 200,
    body: { workspaceId: owner.workspaceId, role: 'agent' },
  })
  expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([expect.stringContaining('invites you')])
  // The link has done its work.
  expect(browser.cookie()).not.toContain('invitation')
})

test('the link proves its own address and no other', async () => {
  const [browser, other] = [bff.browser(), newAddress('other')]
  const token = await invite(owner, newAddress('invited'))
  await json(browser, 'POST', '/auth/invitation', { token })
  expect((await browser.signUp(other, password)).status).toBe(201)
  expect(await findAccount(other)).toMatchObject({ emailVerified: false })
  expect((await json(browser, 'GET', '/api/auth/user')).body.workspaceId).not.toBe(owner.workspaceId)
})

test('an unknown link is over, and nothing is kept in the browser', async () => {
  const browser = bff.browser()
  expect(await json(browser, 'POST', '/auth/invitation', { token: 'x'.repeat(43) })).toMatchObject({
    status: 410,
    body: { code: 'invitation_ended' },
  })
  expect(browser.cookie()).toBe('')
})

test('whoever is removed while their page is open is told so by the next call, which does nothing', async () => {
  const { browser, email } = await newMember()
  const rows = (await json(owner.browser, 'GET', '/api/members')).body.items
  const member = rows.find((row: { email: string }) => row.email === email)
  expect((await json(owner.browser, 'DELETE', `/api/members/${member.id}`)).status).toBe(204)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => json(browser, 'GET', '/api/members', undefined, owner.workspaceId)),
  )
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['workspace_changed']))
  const user = (await json(browser, 'GET', '/api/auth/user')).body
  expect(user.workspaceId).not.toBe(owner.workspaceId)
  // A new sign-in leads to the same.
  expect((await browser.signIn(email, password)).status).toBe(200)
  expect((await json(browser, 'GET', '/api/auth/user')).body.workspaceId).toBe(user.workspaceId)
})

/** A person with a workspace of their own who is a member of the owner's, too. */
async function inTwo() {
  const person = await newOwner()
  await invite(owner, person.email, 'admin')
  const [mine] = (await json(person.browser, 'GET', '/api/invitations/mine')).body.items
  const accepted = await json(person.browser, 'POST', `/api/invitations/mine/${mine.id}/accept`, {})
  expect(accepted.body).toEqual({ workspaceId: owner.workspaceId })
  return { ...person, other: owner.workspaceId }
}
const nameOf = async ({ browser }: Pick<Owner, 'browser'>) => (await json(browser, 'GET', '/api/workspace')).body

test('two workspaces in two tabs: nothing is written into the one that a tab does not show', async () => {
  const { browser, workspaceId, other } = await inTwo()
  const before = await nameOf({ browser })
  const rename = (shown: string) =>
    json(browser, 'PATCH', '/api/workspace', { name: 'Written by the old tab', version: before.version }, shown)
  expect((await json(browser, 'POST', '/auth/workspace', { workspaceId: other })).status).toBe(204)
  expect(await rename(workspaceId)).toMatchObject({ status: 409, body: { code: 'workspace_changed' } })
  expect((await nameOf(owner)).name).not.toBe('Written by the old tab')
  expect((await json(browser, 'GET', '/api/auth/user', undefined, other)).body).toMatchObject({
    workspaceId: other,
    role: 'admin',
  })
  expect((await json(browser, 'POST', '/auth/workspace', { workspaceId })).status).toBe(204)
  expect(await nameOf({ browser })).toMatchObject({ name: before.name })
})

test('a page that does not say what it shows reads on after a switch, and its first write ends the session', async () => {
  const { browser, other } = await inTwo()
  await json(browser, 'POST', '/auth/workspace', { workspaceId: other })
  expect((await json(browser, 'GET', '/api/workspace')).status).toBe(200)
  const write = await json(browser, 'PATCH', '/api/workspace', { name: 'Old page', version: 1 })
  expect(write).toMatchObject({ status: 401, body: { code: 'session_expired' } })
  expect((await nameOf(owner)).name).not.toBe('Old page')
})

test('nobody goes to a workspace that they are no member of', async () => {
  const stranger = await newOwner()
  const answer = await json(stranger.browser, 'POST', '/auth/workspace', { workspaceId: owner.workspaceId })
  expect(answer.status).toBe(404)
  expect((await json(stranger.browser, 'GET', '/api/auth/user')).body.workspaceId).toBe(stranger.workspaceId)
})

test('another password needs the current one; it ends the other sessions and a mail says so', async () => {
  const { browser, email } = owner
  const elsewhere = bff.browser()
  expect((await elsewhere.signIn(email, password)).status).toBe(200)
  const change = (current: string) => json(browser, 'POST', '/auth/password', { current, next: 'another horse' })
  expect(await change('a guess')).toMatchObject({ status: 400, body: { code: 'password_wrong' } })
  expect((await change(password)).status).toBe(204)
  expect((await json(browser, 'GET', '/api/auth/user')).status).toBe(200)
  expect((await json(elsewhere, 'GET', '/api/auth/user')).status).toBe(401)
  expect((await bff.browser().signIn(email, password)).status).toBe(400)
  expect((await bff.browser().signIn(email, 'another horse')).status).toBe(200)
  await vi.waitFor(
    async () =>
      expect((await mailsTo(email)).map(({ subject }) => subject)).toContain('Your Parley password was changed'),
    { timeout: 120_000, interval: 200 },
  )
})

test('a workspace is handed over only by who has just shown who they are', async () => {
  await newMember()
  const { browser } = owner
  const rows = (await json(browser, 'GET', '/api/members')).body.items
  const member = rows.find((row: { role: string }) => row.role === 'agent')
  const { store, cookie } = bff.dependencies
  const secret = browser.cookie().replace(`${cookie.name}=`, '')
  const session = await store.load(secret)
  if (!session) throw new Error('the session is gone')
  await store.replace(session, { ...session.hot, createdAt: Date.now() - 11 * 60_000 })
  const transfer = () => json(browser, 'POST', `/api/members/${member.id}/transfer`)
  expect(await transfer()).toMatchObject({ status: 403, body: { code: 'confirmation_required' } })
  expect((await json(browser, 'POST', '/auth/confirm', { password: 'a guess' })).body.code).toBe('password_wrong')
  expect((await json(browser, 'POST', '/auth/confirm', { password })).status).toBe(204)
  expect((await transfer()).status).toBe(204)
  expect((await json(browser, 'GET', '/api/auth/user')).body.role).toBe('admin')
})

test('an owner sees the workspace as an agent does, changes nothing meanwhile, and is themselves again after Stop', async () => {
  const { browser } = owner
  const roleNow = async () => {
    const { role, viewing } = (await json(browser, 'GET', '/api/auth/user')).body
    return [role, viewing]
  }
  const invitation = { email: newAddress('while-viewing'), role: 'agent' }
  expect((await json(browser, 'POST', '/auth/view-as', { role: 'agent' })).status).toBe(204)
  expect(await roleNow()).toEqual(['agent', true])
  expect((await json(browser, 'GET', '/api/invitations')).status).toBe(403)
  expect(await json(browser, 'POST', '/api/invitations', invitation)).toMatchObject({ status: 403 })
  // An agent may save a view, and somebody who only looks may not.
  const view = { name: 'Mine', shared: false, screen: 'conversations', query: {} }
  expect(await json(browser, 'POST', '/api/views', view)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  // Another browser of the same person is as before.
  const other = bff.browser()
  await other.signIn(owner.email, password)
  expect((await json(other, 'GET', '/api/invitations')).status).toBe(200)
  expect((await json(browser, 'POST', '/auth/view-as', { role: null })).status).toBe(204)
  expect(await roleNow()).toEqual(['owner', undefined])
  expect(await json(browser, 'POST', '/api/invitations', invitation)).toMatchObject({ status: 201 })
})

test('nobody looks at a workspace as another role without being an owner or admin', async () => {
  const { browser } = await newMember('agent')
  for (const role of ['owner', 'admin', 'agent', 'viewer'])
    expect(await json(browser, 'POST', '/auth/view-as', { role })).toMatchObject({ status: 403 })
  expect((await json(browser, 'GET', '/api/auth/user')).body.role).toBe('agent')
})

test('an admin looks at the workspace as roles below, and no role above', async () => {
  const { browser: admin } = await newMember('admin')
  expect((await json(admin, 'POST', '/auth/view-as', { role: 'owner' })).status).toBe(403)
  expect((await json(admin, 'POST', '/auth/view-as', { role: 'viewer' })).status).toBe(204)
  expect((await json(admin, 'GET', '/api/auth/user')).body).toMatchObject({ role: 'viewer', viewing: true })
})
