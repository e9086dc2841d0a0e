import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { startMessaging } from './start-messaging.ts'
import { withWebhookClock } from './webhook-clock.ts'
import { startReceiver } from './webhook-receiver.ts'

/** `KILLS=50` is the long form. */
const kills = Number(process.env['KILLS'] ?? 4)
const events = Math.max(400, 40 * kills)
/** Time limit: after each kill the queue first notices that the worker is gone, and its deliveries become due again. */
const limitMs = 240_000 * kills

let parley: Awaited<ReturnType<typeof startMessaging>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  parley = await startMessaging()
  receiver = await startReceiver((response) => setTimeout(() => response.end(), 5))
})
afterAll(() => Promise.all([receiver.stop(), parley.stop()]))

test(
  `a sender that is killed ${kills} times while it sends delivers every event, each under one id`,
  async () => {
    const tools = withWebhookClock(parley)
    const webhook = await tools.create(receiver.url)
    // A transaction records a thousand at most.
    for (let left = events; left > 0; left -= 1000) await tools.happen(Math.min(left, 1000), [webhook])
    for (let kill = 1; kill <= kills; kill += 1) {
      const sender = await parley.startWebhooks()
      const wanted = Math.floor((kill * events) / (kills + 1))
      await expect.poll(() => receiver.ids().length).toBeGreaterThan(wanted)
      await sender.kill()
    }
    const last = await parley.startWebhooks()
    await eventually(async () => {
      const rows = await tools.deliveriesOf(webhook)
      expect(rows.filter(({ state }) => state !== 'delivered')).toEqual([])
    })
    const rows = await tools.deliveriesOf(webhook)
    expect(receiver.ids().toSorted()).toEqual(rows.map(({ eventId }) => eventId).toSorted())
    expect(rows).toHaveLength(events)
    await Promise.all([last.stop(), tools.close()])
  },
  limitMs,
)
