import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { AskedQuestion } from './measure-question.ts'

export type Question = AskedQuestion<Known>

/** Facts about a workspace that are known before requests begin. */
export interface Known {
  /** The parameter that continues a list far down, by the name of its order. */
  readonly deep: ReadonlyMap<string, string>
  readonly deepInbox: string
  /** Ids of the first conversation, whose thread is the longest, and of an ordinary one. */
  readonly longThread: string
  readonly thread: string
  /** The id of a segment of {@link fiveLevels}. */
  readonly segment: string
}

export const orders = ['last_contact', 'name', 'newest'] as const
const turned = (values: readonly string[], turn: number) => encodeURIComponent(values[turn % values.length] ?? '')
const names = ['pri', 'rahul', 'm', 'elena', 'soren', 'patel', 'gupta', 'natal', 'jo', 'zoe']
const digits = (turn: number, length: number) => String((turn * 7_919 + 12_345) % 10 ** length).padStart(length, '0')

const all = (...conditions: ConditionGroup['conditions']): ConditionGroup => ({ match: 'all', conditions })
const any = (...conditions: ConditionGroup['conditions']): ConditionGroup => ({ match: 'any', conditions })

/** Conditions at their maximum depth; some 5 of a hundred contacts match. */
export const fiveLevels = all(
  { field: 'marketing', comparison: 'not_equals', value: 'out' },
  any(
    { field: 'tags', comparison: 'contains', value: 'vip' },
    all(
      { field: 'attributes.plan', comparison: 'equals', value: 'gold' },
      any(
        { field: 'tags', comparison: 'contains', value: 'wholesale' },
        all(
          { field: 'lastContactAt', comparison: 'within_days', value: 90 },
          { field: 'tags', comparison: 'not_contains', value: 'newsletter' },
        ),
      ),
    ),
  ),
)

const nobody = all({ field: 'name', comparison: 'contains', value: 'qxq' })

type Ask = Question['ask']
const plain = (name: string, ask: Ask): Question => ({ name, ask, goalMs: 50, isCapped: false })
const filter = (name: string, ask: Ask): Question => ({ name, ask, goalMs: 200, isCapped: true })
const search = (name: string, ask: Ask): Question => ({ name, ask, goalMs: 400, isCapped: true })
const inAnyOrder = (turn: number) => `/api/contacts?sort=${orders[turn % 3]}`

export const questions: readonly Question[] = [
  ...orders.flatMap((order) => [
    plain(`contacts by ${order}`, () => `/api/contacts?sort=${order}`),
    plain(`contacts by ${order}, deep`, (_turn, { deep }) => `/api/contacts?sort=${order}${deep.get(order)}`),
  ]),
  search('contacts, a word', (turn) => `/api/contacts?q=${turned(names, turn)}`),
  ...orders.slice(0, 2).map((order) =>
    search(`contacts, two words, by ${order}`, (turn) => {
      const [first, second] = [turned(names, turn), turned(['gup', 'sha', 'pa'], turn)]
      return `/api/contacts?sort=${order}&q=${first}+${second}`
    }),
  ),
  ...[4, 5, 7].map((length) =>
    search(`contacts, ${length} digits of a number`, (turn) => `/api/contacts?q=${digits(turn, length)}`),
  ),
  filter(
    'contacts with a tag',
    (turn) => `${inAnyOrder(turn)}&tags=${turned(['vip', 'lead', 'newsletter', 'city 7'], turn)}`,
  ),
  filter(
    'contacts, last contact',
    (turn) => `${inAnyOrder(turn)}&lastContact=${turned(['7d', '30d', 'never', 'older'], turn)}`,
  ),
  filter('contacts, tag and last contact', (turn) => {
    const [tag, when] = [turned(['vip', 'lead'], turn), turned(['7d', '30d', '90d'], turn)]
    return `/api/contacts?tags=${tag}&lastContact=${when}`
  }),
  filter('contacts, a five-level filter', (turn, { segment }) => `${inAnyOrder(turn)}&segment=${segment}`),
  {
    name: 'contacts, letters inside a name that nobody has, as far as time allows',
    ask: (turn) => `${inAnyOrder(turn)}&conditions=${encodeURIComponent(JSON.stringify(nobody))}`,
    // No index answers it: a page then reports how far it came.
    goalMs: 2000,
    isCapped: true,
  },
  filter('tags with counts', () => '/api/tags'),
  filter('segments with counts', () => '/api/segments'),
  ...['all', 'open', 'unread', 'unassigned', 'closed'].map((show) =>
    plain(`inbox, ${show}`, () => `/api/conversations?limit=20&show=${show}`),
  ),
  plain('inbox, deep', (_turn, { deepInbox }) => `/api/conversations?limit=20${deepInbox}`),
  plain('inbox, waiting longest', () => '/api/conversations?limit=20&sort=waiting&show=open'),
  search('inbox, a name', (turn) => `/api/conversations?limit=20&q=${turned(names, turn)}`),
  { name: 'inbox, counts', ask: () => '/api/conversations/summary', isCapped: true },
  plain('a thread', (_turn, { thread }) => `/api/conversations/${thread}/messages`),
  plain('a thread of thousands', (_turn, { longThread }) => `/api/conversations/${longThread}/messages`),
  search(
    'messages with a word',
    (turn) => `/api/messages/search?q=${turned(['refund', 'tomorrow', 'w12', 'w3057'], turn)}`,
  ),
]
