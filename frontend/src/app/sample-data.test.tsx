import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { sampleDomains } from '../sample/registry.ts'
import { openApp } from '../testing/open-app.tsx'
import { onlyMember, signedInServer, stubServer } from '../testing/stub-server.ts'

/** A workspace whose sample data is in this state, with every service that there is. */
async function openWith(state: string, path: string) {
  const server = stubServer({
    ...signedInServer(),
    'GET /api/sample-data': () => ({ json: { state } }),
    'GET /api/members': onlyMember,
  })
  await openApp(path, { allLive: false })
  return server
}
const line = (what: string) => `Example ${what}: not your data. Nothing here is saved.`

test.each([
  ['/workflows?workflow=workflow-1', 'workflows', 'No problems'],
  ['/workflows', 'workflows', 'Welcome new contacts'],
])('%s says that its %s are examples, and asks the server for none of them', async (path, what, shown) => {
  const server = await openWith('loaded', path)
  expect((await screen.findAllByText(shown)).length).toBeGreaterThan(0)
  expect(screen.getByText(line(what))).toBeTruthy()
  const examples = Object.keys(sampleDomains).map((domain) => `/api/${domain}`)
  expect(server.calls.filter((call) => examples.some((start) => call.path.startsWith(start)))).toEqual([])
})

test.each([['/workflows', 'Workflows are not available yet']])(
  '%s shows no example once the sample data is cleared',
  async (path, missing) => {
    await openWith('cleared', path)
    expect(await screen.findByText(missing)).toBeTruthy()
    const { textContent, innerHTML } = document.body
    expect(textContent).not.toMatch(/Example |Order status|Welcome new|Order updates|12,486|94\.2%|Unable to deliver/)
    expect(innerHTML).not.toContain('chaiandco')
  },
)

test('the sample data is loaded from a screen that has nothing to show', async () => {
  const server = await openWith('none', '/workflows')
  server.answer('POST /api/sample-data/load', () => {
    server.answer('GET /api/sample-data', () => ({ json: { state: 'loaded' } }))
    return { json: { state: 'loaded' } }
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Load sample data' }))
  expect(await screen.findByText(line('workflows'))).toBeTruthy()
})

test.each([['/workflows?new=1', 'Create Workflow']])(
  '%s: its button says before the press that nothing is saved',
  async (path, name) => {
    await openWith('loaded', path)
    const button = (await screen.findAllByRole('button', { name })).at(-1)
    const note = document.getElementById(button?.getAttribute('aria-describedby') ?? '')
    expect(note?.textContent).toBe('An example: not saved.')
  },
)

test('the builder says so too, and its confirmation that the change is not kept', async () => {
  await openWith('loaded', '/workflows?workflow=workflow-1')
  const save = await screen.findByRole('button', { name: 'Save Changes' })
  expect(document.getElementById(save.getAttribute('aria-describedby') ?? '')?.textContent).toBe(line('workflows'))
})

test('clearing names all that it removes', async () => {
  const server = await openWith('loaded', '/contacts')
  await userEvent.click(await screen.findByRole('button', { name: 'Clear sample data' }))
  const dialog = within(await screen.findByRole('dialog'))
  const removed = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
  for (const word of [
    ...['numbers', 'contacts', 'tags', 'conversations', 'files', 'templates', 'campaigns', 'notifications'],
    ...['Professional', 'credits', 'messages', 'dashboard', 'analytics', 'bots', 'workflows', 'webhooks'],
  ])
    expect(removed.join('\n')).toContain(word)
  server.answer('DELETE /api/sample-data', () => {
    server.answer('GET /api/sample-data', () => ({ json: { state: 'cleared' } }))
    return { json: { state: 'cleared' } }
  })
  await userEvent.click(dialog.getByRole('button', { name: 'Clear sample data' }))
  await waitFor(() => expect(screen.queryByText('You are looking at sample data.')).toBeNull())
})
