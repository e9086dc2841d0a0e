import { setTimeout as wait } from 'node:timers/promises'
import { playScript } from '@parley/flow/play-script'
import { compileFlow } from '@parley/flow/program'
import { expect, test } from 'vitest'
import { recounted, refigured } from './counted-runs.ts'
import { end, flowOf, text } from './drawn-flows.ts'
import { json, type SeenCall, serveOutside } from './outside-server.ts'
import { startWorkers } from './start-workers.ts'
import type { Talk } from './talk.ts'

/** The long form is `CONTACTS=500 KILLS=50`. */
const contacts = Number(process.env['CONTACTS'] ?? 60)
const kills = Number(process.env['KILLS'] ?? 5)
/** Contacts for whom something is at work at the same time. */
const atOnce = 30
/** Milliseconds without an end after which a run is lost. */
const standstillMs = Number(process.env['STANDSTILL_SECONDS'] ?? 90) * 1000

const onTag = (value: string) => ({
  id: 'on',
  kind: 'event' as const,
  event: 'contact.tag_added',
  filter: { match: 'all', conditions: [{ field: 'event.tag', comparison: 'equals', value }] },
})

/** Asks the shop, waits, writes and tags; what the shop does not know is said too. */
const orders = (connectionId: string) =>
  flowOf(
    [
      onTag('order'),
      {
        id: 'shop',
        kind: 'http_call',
        connectionId,
        method: 'POST',
        path: '/orders/{{name}}',
        mappings: [{ pointer: '/state', attribute: 'state', save: 'session' }],
      },
      { id: 'pause', kind: 'wait_time', seconds: 1 },
      text('told', 'Your order is {{session.state}}, {{name}}.'),
      text('sorry', 'We cannot find your order, {{name}}.'),
      { id: 'note', kind: 'set_attribute', attribute: 'asked', value: 'yes' },
      { id: 'tag', kind: 'add_tag', tag: 'asked' },
      end,
    ],
    [
      'on next shop',
      'shop next pause',
      'shop failed sorry',
      'pause next told',
      'told next note',
      'sorry next note',
      'note next tag',
      'tag next end',
    ],
  )

/** Starts on what the other has done. */
const thanks = flowOf(
  [onTag('asked'), { id: 'pause', kind: 'wait_time', seconds: 1 }, text('thanks', 'Thank you, {{name}}.'), end],
  ['on next pause', 'pause next thanks', 'thanks next end'],
)

/** Every fifth contact's order is unknown. */
const isKnown = (name: string): boolean => Number(name.replaceAll(/\D/g, '')) % 5 !== 0
const shop = (call: SeenCall, ...rest: Parameters<ReturnType<typeof json>> extends [unknown, ...infer R] ? R : never) =>
  (isKnown(call.url) ? json(200, { state: 'on its way' }) : json(404, {}))(call, ...rest)

/** Returns the texts that the interpreter alone sends to a contact. */
function expected({ name }: Talk): string[] {
  const person = { name, phone: '+919812345678', tags: [], attributes: {} }
  const start = (tag: string) => ({
    type: 'event' as const,
    event: 'contact.tag_added' as const,
    fields: { 'event.tag': tag },
  })
  const answer = { type: 'http_answer' as const, ok: isKnown(name), body: '{"state": "on its way"}' }
  const pause = { type: 'wait' as const, seconds: 2 }
  const played = [
    playScript(compileFlow(orders('c')), { at: Date.now(), person, lines: [start('order'), answer, pause] }),
    playScript(compileFlow(thanks), { at: Date.now(), person, lines: [start('asked'), pause] }),
  ]
  return played
    .flat()
    .flatMap((entry) =>
      entry.by === 'bot' && entry.action.type === 'send' && 'text' in entry.action.content
        ? (entry.action.content.text ?? '')
        : [],
    )
}

test(
  'workers are killed, queues emptied, events given twice: each workflow runs once for each contact, ends as the interpreter alone, and its figures are those of its rows',
  async () => {
    const parley = await startWorkers()
    const outside = await serveOutside(shop)
    const { messaging, services, owner, wake } = parley
    const { id: connectionId } = await services.connections.create(owner, {
      name: 'Shop',
      baseUrl: outside.url,
      authentication: { kind: 'none' },
      repeatable: true,
    })
    const flows = [orders(connectionId), thanks]
    const ids: string[] = []
    for (const flow of flows) ids.push(await parley.addWorkflow(flow, { startsPerHour: 100_000 }))
    await services.feed.begin(messaging.workspace)
    const talks: Talk[] = []
    const lost: string[] = []
    let begun = 0
    let done = 0

    async function serve(): Promise<void> {
      const talk = messaging.open(`Customer ${begun}`)
      talks.push(talk)
      messaging.tag(talk, 'order')
      wake()
      const due = expected(talk).length
      for (let since = performance.now(); talk.sent.length < due; await wait(20))
        if (performance.now() - since > standstillMs) {
          lost.push(talk.name)
          break
        }
      done += 1
    }
    const serving = async () => {
      while (begun < contacts) {
        begun += 1
        await serve()
      }
    }
    const killing = async () => {
      for (let turn = 0; turn < kills; turn += 1) {
        while (done < ((turn + 1) * contacts) / (kills + 2)) await wait(20)
        await parley.killed(turn)
      }
    }
    await Promise.all([killing(), ...Array.from({ length: Math.min(atOnce, contacts) }, serving)])
    expect(lost).toEqual([])
    await expect.poll(() => parley.runs.countDocuments({ live: true })).toBe(0)

    const wrong = talks.flatMap((talk) => {
      const texts = talk.sent.map((sent) => sent.text)
      const right = expected(talk)
      const isRight = JSON.stringify(texts) === JSON.stringify(right) && talk.attributes['asked'] === 'yes'
      return isRight ? [] : [{ name: talk.name, texts, right }]
    })
    expect(wrong).toEqual([])
    const keys = talks.flatMap(({ sent }) => sent.map(({ key }) => key))
    expect(keys.length).toBe(new Set(keys).size)
    // A call whose answer nobody has read is made again, under the same key.
    expect(new Set(outside.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(contacts)

    await expect.poll(() => parley.runs.countDocuments({ uncounted: { $exists: true } })).toBe(0)
    await expect.poll(() => parley.steps.countDocuments({ uncounted: { $exists: true } })).toBe(0)
    const [runs, steps] = [
      await parley.runs.find({}).toArray(),
      await parley.steps.find({}).sort({ runId: 1, n: 1 }).toArray(),
    ]
    for (const id of ids) {
      expect(runs.filter(({ flowId }) => String(flowId) === id)).toHaveLength(contacts)
      const { nodes } = await services.runs.countsOf(messaging.workspace, id, { days: 90 })
      const figures = Object.fromEntries(
        nodes.map(({ nodeId, left, ...counts }) => [
          nodeId,
          { ...counts, left: Object.fromEntries(left.map(({ branch, count }) => [branch, count])) },
        ]),
      )
      expect(figures).toEqual(recounted(steps, runs, id))
      expect((await services.runs.figuresOf(messaging.workspace, [id])).get(id)).toEqual(refigured(runs, id))
      expect(figures['on']).toMatchObject({ entered: contacts, left: { next: contacts } })
    }
    await outside.close()
    await parley.stop()
  },
  // Ends only a worker that hangs.
  120_000 + contacts * 3000 + kills * 60_000,
)
