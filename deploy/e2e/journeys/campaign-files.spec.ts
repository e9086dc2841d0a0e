import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { callAsPage } from '../src/accounts.ts'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)

/** A shop's server of invoices on this machine; it has none of the order `lost`. */
async function startShop() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const order = /^\/invoices\/([^/]+)\.pdf$/.exec(request.url ?? '')?.[1] ?? ''
    asked.push(order)
    if (order === 'lost') response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf(order))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url, asked, stop }
}

test('each customer gets the invoice of their own order, chosen, checked and followed in the campaign', async ({
  page,
  app,
  account: _account,
}) => {
  const shop = await startShop()
  const phones = await connectPhones(page.request, app)
  const orders = ['A-1', 'B-2', 'lost', undefined]
  const customers = ['Asha Rao', 'Ravi Kumar', 'Meera Joshi', 'Kiran Shah']
  for (const [index, name] of customers.entries()) {
    const order = orders[index]
    const data = {
      name,
      phone: `+9198123409${10 + index}`,
      tags: ['invoice'],
      attributes: order === undefined ? {} : { order },
    }
    await callAsPage(page.request, app, { method: 'POST', path: contactsApi.create.path, data })
  }

  await test.step('a template with a document above the text is approved', async () => {
    await page.goto('/templates')
    await page.getByRole('button', { name: 'Create Template' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('invoice')
    await page.getByRole('combobox', { name: 'Category' }).click()
    await page.getByTitle('Utility', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Kind of header' }).click()
    await page.getByTitle('Document (PDF)', { exact: true }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'sample.pdf', mimeType: 'application/pdf', buffer: pdf('sample') })
    await expect(page.getByRole('button', { name: 'Replace the file' })).toBeVisible()
    await page.getByLabel('Body', { exact: true }).fill('Your invoice is above. Thank you for your order.')
    await page.getByRole('button', { name: 'Create Template' }).click()
    await expect(toast(page, 'invoice was sent for review')).toBeVisible()
    await expect(page.getByText('Approved', { exact: true }).first()).toBeVisible()
  })

  await test.step('a file for each recipient is chosen, and previewed for a contact', async () => {
    await page.goto('/broadcasts?new=1')
    await page.getByLabel('Campaign name').fill('Invoices of May')
    await page.getByRole('radio', { name: 'Tags' }).check()
    await page.getByRole('combobox', { name: 'Tags' }).click()
    await page.getByTitle(/^invoice \(/).click()
    await page.keyboard.press('Escape')
    await expect(page.getByText('of 4 contacts get the message')).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('combobox', { name: 'Template', exact: true }).click()
    await page.getByTitle(/^invoice/).click()
    await page.getByRole('radio', { name: 'A file for each recipient' }).check()
    await page.getByLabel('Address of the file').fill(`${shop.url}/invoices/{{order}}.pdf`)
    await page.getByLabel(/^Name of the file/).fill('Invoice {{order}}.pdf')
    // The variable finds the field of its name by itself.
    const preview = page.getByRole('complementary', { name: 'Preview' })
    await preview.getByRole('combobox', { name: 'Preview as' }).click()
    await page.getByTitle('Ravi Kumar', { exact: true }).click()
    await expect(preview.getByText('Invoice B-2.pdf')).toBeVisible()
    await expect(preview.getByText(`${shop.url}/invoices/B-2.pdf`)).toBeVisible()
    await inspect(page, 'new broadcast, a file for each recipient')
  })

  await test.step('the review says who is left out, and which files cannot be sent', async () => {
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Send from')).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).click()
    const files = page.getByRole('region', { name: 'Files' })
    await expect(files.getByText('There is no file at the recipient’s address: 1')).toBeVisible()
    await expect(files.getByText(`${shop.url}/invoices/lost.pdf`)).toBeVisible()
    await expect(page.getByText('1 thing to confirm first')).toBeVisible()
    await inspect(page, 'review, a file for each recipient')
    await page.getByRole('checkbox', { name: 'Send anyway' }).check()
    await page.getByRole('button', { name: 'Send now' }).click()
  })

  await test.step('every phone has its own document, and who has none is told with the reason', async () => {
    const details = page.getByRole('dialog', { name: 'Invoices of May' })
    await expect(details.getByText('Completed', { exact: true }).first()).toBeVisible()
    const named = async () => JSON.stringify(await phones.look('/messages?limit=100'))
    await expect.poll(named).toContain('Invoice A-1.pdf')
    expect(await named()).toContain('Invoice B-2.pdf')
    // Looked at in the review, and fetched once for the message.
    expect(shop.asked.filter((order) => order === 'A-1')).toHaveLength(2)
    await expect(details.getByText(/^Each recipient gets a file of their own/)).toBeVisible()
    await inspectStanding(page, 'campaign with a file for each recipient')
    await details.getByRole('button', { name: /^Failed/ }).click()
    await expect(details.getByText(/^There is no file at the recipient’s address/).first()).toBeVisible()
  })
  await shop.stop()
})
