/** Properties from the start of a JPEG. */
interface JpegHead {
  /** Size as displayed, after the rotation that the camera recorded. */
  readonly widthPx: number
  readonly heightPx: number
  /** Number of components: 3 of a colour picture, 1 of a grey one, 4 of one for print. */
  readonly components: number
  readonly bitsPerSample: number
}

/** Markers of frames, whatever their coding; DHT, JPG and DAC have numbers between theirs (ITU-T T.81, table B.1). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const hasNoLength = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/**
 * Reads a JPEG up to its frame.
 * @returns `incomplete` where the frame comes after these bytes, `undefined` where it is no JPEG that can be read.
 */
export function readJpegHead(bytes: Buffer): JpegHead | 'incomplete' | undefined {
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  let isTurned = false
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    // Any number of filling bytes may stand before a marker.
    if (marker === 0xff || hasNoLength(marker)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    const segment = bytes.subarray(at + 4, at + 2 + length)
    if (marker === 0xe1) isTurned = turnsSides(segment) ?? isTurned
    if (isFrame(marker)) {
      if (segment.length < 6) return 'incomplete'
      const [height, width] = [segment.readUInt16BE(1), segment.readUInt16BE(3)]
      const [widthPx, heightPx] = isTurned ? [height, width] : [width, height]
      return { widthPx, heightPx, components: segment[5] ?? 0, bitsPerSample: segment[0] ?? 0 }
    }
    if (marker === 0xd9 || marker === 0xda) return undefined
    at += 2 + length
  }
  return 'incomplete'
}

/**
 * Returns whether the camera was held upright, so that width and height change places (Exif 2.3, tag 0x0112); undefined: it is no
 * Exif.
 */
function turnsSides(segment: Buffer): boolean | undefined {
  return segment.subarray(0, 6).toString('latin1') === 'Exif\0\0' ? isTurnedIn(segment.subarray(6)) : undefined
}

/** @param tiff Exif as it is in a JPEG segment behind its name, or in a PNG chunk. */
export function isTurnedIn(tiff: Buffer): boolean {
  if (tiff.length < 14) return false
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return false
  const entries = short(directory)
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12
    if (entry + 12 > tiff.length) return false
    if (short(entry) === 0x0112) return short(entry + 8) >= 5 && short(entry + 8) <= 8
  }
  return false
}
