import { readFileSync } from 'node:fs'
import { conversationsApi } from '@parley/contracts/conversations'
import type { Page } from '@playwright/test'
import { inspect } from '../src/inspect.ts'
import { answerFromLargeInbox } from '../src/large-inbox.ts'
import { connectPhones, type Phones } from '../src/phones.ts'
import { expect, test, toast } from './fixtures.ts'

const list = (page: Page) => page.getByRole('list', { name: 'Conversations' })
const row = (page: Page, name: string) => list(page).getByRole('link', { name: new RegExp(name) })
const thread = (page: Page, name: string) => page.getByRole('region', { name: `Conversation with ${name}` })
const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const details = (page: Page) => page.getByRole('complementary', { name: 'Contact details' })
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })

const dayMs = 86_400_000
const priya = { phone: '+919812300001', name: 'Priya Nair' }
const rahul = { phone: '+919812300002', name: 'Rahul Khanna' }
const ananya = { phone: '+919812300003', name: 'Ananya Bose' }

/** Three customers have written, the first of the three last. */
async function customersWrite(phones: Phones): Promise<void> {
  const now = Date.now()
  await phones.write(ananya, 'Do you deliver to Pune?', { at: now - 30_000 })
  await phones.write(rahul, 'The guard at gate 2 has my parcel.', { at: now - 20_000 })
  await phones.write(priya, 'Is the blue kettle in stock?', { at: now - 10_000 })
}

async function openInbox(page: Page): Promise<void> {
  await page.goto('/conversations')
  await expect(row(page, priya.name)).toContainText('Is the blue kettle in stock?')
}

