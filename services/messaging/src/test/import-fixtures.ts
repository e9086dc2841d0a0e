import { createServer } from 'node:http'
import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { joinMessaging, type startMessaging } from './start-messaging.ts'

export type Importer = ReturnType<typeof withImports>

type Parley = Pick<Awaited<ReturnType<typeof startMessaging>>, 'signIn' | 'server'>

/** A member, of a new workspace by default, and their actions on imports. */
export function withImports(
  parley: Parley,
  ann: ReturnType<Parley['signIn']> = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() }),
) {
  const upload = async (content: string | Uint8Array<ArrayBuffer>, name = 'people.csv') => {
    const response = await fetch(`${parley.server.url}/api/imports?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await ann.token()}`, 'content-type': 'text/csv' },
      body: content,
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const read = async (id: string): Promise<ImportRecord> => (await ann.call('GET', `/api/imports/${id}`)).body
  const until = (id: string, state: ImportRecord['state']) =>
    vi.waitFor(
      async () => {
        const record = await read(id)
        expect(record.state).toBe(state)
        return record
      },
      { timeout: 300_000, interval: 50 },
    )
  const rows = async (id: string, query = '') => (await ann.call('GET', `/api/imports/${id}/rows?${query}`)).body.items
  /** Carries an import out from the file to its end. @returns also the result of the check. */
  const carryOut = async (content: string | Uint8Array<ArrayBuffer>, settings?: object) => {
    const { body: created } = await upload(content)
    if (settings) expect((await ann.call('PATCH', `/api/imports/${created.id}`, settings)).status).toBe(200)
    expect((await ann.call('POST', `/api/imports/${created.id}/check`)).status).toBe(200)
    const checked = await until(created.id, 'checked')
    expect((await ann.call('POST', `/api/imports/${created.id}/run`)).status).toBe(200)
    return { id: created.id as string, checked, done: await until(created.id, 'done') }
  }
  const contacts = async () => (await ann.call('GET', '/api/contacts?sort=name&limit=100')).body.items
  return { ann, upload, read, until, rows, carryOut, contacts }
}

/** Flows that automation answers with; without any it breaks off. */
interface Automation {
  flows: readonly object[] | undefined
}

/** Gives a file a workspace whose automation answers. @param begin given what was started. */
export function withAutomation(begin: (parley: Awaited<ReturnType<typeof joinMessaging>>) => void): Automation {
  const automation: Automation = { flows: [] }
  const server = createServer(({ url = '' }, res) => {
    const { flows } = automation
    if (!flows) return void res.destroy()
    const lines = url.endsWith('/flow-contents') ? flows.map((flow) => `${JSON.stringify({ flow })}\n`) : []
    res.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines.join(''))
  })
  let parley: Awaited<ReturnType<typeof joinMessaging>>
  beforeAll(async () => {
    parley = await joinMessaging()
    await new Promise<void>((resolve) => server.listen(parley.automationPort, '127.0.0.1', resolve))
    begin(parley)
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await parley.stop()
  })
  return automation
}
