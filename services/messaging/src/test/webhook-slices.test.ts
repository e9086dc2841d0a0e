import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { joinMessaging } from './start-messaging.ts'
import { withWebhookClock } from './webhook-clock.ts'
import { type Received, startReceiver } from './webhook-receiver.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let clock: ReturnType<typeof withWebhookClock>
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  parley = await joinMessaging()
  clock = withWebhookClock(parley)
})
afterAll(() => Promise.all([parley.stop(), clock.close()]))
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

test('what is claimed after a rotation, or a change of address, is signed and sent by it, within the same slice', async () => {
  const webhook = await clock.create(receiver.url)
  const moved = `${receiver.url}/moved`
  const calls: { url: string | undefined; received: Received }[] = []
  let rotated: Promise<{ signingKey: string }> | undefined
  receiver.answerWith(async (response, received) => {
    calls.push({ url: response.req.url, received })
    rotated ??= (async () => {
      const owner = parley.signIn()
      await owner.ask('PATCH', `/api/webhooks/${webhook.id}`, { url: moved, version: 1 })
      return owner.ask('POST', `/api/webhooks/${webhook.id}/secret`, { overlapHours: 0 })
    })()
    await rotated
    response.end()
  })
  // A batch and one more.
  await clock.happen(101, [webhook])
  await clock.run(webhook)
  expect(calls).toHaveLength(101)
  const [first, last] = [calls[0], calls.at(-1)]
  expect([first?.url, last?.url]).toEqual([new URL(webhook.url).pathname, new URL(moved).pathname])
  const verify = (key: string | undefined, call: Received | undefined) =>
    new Webhook(key ?? '').verify(call?.body ?? '', call?.headers ?? {})
  verify(webhook.signingKey, first?.received)
  verify((await rotated)?.signingKey, last?.received)
  expect(() => verify(webhook.signingKey, last?.received)).toThrow()
})

test('what is disabled or deleted within a slice is not called any more, and waits', async () => {
  for (const end of ['disable', 'delete'] as const) {
    const webhook = await clock.create(receiver.url)
    let ended: Promise<unknown> | undefined
    let calls = 0
    receiver.answerWith(async (response) => {
      calls += 1
      ended ??=
        end === 'delete'
          ? parley.signIn().call('DELETE', `/api/webhooks/${webhook.id}`)
          : parley.services.webhookRecords.move(parley.scope, webhook.id, ['active'], { $set: { status: 'disabled' } })
      await ended
      response.end()
    })
    await clock.happen(101, [webhook])
    await clock.run(webhook)
    expect(calls).toBe(100)
    expect((await clock.deliveriesOf(webhook)).flatMap(({ state }) => (state === 'due' ? [state] : []))).toEqual(
      end === 'disable' ? ['due'] : [],
    )
  }
})

test('what comes while a slice ends stays due', async () => {
  const webhook = await clock.create(receiver.url)
  await clock.happen(1, [webhook])
  receiver.answerWith(async (response) => {
    await parley.services.webhookRecords.wake(parley.scope, [webhook.id], new Date())
    response.end()
  })
  await clock.run(webhook)
  expect((await parley.services.webhookRecords.read(parley.scope, webhook.id))?.dueAt).toBeInstanceOf(Date)
})
