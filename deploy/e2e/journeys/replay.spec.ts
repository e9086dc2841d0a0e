import { createBot, publishBot, teaFlow } from '../src/bots.ts'
import { bubble, priya, row } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('a real session is replayed against the draft before that is published, and the customer hears nothing', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  const bot = await createBot(page.request, app, { name: 'Tea finder', draft: teaFlow })
  await publishBot(page.request, app, bot)
  await phones.write(priya, 'Which tea do you have?')
  await page.goto('/conversations')
  await row(page, priya.name).click()
  await expect(bubble(page, 'Sencha is the one to try.')).toBeVisible()

  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  const replay = async () => {
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Replayed sessions' })).toBeVisible({ timeout: 5000 })
  }

  await test.step('with what runs it is the same', async () => {
    // The session ends a moment after its last message has left.
    await expect(async () => {
      await page.goto(`/bots?bot=${bot.id}`)
      await replay()
    }).toPass()
    await expect(page.getByText('1 of 1 session the same.')).toBeVisible()
    await page.getByRole('button', { name: 'Close replay' }).click()
  })

  await test.step('a changed draft says something else, from the node that was changed on', async () => {
    await page.locator('.react-flow__node').filter({ hasText: 'Answer' }).click()
    await inspector.getByLabel('Message', { exact: true }).fill('Assam is the one to try.')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(toast(page, 'Changes saved.')).toBeVisible()
    await replay()
    const list = page.getByRole('list', { name: 'Replayed sessions' })
    await expect(list).toContainText('The same way, in other words from “Answer” on')
    await inspect(page, 'replayed sessions')
    await list.getByRole('button', { name: /^Open session/ }).click()
    await page.getByRole('button', { name: 'Replay against the draft' }).click()
    await expect(page.getByRole('region', { name: 'With the draft' })).toContainText('Assam is the one to try.')
    await expect(page.getByRole('region', { name: 'What happened' })).toContainText('Which tea do you have?')
    await inspect(page, 'one replayed session')
  })

  await test.step('the customer has got the one answer', async () => {
    await page.goto('/conversations')
    await row(page, priya.name).click()
    await expect(bubble(page, 'Sencha is the one to try.')).toBeVisible()
    await expect(bubble(page, 'Assam is the one to try.')).toHaveCount(0)
  })
})
