import { Redis } from 'ioredis'
import { test } from 'vitest'
import { startUnderLoad } from './under-load.ts'

const victims = ['messaging-ingest', 'messaging-worker', 'mongodb', 'redis', 'simulator'] as const
/** One of each, and Redis emptied; `KILLS=50` is the long form. */
const kills = Number(process.env['KILLS'] ?? victims.length + 1)

test(
  'whatever is killed under load, each webhook counts once and no message leaves twice',
  async () => {
    const { stack, goesOn, expectNothingLost } = await startUnderLoad()
    for (let count = 0; count < kills; count += 1) {
      const victim = victims[count % (victims.length + 1)]
      if (victim) stack.kill(victim, 'SIGKILL')
      else await emptied(stack.urls.redis)
      await goesOn()
    }
    await expectNothingLost()
  },
  120_000 + 300_000 * Math.max(2, kills / 6),
)

/** Empties Redis. */
async function emptied(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  await redis.flushall()
  redis.disconnect()
}
