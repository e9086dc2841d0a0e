import { expect, test } from 'vitest'
import { endingSession } from '../ending-session.ts'

/** Returns the parts that decide whether a session's event streams stay open. */
async function streamedSession() {
  const { on, load, replica } = await endingSession()
  const { refresh, sessions, store } = on.dependencies
  const session = await sessions.withContext(await load())
  return { refresh, store, replica, session, isCurrent: () => sessions.isCurrent(session) }
}

test('a stream outlives a renewal of its session', async () => {
  const { refresh, session, isCurrent } = await streamedSession()
  expect((await refresh.renewed(session))?.hot.idTokenHash).not.toBe(session.hot.idTokenHash)
  expect(await isCurrent()).toBe(true)
})

test('a sign-out at another instance ends it', async () => {
  const { replica, isCurrent } = await streamedSession()
  const { browser } = await replica()
  expect((await browser.send('POST', '/auth/sign-out')).status).toBe(204)
  expect(await isCurrent()).toBe(false)
})

test.each([
  ['another role', { version: 99 }],
  ['another workspace', { workspaceId: 'f'.repeat(24) }],
])('%s ends it', async (_what, change) => {
  const { store, session, isCurrent } = await streamedSession()
  const { hot } = session
  expect(await store.replace(session, { ...hot, context: { ...hot.context, ...change } })).toBeDefined()
  expect(await isCurrent()).toBe(false)
})
