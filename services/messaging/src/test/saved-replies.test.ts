import { inTransaction } from '@parley/service-kit/data/transaction'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEraseMessages } from '../modules/privacy/erasure/erase-messages.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { sweepReleased } from './files.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

test('a saved reply carries a file, which lives as long as it and nothing else has it', async () => {
  const uploaded = async (colour: string): Promise<string> => {
    const content = await sharp({ create: { width: 40, height: 30, channels: 3, background: colour } })
      .png()
      .toBuffer()
    const response = await fetch(`${parley.server.url}/api/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await ann.token()}`, 'content-type': 'image/png' },
      body: new Uint8Array(content),
    })
    return JSON.parse(await response.text()).id
  }
  const isThere = async (id: string) => (await ann.call('GET', `/api/media/${id}/thumbnail`)).status === 200
  const [first, second] = [await uploaded('#3a8'), await uploaded('#3a9')]
  const fileOf = (mediaId: string, kind = 'image') => ({ mediaId, kind, fileName: 'menu.png' })
  const save = (body: object) => ann.call('POST', '/api/replies', { shortcut: 'menu', text: '', ...body })

  expect((await save({})).body.fields).toMatchObject({ text: 'Enter a text, or add a file' })
  expect((await save({ text: 'x'.repeat(1025), file: fileOf(first) })).status).toBe(400)
  expect((await save({ file: fileOf(first, 'video') })).body.fields.mediaId).toContain('video/mp4')
  expect((await save({ file: fileOf(new Types.ObjectId().toHexString()) })).body.fields.mediaId).toContain(
    'no such file',
  )
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const stolen = await stranger.call('POST', '/api/replies', { shortcut: 'x', text: '', file: fileOf(first) })
  expect(stolen.body.fields.mediaId).toContain('no such file')

  const { status, body } = await save({ file: fileOf(first) })
  expect([status, body.file]).toEqual([
    201,
    { ...fileOf(first), mimeType: 'image/png', sizeBytes: expect.any(Number), width: 40, height: 30 },
  ])
  const path = `/api/replies/${body.id}`
  // A text of 1,025 letters is too long for a caption only.
  expect((await ann.call('PATCH', path, { text: 'x'.repeat(1025), version: 1 })).status).toBe(400)
  // Sent to a customer, the first file stays when the reply gets another one.
  const { write, threadOf } = withChats(parley, ann)
  const conversation = await write('919812340077', 'Kiran', 'Hi')
  const content = { type: 'image', mediaId: first, caption: 'Our menu' }
  expect((await ann.call('POST', `${pathOf(conversation)}/messages`, { content })).status).toBe(201)
  const changed = await ann.call('PATCH', path, { file: fileOf(second), version: 1 })
  expect([changed.status, changed.body.file.mediaId]).toEqual([200, second])
  expect([await isThere(first), await isThere(second)]).toEqual([true, true])
  // Two replies with one file: it goes with the last of them, an hour later.
  const twin = (await save({ shortcut: 'twin', text: 'Again', file: fileOf(second) })).body
  expect((await ann.call('PATCH', `/api/replies/${twin.id}`, { file: null, version: 1 })).body.file).toBeUndefined()
  expect(await isThere(second)).toBe(true)
  expect((await ann.call('DELETE', path)).status).toBe(204)
  expect(await isThere(second)).toBe(true)
  const sweep = async (sent?: string, afterMs = 3_600_000) => {
    const flows = async () => {
      if (sent === undefined) throw new Error('Automation does not answer.')
      return sent
    }
    await sweepReleased(parley, { flows, afterMs })
    return isThere(second)
  }
  expect(await sweep('{}\n', 3_500_000)).toBe(true)
  // It was uploaded again, and is not sent yet.
  const notes = parley.database.connection.collection('releasedFiles')
  await notes.updateMany({}, { $set: { releasedAt: new Date(Date.now() - 7_200_000) } })
  expect(await uploaded('#3a9')).toBe(second)
  expect(await sweep('{}\n', 0)).toBe(true)
  expect(await sweep()).toBe(true)
  expect(await sweep('{}\n')).toBe(false)
  // A file that a flow sends stays.
  const third = await uploaded('#3aa')
  const last = (await save({ shortcut: 'last', file: fileOf(third) })).body
  expect((await ann.call('DELETE', `/api/replies/${last.id}`)).status).toBe(204)
  await sweep(`{"settings":{"mediaId":"${third}"}}\n`)
  expect([await isThere(first), await isThere(third)]).toEqual([true, true])
  // One on the card of a message, or of a campaign whose template has got another picture since, stays too.
  const { connection } = parley.database
  const [fourth, fifth] = [await uploaded('#3ab'), await uploaded('#3ac')]
  const workspaceId = new Types.ObjectId(parley.scope.workspaceId)
  const message = await connection.collection('messages').findOne({ workspaceId })
  const cards = [{ header: { kind: 'image', mediaId: fourth }, buttons: [] }]
  const shown = { type: 'template', cards }
  const { waMessageId: _wamid, clientId: _clientId, ...copied }: Record<string, unknown> = message ?? {}
  await connection
    .collection('messages')
    .insertOne({ ...copied, _id: new Types.ObjectId(), conversationId: new Types.ObjectId(), content: shown })
  const template = { cards: [{ headerMedia: { kind: 'image', file: { mediaId: fifth } } }] }
  await connection.collection('campaigns').insertOne({ workspaceId, template, status: 'paused', createdAt: new Date() })
  for (const mediaId of [fourth, fifth]) {
    const { id } = (await save({ shortcut: `t${mediaId.slice(-8)}`, file: fileOf(mediaId) })).body
    expect((await ann.call('DELETE', `/api/replies/${id}`)).status).toBe(204)
  }
  await sweep('{}\n')
  expect([await isThere(fourth), await isThere(fifth)]).toEqual([true, true])
  // The erasure of a customer to whom it was sent leaves the workspace its file.
  const own = (await save({ shortcut: 'own', file: fileOf(first) })).body
  const eraseMessages = createEraseMessages(connection, (work) => inTransaction(connection, work))
  await eraseMessages({ workspaceId: parley.scope.workspaceId }, { conversationIds: [conversation.id] })
  expect([await threadOf(conversation), await isThere(first)]).toEqual([[], true])
  await ann.call('DELETE', `/api/replies/${own.id}`)
  expect((await ann.call('GET', '/api/replies?q=twin')).body.items).toMatchObject([{ text: 'Again' }])
  await ann.call('DELETE', `/api/replies/${twin.id}`)
})

