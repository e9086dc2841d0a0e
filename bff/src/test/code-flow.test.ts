import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CodeFlow, startCodeFlow } from './flow.ts'
import { newAddress } from './mailbox.ts'

const password = 'correct horse'
let flow: CodeFlow
beforeAll(async () => {
  flow = await startCodeFlow()
})
afterAll(() => flow.bff.stop())

test('a sign-in at the provider ends at the handler, and its code gives the page its token once', async () => {
  const { flowBrowser, start, handler, code } = await flow.signedIn()
  expect(handler.pathname).toBe('/auth/handler')
  expect(handler.searchParams.get('state')).toBe(start.state)
  const answer = await flowBrowser.redeem(code, start.verifier)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ access_token: 'cookie', token_type: 'Bearer' })
  expect(await flowBrowser.session()).toMatchObject({ authenticated: true, claims: { email: flow.email } })

  const again = await flowBrowser.redeem(code, start.verifier)
  expect(again.status).toBe(400)
  expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
  expect(await flowBrowser.session()).toMatchObject({ authenticated: true })
})

describe('where an account is signed in', () => {
  test('lists each session with device and time, and marks the current one', async () => {
    const address = newAddress()
    const browser = flow.bff.browser()
    await browser.signUp(address, password)
    const there = flow.bff.browser()
    await there.send('POST', '/auth/token', {
      body: new URLSearchParams({ grant_type: 'password', client_id: 'spa', username: address, password }),
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    const { sessions } = (await (await browser.send('GET', '/auth/sessions')).json()) as {
      sessions: { id: string; device: string; current: boolean }[]
    }
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(sessions.find(({ current }) => !current)?.device).toBe('Firefox on Linux')

    const other = sessions.find(({ current }) => !current)
    expect((await browser.send('DELETE', `/auth/sessions/${other?.id}`)).status).toBe(204)
    expect(await there.session()).toEqual({ authenticated: false })
    expect(await browser.session()).toMatchObject({ authenticated: true })
    expect((await browser.send('DELETE', `/auth/sessions/${other?.id}`)).status).toBe(404)
  })

  test('ending all others leaves this one; another account’s sessions cannot be named', async () => {
    const address = newAddress()
    const browser = flow.bff.browser()
    await browser.signUp(address, password)
    const others = [flow.bff.browser(), flow.bff.browser()]
    for (const other of others) await other.signIn(address, password)
    const stranger = flow.bff.browser()
    await stranger.signUp(newAddress(), password)
    const listed = (await (await browser.send('GET', '/auth/sessions')).json()) as { sessions: { id: string }[] }
    expect((await stranger.send('DELETE', `/auth/sessions/${listed.sessions[0]?.id}`)).status).toBe(404)
    expect((await browser.send('DELETE', '/auth/sessions?others=1')).status).toBe(204)
    for (const other of others) expect(await other.session()).toEqual({ authenticated: false })
    expect(await browser.session()).toMatchObject({ authenticated: true })
    expect((await browser.send('DELETE', '/auth/sessions')).status).toBe(400)
  })
})

test('the project of the page names its domains, and a key with a colon is refused', async () => {
  const good = await fetch(`${flow.bff.url}/v1/projects?key=abc`)
  expect(await good.json()).toEqual({ projectId: 'parley', authorizedDomains: ['localhost'] })
  const bad = await fetch(`${flow.bff.url}/v1/projects?key=a:b`)
  expect(bad.status).toBe(400)
  expect(await bad.json()).toMatchObject({ code: 'invalid_api_key' })
})

test('token sync takes the session’s own token, and its end ends the session', async () => {
  const browser = flow.bff.browser()
  await browser.signUp(newAddress(), password)
  expect((await browser.send('POST', '/auth/token-sync')).status).toBe(401)
  expect((await browser.send('POST', '/auth/token-sync', { headers: await browser.bearer() })).status).toBe(204)
  expect((await browser.send('DELETE', '/auth/token-sync')).status).toBe(204)
  expect(await browser.session()).toEqual({ authenticated: false })
})
