import { details, field, list, messages } from '../src/inbox.ts'
import { answerFromLargeInbox } from '../src/large-inbox.ts'
import { expect, test } from './fixtures.ts'

test('a hundred thousand conversations and five thousand messages scroll without a gap or a jump', async ({
  page,
  viewer: _viewer,
}) => {
  await answerFromLargeInbox(page, { conversations: 100_000, messages: 5_000, thread: 'large-thread' })
  await page.goto('/conversations?id=large-thread')
  await expect(messages(page).getByText('The newest message')).toBeVisible()
  const rows = list(page).getByRole('listitem')
  const setSize = () => rows.first().getAttribute('aria-setsize').then(Number)
  await expect.poll(setSize).toBeGreaterThan(90_000)
  const seen = new Set<number>()
  for (let round = 0; round < 12; round += 1) {
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
    const topText = await messages(page).evaluate(async (element) => {
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
    // Messages at the top of the view are still in it once older ones stand above.
    await expect
      .poll(() =>
        messages(page).evaluate((element, words) => {
          const { top, bottom } = element.getBoundingClientRect()
          return [...element.querySelectorAll<HTMLElement>('li[data-index]')].some((item) => {
            const box = item.getBoundingClientRect()
            return item.innerText === words && box.bottom > top && box.top < bottom
          })
        }, topText),
      )
      .toBe(true)
  }
  await page.getByRole('button', { name: 'Newest messages' }).click()
  await expect(messages(page).getByText('The newest message')).toBeInViewport()
})

test('typing beside five hundred conversations never blocks the page for longer than 50 ms', async ({
  page,
  viewer: _viewer,
}) => {
  await answerFromLargeInbox(page, { conversations: 500, messages: 500, thread: 'large-thread' })
  await page.goto('/conversations?id=large-thread')
  await expect(messages(page).getByText('The newest message')).toBeVisible()
  await expect(field(page)).toBeVisible()
  const watch = () =>
    page.evaluate(() => {
      const blocked: number[] = []
      const observer = new PerformanceObserver((entries) => {
        for (const entry of entries.getEntries())
          blocked.push(
            entry instanceof PerformanceEventTiming ? entry.processingEnd - entry.processingStart : entry.duration,
          )
      })
      observer.observe({ type: 'longtask' })
      observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
      Object.assign(window, { blocked, observer })
    })
  const longest = () =>
    page.evaluate(() => {
      const { blocked, observer } = window as unknown as { blocked: number[]; observer: PerformanceObserver }
      observer.disconnect()
      return Math.round(Math.max(0, ...blocked))
    })
  // A busy machine stands still now and then; what the page itself does is in every round.
  const rounds: number[] = []
  for (let round = 0; round < 4; round += 1) {
    await watch()
    await field(page).pressSequentially('Your kettle is on its way, and the lid as well. ', { delay: 20 })
    rounds.push(await longest())
  }
  console.info(`longest task while typing, in each round: ${rounds.join(', ')} ms`)
  expect(Math.min(...rounds)).toBeLessThanOrEqual(50)
})
