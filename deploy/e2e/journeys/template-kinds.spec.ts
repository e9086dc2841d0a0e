import type { Page } from '@playwright/test'
import { inspectStanding } from '../src/inspect.ts'
import { pngPicture } from '../src/picture.ts'
import { card, expect, test, toast } from './fixtures.ts'

const preview = (page: Page) => page.getByRole('figure', { name: 'Preview of the message' })

/** Opens the editor of a new template with a name and a text; marketing is chosen there. */
async function write(page: Page, name: string, body: string): Promise<void> {
  await page.goto('/templates?new=1')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Body', { exact: true }).fill(body)
}

/** Sends it for review: its text has nothing to be warned of. Waits for WhatsApp's verdict. */
async function submit(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create Template' }).click()
  await expect(toast(page, `${name} was sent for review`)).toBeVisible()
  await expect(card(page, name).getByText('Approved')).toBeVisible()
}

/** Sends a test to one contact, and waits for it in the conversation. */
async function sendTest(page: Page, name: string, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void>) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Send Test' }).click()
  const dialog = page.getByRole('dialog', { name: `Send a test of ${name}` })
  await dialog.getByRole('combobox', { name: 'To' }).fill('priya sharma')
  await page.getByTitle('Priya Sharma · +91 98200 00000').click()
  await fill(dialog)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page).toHaveURL(/\/conversations/)
}

test('an offer for a limited time is written, reviewed and sent with its end', async ({ page, account: _account }) => {
  // The sample’s numbers are connected while one looks around.
  await page.goto('/whatsapp-numbers')
  await expect(page.getByText('Active', { exact: true }).filter({ visible: true })).toHaveCount(2)
  await write(page, 'tea_offer', 'Good news: all of our spring teas are at your shop. Reply STOP to opt out.')
  await page.getByRole('checkbox', { name: 'Limited-time offer' }).check()
  await page.getByLabel('Offer', { exact: true }).fill('Expiring offer!')
  await expect(preview(page).getByText('Expiring offer!')).toBeVisible()
  await expect(page.getByText('An offer has one button to a website, and one with a code before it')).toBeVisible()
  await page.getByRole('button', { name: 'Copy code' }).click()
  await page.getByLabel('Code that customers copy').fill('TEA25')
  await page.getByRole('button', { name: 'Open website' }).click()
  await page.getByLabel('Open website text').fill('Shop now')
  await page.getByLabel('Web address').fill('https://chaiandco.example/spring')
  await expect(page.getByText('An offer has one button to a website, and one with a code before it')).toHaveCount(0)
  await inspectStanding(page, '/templates, an offer')
  await submit(page, 'tea_offer')
  await sendTest(page, 'tea_offer', async (dialog) => {
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog.getByText('Enter a value for this variable.')).toBeVisible()
    await dialog.getByLabel('Offer ends').fill('2030-12-24T18:00')
    await expect(dialog.getByText('Expiring offer!')).toBeVisible()
    await inspectStanding(page, '/templates, sending an offer')
  })
  await expect(page.getByText('Expiring offer!').last()).toBeVisible()
  await expect(page.getByText(/^Ends .*2030/).last()).toBeVisible()
  await inspectStanding(page, '/conversations, an offer')
})

test('buttons call on WhatsApp and show products', async ({ page, account: _account }) => {
  await page.goto('/whatsapp-numbers')
  await expect(page.getByText('Active', { exact: true }).filter({ visible: true })).toHaveCount(2)
  await write(page, 'tea_shelf', 'Good news: all of our spring teas are at your shop. Reply STOP to opt out.')
  await page.getByRole('button', { name: 'Call on WhatsApp' }).click()
  await page.getByLabel('Call on WhatsApp text').fill('Call us')
  await page.getByLabel(/^Can be pressed for/).fill('1440')
  await page.getByRole('button', { name: 'Show products' }).click()
  await expect(page.getByText('A button to the catalogue or to products stands alone')).toBeVisible()
  await page.getByRole('button', { name: 'Remove button 1' }).click()
  await expect(page.getByText('A button to the catalogue or to products stands alone')).toHaveCount(0)
  await page.getByRole('textbox', { name: /^Header/ }).fill('Our teas')
  await page.getByLabel('Product shown above the message').fill('tea-1')
  await page.getByLabel('Title of section 1').fill('Teas')
  await page.getByLabel('Products of section 1').fill('tea-1,tea-2,')
  await expect(preview(page).getByText('View items')).toBeVisible()
  await inspectStanding(page, '/templates, products')
  await submit(page, 'tea_shelf')
  await sendTest(page, 'tea_shelf', async () => undefined)
  await expect(page.getByText('View items').last()).toBeVisible()
})

