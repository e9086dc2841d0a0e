import { createBot, teaFlow } from '../src/bots.ts'
import { bubble, priya, row } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

test('the figures of a flow stand on its nodes, and each opens its sessions', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  const { id } = await createBot(page.request, app, { name: 'Tea finder', draft: teaFlow })
  await page.goto(`/bots?bot=${id}`)
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish Tea finder' })
  await expect(dialog.getByRole('checkbox', { name: 'Start the bot now' })).toBeChecked()
  for (const box of await dialog.getByRole('checkbox', { name: /^Accept: / }).all()) await box.check()
  await dialog.getByRole('button', { name: 'Publish and Start' }).click()
  await expect(toast(page, 'Version 1 of Tea finder is published and running.')).toBeVisible()
  await phones.write(priya, 'Which tea do you have?')
  await page.goto('/conversations')
  await row(page, priya.name).click()
  await expect(bubble(page, 'Sencha is the one to try.')).toBeVisible()

  await page.goto(`/bots?bot=${id}`)
  await page.getByRole('button', { name: 'Figures' }).click()
  const figures = page.getByRole('list', { name: 'Figures of nodes' })
  await expect(figures.getByRole('listitem').filter({ hasText: 'Answer' }).getByText('1').first()).toBeVisible()
  await inspect(page, 'figures of nodes')
  await figures.getByRole('button').first().click()
  await expect(page.getByText(priya.name).first()).toBeVisible()
})
