import type { RecordedEvent } from '@parley/contracts/platform/events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFollowBots } from './follow-bots.ts'
import { createSums, levelsOfTakeOver, ofBot, workspaceFigures } from './levels.ts'
import { localDays, sumByDay, totalOf } from './local-days.ts'
import type { NewTakeOver } from './take-overs.repository.ts'

const startMs = Date.parse('2026-05-04T06:00:00Z')

type Changed = Extract<RecordedEvent, { type: 'conversation.changed' }>
type Step =
  | { readonly kind: 'takes'; readonly bot: string }
  | { readonly kind: 'completes' | 'gives up' | 'assigns' | 'queues'; readonly bot: string; readonly claims: boolean }
  | { readonly kind: 'member' | 'phone' | 'closed' }

function eventOf(step: Step, at: Date): RecordedEvent {
  const reasons = {
    takes: 'bot',
    completes: 'returned',
    'gives up': 'returned',
    assigns: 'assigned',
    queues: 'assigned',
    member: 'assigned',
    phone: 'phone',
    closed: 'closed',
  } as const
  const toPerson = step.kind === 'member' || step.kind === 'assigns'
  const did = {
    ...('claims' in step && step.claims && { claimed: true as const }),
    ...(step.kind === 'completes' && { completed: true as const }),
  }
  const conversation = {
    id: 'c1',
    numberId: 'n1',
    contact: { id: 'p1' },
    owner: { kind: toPerson ? 'member' : 'nobody' },
  } as Changed['data']['conversation']
  return {
    id: 'e',
    seq: 1,
    workspaceId: 'w',
    type: 'conversation.changed',
    chain: [],
    at: at.toISOString(),
    recordedAt: at.toISOString(),
    by: 'bot' in step ? { kind: 'bot', id: step.bot } : { kind: 'user', id: 'u1' },
    data: { conversation, became: { owned: { epoch: 1, reason: reasons[step.kind], ...did } } },
  }
}

/** Turns of bots in one conversation as the design says it. */
function modelOf(steps: readonly { readonly step: Step; readonly at: Date }[]) {
  const turns: { bot: string; since: Date; endedAt?: Date; resolved: boolean }[] = []
  for (const { step, at } of steps) {
    const last = turns.at(-1)
    const open = last && !last.endedAt ? last : undefined
    if (step.kind === 'takes') {
      if (open) open.endedAt = at
      turns.push({ bot: step.bot, since: at, resolved: false })
      continue
    }
    const claims = 'claims' in step && step.claims
    const completes = step.kind === 'completes'
    const isPersons = step.kind === 'member' || step.kind === 'phone' || step.kind === 'assigns'
    if (open) Object.assign(open, { endedAt: at, resolved: completes && !claims && open.bot === step.bot })
    else if (isPersons && last?.endedAt && at.getTime() - last.endedAt.getTime() < 86_400_000) last.resolved = false
    if (claims) turns.push({ bot: step.bot, since: at, endedAt: at, resolved: completes })
  }
  return turns
}

const bot = fc.constantFrom('b1', 'b2')
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('takes'), bot }),
  fc.record({ kind: fc.constantFrom('completes', 'gives up', 'assigns', 'queues'), bot, claims: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('member', 'phone', 'closed') }),
)

test('what bots took over and resolved is what a model says, however events are cut into transactions', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(stepArbitrary, fc.integer({ min: 1, max: 2000 })), { maxLength: 30 }),
      fc.integer({ min: 1, max: 10 }),
      (drawn, size) => {
        const steps: { step: Step; at: Date }[] = []
        for (const [step, minutes] of drawn)
          steps.push({ step, at: new Date((steps.at(-1)?.at.getTime() ?? startMs) + minutes * 60_000) })
        const stored = new Map<string, NewTakeOver>()
        const sums = createSums()
        let made = 0
        const newId = () => `t${String(made++).padStart(3, '0')}`
        for (let start = 0; start < steps.length; start += size) {
          const latest = [...stored.values()].filter((turn) => turn.latest)
          expect(latest.length).toBeLessThanOrEqual(1)
          const following = createFollowBots(latest, { sums, newId })
          for (const { step, at } of steps.slice(start, start + size)) following.apply(eventOf(step, at))
          for (const turn of following.changes()) stored.set(turn.id, turn)
        }
        const turns = [...stored.values()].toSorted((one, other) => one.id.localeCompare(other.id))
        const found = turns.map(({ botId, since, endedAt, resolved }) => ({
          bot: botId,
          since,
          ...(endedAt && { endedAt }),
          resolved: resolved === true,
        }))
        expect(found).toEqual(modelOf(steps))
        // Counters are sums of the rows, of the workspace and of each bot.
        const days = localDays('UTC', { from: '2026-05-04', to: '2026-07-30' })
        for (const scope of [workspaceFigures, ofBot('b1'), ofBot('b2')]) {
          const own = scope === workspaceFigures ? turns : turns.filter(({ botId }) => ofBot(botId) === scope)
          const counted = sumByDay(
            sums.all().filter((sum) => sum.scope === scope),
            days,
          )
          for (const metric of ['taken', 'resolved'] as const)
            expect(totalOf(counted, metric)).toBe(
              own.reduce((sum, turn) => sum + (levelsOfTakeOver(turn)[metric] ?? 0), 0),
            )
        }
      },
    ),
  )
})
