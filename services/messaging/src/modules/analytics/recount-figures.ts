import { unreadEvents } from '@parley/service-kit/data/consume'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { createCountedMessages } from '../inbox/messages/counted-messages.ts'
import type { AnswersRepository, Period } from './answers.repository.ts'
import type { ClosuresRepository } from './closures.repository.ts'
import { addMessages, figuresConsumer } from './count-figures.ts'
import {
  createSums,
  type DayCounts,
  levelsOf,
  levelsOfAnswer,
  levelsOfClosure,
  levelsOfTakeOver,
  levelsOfWaiting,
  ofBot,
  ofNumber,
  type Sums,
  scopesOfActor,
  scopesOfMessage,
  workspaceFigures,
} from './levels.ts'
import type { RollupsRepository } from './rollups.repository.ts'
import type { TakeOversRepository } from './take-overs.repository.ts'

/** Parts of a day that are counted one after the other, each as of one moment: a transaction must not take a minute. */
const parts = 8
const partMs = 86_400_000 / parts

/** A counter that rows do not bear out. */
export interface FigureDifference {
  readonly scope: string
  readonly day: string
  /** By quarter of an hour and metric: what is to be added to the stored counter. */
  readonly slots: DayCounts['slots']
}

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly rollups: Pick<RollupsRepository, 'ofDay' | 'add'>
  readonly answers: Pick<AnswersRepository, 'between'>
  readonly takeOvers: Pick<TakeOversRepository, 'between'>
  readonly closures: Pick<ClosuresRepository, 'between'>
  readonly messages: Pick<ReturnType<typeof createCountedMessages>, 'numberIds' | 'groups'>
  readonly transaction: RunInTransaction
}

/**
 * Counts the rows of a day in UTC again, with the functions that count events, and compares them with what is stored and what is
 * still to be counted: for each part of the day as of one moment.
 */
export function createRecountFigures(deps: Dependencies) {
  const { mongo, rollups, answers, takeOvers, closures, messages, transaction } = deps

  /** @param repair corrects the counters. @returns what differs, or differed. */
  return async function recountFigures(
    scope: WorkspaceScope,
    { day, repair = false }: { day: string; repair?: boolean },
  ): Promise<FigureDifference[]> {
    const numberIds = await messages.numberIds(scope)
    const midnight = Date.parse(`${day}T00:00:00Z`)
    const found: FigureDifference[] = []
    for (let part = 0; part < parts; part += 1) {
      const from = midnight + part * partMs
      const period = { from: new Date(from), to: new Date(from + partMs) }
      found.push(...(await recountPart(scope, { day, period, numberIds, repair })))
    }
    return joined(found)
  }

  function recountPart(
    scope: WorkspaceScope,
    { day, period, numberIds, repair }: { day: string; period: Period; numberIds: string[]; repair: boolean },
  ): Promise<FigureDifference[]> {
    return transaction(async (tx) => {
      const sums = createSums()
      for (const { count, at, direction, ...group } of await messages.groups(scope, { numberIds, ...period }, tx))
        addGroup({ ...group, at, direction }, count, sums)
      for await (const answer of answers.between(scope, period, tx)) {
        const levels = levelsOfWaiting(answer)
        sums.add([workspaceFigures, ofNumber(answer.numberId)], answer.since, levels)
        sums.add(scopesOfActor(answer.by), answer.since, levelsOfAnswer(answer))
      }
      for await (const takeOver of takeOvers.between(scope, period, tx)) {
        const scopes = [workspaceFigures, ofNumber(takeOver.numberId), ofBot(takeOver.botId)]
        sums.add(scopes, takeOver.since, levelsOfTakeOver(takeOver))
      }
      for await (const closure of closures.between(scope, period, tx))
        sums.add(scopesOfActor(closure.by), closure.closedAt, levelsOfClosure(closure))
      await subtractStored(scope, { day, period }, { sums, tx })
      const changes = sums.all()
      if (repair) await rollups.add(scope, { part: 'counted', changes }, tx)
      return changes
    })
  }

  async function subtractStored(
    scope: WorkspaceScope,
    { day, period }: { day: string; period: Period },
    { sums, tx }: { sums: Sums; tx: Tx },
  ): Promise<void> {
    for await (const { scope: counted, part, slots } of rollups.ofDay(scope, day, tx)) {
      const sign = part === 'erased' ? 1 : part === 'counted' ? -1 : 0
      addSlots({ scope: counted, day, slots }, { sign, period }, sums)
    }
    const pending = createSums()
    for await (const event of unreadEvents(mongo, {
      consumer: figuresConsumer,
      workspaceId: scope.workspaceId,
      types: ['message.changed', 'history.added'],
      session: tx.session,
    }))
      addMessages(event, pending)
    for (const change of pending.all()) if (change.day === day) addSlots(change, { sign: -1, period }, sums)
  }
}

type Group = Awaited<ReturnType<Dependencies['messages']['groups']>>[number]

function addGroup({ numberId, at, direction, status, cause }: Omit<Group, 'count'>, count: number, sums: Sums): void {
  const times = (levels: ReturnType<typeof levelsOf>) =>
    Object.fromEntries(Object.entries(levels).map(([metric, level]) => [metric, level * count]))
  if (direction === 'inbound') sums.add(scopesOfMessage({ numberId }), at, { received: count })
  else sums.add(scopesOfMessage({ numberId, cause: cause ?? undefined }), at, times(levelsOf(status)))
}

/** Puts what was found in the parts of a day together, by scope. */
const joined = (found: readonly FigureDifference[]): FigureDifference[] =>
  [...Map.groupBy(found, ({ scope }) => scope)].map(([scope, own]) => ({
    scope,
    day: own[0]?.day ?? '',
    slots: Object.assign({}, ...own.map(({ slots }) => slots)),
  }))

/** Adds the counters of slots within a period. */
function addSlots(
  { scope, day, slots }: DayCounts,
  { sign, period: { from, to } }: { sign: number; period: Period },
  sums: Sums,
): void {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  for (const [slot, counts] of Object.entries(slots ?? {})) {
    const at = new Date(midnight + Number(slot) * 15 * 60_000)
    if (at < from || at >= to) continue
    sums.add([scope], at, Object.fromEntries(Object.entries(counts).map(([metric, count]) => [metric, count * sign])))
  }
}