test('a carousel is written card by card, moved by key, reviewed and sent; a product has its own header', async ({
  page,
  account: _account,
}) => {
  await page.goto('/whatsapp-numbers')
  await expect(page.getByText('Active', { exact: true }).filter({ visible: true })).toHaveCount(2)
  await write(page, 'tea_row', 'Good news: all of our spring teas are at your shop. Reply STOP to opt out.')
  await page.getByRole('checkbox', { name: 'Carousel of cards' }).check()
  await page.getByRole('button', { name: 'Add card' }).click()
  await page.getByRole('button', { name: 'Quick reply on each card' }).click()
  for (const number of [1, 2, 3]) {
    await page.getByLabel(`Open website text of card ${number}`).fill('Shop now')
    await page.getByLabel(`Web address of card ${number}`).fill(`https://chaiandco.example/tea-${number}`)
    await page.getByLabel(`Quick reply text of card ${number}`).fill(`More of tea ${number}`)
  }
  await page.getByLabel(/^Text of card 1/).fill('First flush for {{1}} today')
  await expect(page.getByText('Either all cards have a text, or none has').first()).toBeVisible()
  for (const number of [2, 3]) await page.getByLabel(new RegExp(`^Text of card ${number}`)).fill(`Tea number ${number}`)
  await expect(page.getByText('Either all cards have a text, or none has')).toHaveCount(0)
  await expect(page.getByText('Choose the picture of this card').first()).toBeVisible()
  for (const number of [1, 2, 3]) {
    await page
      .getByLabel(`Choose a picture for card ${number}`)
      .setInputFiles({ name: `tea-${number}.png`, mimeType: 'image/png', buffer: await pngPicture(600, 400) })
    await expect(preview(page).getByRole('img', { name: `tea-${number}.png` })).toBeVisible()
  }
  await page.getByLabel('Sample for {{1}}').fill('₹ 450')
  await expect(preview(page).getByText('First flush for ₹ 450 today')).toBeVisible()
  const row = preview(page).getByRole('list', { name: 'Cards' })
  await row.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => row.evaluate((list) => list.scrollLeft)).toBeGreaterThan(0)
  await inspectStanding(page, '/templates, a carousel')
  await submit(page, 'tea_row')
  await sendTest(page, 'tea_row', async (dialog) => {
    await dialog.getByLabel('{{1}}').fill('₹ 500')
    await inspectStanding(page, '/templates, sending a carousel')
  })
  const cards = page.getByRole('list', { name: 'Cards' }).last()
  await expect(cards.getByText('First flush for ₹ 500 today')).toBeVisible()
  await expect(cards.getByRole('listitem', { name: 'Card 3 of 3' })).toBeAttached()
  const width = () =>
    cards
      .locator('img')
      .first()
      .evaluate((picture: HTMLImageElement) => picture.naturalWidth)
  await expect.poll(width, 'the first card shows its picture').toBeGreaterThan(0)
  await inspectStanding(page, '/conversations, a carousel')

  await write(page, 'tea_of_the_day', 'Good news: our tea of the day is at your shop. Reply STOP to opt out.')
  await page.getByLabel('Kind of header').click()
  await page.getByTitle('Product of your catalogue').click()
  await expect(preview(page).getByText('View', { exact: true })).toBeVisible()
  await page.getByLabel('Product (content ID)').fill('tea-7')
  await page.getByLabel('Catalogue ID').fill('1948369870')
  await expect(preview(page).getByText('tea-7')).toBeVisible()
  await inspectStanding(page, '/templates, a product')
  await submit(page, 'tea_of_the_day')
  await sendTest(page, 'tea_of_the_day', async () => undefined)
  await expect(page.getByText('Product of catalogue 1948369870').last()).toBeVisible()
})
