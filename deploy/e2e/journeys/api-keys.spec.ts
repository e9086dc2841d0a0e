import type { Page } from '@playwright/test'
import { inspect, networkRests } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { takeShot } from '../src/take-shot.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

const keyText = /^ply_[0-9A-Za-z]{12}_[0-9A-Za-z]{40,}/

/** Reads the key that stands there once, and closes its dialog. */
async function takeKey(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: /^Your key for / })
  const text = (await dialog.getByText(keyText).textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I Have Copied It' }).click()
  await expect(page.getByText(text)).toHaveCount(0)
  return text
}

test('a key is made, shown once, used, seen in its calls, edited, rotated and revoked', async ({
  page,
  request,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  const call = (key: string, method: string, path: string, data?: object, headers = {}) =>
    request.fetch(`${app.urls.app}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(data && { data }),
    })
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for Till' }).first().click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  let key = ''

  await test.step('make it, by keyboard alone', async () => {
    await page.goto('/settings?tab=keys')
    await inspect(page, 'API keys, none yet')
    await page.getByRole('button', { name: 'Create API Key' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await page.keyboard.type('Till')
    for (const scope of ['Conversations and messages: Read', 'Conversations and messages: Change', 'Contacts: Read']) {
      await page.getByRole('checkbox', { name: scope }).focus()
      await page.keyboard.press('Space')
    }
    await inspect(page, 'API keys, the form')
    await page.getByRole('textbox', { name: 'Name', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(keyText)).toBeVisible()
    await page.getByRole('button', { name: 'Copy API key' }).focus()
    await expect(page.getByRole('tooltip', { name: 'Copy API key' })).toBeAttached()
    await inspect(page, 'API keys, the key')
    key = await takeKey(page)
  })

  await test.step('a program sends a message with it, twice under one key of idempotency', async () => {
    await phones.write({ phone: '919812340901', name: 'Ravi' }, 'Hello?')
    const me = await (await call(key, 'GET', '/v1/me')).json()
    expect(me.key).toMatchObject({ name: 'Till' })
    const message = { to: '+919812340901', text: 'Your order is on its way.' }
    const once = { 'idempotency-key': 'order-1042' }
    await expect
      .poll(async () => (await call(key, 'GET', '/v1/conversations')).json())
      .toMatchObject({ items: [{ contact: { name: 'Ravi' } }] })
    const [first, second] = [
      await call(key, 'POST', '/v1/messages', message, once),
      await call(key, 'POST', '/v1/messages', message, once),
    ]
    expect([first.status(), second.status(), second.headers()['idempotent-replayed']]).toEqual([201, 201, 'true'])
    expect(await second.json()).toEqual(await first.json())
    expect((await call(key, 'GET', '/v1/campaigns')).status()).toBe(403)
    expect(
      (
        await request.get(`${app.urls.app}/api/conversations`, { headers: { authorization: `Bearer ${key}` } })
      ).status(),
    ).toBe(401)
  })

  await test.step('its calls are listed', async () => {
    await choose('Recent Calls')
    const calls = page.getByRole('dialog', { name: 'Recent calls of Till' })
    await expect(async () => {
      await calls.getByRole('button', { name: 'Refresh' }).click()
      await expect(calls.getByRole('row', { name: /campaigns\.list/ })).toContainText('403', { timeout: 2000 })
    }).toPass()
    await expect(calls.getByRole('row', { name: /publicMessages|messages\./ })).toHaveCount(2)
    await inspect(page, 'API keys, recent calls')
    await page.setViewportSize({ width: 390, height: 844 })
    const rows = calls.getByRole('list', { name: 'Calls' })
    await expect(rows.getByRole('listitem').filter({ hasText: 'campaigns.list' })).toContainText('403')
    await page.setViewportSize({ width: 1440, height: 900 })
    await calls.getByRole('button', { name: 'Close recent calls' }).click()
  })

  await test.step('edited: it is refused from other addresses, with the next call', async () => {
    const networksAre = async (text: string) => {
      await choose('Edit')
      const form = page.getByRole('dialog', { name: 'Edit Till' })
      await form.getByLabel(/^Addresses/).fill(text)
      if (text !== '') await inspect(page, 'API keys, edit')
      await form.getByRole('button', { name: 'Save Changes' }).click()
      await expect(toast(page, 'Till is saved.').first()).toBeVisible()
      await expect(form).toBeHidden()
    }
    await networksAre('203.0.113.0/24')
    expect((await call(key, 'GET', '/v1/me')).status()).toBe(403)
    await networksAre('')
    await expect.poll(async () => (await call(key, 'GET', '/v1/me')).status()).toBe(200)
  })

  await test.step('rotated: both are valid meanwhile', async () => {
    await choose('Rotate')
    await page.getByRole('button', { name: 'Rotate Key' }).click()
    const next = await takeKey(page)
    for (const each of [key, next]) expect((await call(each, 'GET', '/v1/me')).status()).toBe(200)
    await expect(page.getByText('Replaced')).toBeVisible()
    await inspect(page, 'API keys, rotated')
    key = next
  })

  await test.step('revoked: it is refused from then on', async () => {
    await choose('Revoke')
    await inspect(page, 'API keys, revoke')
    await page.getByRole('button', { name: 'Revoke Key' }).click()
    await expect(toast(page, 'Till is revoked.')).toBeVisible()
    const refused = await call(key, 'GET', '/v1/me')
    expect([refused.status(), (await refused.json()).code]).toEqual([401, 'unauthenticated'])
  })
})

test('the reference shows and tries endpoints, asks nobody else, and is within the content security policy', async ({
  playwright,
  app,
}) => {
  const launched = test.info().project.use.launchOptions
  const host = 'parley.example'
  const browser = await playwright.chromium.launch({
    ...launched,
    args: [...(launched?.args ?? []), `--host-resolver-rules=MAP ${host} 127.0.0.1`],
  })
  const { port } = new URL(app.urls.app)
  for (const [origin, theme] of [
    [app.urls.app, 'dark'],
    [`http://${host}:${port}`, 'light'],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript((value) => localStorage.setItem('theme', value), theme)
    const foreign: string[] = []
    const refused: string[] = []
    page.on('request', (asked) => {
      if (!/^(data|blob):/.test(asked.url()) && new URL(asked.url()).origin !== origin) foreign.push(asked.url())
    })
    page.on('console', (line) => {
      if (/content security policy/i.test(line.text())) refused.push(line.text())
    })
    const answer = await page.goto(`${origin}/v1/docs`)
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'self'")
    await expect(page.getByRole('heading', { name: /Parley/ }).first()).toBeVisible()
    await networkRests(page)
    await takeShot(page, 'reference', `desktop, ${theme}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await takeShot(page, 'reference', `phone, ${theme}`)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.modal-ux').getByRole('textbox').fill('ply_not_a_key')
    await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click()
    await page.locator('.modal-ux').getByRole('button', { name: 'Close', exact: true }).click()
    await page
      .getByRole('button', { name: /\/v1\/me/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Try it out' }).click()
    await page.getByRole('button', { name: 'Execute' }).click()
    await expect(page.locator('.live-responses-table').getByText('401').first()).toBeVisible()
    await takeShot(page, 'reference, tried', `desktop, ${theme}`)
    expect([foreign, refused]).toEqual([[], []])
    await page.close()
  }
  await browser.close()
})
