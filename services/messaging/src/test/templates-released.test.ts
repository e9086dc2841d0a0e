import { Readable } from 'node:stream'
import { createLogger } from '@parley/service-kit/core/logger'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileHolders } from '../file-holders.ts'
import { createReleasedFiles } from '../modules/inbox/replies/released-files.ts'
import { approvedTemplate } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const owner = () => parley.signIn()

async function picture(background: string) {
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
  const answer = await fetch(`${parley.server.url}/api/media`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { authorization: `Bearer ${await owner().token()}`, 'content-type': 'image/png' },
  })
  const { id: mediaId } = JSON.parse(await answer.text())
  return { kind: 'image', file: { mediaId, name: 'tea.png', mimeType: 'image/png', sizeBytes: bytes.length } }
}
type Picture = Awaited<ReturnType<typeof picture>>

/** Deletes what was given up, as an hour later; no flow sends any of it. @returns which of some files are there then. */
async function sweep(...pictures: Picture[]): Promise<boolean[]> {
  const mongo = parley.database.connection
  const logger = createLogger({ name: 'released-files', level: 'silent' })
  const openRecords = async () => Readable.from(['{}\n'])
  const files = createReleasedFiles({ mongo, logger, openRecords, fileHolders: createFileHolders(mongo) })
  await files.sweep(new Date(Date.now() + 3_700_000))
  return Promise.all(
    pictures.map(async ({ file }) => (await owner().request('GET', `/api/media/${file.mediaId}`)).status === 200),
  )
}

const read = (id: string) => owner().ask('GET', `/api/templates/${id}`)
const card = (headerMedia: Picture) => ({ headerMedia, buttons: [{ kind: 'quick_reply', text: 'More' }] })
const carousel = (...pictures: Picture[]) => ({
  body: 'Hi {{1}}, these teas have arrived. Reply STOP to opt out.',
  cards: pictures.map(card),
})

test('a file that another one has replaced is deleted later, be it above the text or on a card; one that is held stays', async () => {
  const [first, second, third] = [await picture('#101'), await picture('#202'), await picture('#303')]
  const above = await approvedTemplate(parley, { headerMedia: first })
  const row = await approvedTemplate(parley, carousel(first, second))
  const path = (id: string) => `/api/templates/${id}/header`
  const { version } = await read(row)
  expect((await owner().call('PATCH', path(row), { version, cards: [third, second] })).status).toBe(200)
  // The other template has it still.
  expect(await sweep(first, second, third)).toEqual([true, true, true])
  const { version: current } = await read(above)
  expect((await owner().call('PATCH', path(above), { version: current, headerMedia: third })).status).toBe(200)
  expect(await sweep(first, second, third)).toEqual([false, true, true])
})

test('a draft that is discarded or deleted gives up its file, and a version without its file asks for it when it is restored', async () => {
  const [first, second] = [await picture('#404'), await picture('#505')]
  const id = await approvedTemplate(parley, { headerMedia: first })
  const { version, status: _status, ...content } = await read(id)
  const { name, language, category, body, buttons, examples } = content
  const written = { name, language, category, body, buttons, examples, headerMedia: second }
  const draft = await owner().call('PUT', `/api/templates/${id}/draft`, { ...written, version })
  expect(draft.body.draft.content.headerMedia).toEqual(second)
  expect(await sweep(first, second)).toEqual([true, true])
  const discard = await owner().call('DELETE', `/api/templates/${id}/draft?version=${draft.body.version}`)
  expect(discard.status).toBe(200)
  expect(await sweep(first, second)).toEqual([true, false])
  const third = await picture('#606')
  const change = { version: discard.body.version, headerMedia: third }
  expect((await owner().call('PATCH', `/api/templates/${id}/header`, change)).status).toBe(200)
  expect(await sweep(first, third)).toEqual([false, true])
  const now = await read(id)
  const restore = { version: now.version }
  const restored = await owner().call('POST', `/api/templates/${id}/versions/1/restore`, restore)
  expect(restored.body.draft.content.headerMedia).toEqual({ kind: 'image' })

  const fourth = await picture('#707')
  const created = await owner().call('POST', '/api/templates', {
    ...written,
    name: `${name}_2`,
    headerMedia: fourth,
    review: false,
  })
  expect(created.status).toBe(201)
  expect((await owner().call('DELETE', `/api/templates/${created.body.id}`)).status).toBe(204)
  expect(await sweep(fourth)).toEqual([false])
})

test('a template that is deleted at WhatsApp gives up the files of its cards', async () => {
  const [first, second] = [await picture('#808'), await picture('#909')]
  const id = await approvedTemplate(parley, carousel(first, second))
  expect((await owner().call('DELETE', `/api/templates/${id}`)).status).toBe(204)
  // It can still be restored.
  expect(await sweep(first, second)).toEqual([true, true])
  expect((await owner().call('DELETE', `/api/templates/${id}?atWhatsApp=true`)).status).toBe(204)
  expect(await sweep(first, second)).toEqual([false, false])
})
