import { createBot, flowOf, publishBot } from '../src/bots.ts'
import { bubble, priya, row } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

/** Greets by a field that nobody has filled in: the text is empty, and there is no way for that. */
const flow = flowOf(
  {
    Offer: ['trigger', { kind: 'keyword', keywords: ['offer'], match: 'word', interrupts: false }],
    Greeting: ['action', { kind: 'send_text', text: 'One moment, please.' }],
    'Their offer': ['action', { kind: 'send_text', text: '{{session.offer}}' }],
    Person: ['action', { kind: 'assign', to: { kind: 'queue' } }],
  },
  ['Offer:next:Greeting', 'Greeting:next:Their offer', 'Their offer:next:Person'],
)

test('a bot that fails says so in its list, on its canvas and in the session, and the customer is with people', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  const bot = await createBot(page.request, app, { name: 'Offers', draft: flow })
  await publishBot(page.request, app, bot)
  await phones.write(priya, 'Do you have an offer?')
  await page.goto('/conversations')
  await row(page, priya.name).click()
  await expect(bubble(page, 'One moment, please.')).toBeVisible()

  await test.step('the list of bots tells of it', async () => {
    // It is counted a moment after the session has ended.
    await expect(async () => {
      await page.goto('/bots')
      await expect(page.getByText('1 to look at')).toBeVisible({ timeout: 5000 })
    }).toPass()
    await inspect(page, 'a bot with failures in the list')
    await page.getByRole('button', { name: 'To look at: 1' }).click()
    const list = page.getByRole('list', { name: 'To look at' })
    await expect(list).toContainText('The text is empty once its variables are filled', { ignoreCase: true })
    await inspect(page, 'failures of bots to look at')
  })

  await test.step('the session names the step', async () => {
    await page.goto(`/bots?bot=${bot.id}&panel=sessions`)
    await page.getByText('Ended', { exact: true }).click()
    await page.getByRole('button', { name: new RegExp(priya.name) }).click()
    await expect(page.getByRole('list', { name: 'Steps' })).toContainText('Their offer')
    await inspect(page, 'a session that has failed')
  })

  await test.step('the canvas counts it', async () => {
    await page.goto(`/bots?bot=${bot.id}`)
    await page.getByRole('button', { name: 'Figures' }).click()
    const figures = page.getByRole('list', { name: 'Figures of nodes' })
    await expect(figures.getByRole('listitem').filter({ hasText: 'Their offer' })).toContainText('If it fails 1')
    await inspect(page, 'figures of a bot with failures')
  })
})
