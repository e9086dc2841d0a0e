import { z } from 'zod'
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

/** Events of a trace that this reads; `tdur`: processor time in microseconds, which a busy machine does not change. */
const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.object({ name: z.string().optional() }).optional(),
    }),
  ),
})

test('typing beside five hundred conversations never blocks the page for longer than 50 ms', async ({
  page,
  browser,
  viewer: _viewer,
}) => {
  await answerFromLargeInbox(page, { conversations: 500, messages: 500, thread: 'large-thread' })
  await page.goto('/conversations?id=large-thread')
  await expect(messages(page).getByText('The newest message')).toBeVisible()
  await expect(field(page)).toBeVisible()
  await field(page).pressSequentially('Hello. ')
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await field(page).pressSequentially('Your kettle is on its way, and the lid as well. It arrives on Monday.', {
    delay: 20,
  })
  const { traceEvents } = traceSchema.parse(JSON.parse((await browser.stopTracing()).toString()))
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const isOfPage = ({ pid, tid }: { pid: number; tid: number }) =>
    threads.some((thread) => thread.pid === pid && thread.tid === tid)
  const tasks = traceEvents.filter((event) => /RunTask$/.test(event.name) && isOfPage(event))
  const longest = (of: (event: (typeof tasks)[number]) => number) => Math.max(0, ...tasks.map(of)) / 1000
  const [busy, passed] = [longest(({ tdur = 0 }) => tdur), longest(({ dur = 0 }) => dur)]
  console.info(`${tasks.length} tasks while typing; the longest took ${busy} ms of processor time, ${passed} ms in all`)
  expect(busy).toBeGreaterThan(0)
  expect(busy).toBeLessThanOrEqual(50)
})
