import type { Locator, Page } from '@playwright/test'
import { createBot, orderStatus, publishBot } from '../src/bots.ts'
import { inspect } from '../src/inspect.ts'
import { tabTo } from '../src/tab-to.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

const builder = (page: Page) => page.getByRole('region', { name: 'Bot Builder' })
const node = (page: Page, name: string | RegExp) => page.locator('.react-flow__node').filter({ hasText: name })
const inspector = (page: Page) => page.getByRole('complementary', { name: 'Inspector' })

async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}

/** Drags as a hand does, through every place on the way, from where a thing has come to rest. */
async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  await from.hover({ trial: true })
  const start = await middleOf(from)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 12, start.y + 4, { steps: 3 })
  await page.mouse.move(to.x, to.y, { steps: 10 })
  await page.mouse.up()
}

test('bots are paused and started, found, deleted and brought back', async ({ page, app, account: _account }) => {
  await publishBot(page.request, app, await createBot(page.request, app, { name: 'Order status', draft: orderStatus }))
  await createBot(page.request, app, { name: 'Welcome', draft: orderStatus })
  await page.goto('/bots')
  await page.getByRole('button', { name: 'Pause Order status' }).click()
  await expect(page.getByRole('button', { name: 'Start Order status' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Start Order status' }).click()
  await expect(page.getByRole('button', { name: 'Pause Order status' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search bots' }).fill('order')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Order status'])
  await page.getByRole('searchbox', { name: 'Search bots' }).fill('nothing like it')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Actions for Welcome' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome' })).toHaveCount(0)
  await toast(page, 'Welcome deleted.').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
})

test('a bot is built by keyboard alone, tried out and saved', async ({ page, account: _account }) => {
  await page.goto('/bots')
  await tabTo(page, 'Create Bot')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Tea finder')
  await tabTo(page, 'Sample flow: keyword match, message, business-hours check')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(builder(page)).toBeVisible()
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible()

  await tabTo(page, 'Add Trigger')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Keywords')
  await page.keyboard.type('tea')
  await page.keyboard.press('Enter')
  await expect(node(page, 'Contains “tea”')).toBeVisible()

  await page.getByRole('button', { name: 'Add Action' }).focus()
  await page.keyboard.press('Enter')
  await tabTo(page, 'Message')
  await page.keyboard.type('We have 40 teas, {{first_name}}.')
  await page.getByRole('button', { name: 'Add Condition' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add node: Assign' }).focus()
  await page.keyboard.press('Enter')
  await tabTo(page, 'Assign to')
  await page.keyboard.press('Enter')
  await expect(page.getByTitle('Ann Stone')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.locator('.react-flow__edge')).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible()

  // The other branch leads to the same node: chosen in the inspector, without a mouse.
  await node(page, 'Business hours').focus()
  await page.keyboard.press('Enter')
  await inspector(page).getByRole('combobox', { name: 'No', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('.ant-select-item-option').filter({ hasText: 'Assign', visible: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Connection from Business hours to Assign' })).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible()

  await node(page, 'Business hours').focus()
  await page.keyboard.press('Delete')
  await expect(node(page, 'Business hours')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(page.locator('.react-flow__edge')).toHaveCount(4)
  await page.keyboard.press('Control+Shift+z')
  await expect(node(page, 'Business hours')).toHaveCount(0)
  await page.keyboard.press('Control+y')
  await page.keyboard.press('Control+z')
  await expect(node(page, 'Business hours')).toBeVisible()

  await page.getByRole('button', { name: 'Test Bot' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Message as a customer').focus()
  await page.keyboard.type('Which tea is best?')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log')).toContainText('We have 40 teas, Asha.')
  await expect(page.getByRole('log')).toContainText('Assigned to Ann Stone')
  await expect(node(page, 'Assign').getByText('Active')).toBeVisible()

  await page.keyboard.press('Control+s')
  await expect(toast(page, 'Changes saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: 'Bot Flows' }).click()
  await page.getByRole('link', { name: 'Tea finder' }).click()
  await expect(node(page, 'We have 40 teas')).toBeVisible()
})

test('the sample flow is drawn without an error, is changed by mouse, and is not left unsaved by accident', async ({
  page,
  app,
  account: _account,
}) => {
  const { id } = await createBot(page.request, app, { name: 'Order status', draft: orderStatus })
  await page.goto(`/bots?bot=${id}`)
  await expect(builder(page)).toBeVisible()
  await expect(page.locator('.react-flow__node')).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible()

  // A node dragged in from the palette, and a line from the dot of the branch "Yes" to it.
  const center = await middleOf(page.locator('.react-flow__pane'))
  await drag(page, page.getByRole('button', { name: 'Add node: End' }), { x: center.x + 220, y: center.y - 200 })
  const end = page.getByRole('group', { name: /^Action: End/ })
  await expect(end).toBeVisible()
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible()
  const yes = node(page, 'Business hours').locator('.react-flow__handle[data-handleid=yes]')
  await drag(page, yes, await middleOf(end.locator('.react-flow__handle.target')))
  await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible()

  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('dialog')).toContainText('Order status')
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Rename Order status' }).click()
  await page.keyboard.type('Where is my order')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Rename Where is my order' })).toBeVisible()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'Changes saved.')).toBeVisible()
  await page.goBack()
  await page.goto('/bots?bot=no-such-bot')
  await expect(page.getByRole('heading', { name: 'This bot could not be found' })).toBeVisible()
})

test('on a phone the builder opens where the flow starts, large enough to be read, and is moved by what lies under the finger', async ({
  page,
  app,
  account: _account,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = await createBot(page.request, app, { name: 'Order status', draft: orderStatus })
  for (const [path, start] of [[`/bots?bot=${id}`, 'Keyword match']] as const) {
    await page.goto(path)
    const trigger = node(page, start)
    await expect(trigger).toBeInViewport({ ratio: 1 })
    await expect.poll(() => middleOf(trigger).then(({ x }) => Math.round(x))).toBe(195)
    // In its own size a node is 248 px wide.
    await expect.poll(() => trigger.boundingBox().then((box) => box?.width)).toBeGreaterThan(0.79 * 248)
  }
  const message = node(page, 'Send message')
  const before = await middleOf(message)
  await drag(page, message, { x: before.x - 60, y: before.y - 80 })
  await expect.poll(() => middleOf(node(page, 'Keyword match')).then(({ x }) => Math.round(x))).toBe(135)
  // Nothing was moved in the flow itself.
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeDisabled()
  await page.getByRole('button', { name: 'Fit to screen' }).click()
  for (const one of await page.locator('.react-flow__node').all()) await expect(one).toBeInViewport({ ratio: 0.99 })
  // A chosen node follows the finger.
  await message.click()
  await page.getByRole('dialog', { name: 'Inspector' }).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog', { name: 'Inspector' })).toBeHidden()
  const chosen = await middleOf(message)
  await drag(page, message, { x: chosen.x, y: chosen.y - 60 })
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeEnabled()
})

test('bots, their builder and its panels have no axe violation', async ({ page, app, account: _account }) => {
  await page.goto('/bots')
  await inspect(page, 'no bots')
  const bot = await createBot(page.request, app, { name: 'Order status', draft: orderStatus })
  await publishBot(page.request, app, bot)
  const panels = ['', '&panel=sessions', '&panel=settings'].map((panel) => `/bots?bot=${bot.id}${panel}`)
  for (const path of ['/bots', '/bots?new=1', '/bots?show=hours', '/bots?show=attention', ...panels]) {
    await page.goto(path)
    await inspect(page, path)
  }
})
