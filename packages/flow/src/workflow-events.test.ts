import type { RecordedEvent } from '@parley/contracts/platform/events'
import { expect, test } from 'vitest'
import { draw } from './interpreter-fixtures.ts'
import { publishProblems } from './publish-problems.ts'
import { happeningsOf } from './workflow-events.ts'

/** A conversation gets another owner because of an assignment. */
const assigned = (owner: object): RecordedEvent =>
  ({
    type: 'conversation.changed',
    by: { kind: 'user' },
    data: { became: { owned: { epoch: 2, reason: 'assigned' } } },
    snapshot: {
      contact: { source: 'inbound', optIn: { marketing: 'unknown' }, blocked: false },
      conversation: { numberId: 'n1', status: 'open', owner },
    },
  }) as object as RecordedEvent

test.each([
  [{ kind: 'member', id: 'm1' }, ['conversation.assigned']],
  [{ kind: 'nobody' }, []],
])('a conversation that goes to %j', (owner, events) => {
  expect(happeningsOf(assigned(owner)).map(({ event }) => event)).toEqual(events)
})

test.each([
  [{ kind: 'member', memberId: 'm1' }, ['fires_itself']],
  [{ kind: 'queue' }, []],
])('a step that assigns to %j, in a workflow for assigned conversations', (to, codes) => {
  const flow = draw({ on: { kind: 'event', event: 'conversation.assigned' }, step: { kind: 'assign', to } }, [
    'on.next>step',
  ])
  const found = publishProblems(flow, { kind: 'workflow', botId: 'own', numberIds: [] })
  expect(found.map(({ code }) => code)).toEqual(codes)
})
