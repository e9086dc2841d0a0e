import type { ConditionGroup } from '@parley/contracts/conditions'

/** What a page asks for, again and again with other values, and how soon it has to have it. */
export interface Question {
  readonly name: string
  /** Path and query of one request. @param turn counts up. */
  readonly ask: (turn: number, workspace: Known) => string
  readonly goalMs?: number
  /** Of the same in a workspace of a tenth, at most; `100` at p95 is good enough for what is searched or filtered. */
  readonly kind: 'plain' | 'capped'
}

/** What is known of a workspace before it is asked. */
export interface Known {
  /** The parameter that continues a list far down, by the name of its order. */
  readonly deep: ReadonlyMap<string, string>
  readonly deepInbox: string
  /** Of the first conversation, whose thread is the longest, and of an ordinary one. */
  readonly longThread: string
  readonly thread: string
  /** The id of a segment of {@link fiveLevels}. */
  readonly segment: string
}

const orders = ['last_contact', 'name', 'newest'] as const
export type Order = (typeof orders)[number]
const plainMs = 50
const filterMs = 200
const searchMs = 400
/** Of what no index answers: then a page says how far it came. */
const stepsMs = 2000
const turned = (values: readonly string[], turn: number) => encodeURIComponent(values[turn % values.length] ?? '')
const names = ['pri', 'rahul', 'm', 'elena', 'soren', 'patel', 'gupta', 'natal', 'jo', 'zoe']
const digits = (turn: number, length: number) => String((turn * 7_919 + 12_345) % 10 ** length).padStart(length, '0')

/** As deep as conditions may be; some 5 of a hundred contacts match. */
export const fiveLevels: ConditionGroup = {
  match: 'all',
  conditions: [
    { field: 'marketing', comparison: 'not_equals', value: 'out' },
    {
      match: 'any',
      conditions: [
        { field: 'tags', comparison: 'contains', value: 'vip' },
        {
          match: 'all',
          conditions: [
            { field: 'attributes.plan', comparison: 'equals', value: 'gold' },
            {
              match: 'any',
              conditions: [
                { field: 'tags', comparison: 'contains', value: 'wholesale' },
                {
                  match: 'all',
                  conditions: [
                    { field: 'lastContactAt', comparison: 'within_days', value: 90 },
                    { field: 'tags', comparison: 'not_contains', value: 'newsletter' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
}

const nobody: ConditionGroup = {
  match: 'all',
  conditions: [{ field: 'name', comparison: 'contains', value: 'qxq' }],
}

export const questions: readonly Question[] = [
  ...orders.flatMap((order): Question[] => [
    { name: `contacts by ${order}`, ask: () => `/api/contacts?sort=${order}`, goalMs: plainMs, kind: 'plain' },
    {
      name: `contacts by ${order}, deep`,
      ask: (_turn, { deep }) => `/api/contacts?sort=${order}${deep.get(order)}`,
      goalMs: plainMs,
      kind: 'plain',
    },
  ]),
  {
    name: 'contacts, a word',
    ask: (turn) => `/api/contacts?q=${turned(names, turn)}`,
    goalMs: searchMs,
    kind: 'capped',
  },
  ...orders.slice(0, 2).map(
    (order): Question => ({
      name: `contacts, two words, by ${order}`,
      ask: (turn) => `/api/contacts?sort=${order}&q=${turned(names, turn)}+${turned(['gup', 'sha', 'pa'], turn)}`,
      goalMs: searchMs,
      kind: 'capped',
    }),
  ),
  ...[4, 5, 7].map(
    (length): Question => ({
      name: `contacts, ${length} digits of a number`,
      ask: (turn) => `/api/contacts?q=${digits(turn, length)}`,
      goalMs: searchMs,
      kind: 'capped',
    }),
  ),
  {
    name: 'contacts with a tag',
    ask: (turn) =>
      `/api/contacts?sort=${orders[turn % 3]}&tags=${turned(['vip', 'lead', 'newsletter', 'city 7'], turn)}`,
    goalMs: filterMs,
    kind: 'capped',
  },
  {
    name: 'contacts, last contact',
    ask: (turn) =>
      `/api/contacts?sort=${orders[turn % 3]}&lastContact=${turned(['7d', '30d', 'never', 'older'], turn)}`,
    goalMs: filterMs,
    kind: 'capped',
  },
  {
    name: 'contacts, tag and last contact',
    ask: (turn) =>
      `/api/contacts?tags=${turned(['vip', 'lead'], turn)}&lastContact=${turned(['7d', '30d', '90d'], turn)}`,
    goalMs: filterMs,
    kind: 'capped',
  },
  {
    name: 'contacts, a five-level filter',
    ask: (turn, { segment }) => `/api/contacts?sort=${orders[turn % 3]}&segment=${segment}`,
    goalMs: filterMs,
    kind: 'capped',
  },
  {
    name: 'contacts, letters inside a name that nobody has, as far as time allows',
    ask: (turn) => `/api/contacts?sort=${orders[turn % 3]}&conditions=${encodeURIComponent(JSON.stringify(nobody))}`,
    goalMs: stepsMs,
    kind: 'capped',
  },
  { name: 'tags with counts', ask: () => '/api/tags', goalMs: filterMs, kind: 'capped' },
  { name: 'segments with counts', ask: () => '/api/segments', goalMs: filterMs, kind: 'capped' },
  ...['all', 'open', 'unread', 'unassigned', 'closed'].map(
    (show): Question => ({
      name: `inbox, ${show}`,
      ask: () => `/api/conversations?limit=20&show=${show}`,
      goalMs: plainMs,
      kind: 'plain',
    }),
  ),
  {
    name: 'inbox, deep',
    ask: (_turn, { deepInbox }) => `/api/conversations?limit=20${deepInbox}`,
    goalMs: plainMs,
    kind: 'plain',
  },
  {
    name: 'inbox, waiting longest',
    ask: () => '/api/conversations?limit=20&sort=waiting&show=open',
    goalMs: plainMs,
    kind: 'plain',
  },
  {
    name: 'inbox, a name',
    ask: (turn) => `/api/conversations?limit=20&q=${turned(names, turn)}`,
    goalMs: searchMs,
    kind: 'capped',
  },
  { name: 'inbox, counts', ask: () => '/api/conversations/summary', kind: 'capped' },
  {
    name: 'a thread',
    ask: (_turn, { thread }) => `/api/conversations/${thread}/messages`,
    goalMs: plainMs,
    kind: 'plain',
  },
  {
    name: 'a thread of thousands',
    ask: (_turn, { longThread }) => `/api/conversations/${longThread}/messages`,
    goalMs: plainMs,
    kind: 'plain',
  },
  {
    name: 'messages with a word',
    ask: (turn) => `/api/messages/search?q=${turned(['refund', 'tomorrow', 'w12', 'w3057'], turn)}`,
    goalMs: searchMs,
    kind: 'capped',
  },
]
