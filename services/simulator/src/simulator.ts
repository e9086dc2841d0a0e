import { join } from 'node:path'
import { z } from 'zod'
import { createClock } from './clock.ts'
import { createFaults } from './engine/faults.ts'
import { createInbound } from './engine/inbound.ts'
import { createLimits } from './engine/limits.ts'
import { createMedia } from './engine/media.ts'
import { createOutbound } from './engine/outbound.ts'
import { answerByThemselves } from './engine/people.ts'
import { createTemplates } from './engine/templates.ts'
import { createWaIds } from './engine/wa-ids.ts'
import { createAuthority } from './graph/authority.ts'
import { openJournal } from './journal.ts'
import { createPageEvents } from './page/page-events.ts'
import { createRandom } from './random.ts'
import { createDeliveries } from './webhooks/deliveries.ts'
import { createWorld, type World } from './world.ts'

/**
 * The simulated platform, wired.
 * @param options.folder keeps messages, media and settings.
 */
export function createSimulator({ folder, seed }: { folder: string; seed: string }) {
  const journal = openJournal(join(folder, 'journal.ndjson'))
  const clock = createClock()
  const life = journal.records('life', z.object({ starts: z.number(), skippedMs: z.number() }))
  const { starts, skippedMs } = life.get('simulator') ?? { starts: 0, skippedMs: 0 }
  life.put('simulator', { starts: starts + 1, skippedMs })
  clock.restore(skippedMs)
  // Each process draws other numbers than the one before: no id is given twice.
  const random = createRandom(`${seed}/${starts}`)
  const world = createWorld(journal, { clock, random })
  const page = createPageEvents()
  const deliveries = createDeliveries(world, page.delivery)
  const limits = createLimits(clock)
  const faults = createFaults()
  const waIds = createWaIds()
  const codes = createCodes(world)
  const onMessage = page.message
  const outbound = createOutbound({ world, deliveries, limits, faults, waIds, onMessage })
  const inbound = createInbound({ world, deliveries, onMessage })
  const templates = createTemplates({ world, deliveries })
  const media = createMedia(world, join(folder, 'media'))
  answerByThemselves({ world, inbound, outbound })
  deliveries.resume()
  outbound.resume()
  templates.resume()

  /** Moves the platform's time forward; what becomes due happens. */
  function advance(ms: number): number {
    clock.advance(ms)
    life.put('simulator', { starts: starts + 1, skippedMs: clock.skipped() })
    return clock.now()
  }

  function stop(): void {
    clock.stop()
    deliveries.stop()
    page.stop()
    journal.close()
  }
  return {
    world,
    clock,
    advance,
    page,
    deliveries,
    limits,
    faults,
    waIds,
    codes,
    inbound,
    outbound,
    templates,
    media,
    authority: createAuthority(world, limits),
    stop,
  }
}
export type Simulator = ReturnType<typeof createSimulator>

/** Milliseconds in which the page that got a code has to hand it to its server. */
const lifeMs = 30_000

/** Stores codes of an embedded sign-up: each stands for an account, once. */
function createCodes({ clock, random }: Pick<World, 'clock' | 'random'>) {
  const codes = new Map<string, { accountId: string; until: number }>()

  function create(accountId: string): string {
    const code = random.token(40)
    codes.set(code, { accountId, until: clock.now() + lifeMs })
    return code
  }

  /** @returns the account, unless the code is unknown, used or too old. */
  function consume(code: string): string | undefined {
    const found = codes.get(code)
    codes.delete(code)
    return found && found.until > clock.now() ? found.accountId : undefined
  }

  return { create, consume }
}
