import { conversationsApi } from '@parley/contracts/inbox/conversations'
import {
  ananya,
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
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

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
  // The conversation that was answered has its place by now.
  await expect(list(page).getByRole('link').first()).toContainText('Thank you!')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(list(page).getByRole('link').nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(list(page).getByRole('link').last()).toBeFocused()
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
