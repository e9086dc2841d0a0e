import { request } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMediaService } from '../modules/media/media.service.ts'
import { createStorageQuota } from '../modules/media/storage-quota.ts'
import { eventually } from './campaign-fixtures.ts'
import { onPhone as putOnPhone, webp } from './files.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let picture: Buffer
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#3a7' } })
    .png()
    .toBuffer()
})
afterAll(() => parley.stop())

/** A file on a customer's phone. */
const onPhone = (bytes: Buffer, type: string) => putOnPhone(parley, bytes, type)
async function received(from: string, type: string, content: object) {
  await parley.simulator.call('/inbound', { from, name: 'Asha', type, [type]: content })
  return eventually(async () => {
    const { body } = await ann.call('GET', `/api/conversations?q=${from.slice(-6)}`)
    const { body: thread } = await ann.call('GET', `/api/conversations/${body.items[0].id}/messages`)
    const message = thread.items.at(-1)
    expect(message.content.state).not.toBe('loading')
    return { conversationId: body.items[0].id, message }
  })
}
/** A call of the server as a browser makes it, for what is no JSON. */
const fetchAs = async (path: string, init: RequestInit = {}) =>
  fetch(`${parley.server.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${await ann.token()}`, ...init.headers },
  })

test('a workspace whose files have reached their limit uploads no more, and reads what it has', async () => {
  const scope = { workspaceId: parley.scope.workspaceId }
  const { connection } = parley.database
  const stored = await createMediaService(connection).upload(scope, Readable.from([picture]), undefined)
  const withLimit = (bytes: number) => createMediaService(connection, createStorageQuota(connection, bytes))
  const full = withLimit(stored.sizeBytes)
  await expect(full.upload(scope, Readable.from([picture]), undefined)).rejects.toMatchObject({
    code: 'storage_full',
    status: 409,
  })
  expect((await full.read(scope, stored.id)).sizeBytes).toBe(stored.sizeBytes)
  // Files of others are not its own.
  const other = { workspaceId: new Types.ObjectId().toHexString() }
  await expect(full.upload(other, Readable.from([picture]), undefined)).resolves.toMatchObject({ kind: 'image' })
  // Uploads of this process count at once.
  await expect(full.upload(other, Readable.from([picture]), undefined)).rejects.toMatchObject({ code: 'storage_full' })
})

test('a picture of a customer is fetched, shown in part or whole, and made small once', async () => {
  const { message } = await received('919812360001', 'image', {
    id: await onPhone(picture, 'image/png'),
    caption: 'Look',
  })
  expect(message.content).toMatchObject({
    type: 'image',
    mimeType: 'image/png',
    sizeBytes: picture.length,
    width: 900,
    height: 600,
    caption: 'Look',
  })
  const whole = await fetchAs(message.content.url)
  expect(Buffer.from(await whole.arrayBuffer()).equals(picture)).toBe(true)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  const part = await fetchAs(message.content.url, { headers: { range: 'bytes=1-3' } })
  expect([part.status, await part.text()]).toEqual([206, 'PNG'])
  const small = () => fetchAs(`${message.content.url}/thumbnail`)
  const thumbnail = await small()
  expect(await sharp(Buffer.from(await thumbnail.arrayBuffer())).metadata()).toMatchObject({
    format: 'webp',
    width: 480,
  })
  expect((await small()).headers.get('etag')).toBe(thumbnail.headers.get('etag'))
  const download = await fetchAs(`${message.content.url}?download=..%2Fa%0D%0Ab.png`)
  expect(download.headers.get('content-disposition')).toBe('attachment; filename=ab.png')
})

test.each([
  ['of too many pixels', webp(16_000, 16_000)],
  ['that is broken', Buffer.from('89504e470d0a1a0a', 'hex')],
])('a picture %s is a file to download, fetched once', async (name, bytes) => {
  const id = await onPhone(bytes, 'image/webp')
  const { message } = await received(`91981236${name.length}05`, 'image', { id, caption: 'Look' })
  const stored = { type: 'document', fileName: 'image.webp', sizeBytes: bytes.length, caption: 'Look' }
  expect(message.content).toMatchObject(stored)
  expect(message.content).not.toHaveProperty('state')
  const whole = await fetchAs(message.content.url)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
  })
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
  expect((await fetchAs(`${message.content.url}/thumbnail`)).status).toBe(404)
})

