import { expect, test } from 'vitest'
import { nextStatus, runChanges, runStatuses } from './run-status.ts'

const none = '-'
const table = {
  //          fragment      input      window     settled    finished refused    hold    resume     end
  none: ['collecting', 'working', none, none, none, none, none, none, none],
  collecting: ['collecting', 'working', 'working', none, none, none, none, none, 'ended'],
  working: ['working', 'working', none, 'waiting', 'ended', 'working', none, none, 'ended'],
  waiting: ['collecting', 'working', none, none, none, none, 'held', none, 'ended'],
  held: ['held', 'held', none, none, none, none, 'held', 'working', 'ended'],
  ended: [none, none, none, none, none, none, none, none, none],
}

test.each(
  runStatuses.flatMap((status) => runChanges.map((change, index) => [status, change, table[status][index]] as const)),
)('%s, %s: %s', (status, change, expected) => {
  expect(nextStatus(status, change) ?? none).toBe(expected)
})
