import { createBot, flowOf } from '../src/bots.ts'
import { inspect } from '../src/inspect.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

const flow = flowOf(
  {
    Tea: ['trigger', { kind: 'keyword', keywords: ['tea'], match: 'word', interrupts: false }],
    Answer: ['action', { kind: 'send_text', text: 'Sencha is the one to try.' }],
    Person: ['action', { kind: 'assign', to: { kind: 'queue' } }],
  },
  ['Tea:next:Answer', 'Answer:next:Person'],
)

test('a change is compared, a red test stops it, it is repaired, published and rolled back', async ({
  page,
  app,
  account: _account,
}) => {
  const { id } = await createBot(page.request, app, { name: 'Tea finder', draft: flow })
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  const dialog = page.getByRole('dialog', { name: 'Publish Tea finder' })
  const node = (name: string) => page.locator('.react-flow__node').filter({ hasText: name })
  const write = async (text: string) => {
    await node('Answer').click()
    await inspector.getByLabel('Message', { exact: true }).fill(text)
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(toast(page, 'Changes saved.')).toBeVisible()
  }
  const versions = page.getByRole('list', { name: 'Versions' })

  await test.step('what was tried out is kept as a test, and version 1 is published', async () => {
    await page.goto(`/bots?bot=${id}`)
    await page.getByRole('button', { name: 'Test Bot' }).click()
    await page.getByLabel('Message as a customer').fill('tea please')
    await page.getByRole('button', { name: 'Send as a customer' }).click()
    await expect(page.getByRole('log')).toContainText('Sencha is the one to try.')
    await page.getByRole('button', { name: 'Keep as test' }).click()
    await page.getByLabel('Name of the test').fill('Asks for tea')
    await page.getByRole('button', { name: 'Keep', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Keep as test' })).toBeVisible()
    await inspect(page, 'the test panel with a test to keep')
    await page.getByRole('button', { name: 'Close test' }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByRole('button', { name: 'Publish and Start' }).click()
    await expect(page.getByText('Version 1 runs')).toBeVisible()
  })

  await test.step('the draft is changed, and compared with what runs', async () => {
    await write('Assam is the one to try.')
    await page.getByRole('button', { name: 'Versions', exact: true }).click()
    await versions.getByRole('button', { name: /Draft/ }).click()
    const differences = page.getByRole('list', { name: 'Differences' })
    await expect(differences).toContainText('Text: “Sencha is the one to try.” → “Assam is the one to try.”')
    await expect(node('Answer')).toContainText('Changed')
    await expect(page.getByText('From version 1 to the draft', { exact: true })).toBeVisible()
    await inspect(page, 'the draft compared with a version')
  })

  await test.step('the test is red, by hand and at publication', async () => {
    await page.getByRole('button', { name: 'Tests', exact: true }).click()
    await page.getByRole('button', { name: 'Run 1 test' }).click()
    const tests = page.getByRole('list', { name: 'Tests' })
    await expect(tests).toContainText('Sencha is the one to try.')
    await expect(tests).toContainText('Assam is the one to try.')
    await inspect(page, 'a test that fails')
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect(dialog.getByRole('list', { name: 'Has to be mended' })).toContainText('The test “Asks for tea” fails')
    await expect(dialog.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Close tests' }).click()
  })

  await test.step('repaired, with another change, it is published', async () => {
    await write('Sencha is the one to try.')
    await node('Tea').click()
    await inspector.getByRole('textbox', { name: 'Label', exact: true }).fill('Tea or chai')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByText('Saving...')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Save Changes' })).toBeDisabled()
    await page.getByRole('button', { name: 'Publish' }).click()
    await dialog.getByRole('textbox', { name: /Note/ }).fill('Chai too')
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByText('Version 2 runs')).toBeVisible()
  })

  await test.step('version 1 is looked at, and published again as version 3', async () => {
    await page.getByRole('button', { name: 'Versions', exact: true }).click()
    await expect(versions.getByRole('button', { name: /Version 2/ })).toContainText('Chai too')
    await versions.getByRole('button', { name: /Version 1/ }).click()
    await expect(page.getByText('Version 1, not to be edited here')).toBeVisible()
    await page.getByRole('button', { name: 'Publish again' }).click()
    const again = page.getByRole('dialog', { name: 'Publish version 1 again' })
    await expect(again).toContainText('Version 1 takes its place as version 3; the draft stays as it is.')
    await again.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByText('Version 3 runs · draft differs')).toBeVisible()
    await page.getByRole('button', { name: 'All versions' }).click()
    await expect(versions.getByRole('button', { name: /Version 3/ })).toContainText('version 1 again')
    await inspect(page, 'the versions of a bot')
  })
})
