import { createHmac, randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startMessaging } from './start-messaging.ts'

/** Meta's own examples, where a collection of them is named: they are not part of the project. */
const folder =
  process.env['WHATSAPP_FIXTURES'] ?? join(import.meta.dirname, '../../../..', 'shared', 'reference/whatsapp/fixtures')
const files = existsSync(folder) ? globSync('{derived,meta-openapi}/webhooks/*.json', { cwd: folder }).sort() : []

const patiently = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 100 })

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  if (files.length > 0) parley = await startMessaging()
})
afterAll(() => parley?.stop())

test.skipIf(files.length === 0)(
  'every example twice, backwards, at once and with unknown fields: taken, applied once, nothing refused',
  async () => {
    const { simulatedNumber, database } = parley
    const { url } = await parley.services.endpoints.callback(parley.scope)
    const bodies = files.map((file) => forNumber(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
    const post = async (body: object) => {
      const text = JSON.stringify(body)
      const signature = `sha256=${createHmac('sha256', simulatedNumber.appSecret).update(text).digest('hex')}`
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
      expect((await fetch(url, { method: 'POST', headers, body: text })).status).toBe(200)
    }
    const rows = (name: string, filter = {}) => database.connection.collection(name).find(filter).toArray()
    const applied = () =>
      patiently(async () => expect(await rows('rawEvents', { lane: { $exists: true } })).toEqual([]))
    const state = async () => {
      const messages = await rows('messages')
      return messages
        .map(({ waMessageId, status, direction, content }) =>
          JSON.stringify([waMessageId, direction, status, content.type]),
        )
        .sort()
    }

    for (const body of bodies) await post(body)
    await applied()
    const once = await state()
    expect(once.length).toBeGreaterThan(10)
    for (const body of [...bodies, ...bodies.toReversed()]) await post(body)
    await applied()
    expect(await state()).toEqual(once)
    await Promise.all(bodies.map(post))
    await Promise.all(bodies.map((body) => post(withUnknownFields(body))))
    await applied()
    expect(await state()).toEqual(once)
    expect((await rows('rawEvents', { deadAt: { $exists: true } })).map(({ error }) => error)).toEqual([])

    /** The number of the example is ours. */
    function forNumber(body: object): object {
      return JSON.parse(JSON.stringify(body), (name, value: unknown) =>
        name === 'phone_number_id' ? simulatedNumber.phoneNumberId : value,
      )
    }
  },
  240_000,
)

/** The same with more in every object. */
function withUnknownFields(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? { ...inner, [`x_${randomUUID()}`]: { y: 1 } }
      : inner,
  )
}
