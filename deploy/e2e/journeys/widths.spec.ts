import type { Locator, Page } from '@playwright/test'
import { clearSampleData } from '../src/accounts.ts'
import { findConversation } from '../src/find.ts'
import { loaded, networkRests } from '../src/inspect.ts'
import { expect, test } from './fixtures.ts'

const widths = [320, 390, 768, 1280, 1920]
const screens = [
  '/dashboard',
  '/conversations',
  '/contacts',
  '/broadcasts',
  '/templates',
  '/bots',
  '/bots?new=1',
  '/workflows',
  '/analytics',
  '/whatsapp-numbers',
  '/webhooks',
  '/settings',
  '/settings?tab=billing',
  '/profile',
]

/** Goes on after a failure, so that one screen does not hide the others. */
const expectSoon = expect.configure({ soft: true })

const excess = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Controls in view whose middle is covered by something that is neither their inside nor around them. */
const coveredControls = (page: Page) =>
  page.evaluate(() => {
    const isShown = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    return [...document.querySelectorAll('main :is(button, a, input, select, textarea, [role="tab"])')]
      .filter(isShown)
      .flatMap((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        if (width < 2 || height < 2 || x < 0 || y < 0 || x > innerWidth || y > innerHeight) return []
        // Content that a list has scrolled away lies under whatever is there now; at its very edge, fonts decide.
        const edge = 2
        for (let around = element.parentElement; around; around = around.parentElement) {
          const box = around.getBoundingClientRect()
          const scrolls = /auto|scroll|hidden/.test(getComputedStyle(around).overflow)
          if (scrolls && (x < box.left + edge || y < box.top + edge || x > box.right - edge || y > box.bottom - edge))
            return []
        }
        const over = document.elementFromPoint(x, y)
        // A sticky element may lie over content that scrolls below it.
        const sticks = (candidate: Element | null): boolean =>
          candidate !== null &&
          (/sticky|fixed/.test(getComputedStyle(candidate).position) || sticks(candidate.parentElement))
        if (!over || element.contains(over) || over.contains(element) || element.closest('label')?.contains(over))
          return []
        if (sticks(over) && !sticks(element)) return []
        return [
          `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40)} under ${over.tagName}.${over.className}`,
        ]
      })
  })

test('no screen scrolls sideways or lays one control over another, from 320 to 1920 px', async ({
  page,
  viewer: _viewer,
}) => {
  test.setTimeout(900_000)
  const thread = `/conversations?id=${await findConversation(page, 'Priya Sharma')}`
  for (const path of [...screens, thread]) {
    await page.goto(path)
    await networkRests(page)
    await loaded(page)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      // The layout follows the size in its own time: charts, canvas and whatever is loaded for a phone.
      await expectSoon.poll(() => excess(page), `${path} at ${width} px scrolls sideways`).toBeLessThanOrEqual(0)
      await expectSoon.poll(() => coveredControls(page), `${path} at ${width} px`).toEqual([])
    }
  }
})

test('what opens over a phone lies within its window', async ({ page, viewer: _viewer }) => {
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const [path, button, dialog] of [
      ['/dashboard', /^Notifications/, 'Notifications'],
      ['/templates', /^Filter/, 'Filter'],
      ['/contacts', /^Filter/, 'Filter'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('button', { name: button }).click()
      const opened = page.getByRole('dialog', { name: dialog })
      await expect(opened.getByRole('button').first()).toBeVisible()
      await expect(opened).toBeInViewport({ ratio: 1 })
    }
    await page.goto('/contacts?new=1')
    const fields = page.getByRole('dialog').locator('.ant-select, input.ant-input')
    await expect(fields).not.toHaveCount(0)
    // Once the dialog has grown to its size.
    for (const field of await fields.all())
      await expect.poll(async () => Math.round((await field.boundingBox())?.height ?? 0)).toBe(40)
  }
})

test('what stands above a list is as high while the list is read, and empty lists look alike', async ({
  page,
  app,
  account: _account,
}) => {
  const lists = ['contacts', 'broadcasts', 'templates', 'bots', 'workflows', 'analytics']
  const firstOf = (name: string) =>
    page
      .locator(name === 'contacts' ? 'main fieldset' : name === 'bots' ? 'main input[type=search]' : 'main dl')
      .first()
  const bars = page.locator('main .ant-skeleton')
  const liveReads = /\/api\/(analytics|bots|campaigns|contacts|segments|templates|workflows)\b/
  const cardHeight = async (card: Locator) => (await card.boundingBox())?.height ?? 0
  const heightOf = async (name: string) => (await firstOf(name).boundingBox())?.height
  // A date may be a line longer on another day.
  await page.clock.setFixedTime(new Date('2026-03-09T08:00:00Z'))
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const name of lists) {
      // These come from a service, which does not answer yet.
      await page.route(liveReads, () => undefined)
      await page.goto(`/${name}`)
      await expect(bars.first()).toBeVisible()
      await page.evaluate(() => document.fonts.ready)
      const unread = await heightOf(name)
      const block = page.locator('main').getByRole('status', { name: 'Loading...' }).locator(':scope > *').last()
      const unreadCard = await cardHeight(block)
      await page.unroute(liveReads)
      await page.goto(`/${name}`)
      await expect(firstOf(name)).toBeVisible()
      await expect(bars).toHaveCount(0)
      await expect.poll(() => heightOf(name), `${name} at ${width} px`).toBe(unread)
      const cards = page.locator('main ul[aria-label] > li:has(button)')
      if ((await cards.count()) === 0) continue
      const card = name === 'contacts' ? cards.first() : cards.last()
      const change = async () => Math.abs((await cardHeight(card)) - unreadCard)
      await expect.poll(change, `a card of ${name} at ${width} px`).toBeLessThan(1)
    }
  }

  await clearSampleData(page.request, app)
  await page.setViewportSize({ width: 1920, height: 900 })
  const places = new Map<string, unknown>()
  for (const name of [...lists, 'whatsapp-numbers', 'webhooks']) {
    await page.goto(`/${name}`)
    const title = page.locator('main').getByRole('heading', { level: 2 })
    await expect(title).toHaveCount(1)
    const card = await title.locator('..').boundingBox()
    places.set(name, [card?.x, card?.width])
  }
  expect(Object.fromEntries(places)).toEqual(
    Object.fromEntries([...places.keys()].map((name) => [name, places.get('contacts')])),
  )
})
