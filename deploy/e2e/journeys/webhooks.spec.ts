import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

/** A receiver on this machine; what it answers is changed while it runs. */
async function startReceiver() {
  const calls: { headers: Record<string, string>; body: string }[] = []
  const answer = { status: 200 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    calls.push({ headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(answer.status).end('noted')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${port}/hook`, calls, answer, stop }
}

test('a webhook is created, a customer writes, the delivery is in the log; one that fails is replayed', async ({
  page,
  app,
  account: _account,
}) => {
  const receiver = await startReceiver()
  const phones = await connectPhones(page.request, app)
  const customer = { phone: '919812340900', name: 'Ravi' }
  const drawer = page.getByRole('dialog', { name: 'Orders' })
  const newest = drawer.getByRole('list', { name: 'Delivery log' }).getByRole('listitem').first()
  let key = ''

  await test.step('create, by keyboard alone', async () => {
    await page.goto('/webhooks')
    await page.getByRole('button', { name: 'Create New Webhook' }).first().focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.keyboard.type('Orders')
    await page.keyboard.press('Tab')
    await page.keyboard.type('http://orders.example/hook')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect(page.getByRole('checkbox', { name: 'webhook.error' })).toBeChecked()
    await page.keyboard.press('Enter')
    await expect(page.getByText('The address must begin with https://')).toBeVisible()
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(receiver.url)
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Orders is created.')).toBeVisible()
    key = (await page.getByText(/^whsec_/).textContent()) ?? ''
    await inspect(page, 'webhooks, the signing key')
    await page.getByRole('button', { name: 'I Have Copied It' }).click()
  })

  await test.step('a customer writes: it arrives signed, and the log has it', async () => {
    await phones.write(customer, 'Is my order on its way?')
    await expect
      .poll(() => receiver.calls.filter(({ body }) => body.includes('Is my order on its way?')).length)
      .toBe(1)
    const call = receiver.calls.find(({ body }) => body.includes('Is my order on its way?'))
    expect(call && new Webhook(key).verify(call.body, call.headers)).toMatchObject({ type: 'message.received' })
    await page.getByRole('button', { name: 'Orders', exact: true }).click()
    await expect(newest).toContainText('Delivered')
    await inspect(page, 'webhooks, the delivery log')
  })

  await test.step('the receiver fails: the log says so, and what was missed is replayed', async () => {
    receiver.answer.status = 503
    await phones.write(customer, 'Hello?')
    await expect.poll(() => receiver.calls.filter(({ body }) => body.includes('Hello?')).length).toBeGreaterThan(0)
    await page.reload()
    await expect(newest).toContainText('Retrying')
    await newest.getByRole('button').click()
    await expect(drawer.getByText('503').first()).toBeVisible()
    await expect(drawer.getByText('noted').first()).toBeVisible()
    receiver.answer.status = 200
    const before = receiver.calls.length
    await expect.poll(() => receiver.calls.length).toBeGreaterThan(before)
    await page.reload()
    await drawer.getByRole('button', { name: 'Replay', exact: true }).click()
    await expect(toast(page, 'The event is sent again.')).toBeVisible()
    await expect.poll(() => receiver.calls.filter(({ body }) => body.includes('Hello?')).length).toBeGreaterThan(2)
    const ids = receiver.calls.filter(({ body }) => body.includes('Hello?')).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
  })

  await test.step('a test really sends', async () => {
    await page.goto('/webhooks')
    await page.getByRole('button', { name: 'Test Orders' }).click()
    await page.getByRole('button', { name: 'Send Test' }).click()
    await expect(page.getByRole('dialog').getByText('Delivered')).toBeVisible()
    expect(receiver.calls.at(-1)?.body).toContain('"test":true')
    await page.keyboard.press('Escape')
  })

  await test.step('delete by name', async () => {
    await page.getByRole('button', { name: 'Delete Orders' }).click()
    await page.getByRole('button', { name: 'Delete Webhook' }).click()
    await expect(page.getByRole('button', { name: 'Test Orders' })).toHaveCount(0)
  })
  await receiver.stop()
})

test('webhooks have no axe violation while there are none', async ({ page, viewer: _viewer }) => {
  for (const path of ['', '?new=1']) {
    await page.goto(`/webhooks${path}`)
    await inspect(page, `webhooks${path}`)
  }
})
