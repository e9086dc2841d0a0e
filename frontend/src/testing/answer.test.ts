import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { answer, throwHandlerFault } from './answer.ts'
import { createWorkspace, find } from './workspace/workspace.ts'

const { contacts } = createWorkspace(1)
const ask = (handler: ReturnType<typeof answer>, path: string, init?: RequestInit) =>
  getResponse([handler], new Request(`http://localhost/api/contacts${path}`, init))

test('a handler gets the input as the endpoint parses it, and refuses as a service does', async () => {
  const read = answer(contactsApi.read, ({ params }) => find(contacts, params.id))
  expect(await (await ask(read, '/contact-1'))?.json()).toEqual(contacts.get('contact-1'))
  const gone = await ask(read, '/gone')
  expect([gone?.status, await gone?.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })])
  const body = JSON.stringify({ blocked: 'perhaps' })
  const blocked = await ask(
    answer(contactsApi.block, () => find(contacts, 'contact-1')),
    '/contact-1/blocked',
    { method: 'PUT', body },
  )
  expect([blocked?.status, await blocked?.json()]).toEqual([
    400,
    expect.objectContaining({ code: 'validation_failed', fields: { blocked: expect.any(String) } }),
  ])
  throwHandlerFault()
})

test('an answer that its endpoint does not give fails the test', async () => {
  const wrong = answer(contactsApi.read, () => ({ ...find(contacts, 'contact-1'), version: 0 }))
  expect((await ask(wrong, '/contact-1'))?.type).toBe('error')
  expect(throwHandlerFault).toThrow('The handler of contacts.read is wrong.')
  throwHandlerFault()
})
