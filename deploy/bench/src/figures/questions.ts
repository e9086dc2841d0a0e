import type { RowMetric } from '@parley/contracts/platform/figure-rows'
import type { AskedQuestion } from '../contacts/measure-question.ts'

/** Facts about a seeded workspace. */
export interface KnownFigures {
  readonly numberId: string
  readonly memberId: string
  /** First and last of 90 days. */
  readonly from: string
  readonly to: string
  /** The parameter that continues the rows of all messages far down. */
  readonly deep: string
}

type Ask = AskedQuestion<KnownFigures>['ask']
const question = (name: string, goalMs: number, ask: Ask): AskedQuestion<KnownFigures> => ({
  name,
  ask,
  goalMs,
  isCapped: false,
})
const days = ({ from, to }: KnownFigures) => `from=${from}&to=${to}`
const rowsOf =
  (metric: RowMetric, scope: (known: KnownFigures) => string = () => 'workspace'): Ask =>
  (_, known) =>
    `/api/analytics/rows?metric=${metric}&${days(known)}&scope=${scope(known)}`

export const questions: readonly AskedQuestion<KnownFigures>[] = [
  question('dashboard', 100, () => '/api/dashboard'),
  question('analytics of 30 days', 300, () => '/api/analytics?period=30d'),
  question('analytics of 90 days', 300, () => '/api/analytics?period=90d'),
  question('90 days of a number', 300, (_, { numberId }) => `/api/analytics?period=90d&scope=number:${numberId}`),
  question('the team in 90 days', 300, () => '/api/analytics/members?period=90d'),
  question('rows of all messages', 200, rowsOf('totalMessages')),
  question(
    'rows of all messages, far down',
    200,
    (_, known) => `/api/analytics/rows?metric=totalMessages&${days(known)}&limit=100${known.deep}`,
  ),
  question('rows of what was sent', 200, rowsOf('messagesSent')),
  question(
    'rows of a number',
    200,
    rowsOf('received', ({ numberId }) => `number:${numberId}`),
  ),
  question(
    'rows of a member',
    200,
    rowsOf('messagesSent', ({ memberId }) => `member:${memberId}`),
  ),
  question('rows of who waited', 200, rowsOf('waits')),
  question(
    'rows of whom a member answered',
    200,
    rowsOf('replied', ({ memberId }) => `member:${memberId}`),
  ),
]
