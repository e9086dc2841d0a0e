import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { inspectUpload } from './inspect-upload.ts'
import type { Upload } from './media-store.ts'

/** Returns the type and size that are found in a file, read in pieces of this size. */
async function found(
  bytes: Buffer,
  { pieceBytes = 64 * 1024, accept = 'any', limitBytes = 50_000_000 }: Partial<Upload & { pieceBytes: number }> = {},
) {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const { content, atEnd, ...size } = await inspectUpload({
    content: Readable.from(pieces()),
    accept,
    limitBytes,
  })
  expect((await buffer(content)).equals(bytes)).toBe(true)
  return { ...atEnd(), ...size }
}

const box = (type: string, ...content: Buffer[]) => {
  const size = Buffer.alloc(4)
  const whole = Buffer.concat(content)
  size.writeUInt32BE(8 + whole.length)
  return Buffer.concat([size, Buffer.from(type, 'latin1'), whole])
}
const zeros = (count: number) => Buffer.alloc(count)
const brand = (name: string) => box('ftyp', Buffer.from(name.padEnd(4)), zeros(4), Buffer.from('isommp42'))
const track = (handler: string, codec: string) => {
  const entry = Buffer.concat([zeros(8), Buffer.from([0, 0, 0, 16]), Buffer.from(codec, 'latin1'), zeros(8)])
  const description = box('minf', box('vmhd', zeros(12)), box('stbl', box('stsd', entry)))
  return box(
    'trak',
    box('tkhd', zeros(84)),
    box('mdia', box('hdlr', zeros(8), Buffer.from(handler), zeros(13)), description),
  )
}
const movie = (...tracks: Buffer[]) => box('moov', box('mvhd', zeros(100)), ...tracks)
const data = (count: number) => box('mdat', Buffer.alloc(count, 7))
const largeData = (count: number) => {
  const header = Buffer.from([0, 0, 0, 1, ...Buffer.from('mdat'), 0, 0, 0, 0, 0, 0, 0, 0])
  header.writeBigUInt64BE(BigInt(16 + count), 8)
  return Buffer.concat([header, Buffer.alloc(count, 7)])
}

const [film, sound] = [track('vide', 'avc1'), track('soun', 'mp4a')]
test.each([
  [
    'sound under the brand of films',
    Buffer.concat([brand('mp42'), movie(sound), data(100)]),
    'audio/mp4',
    [],
    ['mp4a'],
  ],
  [
    'sound whose index comes last',
    Buffer.concat([brand('isom'), data(700_000), movie(sound)]),
    'audio/mp4',
    [],
    ['mp4a'],
  ],
  ['a film', Buffer.concat([brand('isom'), movie(film, sound)]), 'video/mp4', ['avc1'], ['mp4a']],
  ['a film under the brand of sound', Buffer.concat([brand('M4A '), movie(film)]), 'video/mp4', ['avc1'], []],
  ['a film of another shop', Buffer.concat([brand('M4V '), movie(film, sound)]), 'video/mp4', ['avc1'], ['mp4a']],
  [
    'sound with a cover',
    Buffer.concat([brand('M4A '), movie(sound, track('vide', 'jpeg'))]),
    'audio/x-m4a',
    [],
    ['mp4a'],
  ],
  [
    'HEVC behind a long box',
    Buffer.concat([brand('isom'), largeData(600_000), movie(track('vide', 'hvc1'))]),
    'video/mp4',
    ['hvc1'],
    [],
  ],
  ['3GPP of sound alone', Buffer.concat([brand('3gp4'), movie(track('soun', 'samr'))]), 'audio/3gpp', [], ['samr']],
  ['3GPP', Buffer.concat([brand('3gp4'), movie(film)]), 'video/3gpp', ['avc1'], []],
])('MP4 is judged by its tracks: %s', async (_name, bytes, type, videoCodecs, audioCodecs) => {
  for (const pieceBytes of [64 * 1024, 997])
    expect(await found(bytes, { pieceBytes })).toEqual({ type, traits: { videoCodecs, audioCodecs } })
})

test.each([
  ['has no index', Buffer.concat([brand('isom'), data(100)])],
  ['breaks off in it', Buffer.concat([brand('isom'), movie(film, sound)]).subarray(0, 200)],
  ['has a box that is too short', Buffer.concat([brand('isom'), Buffer.from([0, 0, 0, 3, ...Buffer.from('moov')])])],
])('a file that %s keeps the type of its brand', async (_name, bytes) => {
  expect(await found(bytes)).toEqual({ type: 'video/mp4', traits: {} })
})

test('where its tracks decide, a file that is not accepted is refused once it is read', async () => {
  const bytes = Buffer.concat([brand('isom'), data(700_000), movie(sound)])
  await expect(found(bytes, { accept: ['video/mp4'] })).rejects.toMatchObject({ code: 'unsupported_media_type' })
  expect(await found(bytes, { accept: ['audio/mp4'] })).toMatchObject({ type: 'audio/mp4' })
})

