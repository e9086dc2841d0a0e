import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { MediaMessage } from './chat.ts'
import { createChatMedia } from './chat-media.ts'

const workspaceId = 'workspace'
type Photo = Extract<MediaMessage, { type: 'image' }>
const photo = (mediaId: string, fields: Partial<Photo> = {}): Photo => ({
  type: 'image',
  url: `/api/media/${mediaId}`,
  mediaId,
  mimeType: 'image/png',
  sizeBytes: 1,
  ...fields,
})
const stored = (sizeBytes: number) => ({
  read: async (_: unknown, id: string) =>
    id === 'gone'
      ? undefined
      : {
          media: { id, type: 'image/jpeg', sizeBytes, sha256: '' },
          open: () => Readable.from([Buffer.from(id)]),
        },
})

test('a file that several messages have is there once, by the type that it was found to be', async () => {
  const media = createChatMedia({ workspaceId }, stored(10))
  const [first, again, other] = [await media.add(photo('a')), await media.add(photo('a')), await media.add(photo('b'))]
  expect(first).toBe(again)
  expect(media.files.map(({ name, type }) => [name, type])).toEqual([
    ['00001.jpeg', 'image/jpeg'],
    ['00002.jpeg', 'image/jpeg'],
  ])
  expect(typeof other === 'string' ? '' : await text(other.open())).toBe('b')
})

test('what is missing is said in words', async () => {
  const media = createChatMedia({ workspaceId }, stored(10))
  expect(await media.add(photo('gone'))).toBe('no longer stored')
  expect(await media.add(photo('', { url: '', state: 'expired' }))).toContain('expired at WhatsApp')
  expect(await media.add(photo('', { url: '' }))).toBe('not stored')
  expect(media.files).toEqual([])
})

test.each([
  ['bytes', { files: 100, fileBytes: 25 }],
  ['files', { files: 2, fileBytes: 1000 }],
])('beyond so many %s files are left out, and counted', async (_, limits) => {
  const media = createChatMedia({ workspaceId }, stored(10), limits)
  for (const id of ['a', 'b', 'c', 'd']) await media.add(photo(id))
  expect(media.files).toHaveLength(2)
  expect(media.leftOut()).toBe(2)
  expect(await media.add(photo('e'))).toContain('left out')
})

test('a file that travels in its message is written too', async () => {
  const url = `data:image/svg+xml,${encodeURIComponent('<svg/>')}`
  const { mediaId: _, ...sample } = photo('', { url })
  const media = createChatMedia({ workspaceId }, stored(10))
  const file = await media.add(sample)
  expect(typeof file === 'string' ? file : [file.name, await text(file.open())]).toEqual(['00001.svg', '<svg/>'])
})