test('saved replies are found by shortcut and text, are unique, and two people do not overwrite each other', async () => {
  const create = (shortcut: string, text: string, by = ann) => by.call('POST', '/api/replies', { shortcut, text })
  const list = async (query = '', by = ann) =>
    (await by.call('GET', `/api/replies${query}`)).body.items.map(({ shortcut }: { shortcut: string }) => shortcut)
  const hours = (await create('Hours', 'We are open 9–6 (IST)')).body
  expect(hours).toMatchObject({ shortcut: 'hours', version: 1 })
  await create('address', 'MG Road 1')
  expect((await create('HOURS', 'again')).body.code).toBe('reply_exists')
  expect((await create('two words', 'x')).status).toBe(400)
  expect(await list()).toEqual(['address', 'hours'])
  expect(await list('?q=road')).toEqual(['address'])
  expect(await list('?q=(ist)')).toEqual(['hours'])
  expect(await list('?q=.*')).toEqual([])
  const path = `/api/replies/${hours.id}`
  const texts = ['A', 'B'].map((text) => ann.call('PATCH', path, { text, version: 1 }))
  expect((await Promise.all(texts)).map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await ann.call('PATCH', path, { shortcut: 'address', version: 2 })).body.code).toBe('reply_exists')
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect(await list('', eve)).toEqual([])
  expect((await eve.call('PATCH', path, { text: 'Mallory', version: 2 })).status).toBe(404)
  expect((await eve.call('DELETE', path)).status).toBe(404)
  expect((await parley.signIn({ role: 'viewer' }).call('DELETE', path)).status).toBe(403)
  expect((await ann.call('DELETE', path)).status).toBe(204)
  expect(await list()).toEqual(['address'])
  await expectIndexed(parley.database.connection, () => list('?q=a'))
})
