import type { ConsentEntry } from '@parley/contracts/contacts/consent'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { errorOf, onlyMember, signedInServer, stubServer, userOf, userWithRole } from '../../testing/stub-server.ts'
import { TooltipProvider } from '../tooltip.tsx'
import { ConsentCard } from './consent-card.tsx'

const path = '/api/contacts/contact-1/consent'
const at = '2026-05-04T10:00:00.000Z'
const contact: Contact = {
  id: 'contact-1',
  createdAt: at,
  updatedAt: at,
  version: 1,
  name: 'Priya Sharma',
  phone: '+919876543210',
  tags: [],
  attributes: {},
  optIn: { marketing: 'out', source: 'keyword', at },
  lastContactAt: null,
  source: 'inbound',
  blocked: false,
}
const entry = (id: string, fields: Partial<ConsentEntry>): ConsentEntry => ({
  id,
  category: 'marketing',
  value: 'out',
  source: 'keyword',
  at,
  recordedAt: at,
  ...fields,
})
const pageOf = (items: ConsentEntry[]) => ({ items, nextCursor: null, previousCursor: null, total: items.length })

function open(handlers: Parameters<typeof stubServer>[0]) {
  const server = stubServer({ ...signedInServer(), ...handlers })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TooltipProvider>
        <ConsentCard contact={contact} clock={{ now: new Date(at), timeZone: 'UTC' }} />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  return server
}

test('a contact who has opted out says so, with how it is known, newest first, all on demand', async () => {
  open({
    [`GET ${path}`]: () => ({
      json: pageOf([
        entry('1', { note: 'STOP' }),
        entry('2', { source: 'platform', value: 'in' }),
        entry('3', { source: 'platform_error' }),
        entry('4', { source: 'import', value: 'in', note: 'import: Trade fair in May' }),
      ]),
    }),
  })
  expect(screen.getByText('Opted out')).toBeTruthy()
  expect(await screen.findByText('Wrote “STOP”')).toBeTruthy()
  expect(screen.getByText('Chosen in WhatsApp')).toBeTruthy()
  expect(screen.queryByText('Import: Trade fair in May')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show all 4' }))
  expect(screen.getByText('Import: Trade fair in May')).toBeTruthy()
})

test('what somebody has told a member is recorded with a note, and stands in the history', async () => {
  const recorded: ConsentEntry[] = []
  const server = open({
    'GET /api/auth/user': () => userWithRole('agent'),
    'GET /api/members': onlyMember,
    [`GET ${path}`]: () => ({ json: pageOf(recorded) }),
    [`POST ${path}`]: ({ body }) => {
      const made = entry('new', { ...JSON.parse(body ?? ''), source: 'agent', memberId: userOf().id })
      recorded.unshift(made)
      return { status: 201, json: made }
    },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Record consent' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Record' }))
  expect(await screen.findByText('Say how they told you')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('How they told you'), 'On the phone')
  await userEvent.click(screen.getByRole('button', { name: 'Record' }))
  expect(await screen.findByText('Asha Rao: On the phone')).toBeTruthy()
  const { body } = server.calls.findLast(({ method, path: to }) => method === 'POST' && to === path) ?? {}
  expect(JSON.parse(body ?? '')).toEqual({ category: 'marketing', value: 'in', note: 'On the phone' })
})

test('a history that could not be read says so, and what was typed stays where it could not be recorded', async () => {
  const away = () => ({ status: 503, json: errorOf('service_unavailable', 'Away.') })
  const server = open({ [`GET ${path}`]: away, [`POST ${path}`]: away })
  expect(await screen.findByText('The history could not be loaded.')).toBeTruthy()
  server.answer(`GET ${path}`, () => ({ json: pageOf([entry('1', { note: 'STOP' })]) }))
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Wrote “STOP”')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Record consent' }))
  await userEvent.type(await screen.findByLabelText('How they told you'), 'By letter')
  await userEvent.click(screen.getByRole('button', { name: 'Record' }))
  await expect.poll(() => server.count(`POST ${path}`)).toBe(1)
  expect(screen.getByDisplayValue('By letter')).toBeTruthy()
})