test.each([
  'BMW owners get a free check.\nAsk us.',
  'All free items of this week',
  'MZ is short for Mainz',
  'PK 4711, paid',
  'RIFF raff',
  'ID3 is a tag, OggS a mark',
  'GIF89a is a format of 1989',
  '%PDF files are welcome',
  'II. Prices\nIII. Places',
  'FWS and CWS: films of old',
  'BZh is no word. Grüße!',
])('plain text that begins like a format is text: %s', async (words) => {
  expect(await found(Buffer.from(words))).toMatchObject({ type: 'text/plain' })
})

test('what is written in letters keeps its type', async () => {
  expect(await found(Buffer.from('%PDF-1.7\n1 0 obj\n'))).toMatchObject({ type: 'application/pdf' })
  expect((await found(Buffer.from('{\\rtf1 words}'))).type).toMatch(/rtf$/)
  expect((await found(Buffer.from('BM\u0000\u0001\u0000\u0000'.padEnd(60, '\u0000')))).type).not.toBe('text/plain')
})

const ogg = (packet: Buffer) =>
  Buffer.concat([Buffer.from('OggS\u0000\u0002', 'latin1'), zeros(20), Buffer.from([1, packet.length]), packet])
test.each([
  ['opus', Buffer.from('OpusHead\u0001\u0001')],
  ['vorbis', Buffer.from('\u0001vorbis\u0000\u0000')],
  ['flac', Buffer.from('\u007fFLAC\u0001\u0000\u0000')],
  ['speex', Buffer.from('Speex   1.2')],
])('Ogg tells its codec: %s', async (codec, packet) => {
  expect(await found(ogg(packet.subarray(0, 60)))).toMatchObject({ traits: { audioCodecs: [codec] } })
})

const segment = (marker: number, content: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
const frame = (widthPx: number, heightPx: number, components = 3, marker = 0xc0) => {
  const content = zeros(6 + 3 * components)
  content[0] = 8
  content.writeUInt16BE(heightPx, 1)
  content.writeUInt16BE(widthPx, 3)
  content[5] = components
  return segment(marker, content)
}
const exif = (orientation: number, isLittle: boolean) => {
  const tiff = zeros(26)
  tiff.write(isLittle ? 'II' : 'MM')
  const short = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  const long = (value: number, at: number) => (isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at))
  short(42, 2)
  long(8, 4)
  short(1, 8)
  short(0x0112, 10)
  short(3, 12)
  long(1, 14)
  short(orientation, 18)
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]))
}
const jpeg = (...segments: Buffer[]) =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xda, 0, 2])])

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a photo keeps the place that it is shown in, whatever its turn (%i)',
  async (turn) => {
    const size = turn >= 5 ? { widthPx: 300, heightPx: 400 } : { widthPx: 400, heightPx: 300 }
    for (const isLittle of [true, false])
      expect(await found(jpeg(exif(turn, isLittle), frame(400, 300)))).toMatchObject({ type: 'image/jpeg', ...size })
  },
)

test('a photo is measured behind any number of notes, and in every coding', async () => {
  const notes = Array.from({ length: 11 }, () => segment(0xe1, Buffer.alloc(65_000, 1)))
  for (const marker of [0xc0, 0xc1, 0xc2])
    expect(await found(jpeg(...notes, frame(640, 480, 3, marker)))).toMatchObject({ widthPx: 640, heightPx: 480 })
  // Huffman tables have a number between those of frames.
  expect(await found(jpeg(segment(0xc4, zeros(40)), Buffer.from([0xff]), frame(64, 48)))).toMatchObject({ widthPx: 64 })
})

test('a WebP file is told by its flags whether it moves', async () => {
  const webp = (chunk: string, flags: number) =>
    Buffer.concat([Buffer.from(`RIFF....WEBP${chunk}....`), Buffer.from([flags]), zeros(20)])
  const movesOf = async (file: Buffer) => {
    let moves: boolean | undefined
    await found(file, {
      limitBytes: (_type, { isAnimated }) => {
        moves = isAnimated
        return 1000
      },
    })
    return moves
  }
  expect([await movesOf(webp('VP8X', 2)), await movesOf(webp('VP8X', 16)), await movesOf(webp('VP8 ', 2))]).toEqual([
    true,
    false,
    false,
  ])
})

test('colours for print are told, and a photo without a frame is one that nobody decodes', async () => {
  expect(await found(jpeg(frame(10, 10, 4)))).toMatchObject({ traits: { colours: 'cmyk', bitsPerSample: 8 } })
  for (const broken of [jpeg(), jpeg(segment(0xe1, zeros(10))), Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 1])])
    expect(await found(broken)).toMatchObject({ type: 'application/octet-stream' })
})
