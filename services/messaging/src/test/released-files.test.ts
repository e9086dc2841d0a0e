import { warningRules } from '@parley/contracts/templates/template-findings'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileHolders } from '../file-holders.ts'
import { up as noteFilesOfDeleted } from '../migrations/0691-files-of-deleted-templates.ts'
import { createEraseMessages } from '../modules/privacy/erasure/erase-messages.ts'
import { approvedTemplate, eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { sweepReleased } from './files.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const owner = () => parley.signIn()

const bytesOf = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
const upload = async (bytes: Buffer) =>
  fetch(`${parley.server.url}/api/media`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { authorization: `Bearer ${await owner().token()}`, 'content-type': 'image/png' },
  })
async function picture(background: string) {
  const bytes = await bytesOf(background)
  const { id: mediaId } = JSON.parse(await (await upload(bytes)).text())
  return { kind: 'image', file: { mediaId, name: 'tea.png', mimeType: 'image/png', sizeBytes: bytes.length } }
}
type Picture = Awaited<ReturnType<typeof picture>>

/** @returns which of some files are there. */
const there = (...pictures: Picture[]): Promise<boolean[]> =>
  Promise.all(
    pictures.map(async ({ file }) => (await owner().request('GET', `/api/media/${file.mediaId}`)).status === 200),
  )

