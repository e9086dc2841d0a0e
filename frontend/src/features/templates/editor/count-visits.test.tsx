import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

test('visits of a website button are counted by choice, and what customers see instead stands beside it', async () => {
  const server = stubServer(signedInServer())
  await openApp('/templates?new=1')
  await userEvent.type(await screen.findByLabelText('Name'), 'spring')
  await userEvent.click(screen.getByLabelText('Body'))
  await userEvent.paste('Our new teas are here.')
  await userEvent.click(screen.getByRole('button', { name: 'Open website' }))
  await userEvent.type(screen.getByLabelText('Open website text'), 'See it')
  await userEvent.type(screen.getByLabelText('Web address'), 'https://chai.example/new')
  const count = screen.getByRole('checkbox', { name: 'Count visits' })
  await waitFor(() => expect(count.hasAttribute('disabled')).toBe(false))
  await userEvent.click(count)
  const hint = document.getElementById(count.getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toBe(
    'Customers see https://links.parley.example/l/… instead of this address and are redirected to it.',
  )
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Say how to stop/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Create Template' }))
  await screen.findByRole('heading', { level: 2, name: 'spring' })
  const sent = server.calls.find(({ method, path }) => method === 'POST' && path === '/api/templates')
  expect(JSON.parse(sent?.body ?? '').buttons).toEqual([
    { kind: 'url', text: 'See it', url: 'https://chai.example/new', tracked: 'https://links.parley.example/l/' },
  ])
})

test('where no address for links is set up, visits cannot be counted, and the editor says so', async () => {
  const server = stubServer(signedInServer())
  server.answer('GET /api/templates/tracking', () => ({ json: { address: null } }))
  await openApp('/templates?new=1')
  await userEvent.click(await screen.findByRole('button', { name: 'Open website' }))
  expect(await screen.findByText(/^Visits cannot be counted because no link address/)).toBeTruthy()
  expect(screen.getByRole('checkbox', { name: 'Count visits' }).hasAttribute('disabled')).toBe(true)
})

test('a copy of a template with a website that nothing was changed of is left without a question', async () => {
  stubServer(signedInServer())
  await openApp('/templates?q=flash_deal')
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for flash_deal' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Duplicate/ }))
  expect(await screen.findByRole('checkbox', { name: 'Count visits' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByRole('heading', { level: 2, name: 'flash_deal' })).toBeTruthy()
  expect(screen.queryByText('Leave without saving?')).toBeNull()
})
