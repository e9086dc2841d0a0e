import { runsApi } from '@parley/contracts/automation/run-endpoints'
import { workflowsApi } from '@parley/contracts/automation/workflows'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { callAsPage } from '../src/accounts.ts'
import { flowOf } from '../src/bots.ts'
import { inspect } from '../src/inspect.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

const flow = flowOf(
  {
    'New contact': ['trigger', { kind: 'event', event: 'contact.created' }],
    Vip: ['condition', { kind: 'tag', tag: 'vip' }],
    'Add tag': ['action', { kind: 'add_tag', tag: 'welcomed' }],
    'Wait for a reply': ['delay', { kind: 'wait_reply', timeoutSeconds: 86_400 }],
  },
  ['New contact:next:Vip', 'Vip:yes:Add tag', 'Add tag:next:Wait for a reply'],
)

test('a dry run tells what a workflow did on the same events, and what its draft would have done', async ({
  page,
  app,
  account: _account,
}) => {
  const post = async (path: string, data: object) =>
    (await callAsPage(page.request, app, { method: 'POST', path, data })).json()
  const workflow = workflowsApi.create.response.parse(
    await post(workflowsApi.create.path, { name: 'Welcome', draft: flow }),
  )
  const path = `/api/workflows/${workflow.id}`
  const { problems } = workflowsApi.check.response.parse(await post(`${path}/check`, {}))
  const accept = problems.flatMap(({ code, nodeId }) => [code, `${code}:${nodeId}`])
  await post(`${path}/publish`, { version: workflow.version, accept, start: true })
  let people = 0
  const person = async (...tags: string[]) => {
    people += 1
    const data = { name: `Person ${people}`, phone: `+9198123004${70 + people}`, tags, attributes: {} }
    return contactsApi.create.response.parse(await post(contactsApi.create.path, data))
  }
  const runs = async () =>
    runsApi.ofWorkflow.response.parse(await (await page.request.get(`${path}/runs?limit=100`)).json()).items.length
  // Events tell enough a moment after the workflow has become active.
  await expect(async () => {
    const before = await runs()
    await person('vip')
    await expect.poll(runs, { timeout: 3000 }).toBeGreaterThan(before)
  }).toPass({ timeout: 30_000 })
  const before = await runs()
  for (let count = 0; count < 3; count += 1) await person()
  await expect.poll(runs, { timeout: 20_000 }).toBe(before + 3)
  const started = `Would have started ${before + 3} times for ${before + 3} contacts.`

  await page.goto(`/workflows?workflow=${workflow.id}`)
  await page.getByRole('button', { name: 'Dry run', exact: true }).click()
  await expect(page.getByText('No dry run yet')).toBeVisible()
  await inspect(page, 'no dry run yet')
  const start = async () => {
    await page.getByRole('button', { name: 'Start dry run' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Would have started' })).toHaveText(started, {
      timeout: 20_000,
    })
  }
  await page.getByText('Version 1', { exact: true }).click()
  await start()
  await expect(page.getByRole('region', { name: 'Where paths end' })).toContainText('Waits for the customer’s answer')
  await inspect(page, 'a dry run')

  await test.step('nothing has happened: no run, no tag, no message', async () => {
    expect(await runs()).toBe(before + 3)
  })
  await test.step('a node where paths end is shown on the canvas', async () => {
    await page.getByRole('button', { name: 'Show the node Wait for a reply' }).click()
    await expect(page.locator('.react-flow__node.selected')).toContainText('Wait for a reply')
  })
})