/** Deletes what was given up; no flow sends any of it. @returns which of some files are there then. */
async function sweep(...pictures: Picture[]): Promise<boolean[]> {
  await sweepReleased(parley)
  return there(...pictures)
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

/** Shows another picture above a template from now on. */
async function show(id: string, headerMedia: Picture) {
  const { version } = await read(id)
  expect((await owner().call('PATCH', `/api/templates/${id}/header`, { version, headerMedia })).status).toBe(200)
}

test('a picture stays for messages that were sent, or will be, and goes with the last of them', async () => {
  const [first, second] = [await picture('#a01'), await picture('#a02')]
  const id = await approvedTemplate(parley, { headerMedia: first })
  const chats = withChats(parley, owner())
  const chat = await chats.write('919812370001', 'Asha', 'Which teas are there?')
  const other = await chats.write('919812370002', 'Ravi', 'Which teas are there?')
  const values = { 1: 'Asha' }
  const sent = await owner().call('POST', `${pathOf(chat)}/templates`, { templateId: id, values })
  expect([sent.status, sent.body.message.content.header.mediaId]).toEqual([201, first.file.mediaId])
  // Later: by then the template shows another picture, and the first message is gone.
  const content = { type: 'image', mediaId: first.file.mediaId }
  const sendAt = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const later = await owner().call('POST', `${pathOf(other)}/messages`, { content, sendAt })
  expect(later.status).toBe(201)
  await show(id, second)
  expect(await sweep(first, second)).toEqual([true, true])

  const mongo = parley.database.connection
  const erase = createEraseMessages(mongo, (work) => inTransaction(mongo, work))
  const isHeld = () => createFileHolders(mongo).isHeld(parley.scope, first.file.mediaId)
  await expectIndexed(mongo, async () => expect(await isHeld()).toBe(true))
  await erase(parley.scope, { conversationIds: [chat.id] })
  expect(await sweep(first)).toEqual([true])
  await mongo
    .collection('messages')
    .updateOne(
      { _id: new Types.ObjectId(String(later.body.message.id)) },
      { $set: { 'dispatch.notBefore': new Date(), sentAt: new Date() } },
    )
  await eventually(async () => {
    const { items } = await owner().ask('GET', `${pathOf(other)}/messages`)
    expect(items.at(-1)).toMatchObject({ id: later.body.message.id, status: expect.stringMatching(/delivered|read/) })
  })
  expect(await sweep(first)).toEqual([true])
  await erase(parley.scope, { conversationIds: [other.id] })
  expect(await isHeld()).toBe(false)
  expect(await sweep(first, second)).toEqual([false, true])
})

test('a message with a picture above its text, or on a card, keeps it alone; it goes with the message', async () => {
  const [above, onCard, other] = [await picture('#a11'), await picture('#a12'), await picture('#a13')]
  const id = await approvedTemplate(parley, { headerMedia: above })
  const row = await approvedTemplate(parley, carousel(onCard, other))
  const chat = await withChats(parley, owner()).write('919812370003', 'Meera', 'Which teas are there?')
  for (const templateId of [id, row]) {
    const sent = await owner().call('POST', `${pathOf(chat)}/templates`, { templateId, values: { 1: 'Meera' } })
    expect(sent.status).toBe(201)
  }
  for (const template of [id, row])
    expect((await owner().call('DELETE', `/api/templates/${template}?atWhatsApp=true`)).status).toBe(204)
  const files = [above, onCard, other]
  expect(await sweep(...files)).toEqual([true, true, true])
  const mongo = parley.database.connection
  await createEraseMessages(mongo, (work) => inTransaction(mongo, work))(parley.scope, { conversationIds: [chat.id] })
  // Not at once: a flow may send it, too.
  expect(await there(...files)).toEqual([true, true, true])
  expect(await sweep(...files)).toEqual([false, false, false])
})

test('a file that is taken while its holders are looked for stays; one that is being deleted is nobody’s any more', async () => {
  const file = await picture('#a21')
  const { mediaId } = file.file
  const { releasedFiles } = parley.services
  const chat = await withChats(parley, owner()).write('919812370004', 'Kiran', 'Which teas are there?')
  const send = () => owner().call('POST', `${pathOf(chat)}/messages`, { content: { type: 'image', mediaId } })
  await releasedFiles.note(parley.scope, mediaId)
  let status: number | undefined
  const flows = async () => {
    status ??= (await send()).status
    return '{}\n'
  }
  await sweepReleased(parley, { flows })
  expect([status, ...(await there(file))]).toEqual([201, true])
  expect(await sweep(file)).toEqual([true])

  // The process that was deleting it was killed.
  const bytes = await bytesOf('#a22')
  const going = await picture('#a22')
  await releasedFiles.note(parley.scope, going.file.mediaId)
  const note = { ...parley.inWorkspace, mediaId: new Types.ObjectId(going.file.mediaId) }
  const notes = parley.database.connection.collection('releasedFiles')
  await notes.updateOne(note, { $set: { isGoing: true } })
  const reply = { shortcut: 'going', text: '', file: { mediaId: going.file.mediaId, kind: 'image', fileName: 'a.png' } }
  const refused = await owner().call('POST', '/api/replies', reply)
  expect([refused.status, refused.body.fields?.mediaId]).toEqual([400, 'There is no such file. Upload it again.'])
  expect((await upload(bytes)).status).toBe(503)
  expect([...(await sweep(going)), await notes.countDocuments(note)]).toEqual([false, 0])
  const again = await picture('#a22')
  expect(again.file.mediaId).not.toBe(going.file.mediaId)
  expect(await sweep(again)).toEqual([true])
})

test('a text that WhatsApp refuses gives up its picture; the one before it stays', async () => {
  const [first, second] = [await picture('#a31'), await picture('#a32')]
  const id = await approvedTemplate(parley, { headerMedia: first })
  const { name, language, category, body, buttons, examples, version } = await read(id)
  await parley.simulator.call('/inject', {
    call: 'template',
    trigger: { kind: 'next', count: 1 },
    effect: { kind: 'error', code: 100 },
  })
  const text = { name, language, category, body: `${body} Come and see.`, buttons, examples, headerMedia: second }
  const refused = await owner().call('PATCH', `/api/templates/${id}`, { ...text, version, accepted: warningRules })
  expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed'])
  expect((await read(id)).headerMedia.file.mediaId).toBe(first.file.mediaId)
  expect(await sweep(first, second)).toEqual([true, false])
})

test('files of templates that were deleted at WhatsApp by an earlier version go, those of others stay', async () => {
  const [first, second] = [await picture('#a41'), await picture('#a42')]
  const gone = await approvedTemplate(parley, { headerMedia: first })
  await approvedTemplate(parley, { headerMedia: second })
  const { connection } = parley.database
  await connection
    .collection('templates')
    .updateOne({ _id: new Types.ObjectId(gone) }, { $set: { deletedAt: new Date() } })
  if (!connection.db) throw new Error('the connection is not open')
  await noteFilesOfDeleted(connection.db)
  await noteFilesOfDeleted(connection.db)
  expect(await sweep(first, second)).toEqual([false, true])
})