test('a document of more than 100 MB is refused, whether its length is told or not, and leaves nothing', async () => {
  const limitBytes = 100 * 1024 * 1024
  const start = Buffer.from('%PDF-1.7\n')
  const block = Buffer.alloc(1024 * 1024)
  async function* pdf() {
    yield start
    for (let bytes = start.length; bytes <= limitBytes; bytes += block.length) yield block
  }
  const { port, hostname } = new URL(parley.server.url)
  const headers = { authorization: `Bearer ${await ann.token()}`, 'content-type': 'application/pdf' }
  const upload = (more: object, content: AsyncIterable<Buffer>) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const path = '/api/media?as=document'
      const call = request({ hostname, port, path, method: 'POST', headers: { ...headers, ...more } }, async (answer) =>
        resolve({ status: answer.statusCode, body: await text(answer) }),
      )
      // The answer comes before all is sent.
      call.on('error', reject)
      pipeline(Readable.from(content), call).catch(() => undefined)
    })
  const refused = { status: 413, body: expect.stringContaining('The request is larger than 102400 KiB.') }
  expect(await upload({ 'content-length': String(limitBytes + 1) }, pdf())).toEqual(refused)
  expect(await upload({}, pdf())).toEqual(refused)
  const stored = { ...parley.inWorkspace, sizeBytes: { $gte: limitBytes } }
  expect(await parley.database.connection.collection('media').countDocuments(stored)).toBe(0)
}, 120_000)

test('a picture of a few bytes that would fill the memory is refused without being decoded', async () => {
  const residentBytes = async () =>
    Number(
      /^process_resident_memory_bytes\S* (\S+)/m.exec(await (await fetch(`${parley.server.url}/metrics`)).text())?.[1],
    )
  const before = await residentBytes()
  expect(before).toBeGreaterThan(0)
  for (const [width, height] of [
    [16_000, 16_000],
    [16_777_216, 16_777_216],
    [60_000, 900],
  ] as const) {
    const headers = { 'content-type': 'image/webp' }
    const body = new Uint8Array(webp(width, height))
    const answer = await fetchAs('/api/media?as=sticker', { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
    expect(JSON.parse(await answer.text())).toMatchObject({
      code: 'validation_failed',
      message: `This image is too large: ${width} × ${height} pixels.`,
    })
  }
  // Decoded it would take a gigabyte.
  expect((await residentBytes()) - before).toBeLessThan(200 * 1024 * 1024)
})

test('a file that the platform does not have any more is told as such', async () => {
  const { message } = await received('919812360002', 'document', { id: '123456789', filename: 'gone.pdf' })
  expect(message.content).toMatchObject({ type: 'document', state: 'expired', url: '', fileName: 'gone.pdf' })
})

test('what a person uploads is checked by its content, sent once it is at the platform, and kept apart by workspace', async () => {
  const { conversationId } = await received('919812360003', 'sticker', { id: '1' })
  const upload = (bytes: Buffer | string, query = '') =>
    fetchAs(`/api/media${query}`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
    })
  const { id, ...file } = JSON.parse(await (await upload(picture)).text())
  expect(file).toEqual({ mimeType: 'image/png', sizeBytes: picture.length, width: 900, height: 600, kind: 'image' })
  expect(JSON.parse(await (await upload(picture)).text()).id).toBe(id)
  expect((await upload('<svg onload="alert(1)"/>', '?as=image')).status).toBe(415)
  expect((await upload(Buffer.concat([picture, Buffer.alloc(5 * 1024 * 1024)]))).status).toBe(413)

  const path = `/api/conversations/${conversationId}/messages`
  const content = { type: 'image', mediaId: id, caption: 'For you' }
  expect((await ann.call('POST', path, { content: { ...content, mediaId: 'f'.repeat(24) } })).status).toBe(400)
  expect((await ann.call('POST', path, { content: { type: 'audio', mediaId: id } })).status).toBe(400)
  const { body: sent } = await ann.call('POST', path, { content })
  await eventually(async () => {
    const { body } = await ann.call('GET', path)
    expect(body.items.at(-1)).toMatchObject({
      id: sent.message.id,
      status: 'read',
      content: { url: `/api/media/${id}` },
    })
  })
  const { items } = await parley.simulator.call(
    `/messages?phone_number_id=${parley.simulatedNumber.phoneNumberId}&to=919812360003`,
  )
  const atPlatform = await fetch(`${parley.simulator.url}/sim/media/${items.at(-1).content.id}`)
  expect(Buffer.from(await atPlatform.arrayBuffer()).equals(picture)).toBe(true)

  const stranger = parley.signIn({ workspaceId: 'e'.repeat(24) })
  expect((await stranger.call('GET', `/api/media/${id}`)).status).toBe(404)
  expect((await stranger.call('GET', `/api/media/${id}/thumbnail`)).status).toBe(404)
})

const pathOfImage = async (name: string, bytes: Buffer, type = 'image/jpeg') => {
  const { message } = await received(name, 'image', { id: await onPhone(bytes, type), caption: 'Look' })
  return String(message.content.url)
}
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })

