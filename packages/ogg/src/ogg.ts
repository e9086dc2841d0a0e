/** Ids of the elements of a WebM file that are descended into, or read. */
const containers = new Set([0x18538067, 0x1f43b675, 0x1654ae6b, 0xae, 0xa0])
const codecPrivateId = 0x63a2
const blockIds = new Set([0xa3, 0xa1])
const headerPages = { begin: 2, middle: 0, end: 4 } as const
/** An Ogg page has at most 255 segments of 255 bytes; the longest packet (1,275 bytes) takes six of them. */
const packetsPerPage = 40
const opusRate = 48_000

/**
 * Puts the Opus packets of a WebM recording into an Ogg file, which WhatsApp's voice notes are. Nothing is decoded.
 * Source: RFC 3533 (Ogg), RFC 7845 (Opus in Ogg), the WebM container guidelines.
 * @throws Error where the bytes hold no Opus.
 */
export function oggOf(webm: Uint8Array): Uint8Array<ArrayBuffer> {
  const { head, packets } = opusOf(webm)
  if (!head || packets.length === 0) throw new Error('The recording holds no sound.')
  const pages = [page({ packets: [head], kind: 'begin', number: 0, samples: 0 })]
  pages.push(page({ packets: [tags()], kind: 'middle', number: 1, samples: 0 }))
  let samples = 0
  for (let start = 0; start < packets.length; start += packetsPerPage) {
    const together = packets.slice(start, start + packetsPerPage)
    for (const packet of together) samples += samplesOf(packet)
    const kind = start + packetsPerPage >= packets.length ? 'end' : 'middle'
    pages.push(page({ packets: together, kind, number: pages.length, samples }))
  }
  return joined(pages)
}

/** Reads the description of the codec, and the packets of the only track, in their order. */
function opusOf(file: Uint8Array): { head: Uint8Array | undefined; packets: Uint8Array[] } {
  const packets: Uint8Array[] = []
  let head: Uint8Array | undefined

  function read(start: number, end: number): void {
    for (let at = start; at < end; ) {
      const id = number(at, { keepsMarker: true })
      const size = number(at + id.length, { keepsMarker: false })
      const from = at + id.length + size.length
      // A recording that is still under way does not know how long its parts are.
      const to = size.isUnknown ? end : Math.min(end, from + size.value)
      if (containers.has(id.value)) read(from, to)
      else if (id.value === codecPrivateId) head = file.slice(from, to)
      else if (blockIds.has(id.value))
        packets.push(file.slice(from + number(from, { keepsMarker: false }).length + 3, to))
      at = to
    }
  }

  /** Reads a number of WebM: leading zeros of the first byte give the number of bytes that follow. */
  function number(at: number, { keepsMarker }: { keepsMarker: boolean }) {
    const first = file[at] ?? 0xff
    const length = Math.clz32(first) - 23
    let value = keepsMarker ? first : first & ((1 << (8 - length)) - 1)
    let isUnknown = !keepsMarker && value === (1 << (8 - length)) - 1
    for (let index = 1; index < length; index++) {
      const byte = file[at + index] ?? 0
      isUnknown &&= byte === 0xff
      value = value * 256 + byte
    }
    return { value, length, isUnknown }
  }

  read(0, file.length)
  return { head, packets }
}

/** Returns the length of a packet in samples, by its first byte: frames of 2.5 to 60 ms, one, two or a counted number of them. */
function samplesOf(packet: Uint8Array): number {
  const [toc = 0, counts = 0] = packet
  const configuration = toc >> 3
  const speech = [480, 960, 1920, 2880]
  const hybrid = [480, 960]
  const music = [120, 240, 480, 960]
  const frame =
    configuration < 12
      ? speech[configuration % 4]
      : configuration < 16
        ? hybrid[configuration % 2]
        : music[configuration % 4]
  const code = toc & 3
  return (frame ?? 960) * (code === 0 ? 1 : code === 3 ? counts & 63 : 2)
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

function tags(): Uint8Array {
  const vendor = text('Parley')
  const lengths = new DataView(new ArrayBuffer(8))
  lengths.setUint32(0, vendor.length, true)
  return joined([text('OpusTags'), new Uint8Array(lengths.buffer, 0, 4), vendor, new Uint8Array(lengths.buffer, 4, 4)])
}

function page(of: {
  packets: readonly Uint8Array[]
  kind: keyof typeof headerPages
  number: number
  samples: number
}): Uint8Array {
  const segments = of.packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ])
  const head = new DataView(new ArrayBuffer(27))
  for (const [index, byte] of text('OggS').entries()) head.setUint8(index, byte)
  head.setUint8(5, headerPages[of.kind])
  head.setUint32(6, of.samples % 2 ** 32, true)
  head.setUint32(10, Math.floor(of.samples / 2 ** 32), true)
  head.setUint32(14, opusRate, true)
  head.setUint32(18, of.number, true)
  head.setUint8(26, segments.length)
  const whole = joined([new Uint8Array(head.buffer), Uint8Array.from(segments), ...of.packets])
  new DataView(whole.buffer).setUint32(22, checksumOf(whole), true)
  return whole
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Computes the checksum of a page: CRC-32 with the polynomial 0x04c11db7, not reflected, from 0. */
function checksumOf(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}