test('an agent answers, renames, tags, assigns and exports', async ({ page, app, account: _account }) => {
  const phones = await connectPhones(page.request, app)
  const badge = page.getByRole('navigation', { name: 'Main navigation' }).getByText(/^\d+\+?$/)

  await test.step('what customers write is counted in the sidebar, wherever one is', async () => {
    await customersWrite(phones)
    await expect(badge).toHaveText('3')
  })

  await test.step('the first conversation opens by itself, is read, and adds nothing to the history', async () => {
    await page.getByRole('link', { name: 'Conversation', exact: true }).click()
    await expect(thread(page, priya.name).getByText('Is the blue kettle in stock?')).toBeVisible()
    await expect(row(page, priya.name)).not.toContainText('unread')
    await expect(badge).toHaveText('2')
    await page.goBack()
    await expect(page).toHaveURL('/dashboard')
    await page.goForward()
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

  await test.step('a tag is added and taken back; a bot takes over, then one of the team', async () => {
    await details(page).getByRole('button', { name: 'Add Tag' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Tag' })
    await dialog.getByRole('combobox', { name: 'Tag' }).fill('gate two')
    await dialog.getByRole('button', { name: 'Add Tag' }).click()
    await expect(details(page).getByRole('button', { name: 'Remove gate two' })).toBeVisible()
    await toast(page, 'Tag gate two added').getByRole('button', { name: 'Undo' }).click()
    await expect(details(page).getByRole('button', { name: 'Remove gate two' })).toHaveCount(0)
    await details(page).getByRole('button', { name: 'Assign to Bot' }).click()
    await page.getByRole('menuitem', { name: 'Welcome' }).click()
    await expect(details(page).getByText('Answered by Welcome')).toBeVisible()
    await details(page).getByRole('button', { name: 'Assign to Member' }).click()
    await page.getByRole('menuitem', { name: 'Ann Stone' }).click()
    await expect(details(page).getByText('With Ann Stone')).toBeVisible()
  })

  await test.step('the chat is saved as a text file', async () => {
    const download = page.waitForEvent('download')
    await details(page).getByRole('button', { name: 'Export Chat' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('WhatsApp chat with Rahul V. Khanna.txt')
    const text = readFileSync(await file.path(), 'utf8')
    expect(text).toContain('Rahul V. Khanna')
    expect(text).toContain('Glad to hear it!\nEnjoy the saucepan.')
  })
})

test('by keyboard alone: search, open, answer, go back', async ({ page, app, account: _account }) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  await openInbox(page)
  await page.keyboard.press('/')
  await page.keyboard.type('rahul kh')
  // All of it: a search for a part, made where the typing stopped, is followed by another list.
  await expect(page).toHaveURL(/q=rahul\+kh/)
  await expect(list(page).getByRole('link')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(row(page, rahul.name)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(thread(page, rahul.name)).toBeVisible()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Thank you!')
  await page.keyboard.press('Enter')
  await expect(messages(page).getByText('Thank you!', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, rahul.name)).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await expect(list(page).getByRole('link').nth(2)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(list(page).getByRole('link').nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(list(page).getByRole('link').last()).toBeFocused()
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
    await expect(row(page, ananya.name)).toBeVisible()
    await page.getByRole('button', { name: 'Close conversation' }).click()
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
    await field(page).fill('/tha')
    await expect(page.getByRole('option', { name: /thanks/ })).toBeVisible()
    await field(page).press('Enter')
    await expect(field(page)).toHaveValue(`Thank you, ${rahul.name}!`)
  })
})

test('a closed window takes templates and notes only', async ({ page, app, account: _account }) => {
  const phones = await connectPhones(page.request, app)
  await phones.write(priya, 'Is anybody there?', { at: Date.now() - 2 * dayMs })
  await page.goto('/conversations')
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
})

test('a hundred thousand conversations and five thousand messages scroll without a gap or a jump', async ({
  page,
  account: _account,
}) => {
  await answerFromLargeInbox(page, { conversations: 100_000, messages: 5_000, thread: 'large-thread' })
  await page.goto('/conversations?id=large-thread')
  await expect(messages(page).getByText('The newest message')).toBeVisible()
  const rows = list(page).getByRole('listitem')
  expect(Number(await rows.first().getAttribute('aria-setsize'))).toBeGreaterThan(90_000)
  const seen = new Set<number>()
  for (let place = 0; place < 12; place += 1) {
    const mounted = await rows.evaluateAll((items) => items.map((item) => Number(item.dataset['index'])))
    expect(mounted.length).toBeLessThanOrEqual(60)
    for (const index of mounted) seen.add(index)
    const last = Math.max(...mounted)
    await list(page).evaluate((element) => element.parentElement?.scrollBy(0, 600))
    await expect.poll(() => rows.last().getAttribute('data-index').then(Number)).toBeGreaterThan(last)
  }
  expect([...seen].toSorted((left, right) => left - right)).toEqual(Array.from({ length: seen.size }, (_, n) => n))

  await expect(details(page).getByText('5,000')).toBeVisible()
  const height = () => messages(page).evaluate((element) => element.scrollHeight)
  for (let more = 0; more < 3; more += 1) {
    const before = await height()
    const place = await messages(page).evaluate(async (element) => {
      element.scrollTop = 400
      // Two frames later what stands there is mounted.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const items = [...element.querySelectorAll<HTMLElement>('li[data-index]')]
      const shown = items.find((item) => item.getBoundingClientRect().top > element.getBoundingClientRect().top)
      return shown?.innerText ?? ''
    })
    await expect.poll(height).toBeGreaterThan(before)
    const entries = messages(page).getByRole('listitem')
    expect(await entries.count()).toBeLessThanOrEqual(60)
    // What was at the top of the view is still in it once older messages stand above.
    await expect
      .poll(() =>
        messages(page).evaluate((element, words) => {
          const { top, bottom } = element.getBoundingClientRect()
          return [...element.querySelectorAll<HTMLElement>('li[data-index]')].some((item) => {
            const box = item.getBoundingClientRect()
            return item.innerText === words && box.bottom > top && box.top < bottom
          })
        }, place),
      )
      .toBe(true)
  }
  await page.getByRole('button', { name: 'Newest messages' }).click()
  await expect(messages(page).getByText('The newest message')).toBeInViewport()
})

test('on a phone one pane at a time; links that lead nowhere say so', async ({ page, app, account: _account }) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  await page.setViewportSize({ width: 390, height: 844 })
  await openInbox(page)
  await row(page, ananya.name).click()
  await expect(thread(page, ananya.name)).toBeVisible()
  const { searchParams } = new URL(page.url())
  await expect(list(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Contact details' }).click()
  await expect(details(page)).toBeVisible()
  await page.goBack()
  await expect(details(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Back to conversations' }).click()
  await expect(page).toHaveURL('/conversations')
  await expect(row(page, ananya.name)).toBeVisible()
  await page.goto('/conversations?id=nobody')
  await expect(page.getByRole('heading', { name: 'This conversation could not be found' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all conversations' }).click()
  await expect(row(page, priya.name)).toBeVisible()
  const answer = await page.request.get(`/api/conversations/${searchParams.get('id')}`)
  const { contact } = conversationsApi.read.response.parse(await answer.json())
  await page.goto(`/conversations?contact=${contact.id}`)
  await expect(page).toHaveURL(`/conversations?id=${searchParams.get('id')}`)
})

test('axe finds nothing in any state, theme and size', async ({ page, app, account: _account }) => {
  test.setTimeout(600_000)
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  await phones.write(ananya, 'Is anybody there?', { at: Date.now() - 2 * dayMs })
  await openInbox(page)
  await row(page, rahul.name).click()
  // Until then the first conversation's field stands there.
  await expect(thread(page, rahul.name)).toBeVisible()
  await field(page).fill('It is with the guard.')
  await field(page).press('Enter')
  await expect(messages(page).getByText('It is with the guard.')).toBeVisible()
  const { search } = new URL(page.url())
  const states = {
    list: '',
    thread: search,
    rename: `${search}&dialog=rename`,
    replies: `${search}&dialog=replies`,
    'search in messages': '?q=parcel&in=messages',
    'not found': '?id=nobody',
    'no match': '?q=zzzz',
  }
  for (const [name, query] of Object.entries(states)) {
    await page.goto(`/conversations${query}`)
    await inspect(page, name)
  }
  await page.route(/\/api\/conversations/, (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/conversations')
  await expect(page.getByText('The conversations could not be loaded')).toBeVisible()
  await inspect(page, 'error')
})
