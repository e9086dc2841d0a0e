import { setTimeout as pause } from 'node:timers/promises'
import { userSchema } from '@parley/contracts/account/profile'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ComponentName } from '../component.ts'
import { type Stack, startStack } from '../stack.ts'
import { createVisitor, type Reply, signIn, signUp, type Visitor } from '../testing/app-visitor.ts'
import { throwAwayFolder } from '../testing/throw-away-folder.ts'

const password = 'correct horse'
const annsAccount = { email: 'ann@parley.test', password }
let stack: Stack
let ann: Visitor
const notes: string[] = []
let newcomers = 0

beforeAll(async () => {
  stack = await startStack({
    dataDir: throwAwayFolder(),
    throwAway: true,
    environment: {},
    onProgress: (progress) => progress.kind === 'note' && notes.push(progress.line),
  })
  ann = await createVisitor(stack.urls.app, annsAccount)
  // The frontend is built first, where that has not been done.
}, 300_000)
afterAll(() => stack.stop())

interface Dependent {
  readonly component: ComponentName
  /** A call that needs the component. */
  readonly use: () => Promise<Reply>
  /** Error codes that it may answer with while the component is away. */
  readonly codes: readonly string[]
}
const mongodb: Dependent = {
  component: 'mongodb',
  use: () => ann.change({ address: '1 Main Street' }),
  codes: ['service_unavailable', 'upstream_failed', 'upstream_timeout'],
}
// Started again it listens at once, and says for a moment that it has not reached its database yet.
const profile: Dependent = {
  component: 'profile',
  use: () => ann.user(),
  codes: ['upstream_failed', 'upstream_timeout', 'service_unavailable'],
}
const identity: Dependent = {
  component: 'identity',
  use: () => signUp(stack.urls.app, { email: `newcomer-${++newcomers}@parley.test`, password }),
  codes: ['service_unavailable'],
}
const provider: Dependent = {
  component: 'identity-provider',
  use: () => signIn(stack.urls.app, annsAccount),
  codes: ['temporarily_unavailable'],
}
// Last: what Redis acknowledged within the last second before a kill may be gone, and Ann's session is older by then.
const redis: Dependent = { component: 'redis', use: () => ann.user(), codes: ['session_store_unavailable'] }

// Components are started again, some of them after pauses.
vi.setConfig({ testTimeout: 150_000 })

const all = [mongodb, profile, identity, provider, redis]
const signInOnRedis: Dependent = { ...redis, use: provider.use, codes: provider.codes }
const sessionOnRedis: Dependent = { ...redis, use: () => ann.session() }

/** The stable code: of our envelope, or of RFC 6749 at the token endpoint. */
const codeOf = ({ body }: Reply): string | undefined =>
  z
    .union([z.object({ code: z.string() }), z.object({ error: z.string() })])
    .transform(Object.values)
    .safeParse(body).data?.[0]

function expectClearOutage(reply: Reply, { codes }: Dependent): void {
  expect(codes, JSON.stringify(reply)).toContain(codeOf(reply))
  expect([502, 503, 504]).toContain(reply.status)
  // Neither signed out nor signed in as anybody else.
  expect(reply.cookie).toBe('')
}

/** The first answer that is no success: a session in use may be answered for from memory for a second (decision 011). */
async function firstRefusal({ use }: Dependent): Promise<Reply> {
  const giveUpAt = performance.now() + 60_000
  for (;;) {
    const reply = await use()
    if (reply.status >= 300 || performance.now() > giveUpAt) return reply
    await pause(50)
  }
}

/** Asks until the call succeeds; every answer on the way says clearly what is amiss. */
async function untilServed(dependent: Dependent): Promise<void> {
  const giveUpAt = performance.now() + 60_000
  for (;;) {
    const reply = await dependent.use()
    if (reply.status < 300) return
    expectClearOutage(reply, dependent)
    if (performance.now() > giveUpAt)
      throw new Error(`${dependent.component} is not used again: ${JSON.stringify(reply)}`)
    await pause(100)
  }
}

/** The name as the database holds it. */
async function storedName(): Promise<string> {
  const reply = await ann.sync()
  expect(reply.status, JSON.stringify(reply)).toBe(200)
  return userSchema.parse(reply.body).firstName
}

/** Expects a page that asks who is signed in to get the same answer as before, even while other components are away. */
async function expectSignedIn(): Promise<void> {
  expect(await ann.session()).toMatchObject({ status: 200, body: { authenticated: true }, cookie: '' })
}

test.each(all)('$component killed: clear errors at most, then all is as before', async (dependent) => {
  const { component } = dependent
  expect((await ann.change({ firstName: `Ann ${component}` })).status).toBe(200)
  const before = notes.length
  const underWay = Array.from({ length: 5 }, dependent.use)
  stack.kill(component, 'SIGKILL')
  for (const reply of await Promise.all(underWay)) if (reply.status >= 300) expectClearOutage(reply, dependent)
  await vi.waitFor(() => expect(notes.slice(before).join()).toMatch(/died \(SIGKILL\) and is started again/))
  await untilServed(dependent)
  await expectSignedIn()
  // Reads are answered from the cache before the database is reached.
  await untilServed({ ...dependent, use: () => ann.sync() })
  expect(await storedName()).toBe(`Ann ${component}`)
})

test.each([
  { name: 'mongodb', frozen: [mongodb] },
  // They fail independently of each other, so that their time limits can run out side by side.
  { name: 'profile, identity and provider', frozen: [profile, identity, provider] },
  { name: 'redis', frozen: [redis, signInOnRedis, sessionOnRedis] },
])('$name frozen: a clear error in time, then all is as before', async ({ name, frozen }) => {
  expect((await ann.change({ lastName: name, firstName: 'Ann' })).status).toBe(200)
  for (const { component } of frozen) stack.kill(component, 'SIGSTOP')
  try {
    await Promise.all(frozen.map(async (dependent) => expectClearOutage(await firstRefusal(dependent), dependent)))
    if (!frozen.includes(redis)) await expectSignedIn()
  } finally {
    for (const { component } of frozen) stack.kill(component, 'SIGCONT')
  }
  for (const dependent of frozen) await untilServed(dependent)
  await expectSignedIn()
  const { body } = await ann.sync()
  expect(userSchema.parse(body)).toMatchObject({ firstName: 'Ann', lastName: name })
})
