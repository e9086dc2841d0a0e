import type { Page } from '@playwright/test'
import { bubble, customersWrite, field, messages, openInbox, rahul, row, thread } from '../src/inbox.ts'
import { connectPhones } from '../src/phones.ts'
import { pngPicture } from '../src/picture.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

const asked = 'The guard at gate 2 has my parcel.'
const buffer = await pngPicture(40, 30)
const png = (name: string) => ({ name, mimeType: 'image/png', buffer })

/** A file as the browser hands it over when it is pasted or dropped. */
const handedOver = (page: Page, file: ReturnType<typeof png>) =>
  page.evaluateHandle(
    ({ name, mimeType, bytes }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType }))
      return transfer
    },
    { name: file.name, mimeType: file.mimeType, bytes: [...file.buffer] },
  )

const choose = async (page: Page, text: string, action: string) => {
  await bubble(page, text).getByRole('button', { name: 'Message actions' }).click()
  await page.getByRole('button', { name: action, exact: true }).click()
}

test('files go out by button, paste and drop; a reload keeps them', async ({ page, app, account: _account }) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  await openInbox(page)
  await row(page, rahul.name).click()
  await expect(bubble(page, asked)).toBeVisible()
  const caption = (name: string) => page.getByRole('textbox', { name: `Caption of ${name}` })

  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles(png('chosen.png'))
  await expect(caption('chosen.png')).toBeVisible()
  await field(page).evaluate(
    (element, clipboardData) =>
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })),
    await handedOver(page, png('pasted.png')),
  )
  await expect(caption('pasted.png')).toBeVisible()
  await thread(page, rahul.name).dispatchEvent('drop', { dataTransfer: await handedOver(page, png('dropped.png')) })
  await caption('dropped.png').fill('Is it this one?')
  await expect(page.getByRole('button', { name: 'Send message' })).toBeEnabled()

  await page.reload()
  await expect(caption('dropped.png')).toHaveValue('Is it this one?')
  await page.getByRole('button', { name: 'Remove pasted.png' }).click()
  await expect(caption('pasted.png')).toHaveCount(0)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(caption('chosen.png')).toHaveCount(0)
  await expect(bubble(page, 'Is it this one?').getByRole('img', { name: /^(Delivered|Read)$/ })).toBeVisible()
  await page.reload()
  await expect(bubble(page, 'Is it this one?')).toBeVisible()
  await expect(caption('dropped.png')).toHaveCount(0)
})

test('a message is reacted to, looked into and answered later; the conversation rests', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  await openInbox(page)
  await row(page, rahul.name).click()

  await test.step('a reaction shows, and is taken back', async () => {
    await choose(page, asked, 'React with 👍')
    await expect(bubble(page, asked)).toContainText('👍')
    await choose(page, asked, 'Remove 👍')
    await expect(bubble(page, asked)).not.toContainText('👍')
  })

  await test.step('its details say who wrote it', async () => {
    await choose(page, asked, 'Message details')
    const dialog = page.getByRole('dialog', { name: 'Message details' })
    await expect(dialog.getByText('The customer', { exact: true })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(dialog).toBeHidden()
  })

  await test.step('an answer is scheduled, and taken back', async () => {
    await field(page).fill('I will ask the guard.')
    await page.getByRole('button', { name: 'Send later' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send later' })
    // The next full hour is filled in.
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await expect(dialog).toBeHidden()
    await expect(field(page)).toHaveValue('')
    const scheduled = bubble(page, 'I will ask the guard.')
    await expect(scheduled).toContainText('Scheduled for')
    await scheduled.getByRole('button', { name: 'Cancel' }).click()
    await expect(scheduled).toContainText('Cancelled before it was sent')
  })

  await test.step('it is put aside, and is back when the customer writes', async () => {
    await page.getByRole('button', { name: 'Snooze conversation' }).click()
    await page.getByRole('menuitem', { name: 'For 1 hour' }).click()
    // The next one opens.
    await expect(bubble(page, asked)).toBeHidden()
    const snoozed = page.getByRole('group', { name: 'Show' }).getByRole('button', { name: /^Snoozed/ })
    await expect(snoozed).toHaveText('Snoozed1')
    await snoozed.click()
    await row(page, rahul.name).click()
    await expect(messages(page).getByText(/^You snoozed this conversation/)).toBeVisible()
    await phones.write(rahul, 'The parcel is here.')
    await expect(bubble(page, 'The parcel is here.')).toBeVisible()
    await expect(snoozed).toHaveText('Snoozed')
  })
})

test('on a phone the head has one menu for what there is no room for', async ({ page, app, account: _account }) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  await page.setViewportSize({ width: 390, height: 844 })
  await openInbox(page)
  await row(page, rahul.name).click()
  const actions = page.getByRole('button', { name: 'Conversation actions' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Search in this conversation' }).click()
  await expect(page.getByRole('searchbox', { name: 'Search in this conversation' })).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: 'For 1 hour' }).click()
  // There is room for the list alone.
  await page
    .getByRole('group', { name: 'Show' })
    .getByRole('button', { name: /^Snoozed/ })
    .click()
  await row(page, rahul.name).click()
  await expect(messages(page).getByText(/^You snoozed this conversation/)).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: 'End the snooze' }).click()
  await expect(messages(page).getByText('You opened this conversation again')).toBeVisible()
})
