import { readFileSync } from 'node:fs'
import { inboxSummaryApi } from '@parley/contracts/inbox/inbox-summary'
import { callAsPage } from '../src/accounts.ts'
import {
  ananya,
  bubble,
  customersWrite,
  dayMs,
  details,
  field,
  list,
  messages,
  openInbox,
  priya,
  rahul,
  row,
  thread,
} from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('an agent answers, renames, tags, assigns and exports @gate', async ({ page, app, account: _account }) => {
  const phones = await connectPhones(page.request, app)
  const badge = page.getByRole('navigation', { name: 'Main navigation' }).getByText(/^\d+\+?$/)

  await test.step('what customers write is counted in the sidebar, wherever one is', async () => {
    await customersWrite(phones)
    await expect(badge).toHaveText('3')
  })

  await test.step('the inbox opens without a conversation; each that is chosen is read', async () => {
    await page.getByRole('link', { name: 'Conversation', exact: true }).click()
    await expect(page.getByText('Choose a conversation to open it here.')).toBeVisible()
    await expect(list(page).getByRole('link', { name: /1 unread/ })).toHaveCount(3)
    await row(page, priya.name).click()
    await expect(thread(page, priya.name).getByText('Is the blue kettle in stock?')).toBeVisible()
    await expect(row(page, priya.name)).not.toContainText('unread')
    await expect(badge).toHaveText('2')
    await row(page, rahul.name).click()
    await expect(badge).toHaveText('1')
  })

  await test.step('Enter sends, Shift+Enter breaks, empty text is ignored, drafts stay', async () => {
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('   ')
    await expect(page.getByRole('button', { name: 'Send message' })).toBeDisabled()
    await field(page).fill('Glad to hear it!')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Enjoy the saucepan.')
    await row(page, ananya.name).click()
    await expect(field(page)).toHaveValue('')
    await row(page, rahul.name).click()
    await expect(field(page)).toHaveValue('Glad to hear it!\nEnjoy the saucepan.')
    await page.reload()
    await expect(field(page)).toHaveValue('Glad to hear it!\nEnjoy the saucepan.')
    await field(page).press('Enter')
    await expect(field(page)).toHaveValue('')
    const sent = messages(page).getByRole('listitem').filter({ hasText: 'Enjoy the saucepan.' })
    await expect(sent.getByRole('img', { name: /^(Sent|Delivered|Read)$/ })).toBeInViewport()
    await expect(list(page).getByRole('link').first()).toContainText(rahul.name)
    await expect(list(page).getByRole('link').first()).toContainText('Glad to hear it! Enjoy the saucepan.')
  })

  await test.step('a name that is only spaces is not saved; a new one shows in list, head, panel and contacts', async () => {
    await page.getByRole('button', { name: 'Edit contact name' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Contact Name' })
    const name = dialog.getByRole('textbox', { name: 'Contact Name' })
    await expect(name).toHaveValue(rahul.name)
    await name.fill('   ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Enter a name')).toBeVisible()
    await name.fill('  Rahul V. Khanna ')
    await name.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(thread(page, 'Rahul V. Khanna').getByRole('heading', { name: 'Rahul V. Khanna' })).toBeVisible()
    await expect(row(page, 'Rahul V. Khanna')).toBeVisible()
    await expect(details(page).getByText('Rahul V. Khanna')).toBeVisible()
  })

  await test.step('a tag is added and taken back; one of the team takes over', async () => {
    await details(page).getByRole('button', { name: 'Add Tag' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Tag' })
    await dialog.getByRole('combobox', { name: 'Tag' }).fill('gate two')
    await dialog.getByRole('button', { name: 'Add Tag' }).click()
    await expect(details(page).getByRole('button', { name: 'Remove gate two' })).toBeVisible()
    await toast(page, 'Tag gate two added').getByRole('button', { name: 'Undo' }).click()
    await expect(details(page).getByRole('button', { name: 'Remove gate two' })).toHaveCount(0)
    // The member who writes becomes the owner.
    await expect(details(page).getByText('With Ann Stone')).toBeVisible()
    await details(page).getByRole('button', { name: 'Assign to Member' }).click()
    await page.getByRole('menuitem', { name: 'Unassign' }).click()
    await expect(details(page).getByText('With Ann Stone')).toHaveCount(0)
    await details(page).getByRole('button', { name: 'Assign to Member' }).click()
    await page.getByRole('menuitem', { name: 'Ann Stone' }).click()
    await expect(details(page).getByText('With Ann Stone')).toBeVisible()
  })

  await test.step('the chat is exported in the background, as text and as a page with its files', async () => {
    const exported = async (format: string) => {
      await details(page).getByRole('button', { name: 'Export Chat' }).click()
      const dialog = page.getByRole('dialog', { name: 'Export chat' })
      await dialog.getByRole('radio', { name: format }).check()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Start export' }).click(),
      ])
      await expect(page.getByRole('dialog')).toHaveCount(0)
      return file
    }
    const file = await exported('Text')
    expect(file.suggestedFilename()).toBe('WhatsApp chat with Rahul V. Khanna.txt')
    const text = readFileSync(await file.path(), 'utf8')
    expect(text).toContain('Rahul V. Khanna')
    expect(text).toContain('Glad to hear it!\n    Enjoy the saucepan.')
    expect(text).toContain('Ann Stone took this conversation')
    const zip = await exported('HTML with media')
    expect(zip.suggestedFilename()).toBe('WhatsApp chat with Rahul V. Khanna.zip')
    expect(
      readFileSync(await zip.path())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
    await details(page).getByRole('button', { name: 'Export Chat' }).click()
    await expect(page.getByRole('link', { name: /^Download WhatsApp chat with Rahul V\. Khanna\./ })).toHaveCount(2)
  })
})

test('views, words in messages, an answer to a message and a saved reply', async ({ page, app, account: _account }) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  await openInbox(page)
  const view = (name: string) =>
    page.getByRole('group', { name: 'Show' }).getByRole('button', { name: new RegExp(`^${name}`) })

  await test.step('a conversation that is closed leaves the view of open ones', async () => {
    await row(page, ananya.name).click()
    await view('Open').click()
    await expect(view('Open')).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('button', { name: 'Close conversation' }).click()
    // It is said once the server has it: a reload before that would cut the change off.
    await expect(toast(page, `The conversation with ${ananya.name} is closed`)).toBeVisible()
    await row(page, priya.name).click()
    await page.reload()
    await expect(row(page, priya.name)).toBeVisible()
    await expect(row(page, ananya.name)).toHaveCount(0)
    await view('Closed').click()
    await expect(row(page, ananya.name)).toBeVisible()
    await page.goBack()
    await expect(view('Open')).toHaveAttribute('aria-pressed', 'true')
    await view('All').click()
  })

  await test.step('words are found in messages and lead to their place', async () => {
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('parcel')
    await page.getByRole('button', { name: 'Messages', exact: true }).click()
    await page
      .getByRole('list', { name: 'Messages found' })
      .getByRole('link', { name: /gate 2/ })
      .click()
    await expect(thread(page, rahul.name).getByText('The guard at gate 2 has my parcel.')).toBeVisible()
  })

  await test.step('a message is answered; the answer quotes it', async () => {
    const asked = messages(page).getByRole('listitem').filter({ hasText: 'The guard at gate 2' })
    await asked.getByRole('button', { name: 'Message actions' }).click()
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await field(page).fill('Enjoy it!')
    await field(page).press('Enter')
    await expect(messages(page).getByRole('button', { name: /In answer to: The guard at gate 2/ })).toBeVisible()
  })

  await test.step('a reply is saved, found by a slash and filled with the name', async () => {
    await field(page).fill('/')
    await page.getByRole('button', { name: 'Manage saved replies' }).click()
    const dialog = page.getByRole('dialog', { name: 'Saved replies' })
    await dialog.getByRole('button', { name: 'Add a reply' }).click()
    await dialog.getByRole('textbox', { name: 'Shortcut' }).fill('thanks')
    await dialog.getByRole('textbox', { name: 'Text' }).fill('Thank you, {{name}}!')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('/thanks')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    // A dialog that closes gives the focus back.
    await expect(dialog).toBeHidden()
    await field(page).fill('/tha')
    await expect(page.getByRole('option', { name: /thanks/ })).toBeVisible()
    await field(page).press('Enter')
    await expect(field(page)).toHaveValue(`Thank you, ${rahul.name}!`)
  })

  await test.step('a saved reply with a picture goes out as one message', async () => {
    await field(page).fill('/')
    await page.getByRole('button', { name: 'Manage saved replies' }).click()
    const dialog = page.getByRole('dialog', { name: 'Saved replies' })
    await dialog.getByRole('button', { name: 'Edit /thanks' }).click()
    const file = readFileSync(`${import.meta.dirname}/../../../packages/sample/src/media/kettle.png`)
    await dialog
      .getByLabel('File of the reply')
      .setInputFiles({ name: 'kettle.png', mimeType: 'image/png', buffer: file })
    await expect(dialog.getByRole('img', { name: 'kettle.png' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('kettle.png')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(dialog).toBeHidden()
    await field(page).fill('/tha')
    await page.getByRole('option', { name: /With a file:.*Thank you/ }).click()
    await expect(page.getByRole('textbox', { name: 'Caption of kettle.png' })).toHaveValue(`Thank you, ${rahul.name}!`)
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(messages(page).getByRole('button', { name: `Open photo: Thank you, ${rahul.name}!` })).toBeVisible()
  })
})

for (const [device, width] of [
  ['a desktop', 1440],
  ['a phone', 390],
] as const)
  test(`on ${device} what arrives in the open conversation is read, and nothing else`, async ({
    page,
    app,
    account: _account,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const phones = await connectPhones(page.request, app)
    await customersWrite(phones)
    const unread = async () => {
      const { method, path } = inboxSummaryApi.read
      const answer = await callAsPage(page.request, app, { method, path })
      return inboxSummaryApi.read.response.parse(await answer.json()).unread
    }
    await openInbox(page)
    await expect(list(page).getByRole('link', { name: /1 unread/ })).toHaveCount(3)
    expect(await unread()).toBe(3)
    await row(page, priya.name).click()
    await expect.poll(unread).toBe(2)
    for (const text of ['And the red one?', 'Or the green one?', 'Any kettle at all?']) {
      await phones.write(priya, text)
      await expect(bubble(page, text)).toBeVisible()
      await expect.poll(unread).toBe(2)
    }
    // A conversation that is not open stays unread.
    await phones.write(rahul, 'Has anybody seen it?')
    await expect.poll(unread).toBe(3)
    await page.goto('/conversations')
    await expect(row(page, rahul.name)).toContainText('2 unread')
    await expect(row(page, priya.name)).not.toContainText('unread')
  })

test('a closed window takes templates and notes only', async ({ page, app, account: _account }) => {
  const phones = await connectPhones(page.request, app)
  await phones.write(priya, 'Is anybody there?', { at: Date.now() - 2 * dayMs })
  await page.goto('/conversations')
  await row(page, priya.name).click()
  await expect(page.getByText('The 24-hour window is closed.')).toBeVisible()
  await expect(field(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.getByRole('textbox', { name: 'Note for the team' }).fill('Nobody answered in time.')
  await page.keyboard.press('Enter')
  await expect(messages(page).getByRole('listitem').filter({ hasText: 'Nobody answered in time.' })).toContainText(
    'Note for the team',
  )
  // A file is for the team, too.
  const label = { name: 'label.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
  await page.getByLabel('Files for the team').setInputFiles(label)
  await page.getByRole('textbox', { name: 'Caption of label.pdf' }).fill('For the return')
  await inspect(page, 'note with a file, in writing')
  await page.getByTitle('Save note (Enter)').click()
  const note = messages(page).getByRole('listitem').filter({ hasText: 'For the return' })
  await expect(note).toContainText('Note for the team')
  await expect(note.getByRole('link', { name: /label\.pdf/ })).toBeVisible()
  await inspect(page, 'note with a file')
})
