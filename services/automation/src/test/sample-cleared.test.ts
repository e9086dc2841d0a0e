import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import { sampleBotId } from '@parley/service-kit/data/sample-ids'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AskService } from '../platform/platform.ts'
import { countRuns, refigured } from './counted-runs.ts'
import { booking } from './drawn-flows.ts'
import { type Joined, type Runs, startRuns } from './start-runs.ts'

let database: Runs
beforeAll(async () => {
  database = await startRuns()
})
afterAll(() => database.stop())

/** A workspace with a bot of the sample. @param onClaim happens while its first claim is on the way. */
async function joinWithSample(onClaim: (when: 'before' | 'after') => Promise<void>): Promise<Joined> {
  let isFirst = true
  const ask: AskService = async (scope, endpoint, request) => {
    const { actions = [] } = (request as { body?: { actions?: InternalAction[] } }).body ?? {}
    const isClaim = isFirst && actions.some(({ type }) => type === 'claim')
    if (isClaim) isFirst = false
    if (isClaim) await onClaim('before')
    const answer = await parley.messaging.ask(scope, endpoint, request)
    if (isClaim) await onClaim('after')
    return answer
  }
  const parley = database.join(ask)
  Object.assign(parley.addBot(booking), { id: sampleBotId(parley.scope, 'bot-1') })
  await parley.feed.begin(parley.scope)
  return parley
}

test.each(['before', 'after'] as const)(
  'sample data is cleared just %s the first claim: people have the conversation',
  async (moment) => {
    const parley = await joinWithSample(async (when) => {
      if (when !== moment) return
      parley.messaging.emit(talk, { type: 'sample_data.changed', by: { kind: 'system' }, data: { state: 'cleared' } })
      while (await parley.read());
    })
    const talk = parley.messaging.open()
    parley.messaging.say(talk, { text: 'book' })
    await parley.settle()
    expect([talk.owner.kind, talk.waits]).toEqual(['nobody', true])
    expect(talk.notes.join()).toContain('The sample data was cleared')
    expect((await parley.runs()).filter(({ live }) => live)).toEqual([])
    expect((await parley.items()).map(({ code }) => code)).toEqual([])
    await countRuns(parley)
    // A session that ended is left, and nothing of what was told.
    const id = sampleBotId(parley.scope, 'bot-1')
    const { running: _, ...rows } = refigured(await parley.runs(), id)
    expect((await parley.figuresOf(parley.scope, [id])).get(id) ?? refigured([], id)).toEqual({ running: 0, ...rows })
  },
)
