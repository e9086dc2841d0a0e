import { sampleBotId } from '@parley/service-kit/data/sample-ids'
import { expect, test } from 'vitest'
import { sampleRecordsOf } from './sample-records-of.ts'

const scope = { workspaceId: 'a'.repeat(24) }
const now = new Date('2026-03-10T12:00:00Z')
const records = sampleRecordsOf(scope, now)
const named = 'bot-1 bot-2 bot-3 bot-4 bot-5'.split(' ')

test('bots are named by the ids under which automation stores them, whenever it does', () => {
  const ids = new Set(named.map((name) => sampleBotId(scope, name)))
  expect(ids.size).toBe(named.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/)
  const owners = records.conversations.flatMap(({ owner }) => (owner.kind === 'bot' ? (owner.id ?? '') : []))
  const causes = records.messages.flatMap(({ cause }) => (cause.kind === 'bot' ? cause.id : []))
  const notified = records.notifications.flatMap(({ object }) => (object.kind === 'bot' ? object.id : []))
  for (const found of [owners, causes, notified]) {
    expect(found.length).toBeGreaterThan(0)
    for (const id of found) expect(ids).toContain(id)
  }
  expect(sampleBotId({ workspaceId: 'b'.repeat(24) }, 'bot-1')).not.toBe(sampleBotId(scope, 'bot-1'))
})

test('a closed conversation has no owner', () => {
  const closed = records.conversations.filter(({ status }) => status === 'closed')
  expect(closed.length).toBeGreaterThan(0)
  for (const { owner } of closed) expect(owner).toEqual({ kind: 'nobody' })
})
