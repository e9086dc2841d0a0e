import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { inspect } from '../src/inspect.ts'
import { expect, test, toast } from './fixtures.ts'

const list = (page: Page) => page.getByRole('list', { name: 'Conversations' })
const row = (page: Page, name: string) => list(page).getByRole('link', { name: new RegExp(name) })
const thread = (page: Page, name: string) => page.getByRole('region', { name: `Conversation with ${name}` })
const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const details = (page: Page) => page.getByRole('complementary', { name: 'Contact details' })
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })

test('an agent answers, renames, tags, assigns and exports', async ({ page, account: _account }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })

  const badge = page.getByRole('navigation', { name: 'Main navigation' }).getByText(/^\d+\+?$/)
  const unread = Number(await badge.textContent())

  await test.step('the first conversation opens by itself, is read, and adds nothing to the history', async () => {
    await page.getByRole('link', { name: 'Send Message' }).click()
    await expect(page).toHaveURL(/\/conversations\?id=conversation-1$/)
    await expect(thread(page, 'Priya Sharma').getByText('Yes! Is it in stock?')).toBeVisible()
    await expect(row(page, 'Priya Sharma')).not.toContainText('unread')
    await page.goBack()
    await expect(page).toHaveURL('/dashboard')
    await page.goForward()
  })

  await test.step('the sidebar counts what is unread, and less once a conversation is opened', async () => {
    await expect(badge).toHaveText(String(unread - 2))
    await row(page, 'Rahul Verma').click()
    await expect(badge).toHaveText(String(unread - 3))
    await expect(thread(page, 'Rahul Verma').getByText(/Try again later, or call the customer/)).toBeAttached()
  })

  await test.step('Enter sends, Shift+Enter breaks, empty text is ignored, drafts stay', async () => {
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('   ')
    await expect(page.getByRole('button', { name: 'Send message' })).toBeDisabled()
    await field(page).fill('Glad to hear it!')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Enjoy the saucepan.')
    await row(page, 'Ananya Iyer').click()
    await expect(field(page)).toHaveValue('')
    await row(page, 'Rahul Verma').click()
    await expect(field(page)).toHaveValue('Glad to hear it!\nEnjoy the saucepan.')
    await page.reload()
    await expect(field(page)).toHaveValue('Glad to hear it!\nEnjoy the saucepan.')
    await field(page).press('Enter')
    await expect(field(page)).toHaveValue('')
    const sent = messages(page).getByRole('listitem').filter({ hasText: 'Enjoy the saucepan.' })
    await expect(sent.getByRole('img', { name: 'Sent' })).toBeInViewport()
    await expect(list(page).getByRole('link').first()).toContainText('Rahul Verma')
    await expect(list(page).getByRole('link').first()).toContainText('Glad to hear it! Enjoy the saucepan.')
  })

  await test.step('a name that is only spaces is not saved; a new one shows in list, head, panel and contacts', async () => {
    await page.getByRole('button', { name: 'Edit contact name' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Contact Name' })
    const name = dialog.getByRole('textbox', { name: 'Contact Name' })
    await expect(name).toHaveValue('Rahul Verma')
    await name.fill('   ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Enter a name')).toBeVisible()
    await name.fill('  Rahul V. Verma ')
    await name.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(thread(page, 'Rahul V. Verma').getByRole('heading', { name: 'Rahul V. Verma' })).toBeVisible()
    await expect(row(page, 'Rahul V. Verma')).toBeVisible()
    await expect(details(page).getByText('Rahul V. Verma')).toBeVisible()
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
    await page.getByRole('menuitem', { name: 'Sara Thomas' }).click()
    await expect(details(page).getByText('With Sara Thomas')).toBeVisible()
  })

  await test.step('the chat is saved as a text file', async () => {
    const download = page.waitForEvent('download')
    await details(page).getByRole('button', { name: 'Export Chat' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('WhatsApp chat with Rahul V. Verma.txt')
    const text = readFileSync(await file.path(), 'utf8')
    expect(text).toContain('Rahul V. Verma')
    expect(text).toContain('Glad to hear it!\nEnjoy the saucepan.')
  })

  expect([...new Set(asked)].filter((path) => !path.startsWith('/api/auth/'))).toEqual([])
})

test('by keyboard alone: search, open, answer, go back', async ({ page, account: _account }) => {
  await page.goto('/conversations')
  await expect(page).toHaveURL(/id=conversation-1/)
  await page.keyboard.press('/')
  await page.keyboard.type('guard at gate 2')
  // All of it: a search for a part, made where the typing stopped, is followed by another list.
  await expect(page).toHaveURL(/q=guard\+at\+gate\+2/)
  await expect(list(page).getByRole('link')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 'Rahul Verma')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/id=conversation-2/)
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Thank you!')
  await page.keyboard.press('Enter')
  await expect(messages(page).getByText('Thank you!', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, 'Rahul Verma')).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await expect(list(page).getByRole('link').nth(5)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(list(page).getByRole('link').nth(1)).toBeFocused()
  await page.keyboard.press('End')
  // The last row of the first page; the next page is read by then.
  await expect(list(page).locator('[data-index="49"] a')).toBeFocused()
})

test('a closed window takes templates only', async ({ page, account: _account }) => {
  await page.goto('/conversations?id=conversation-9')
  await expect(page.getByText('The 24-hour window is closed.')).toBeVisible()
  await expect(field(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await expect(dialog.getByRole('combobox', { name: 'Template' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Send template' }).click()
  await expect(
    messages(page)
      .getByText(/^Template ·/)
      .last(),
  ).toBeVisible()
  await expect(messages(page).getByRole('img', { name: 'Sent' }).last()).toBeVisible()
})

test('a hundred thousand conversations and five thousand messages scroll without a gap or a jump', async ({
  page,
  account: _account,
}) => {
  await page.goto('/conversations?records=100000&id=conversation-5')
  await expect(messages(page).getByText('Perfect, see you then')).toBeVisible()
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

  await expect(details(page).getByText('5,4')).toBeVisible()
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
  await expect(messages(page).getByText('Perfect, see you then')).toBeInViewport()
})

test('on a phone one pane at a time; links that lead nowhere say so', async ({ page, account: _account }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/conversations')
  await row(page, 'Ananya Iyer').click()
  await expect(thread(page, 'Ananya Iyer')).toBeVisible()
  await expect(list(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Contact details' }).click()
  await expect(details(page)).toBeVisible()
  await page.goBack()
  await expect(details(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Back to conversations' }).click()
  await expect(page).toHaveURL('/conversations')
  await expect(row(page, 'Ananya Iyer')).toBeVisible()
  await page.goto('/conversations?id=nobody')
  await expect(page.getByRole('heading', { name: 'This conversation could not be found' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all conversations' }).click()
  await expect(row(page, 'Priya Sharma')).toBeVisible()
  await page.goto('/conversations?contact=contact-3')
  await expect(page).toHaveURL('/conversations?id=conversation-3')
})

test('axe finds nothing in any state, theme and size', async ({ page, account: _account }) => {
  test.setTimeout(400_000)
  const states = {
    thread: '?id=conversation-2',
    'window closed': '?id=conversation-9',
    rename: '?id=conversation-1&dialog=rename',
  }
  const others = { 'not found': '?id=nobody', empty: '?state=empty', loading: '?state=loading', error: '?state=error' }
  for (const [name, query] of Object.entries({ list: '', ...states, ...others })) {
    await page.goto(`/conversations${query}`)
    await inspect(page, name)
  }
})
