/** Codecs of a file's tracks, by the names of their sample entries: `avc1`, `hvc1`, `mp4a` (mp4ra.org). */
interface Tracks {
  readonly video: readonly string[]
  readonly audio: readonly string[]
}

/** Maximum bytes of an index: that of a one-hour film takes a few megabytes; nothing is reported of a larger one. */
const maxIndexBytes = 8 * 1024 * 1024
const maxTracks = 100
/** Codecs of cover and chapter pictures, which are tracks of their own. */
const stillCodecs = new Set(['jpeg', 'png ', 'mjpa', 'mjpb'])

/**
 * Finds the tracks of an MP4 or 3GPP file while it is read (ISO/IEC 14496-12): their index stands at the beginning or at the end.
 * `push` takes the file's bytes in their order; `tracks` is undefined where no index was found, or none that can be read.
 */
export function createTrackReader() {
  let header = Buffer.alloc(0)
  let leftBytes = 0
  let isBroken = false
  let index: Buffer[] | undefined
  let found: Tracks | undefined

  function push(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0 && !isBroken && !found; ) rest = leftBytes > 0 ? inBox(rest) : atBox(rest)
  }

  /** Continues in the present box. @returns the bytes after it. */
  function inBox(bytes: Buffer): Buffer {
    const contents = bytes.subarray(0, Math.min(leftBytes, bytes.length))
    leftBytes -= contents.length
    index?.push(contents)
    if (index && leftBytes === 0) {
      found = tracksIn(Buffer.concat(index))
      index = undefined
    }
    return bytes.subarray(contents.length)
  }

  /** Reads the end of the next box, and whether it is the index. */
  function atBox(bytes: Buffer): Buffer {
    const known = header.length
    header = Buffer.concat([header, bytes.subarray(0, 16 - known)])
    if (header.length < 8) return Buffer.alloc(0)
    const size = header.readUInt32BE(0)
    if (size === 1 && header.length < 16) return Buffer.alloc(0)
    const headerBytes = size === 1 ? 16 : 8
    const boxBytes = size === 1 ? Number(header.readBigUInt64BE(8)) : size
    const isIndex = header.toString('latin1', 4, 8) === 'moov'
    // A box of size 0 continues to the end of the file.
    leftBytes = size === 0 ? Number.MAX_SAFE_INTEGER : boxBytes - headerBytes
    isBroken = leftBytes < 0 || (isIndex && leftBytes > maxIndexBytes)
    if (isIndex && !isBroken) index = []
    header = Buffer.alloc(0)
    return bytes.subarray(headerBytes - known)
  }

  return { push, tracks: () => found }
}

function tracksIn(moov: Buffer): Tracks {
  const tracks = { video: [] as string[], audio: [] as string[] }
  for (const track of boxes(moov, 'trak').slice(0, maxTracks)) {
    const [media] = boxes(track, 'mdia')
    const handler = media && boxes(media, 'hdlr')[0]?.toString('latin1', 8, 12)
    const [description] = media ? within(media, ['minf', 'stbl', 'stsd']) : []
    const codec = description?.toString('latin1', 12, 16) ?? ''
    if (handler === 'vide' && !stillCodecs.has(codec)) tracks.video.push(codec)
    if (handler === 'soun') tracks.audio.push(codec)
  }
  return tracks
}

function within(bytes: Buffer, [first, ...rest]: readonly string[]): Buffer[] {
  if (first === undefined) return [bytes]
  return boxes(bytes, first).flatMap((box) => within(box, rest))
}

/** Returns the contents of the boxes of a type that these bytes are, or begin with. */
function boxes(bytes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at) || bytes.length - at
    if (size < 8) break
    if (bytes.toString('latin1', at + 4, at + 8) === type) found.push(bytes.subarray(at + 8, at + size))
    at += size
  }
  return found
}
