import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorBodySchema } from '@parley/contracts/core/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endingSession } from '../ending-session.ts'
import { browserOf } from '../issued-session.ts'
import { newAddress } from '../mailbox.ts'
import { forThisTest } from '../running.ts'
import { type Bff, startBff } from '../start-bff.ts'

const password = 'correct horse'
const nowhere = 'http://127.0.0.1:9'
let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

async function signedUp(on: Bff) {
  const browser = on.browser()
  expect((await browser.signUp(newAddress(), password)).status).toBe(201)
  return { browser, secret: browser.cookie().split('=')[1] ?? '' }
}

/** An address that takes connections and never answers, or answers with a fault that names its host. */
async function brokenService(how: 'silent' | 'failing') {
  let [underWay, most] = [0, 0]
  const server = createServer((req, res) => {
    if (req.url !== '/readyz') {
      underWay += 1
      most = Math.max(most, underWay)
      res.once('close', () => {
        underWay -= 1
      })
    }
    if (how === 'failing') res.writeHead(500).end(`cannot connect to ${req.headers.host}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the highest number of calls that waited at one moment. */
    most: () => most,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Expects JSON in the one envelope, without the address of the service. */
async function expectPlainError(response: Response, status: number, code: string) {
  expect(response.status).toBe(status)
  const text = await response.text()
  expect(errorBodySchema.parse(JSON.parse(text))).toMatchObject({ code })
  expect(text + JSON.stringify([...response.headers])).not.toMatch(/127\.0\.0\.1|ECONN|node_modules|:9\b/)
  expect(response.headers.getSetCookie()).toEqual([])
}

describe('while profile is away', () => {
  test('a call is 502 in JSON and names no host', async () => {
    const { secret } = await signedUp(bff)
    const gone = await forThisTest(startBff({ PROFILE_URL: nowhere }))
    await expectPlainError(await browserOf(gone, secret).send('GET', '/api/auth/user'), 502, 'upstream_failed')
  })

  test('a password sign-in works, and the first call after its return completes the session', async () => {
    const away = await forThisTest(startBff({ PROFILE_URL: nowhere }))
    const { browser, secret } = await signedUp(away)
    expect(await browser.session()).toMatchObject({ authenticated: true })
    await expectPlainError(await browser.send('GET', '/api/auth/user'), 503, 'service_unavailable')
    expect((await browserOf(bff, secret).send('GET', '/api/auth/user')).status).toBe(200)
  })

  test('but answering with faults, the page hears of no host either', async () => {
    const broken = await forThisTest(brokenService('failing'))
    const on = await forThisTest(startBff({ PROFILE_URL: broken.url }))
    const { browser } = await signedUp(on)
    await expectPlainError(await browser.send('GET', '/api/auth/user'), 503, 'service_unavailable')
  })
})

describe('while identity is away', () => {
  test.each(['gone', 'failing'] as const)('(%s) sign-up and resending are 503, the reset stays 202', async (how) => {
    const { secret } = await signedUp(bff)
    const url = how === 'gone' ? nowhere : (await forThisTest(brokenService('failing'))).url
    const on = await forThisTest(startBff({ IDENTITY_URL: url }))
    await expectPlainError(await on.browser().signUp(newAddress(), password), 503, 'service_unavailable')
    const resend = await browserOf(on, secret).send('POST', '/auth/verification-email')
    await expectPlainError(resend, 503, 'service_unavailable')
    expect((await on.browser().postJson('/auth/password-reset', { email: newAddress() })).status).toBe(202)
    expect((await browserOf(on, secret).send('POST', '/auth/sign-out')).status).toBe(204)
  })
})

describe.concurrent('what does not answer is given up, and nobody is signed out:', () => {
  test('profile behind the proxy, 504', async ({ expect }) => {
    const { secret } = await signedUp(bff)
    const silent = await brokenService('silent')
    const on = await startBff({ PROFILE_URL: silent.url })
    const response = await browserOf(on, secret).send('GET', '/api/auth/user')
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ code: 'upstream_timeout' })
    expect(await browserOf(bff, secret).session()).toMatchObject({ authenticated: true })
    await Promise.all([on.stop(), silent.stop()])
  })

  test('identity, while other sessions end: it is asked for all of them at once, and they have ended', async ({
    expect,
  }) => {
    const email = newAddress()
    await bff.browser().signUp(email, password)
    const silent = await brokenService('silent')
    const on = await startBff({ IDENTITY_URL: silent.url })
    const [current, ...others] = [on.browser(), on.browser(), on.browser(), on.browser()] as const
    for (const browser of [current, ...others]) await browser.signIn(email, password)
    const ending = current.send('DELETE', '/auth/sessions?others=1')
    // The three that are open, and the one of the sign-up.
    expect((await ending).status).toBe(204)
    expect(silent.most()).toBe(4)
    for (const browser of others) expect(await browser.session()).toEqual({ authenticated: false })
    expect(await current.session()).toMatchObject({ authenticated: true })
    await Promise.all([on.stop(), silent.stop()])
  })

  test('identity, 503', async ({ expect }) => {
    const silent = await brokenService('silent')
    const on = await startBff({ IDENTITY_URL: silent.url })
    const response = await on.browser().signUp(newAddress(), password)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'service_unavailable' })
    await Promise.all([on.stop(), silent.stop()])
  })
})

test('a provider that does not answer is given up, and the session stays', async () => {
  const { gate, browser } = await endingSession()
  const release = gate.hold()
  await expectPlainError(await browser.send('GET', '/api/auth/user'), 503, 'identity_provider_unavailable')
  release()
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
})
