import { newId } from '@parley/service-kit/data/plain'
import fc from 'fast-check'
import { flowsOf, words } from './random-flows.ts'
import { carryOut, comeToRest, commandsOf, expectNothingLost } from './random-orders.ts'
import type { Runs } from './start-runs.ts'

const botIds = [newId(), newId(), newId()]

/**
 * Any flows, and anything that happens to their sessions in any order: every message of a customer is answered, with people, or on the
 * attention list, and no bot speaks after a person has.
 */
export const checkAnyFlow = (database: Runs, size: { numRuns: number; seed?: number }): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      fc.array(flowsOf(botIds), { minLength: 1, maxLength: botIds.length }),
      fc.constantFrom(0, 1.5),
      fc.array(commandsOf(words), { minLength: 5, maxLength: 25 }),
      async (flows, collectSeconds, commands) => {
        const parley = database.join()
        const bots = flows.map((flow, index) =>
          Object.assign(parley.addBot(flow, { collectSeconds }), { id: botIds[index] ?? newId() }),
        )
        await parley.feed.begin(parley.scope)
        const talks = [parley.messaging.open('Asha'), parley.messaging.open('Ravi')]
        const scene = { parley, talks, workers: [parley, parley.create()], bots }
        for (const command of commands) await carryOut(command, scene)
        await comeToRest(scene)
        await expectNothingLost(scene)
      },
    ),
    { ...size, endOnFailure: true },
  )
