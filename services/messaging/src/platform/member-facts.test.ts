import { errors } from '@parley/service-kit/core/errors'
import { expect, test, vi } from 'vitest'
import { type AskMembers, createMemberFacts } from './member-facts.ts'

const idOf = (n: number) => n.toString(16).padStart(24, '0')
const [here, there] = [{ workspaceId: 'a'.repeat(24) }, { workspaceId: 'b'.repeat(24) }]
const member = (id: string) => ({ id, name: 'Ann', role: 'agent' as const, active: true })

test('who is known is asked for once a minute, and by workspace', async () => {
  const ask = vi.fn<AskMembers>(async (_scope, ids) => ids.map(member))
  let now = 1
  const { find } = createMemberFacts(ask, { now: () => now })
  await find(here, [idOf(1)])
  expect((await find(here, [idOf(1), idOf(2), idOf(2)])).found.size).toBe(2)
  await find(there, [idOf(1)])
  expect(ask.mock.calls).toEqual([
    [here, [idOf(1)]],
    [here, [idOf(2)]],
    [there, [idOf(1)]],
  ])
  now += 60_001
  await find(here, [idOf(1)])
  expect(ask).toHaveBeenCalledTimes(4)
})

test('a hundred ids at once; what cannot be an id is nobody and never asked for', async () => {
  const ask = vi.fn<AskMembers>(async () => [])
  const { find } = createMemberFacts(ask)
  await find(here, [...Array.from({ length: 150 }, (_, n) => idOf(n)), 'somebody', ''])
  expect(ask.mock.calls.map(([, ids]) => ids.length)).toEqual([100, 50])
})

test('somebody who joins is known at once', async () => {
  const ask = vi.fn<AskMembers>(async () => [])
  const { check } = createMemberFacts(ask)
  await expect(check(here, [idOf(1)], 'owner')).rejects.toMatchObject({ code: 'validation_failed' })
  ask.mockResolvedValueOnce([member(idOf(1))])
  await check(here, [idOf(1)], 'owner')
})

test('several strangers are told at their field', async () => {
  const { check } = createMemberFacts(async () => [member(idOf(1)), { ...member(idOf(2)), active: false }])
  await expect(check(here, [idOf(1), idOf(2)], 'members')).rejects.toMatchObject({
    fields: { members: 'One of these people is not a member of the workspace any more. Leave them out.' },
  })
  await expect(check(here, [idOf(1), idOf(2), 'x'], 'members')).rejects.toMatchObject({
    fields: { members: '2 of these people are not members of the workspace any more. Leave them out.' },
  })
})

test('where profile does not answer nothing is accepted, with a sentence to act on; nor where nobody can be asked', async () => {
  for (const ask of [() => Promise.reject(errors.serviceUnavailable('down')), undefined])
    await expect(createMemberFacts(ask).check(here, [idOf(1)], 'owner')).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('nothing was changed. Try again shortly.'),
    })
  // An empty list needs no request to profile.
  await createMemberFacts().check(here, [], 'members')
})

test('what is known is found where profile does not answer for others', async () => {
  const ask = vi.fn<AskMembers>(async () => [member(idOf(1))])
  const { find } = createMemberFacts(ask)
  await find(here, [idOf(1)])
  const down = errors.serviceUnavailable('down')
  ask.mockRejectedValueOnce(down)
  const { found, failure } = await find(here, [idOf(1), idOf(2)])
  expect([[...found.keys()], failure]).toEqual([[idOf(1)], down])
})