test('a photo that breaks off shows what it has, and one that cannot be decoded is tried once', async () => {
  const whole = await noise(600, 400).jpeg().toBuffer()
  const cut = await pathOfImage('919812360101', whole.subarray(0, whole.length / 2))
  const small = await fetchAs(`${cut}/thumbnail`)
  expect(small.status).toBe(200)
  expect(await sharp(Buffer.from(await small.arrayBuffer())).metadata()).toMatchObject({ width: 480, height: 320 })

  const broken = await pathOfImage('919812360102', Buffer.concat([whole.subarray(0, 300), Buffer.alloc(2000, 0xff)]))
  expect(
    [await fetchAs(`${broken}/thumbnail`), await fetchAs(`${broken}/thumbnail`)].map(({ status }) => status),
  ).toEqual([404, 404])
  expect((await fetchAs(broken)).status).toBe(200)
  const mediaId = new Types.ObjectId(broken.split('/').at(-1))
  const stored = await parley.database.connection.collection('thumbnails').find({ mediaId }).toArray()
  expect(stored).toMatchObject([{ isBroken: true }])
})

test('many looks at once make a picture small once, and a large one is made small in a process of its own', async () => {
  const turned = await noise(900, 1200).withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer()
  const url = await pathOfImage('919812360103', turned)
  const looks = await Promise.all(Array.from({ length: 8 }, () => fetchAs(`${url}/thumbnail`)))
  expect(new Set(looks.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  const [first] = await Promise.all(looks.map(async (look) => Buffer.from(await look.arrayBuffer())))
  expect(await sharp(first).metadata()).toMatchObject({ width: 480, height: 360 })
  const mediaId = new Types.ObjectId(url.split('/').at(-1))
  expect(await parley.database.connection.collection('thumbnails').countDocuments({ mediaId })).toBe(1)

  // Decoded it does not fit into the memory of the process that serves everybody.
  const blank = { create: { width: 7000, height: 7000, channels: 3 as const, background: '#47a' } }
  const vast = await sharp(blank).withMetadata({ orientation: 8 }).jpeg({ progressive: true, quality: 30 }).toBuffer()
  const look = await fetchAs(`${await pathOfImage('919812360104', vast)}/thumbnail`)
  expect(look.status).toBe(200)
  expect(await sharp(Buffer.from(await look.arrayBuffer())).metadata()).toMatchObject({ width: 480, height: 480 })
})

test('what WhatsApp would not show is refused with the reason, and goes as a document', async () => {
  const upload = async (bytes: Buffer, as: string) => {
    const body = new Uint8Array(bytes)
    const answer = await fetchAs(`/api/media?as=${as}`, {
      method: 'POST',
      headers: { 'content-type': 'image/jpeg' },
      body,
    })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  const print = await noise(40, 30).toColourspace('cmyk').jpeg().toBuffer()
  expect(await upload(print, 'image')).toMatchObject({
    status: 415,
    body: { code: 'unsupported_media_type', message: expect.stringContaining('CMYK') },
  })
  const stored = await upload(print, 'document')
  expect(stored).toMatchObject({ status: 201, body: { kind: 'document', mimeType: 'image/jpeg' } })
  // Nor does it go as a picture once it is stored.
  const { conversationId } = await received('919812360105', 'sticker', { id: '1' })
  const content = { type: 'image', mediaId: stored.body.id }
  const sent = await ann.call('POST', `/api/conversations/${conversationId}/messages`, { content })
  expect(sent).toMatchObject({ status: 400, body: { message: expect.anything() } })
  expect(JSON.stringify(sent.body)).toContain('CMYK')
})
