import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBot, flowOf } from '../src/bots.ts'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

/** Asks for an order, calls the shop, and says what it answers. */
const flow = flowOf(
  {
    Order: ['trigger', { kind: 'keyword', keywords: ['order'], match: 'word', interrupts: false }],
    Which: ['action', { kind: 'ask', text: 'Which number?', attribute: 'order', save: 'session' }],
    Shop: ['action', { kind: 'http_call', connectionId: '', method: 'GET', path: '/orders/{{session.order|0}}' }],
    Answer: ['action', { kind: 'send_text', text: 'It is {{session.state|unknown}}.' }],
    Sorry: ['action', { kind: 'send_text', text: 'I cannot find it.' }],
    Person: ['action', { kind: 'assign', to: { kind: 'queue' } }],
  },
  [
    'Order:next:Which',
    'Which:next:Shop',
    'Shop:next:Answer',
    'Shop:failed:Sorry',
    'Answer:next:Person',
    'Sorry:next:Person',
  ],
)

/** The customer's shop: it knows its token and one order. */
async function openShop() {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer shop-token'
    const isThere = request.url === '/v1/orders/4%2F7'
    response
      .writeHead(!isKnown ? 401 : isThere ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(isKnown && isThere ? { order: { state: 'on its way' } } : { error: 'no' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => server.close() }
}

test('a connection is made and tested, a step calls it, and is tried out with one real call', async ({
  page,
  app,
  account: _account,
}) => {
  const shop = await openShop()
  const { id } = await createBot(page.request, app, { name: 'Orders', draft: flow })
  const dialog = page.getByRole('dialog')

  await test.step('connect the shop, and test it', async () => {
    await page.goto('/settings?tab=connections')
    await page.getByRole('button', { name: 'Create Connection' }).click()
    await dialog.getByLabel('Name').fill('Shop')
    await dialog.getByLabel('Base address').fill(shop.url)
    await dialog.getByRole('combobox', { name: 'Authentication' }).click()
    await page.getByTitle('Bearer token').click()
    await dialog.getByLabel('Token', { exact: true }).fill('shop-token')
    await inspectStanding(page, 'a new connection')
    await dialog.getByRole('button', { name: 'Create Connection' }).click()
    await expect(toast(page, 'Shop is saved.')).toBeVisible()
    await inspect(page, 'connections')
    await page.getByRole('button', { name: 'Actions for Shop' }).click()
    await page.getByRole('menuitem', { name: 'Test Connection' }).click()
    await dialog.getByLabel('Path').fill('/orders/4%2F7')
    await dialog.getByRole('button', { name: 'Test Connection' }).click()
    await expect(dialog.getByRole('status')).toContainText('Answered · 200')
    await inspectStanding(page, 'a connection that was tested')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('choose it in the step, and keep a field of the answer', async () => {
    await page.goto(`/bots?bot=${id}`)
    await page.locator('.react-flow__node').filter({ hasText: 'Shop' }).click()
    const inspector = page.getByRole('complementary', { name: 'Inspector' })
    await inspector.getByRole('combobox', { name: 'Connection', exact: true }).click()
    await page.getByTitle('Shop', { exact: true }).click()
    await inspector.getByRole('button', { name: 'Add field' }).click()
    await inspector.getByLabel('Path of field 1').fill('/order/state')
    await inspector.getByRole('combobox', { name: 'Name of field 1' }).fill('state')
    await page.keyboard.press('Escape')
    await expect(inspector.getByText('Authorization: Bearer ••••')).toBeVisible()
    await inspect(page, 'the settings of an HTTP step')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(toast(page, 'Changes saved.')).toBeVisible()
  })

  await test.step('try it out with one real call', async () => {
    await page.getByRole('button', { name: 'Test Bot' }).click()
    for (const text of ['order', '4/7']) {
      await page.getByLabel('Message as a customer').fill(text)
      await page.getByRole('button', { name: 'Send as a customer' }).click()
    }
    const callReally = async () => {
      await page.getByRole('button', { name: 'Really call Shop' }).click()
      await expect(page.getByLabel('Response to the call')).toHaveValue('{"order":{"state":"on its way"}}')
    }
    await callReally()
    await inspect(page, 'a real call from the test panel')
    // The panel has begun anew at the other size.
    await callReally()
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await expect(page.getByRole('log')).toContainText('It is on its way.')
    await page.getByRole('button', { name: 'Close test' }).click()
  })
  shop.close()
})
