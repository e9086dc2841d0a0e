import { expect, test } from 'vitest'
import { oggOf } from './ogg.ts'

const head = [...new TextEncoder().encode('OpusHead'), 1, 1, 56, 1, 128, 187, 0, 0, 0, 0, 0]
/** A packet of 20 ms, as its first byte states, of so many bytes. */
const packet = (length: number) => [0x78 | 0x80, ...Array.from({ length: length - 1 }, (_, index) => index % 251)]
const part = (id: number[], bytes: number[]) => [...id, 0x40 | (bytes.length >> 8), bytes.length & 0xff, ...bytes]
const unknownSize = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
const block = (bytes: number[]) => part([0xa3], [0x81, 0, 0, 0x80, ...bytes])

/** A recording as browsers write it: the file and its clusters have no known length. */
const webm = (packets: number[][]) =>
  Uint8Array.from([
    ...part([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x86, 0x81, 1]),
    ...[0x18, 0x53, 0x80, 0x67, ...unknownSize],
    ...part([0x16, 0x54, 0xae, 0x6b], part([0xae], [...part([0xd7], [1]), ...part([0x63, 0xa2], head)])),
    ...[0x1f, 0x43, 0xb6, 0x75, ...unknownSize],
    ...part([0xe7], [0]),
    ...packets.flatMap(block),
  ])

/** Reads the pages of an Ogg file: kind, time in samples, number, packets, and whether the checksum is right. */
function pagesOf(file: Uint8Array) {
  const pages = []
  for (let at = 0; at < file.length; ) {
    const view = new DataView(file.buffer, at)
    const count = view.getUint8(26)
    const segments = [...file.subarray(at + 27, at + 27 + count)]
    const end = at + 27 + count + segments.reduce((sum, length) => sum + length, 0)
    const packets = segments.filter((length) => length < 255).length
    const [kind, samples, number] = [view.getUint8(5), view.getUint32(6, true), view.getUint32(18, true)]
    pages.push({ kind, samples, number, packets, body: file.slice(at + 27 + count, end) })
    at = end
  }
  return pages
}

test('the Opus of a WebM recording becomes Ogg: headers, packets unchanged, the time that they last', () => {
  const packets = Array.from({ length: 90 }, (_, index) => packet(index === 5 ? 255 : 40 + index))
  const pages = pagesOf(oggOf(webm(packets)))
  expect(pages.map(({ kind, number, packets: count }) => [kind, number, count])).toEqual([
    [2, 0, 1],
    [0, 1, 1],
    [0, 2, 40],
    [0, 3, 40],
    [4, 4, 10],
  ])
  expect([...(pages[0]?.body ?? [])]).toEqual(head)
  expect(new TextDecoder().decode(pages[1]?.body.slice(0, 8))).toBe('OpusTags')
  expect(pages.slice(2).map(({ samples }) => samples)).toEqual([40 * 960, 80 * 960, 90 * 960])
  expect(pages.slice(2).flatMap(({ body }) => [...body])).toEqual(packets.flat())
})

test('the checksum of a page is that of the format', () => {
  const [first] = [oggOf(webm([packet(10)]))]
  // Computed byte by byte with a table, where the page's own goes bit by bit.
  const expected = crcByTable(first.slice(0, 27 + 1 + head.length))
  expect(new DataView(first.buffer).getUint32(22, true)).toBe(expected)
})

function crcByTable(page: Uint8Array): number {
  page.fill(0, 22, 26)
  const table = Array.from({ length: 256 }, (_, index) => {
    let value = (index << 24) >>> 0
    for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ (value >>> 31 ? 0x04c11db7 : 0)) >>> 0
    return value
  })
  return page.reduce((sum, byte) => ((sum << 8) ^ (table[((sum >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0, 0)
}

test('a recording without sound is refused', () => {
  expect(() => oggOf(webm([]))).toThrow('no sound')
  expect(() => oggOf(new Uint8Array([1, 2, 3]))).toThrow('no sound')
})
