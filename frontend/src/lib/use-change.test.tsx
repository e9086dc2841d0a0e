import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { errorOf, stubServer } from '../testing/stub-server.ts'
import { call } from './api.ts'
import { createQueryClient } from './query-client.ts'
import { useChange } from './use-change.ts'

const add = defineEndpoint({
  operation: 'things.add',
  method: 'POST',
  path: '/api/things',
  access: 'session',
  permission: 'member',
  summary: 'For this test.',
  body: z.object({ name: z.string() }),
  status: 201,
  errors: [],
})

function Form({ again }: { again?: 'ignored' | 'queued' }) {
  const change = useChange({
    ...(again && { again, scope: 'things' }),
    run: (name: string, intent) => call(add, { body: { name }, ...intent }),
  })
  return (
    <>
      <button type="button" onClick={() => change.mutate('tea')}>
        Tea
      </button>
      <button type="button" onClick={() => change.mutate('milk')}>
        Milk
      </button>
      <p>{change.isPending ? 'Saving' : 'Ready'}</p>
    </>
  )
}

function open(again?: 'ignored' | 'queued') {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Form {...(again && { again })} />
    </QueryClientProvider>,
  )
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const rest = () => screen.findByText('Ready')
const keysOf = (server: ReturnType<typeof stubServer>) =>
  server.calls.map(({ headers }) => headers.get('idempotency-key'))

test('a second press for the same while the first is on its way does nothing; one for something else waits', async () => {
  const answer = Promise.withResolvers<{ status: number }>()
  const server = stubServer({ 'POST /api/things': (_call, nth) => (nth === 1 ? answer.promise : { status: 201 }) })
  open()
  press('Tea')
  press('Tea')
  press('Milk')
  await screen.findByText('Saving')
  expect(server.calls.map(({ body }) => body)).toEqual(['{"name":"tea"}'])
  answer.resolve({ status: 201 })
  await waitFor(() => expect(server.calls.map(({ body }) => body)).toEqual(['{"name":"tea"}', '{"name":"milk"}']))
  await rest()
})

test('changes that queue are sent one after the other', async () => {
  const answer = Promise.withResolvers<{ status: number }>()
  const server = stubServer({ 'POST /api/things': (_call, nth) => (nth === 1 ? answer.promise : { status: 201 }) })
  open('queued')
  press('Tea')
  press('Milk')
  await waitFor(() => expect(server.calls).toHaveLength(1))
  answer.resolve({ status: 201 })
  await waitFor(() => expect(server.calls.map(({ body }) => body)).toEqual(['{"name":"tea"}', '{"name":"milk"}']))
})

test.each([
  ['no answer', () => Response.error()],
  ['a failure of the server', () => ({ status: 503, json: errorOf('service_unavailable', 'Later.') })],
  ['a call that is still under way', () => ({ status: 409, json: errorOf('request_in_progress', 'Wait.') })],
])('pressing again after %s is the same intent', async (_name, first) => {
  const server = stubServer({ 'POST /api/things': (_call, nth) => (nth === 1 ? first() : { status: 201 }) })
  open()
  press('Tea')
  await waitFor(() => expect(server.calls).toHaveLength(1))
  await rest()
  press('Tea')
  await waitFor(() => expect(server.calls).toHaveLength(2))
  await rest()
  press('Tea')
  await waitFor(() => expect(server.calls).toHaveLength(3))
  const [one, two, three] = keysOf(server)
  expect(one).toMatch(/^[\w-]{36}$/)
  expect(two).toBe(one)
  expect(three).not.toBe(one)
})

test('another input, or the same after a refusal, is another intent', async () => {
  const refused = { status: 400, json: errorOf('validation_failed', 'No.') }
  const server = stubServer({ 'POST /api/things': (_call, nth) => (nth === 1 ? Response.error() : refused) })
  open()
  for (const [count, name] of ['Tea', 'Milk', 'Milk'].entries()) {
    press(name)
    await waitFor(() => expect(server.calls).toHaveLength(count + 1))
    await rest()
  }
  expect(new Set(keysOf(server)).size).toBe(3)
})
