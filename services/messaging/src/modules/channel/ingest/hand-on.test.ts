import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MoveState } from '@parley/service-kit/data/workspace-moves'
import { expect, onTestFinished, test } from 'vitest'
import { createHandOn, handedOnHeader } from './hand-on.ts'

const endpointId = 'a'.repeat(32)
const post = { body: Buffer.from('{}'), signature: 'sha256=1', type: 'application/json' }

/** Starts the ingest process of another cell, which answers with a status. */
async function otherCell(status: number, headers: Record<string, string> = {}) {
  const asked: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    response.writeHead(status, headers).end('its words')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { asked, hooks: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const handOnTo = (hooks: string, state: MoveState['state'] = 'gone') =>
  createHandOn({ ofAddress: async (address) => (address === endpointId ? { state, to: { hooks } } : null) })

test('a webhook of a workspace that has left is answered as the other cell does', async () => {
  const { asked, hooks } = await otherCell(200)
  const handOn = handOnTo(hooks)
  expect(await handOn.pass({ endpointId, handedOn: undefined, post }, null)).toBe(200)
  expect(asked[0]).toMatchObject({ method: 'POST', url: `/hooks/whatsapp/${endpointId}` })
  expect(asked[0]?.headers).toMatchObject({ 'x-hub-signature-256': 'sha256=1', [handedOnHeader]: '1' })
  const handshake = { 'hub.mode': 'subscribe', 'hub.challenge': 'c&d' }
  expect(await handOn.pass({ endpointId, handedOn: '2', handshake }, null)).toBe(200)
  expect(asked[1]?.url).toBe(`/hooks/whatsapp/${endpointId}?hub.mode=subscribe&hub.challenge=c%26d`)
  expect(await handOn.pass({ endpointId: 'b'.repeat(32), handedOn: undefined, post }, null)).toBeUndefined()
  expect([await handOn.knows(endpointId), await handOn.knows('b'.repeat(32))]).toEqual([true, false])
  expect(asked).toHaveLength(2)
})

test('what the other cell has not stored comes again', async () => {
  const passed = (hooks: string, handedOn?: string, state?: MoveState['state']) =>
    handOnTo(hooks, state).pass({ endpointId, handedOn, post }, null)
  const refusal = { code: 'service_unavailable' }
  expect(await passed((await otherCell(503)).hooks)).toBe(503)
  await expect(passed('http://127.0.0.1:1')).rejects.toMatchObject(refusal)
  await expect(passed((await otherCell(302, { location: '/' })).hooks)).rejects.toMatchObject(refusal)
  const { asked, hooks } = await otherCell(200)
  await expect(passed(hooks, '5')).rejects.toMatchObject(refusal)
  await expect(passed(hooks, 'many')).rejects.toMatchObject(refusal)
  for (const state of ['leaving', 'arriving', 'switching'] as const)
    await expect(passed(hooks, undefined, state)).rejects.toMatchObject(refusal)
  expect(asked).toEqual([])
})
