import { afterEach, expect, test } from 'vitest'
import { end, flowOf, keyword, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import { json, serveOutside } from './outside-server.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let talk: Talk
let shop: Awaited<ReturnType<typeof serveOutside>>
joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})
afterEach(() => shop.close())

const said = () => talk.sent.map((sent) => sent.text)

test.each(['while it waits', 'while its call waits'])(
  'a workspace that is being deleted %s calls nobody; restored, it goes on',
  async (when) => {
    shop = await serveOutside(json(200, {}))
    const { id } = await parley.connect(shop.url)
    const flow = flowOf(
      [
        keyword('later', 'later'),
        text('bye', 'Until later.'),
        { id: 'wait', kind: 'wait_time', seconds: 3600 },
        { id: 'call', kind: 'http_call' as const, connectionId: id, method: 'GET', path: '/orders' },
        text('done', 'Done.'),
        end,
      ],
      ['later next bye', 'bye next wait', 'wait next call', 'call next done', 'done next end'],
    )
    parley.addBot(flow)
    parley.messaging.say(talk, { text: 'later' })
    await parley.settle()
    parley.messaging.pass(3_601_000)
    if (when === 'while its call waits') await parley.settle()
    parley.messaging.close(true)
    await parley.settle()
    await parley.callOut()
    expect([shop.seen, said()]).toEqual([[], ['Until later.']])
    expect(await parley.oldestWaitEndAt()).toBeUndefined()
    parley.messaging.close(false)
    await parley.settle()
    await parley.callOut()
    expect(shop.seen).toHaveLength(1)
    expect(said()).toEqual(['Until later.', 'Done.'])
  },
)

test('an address of a workspace that is being deleted says so, and starts nothing', async () => {
  shop = await serveOutside(json(200, {}))
  const contact = { by: 'phone' as const, pointer: '/phone', create: true }
  const trigger = { id: 'hook', kind: 'hook' as const, contact, mappings: [] }
  const flow = flowOf([trigger, text('hello', 'Hello.'), end], ['hook next hello', 'hello next end'])
  const { id: flowId } = parley.addWorkflow(flow, { reEnrolment: 'always' })
  const { token } = await parley.hooks.replace(parley.scope, { flowId, nodeId: 'hook' })
  const receive = parley.createReceiver()
  const called = () => receive({ token, idempotencyKey: undefined, body: Buffer.from('{"phone":"+919876543210"}') })
  parley.messaging.close(true)
  await expect(called()).rejects.toMatchObject({ code: 'workspace_closing' })
  expect(await parley.runs()).toEqual([])
  parley.messaging.close(false)
  expect(await called()).toMatchObject({ result: 'started' })
})
