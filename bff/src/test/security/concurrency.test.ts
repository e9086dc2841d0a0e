import { describe, expect, test, vi } from 'vitest'
import { endingSession } from '../ending-session.ts'
import { browserOf } from '../issued-session.ts'

/** Waits until the provider has been asked that often. */
const asked = (grants: readonly string[], times: number) =>
  vi.waitFor(() => expect(grants.length).toBe(times), { interval: 10 })

test('fifty parallel calls on two instances and an ended token make exactly one refresh, and all succeed', async () => {
  const { gate, on, browser, replica } = await endingSession()
  const second = await replica()
  const calls = Array.from({ length: 50 }, (_, index) =>
    (index % 2 ? browser : second.browser).send('GET', '/api/auth/user').then(({ status }) => status),
  )
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
  expect(gate.grants).toEqual(['refresh_token'])
  expect(on.log.join('')).not.toContain('"level":"error"')
})

test('a client that leaves during a refresh leaves its session intact, and the refresh is used', async () => {
  const { gate, on, browser, load } = await endingSession()
  const before = await load()
  const release = gate.hold()
  const leaving = new AbortController()
  const gone = fetch(`${on.url}/api/auth/user`, { headers: { cookie: browser.cookie() }, signal: leaving.signal })
  await asked(gate.grants, 1)
  leaving.abort()
  await expect(gone).rejects.toThrow()
  release()
  await vi.waitFor(async () => expect((await load()).hot.idTokenHash).not.toBe(before.hot.idTokenHash))
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  expect(gate.grants).toEqual(['refresh_token'])
})

test('the death of the instance that holds the refresh lock does not keep the session from its next refresh', async () => {
  const { gate, load, replica } = await endingSession()
  const session = await load()
  const dying = await replica()
  const release = gate.hold()
  const renewing = dying.on.dependencies.refresh.renewed(session)
  await asked(gate.grants, 1)
  // It can neither store its result nor release the lock any more.
  dying.on.dependencies.redis.disconnect()
  release()
  await expect(renewing).rejects.toThrow()
  gate.grants.length = 0
  const { browser } = await replica()
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  expect(gate.grants).toEqual(['refresh_token'])
})

test('the lock outlives the slowest answer of the provider, and is gone after the refresh', async () => {
  const { on, gate, load } = await endingSession()
  const session = await load()
  const lock = `s:{${session.key}}:lock`
  const release = gate.hold()
  const begun = Date.now()
  const renewing = on.dependencies.refresh.renewed(session)
  await asked(gate.grants, 1)
  // The provider client gives up after four seconds.
  expect((await on.dependencies.redis.pexpiretime(lock)) - begun).toBeGreaterThan(4000)
  release()
  await renewing
  expect(await on.dependencies.redis.exists(lock)).toBe(0)
})

describe('an end during a refresh stays an end:', () => {
  test.each([
    ['a sign-out', 'POST', '/auth/sign-out'],
    ['the end of the token sync', 'DELETE', '/auth/token-sync'],
  ])('%s', async (_what, method, path) => {
    const { gate, on, browser, secret, load } = await endingSession()
    const session = await load()
    const release = gate.hold()
    const renewing = on.dependencies.refresh.renewed(session)
    await asked(gate.grants, 1)
    expect((await browser.send(method, path)).status).toBe(204)
    release()
    expect(await renewing).toBeUndefined()
    expect(await browserOf(on, secret).session()).toEqual({ authenticated: false })
    expect(await on.dependencies.redis.keys(`s:{${session.key}}:*`)).toEqual([])
  })

  test('a back-channel logout', async () => {
    const { gate, on, secret, load } = await endingSession()
    const session = await load()
    const release = gate.hold()
    const renewing = on.dependencies.refresh.renewed(session)
    await asked(gate.grants, 1)
    const { iss, sub, sid } = session.hot.claims
    await on.dependencies.store.destroyBy({ iss, sub, sid })
    release()
    expect(await renewing).toBeUndefined()
    expect(await browserOf(on, secret).session()).toEqual({ authenticated: false })
  })
})

test('a refresh and another write to the session at the same moment lose neither', async () => {
  const { gate, on, browser, load } = await endingSession()
  const before = await load()
  const release = gate.hold()
  const answers = Promise.all([browser.send('GET', '/auth/session'), browser.send('GET', '/api/auth/user')])
  await asked(gate.grants, 1)
  // This is the state of the first call after an outage of profile.
  await on.dependencies.store.replace(before, { ...before.hot, createdAt: before.hot.createdAt })
  release()
  const [page, call] = await answers
  expect(await page?.json()).toMatchObject({ authenticated: true })
  expect(call?.status).toBe(200)
  expect((await load()).hot.idTokenHash).not.toBe(before.hot.idTokenHash)
})

test('who waits for the refresh of another instance is not content with any other change', async () => {
  const { gate, on, load, end, replica } = await endingSession()
  await end(30)
  const before = await load()
  const second = await replica()
  const release = gate.hold()
  const renewing = on.dependencies.refresh.renewed(before)
  await asked(gate.grants, 1)
  const waiting = second.on.dependencies.refresh.withLife(before, 90)
  await on.dependencies.store.replace(before, before.hot)
  release()
  const [, renewed] = await Promise.all([renewing, waiting])
  expect(renewed?.hot.idTokenHash).not.toBe(before.hot.idTokenHash)
  expect(gate.grants).toEqual(['refresh_token'])
})
