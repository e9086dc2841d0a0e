import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { test } from 'vitest'
import { startUnderLoad } from './under-load.ts'

const victims = ['messaging-ingest', 'messaging-worker', 'mongodb', 'redis', 'simulator'] as const
/** One of each, and Redis emptied; `KILLS=50` is the long form. */
const kills = Number(process.env['KILLS'] ?? victims.length + 1)

/** The launcher leaves a component alone that dies more than five times within a minute. */
const restMs = 13_000

test(
  'whatever is killed under load, each webhook counts once and no message leaves twice',
  async () => {
    const { stack, goesOn, expectNothingLost } = await startUnderLoad()
    const killedAt = new Map<string, number>()
    for (let count = 0; count < kills; count += 1) {
      const victim = victims[count % (victims.length + 1)]
      // The long form on a fast machine comes round to it too soon.
      await wait(Math.max(0, (killedAt.get(victim ?? '') ?? 0) + restMs - Date.now()))
      if (victim) stack.kill(victim, 'SIGKILL')
      else await emptied(stack.urls.redis)
      killedAt.set(victim ?? '', Date.now())
      await goesOn()
    }
    await expectNothingLost()
  },
  120_000 + 300_000 * Math.max(2, kills / 6),
)

/** Everything that Redis holds is gone. */
async function emptied(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  await redis.flushall()
  redis.disconnect()
}
