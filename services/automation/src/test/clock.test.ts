import type { RecordedEvent } from '@parley/contracts/platform/events'
import { newId } from '@parley/service-kit/data/plain'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { flowOf, keyword, say, toPeople } from './flow-fixtures.ts'
import { inboundMessage } from './inbound-message.ts'
import { startAutomation } from './start-automation.ts'

const hourMs = 3_600_000
const waitSeconds = 2

/** Loaded by a process before all else: its machine's clock is off by this much. */
const shifted = (ms: number) =>
  `data:text/javascript,${encodeURIComponent(
    `const now = () => Real.now() + ${ms}
     const Real = Date
     globalThis.Date = new Proxy(Real, {
       construct: (_, time) => Reflect.construct(Real, time.length > 0 ? time : [now()]),
       get: (_, name) => (name === 'now' ? now : Reflect.get(Real, name)),
     })`,
  )}`

test.each([
  ['ahead', hourMs],
  ['behind', -hourMs],
])('a worker whose clock is an hour %s: waits end by the clock of the database', async (_, ms) => {
  const workerEnvironment = { NODE_OPTIONS: `--import=${shifted(ms)}` }
  const parley = await startAutomation({ worker: true, kept: 'file', workerEnvironment })
  try {
    const ann = parley.signIn()
    const flow = flowOf(
      keyword('hi'),
      say('One moment.'),
      { kind: 'wait_time', seconds: waitSeconds },
      say('Done.'),
      toPeople,
    )
    const { id } = await ann.ask('POST', '/api/bots', { name: 'Waits', draft: flow })
    const { problems } = await ann.ask('POST', `/api/bots/${id}/check`, {})
    const accept = [...new Set(problems.map(({ code }: { code: string }) => code))]
    await ann.ask('POST', `/api/bots/${id}/publish`, { version: 1, start: true, accept })

    const workspace = parley.others.of(ann.workspaceId)
    const conversationId = newId()
    workspace.events.push(messageIn(ann.workspaceId, conversationId, workspace.events.length + 1))
    const said = () =>
      workspace.acts.flatMap(({ actions }) =>
        actions.flatMap((action) => (action.type === 'send' && 'text' in action.content ? action.content.text : [])),
      )
    await expect.poll(said, { timeout: 60_000 }).toEqual(['One moment.', 'Done.'])

    const inWorkspace = { workspaceId: new Types.ObjectId(ann.workspaceId) }
    const { connection } = parley.database
    const readSteps = () => connection.collection('steps').find(inWorkspace).sort({ n: 1 }).toArray()
    // They are written after what they say has been done.
    await expect.poll(async () => (await readSteps()).filter(({ kind }) => kind === 'send_text').length).toBe(2)
    const steps = await readSteps()
    const at = (kind: string, index = 0) => Number(steps.filter((step) => step['kind'] === kind)[index]?.['at'])
    expect(Math.abs(at('send_text') - Date.now())).toBeLessThan(hourMs / 2)
    expect(at('send_text', 1) - at('send_text')).toBeGreaterThanOrEqual(waitSeconds * 1000)
    const held = await connection.collection('attention').countDocuments(inWorkspace)
    expect(held).toBe(0)
  } finally {
    await parley.stop()
  }
})

function messageIn(workspaceId: string, conversationId: string, seq: number): RecordedEvent {
  const at = new Date().toISOString()
  const common = { id: newId(), workspaceId, seq, chain: [], at, recordedAt: at }
  return {
    ...common,
    ...inboundMessage({ conversationId, numberId: newId(), text: 'hi', at }),
  } as object as RecordedEvent
}
