import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 12
/** Number of digits of 32 bytes. */
const secretLength = 43
/** Number of digits of 32 bits. */
const checkLength = 6

const shape = new RegExp(`^ply_([0-9A-Za-z]{${idLength}})_([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checkLength}})$`)

/** Returns whether a text claims to be an API key, valid or not. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith('ply_')

/**
 * A new key, `ply_<id>_<secret><checksum>`: prefix and checksum are for scanners of leaked secrets. 256 random bits need no slow
 * hash.
 */
export function newApiKey(): { id: string; text: string; hash: string } {
  const id = base62(randomBytes(16), idLength)
  const unchecked = `ply_${id}_${base62(randomBytes(32), secretLength)}`
  const text = unchecked + checksum(unchecked)
  return { id, text, hash: hashOfKey(text) }
}

/** Returns public id and hash of a key; `undefined` where it is none, or was typed wrongly. */
export function readApiKey(text: string): { id: string; hash: string } | undefined {
  const [, id] = shape.exec(text) ?? []
  if (id === undefined || checksum(text.slice(0, -checkLength)) !== text.slice(-checkLength)) return undefined
  return { id, hash: hashOfKey(text) }
}

/** SHA-256 of a text that claims to be a key. */
export const hashOfKey = (text: string): string => createHash('sha256').update(text).digest('base64url')

function checksum(text: string): string {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(text))
  return base62(sum, checkLength)
}

/** Returns the last `length` digits of a number. */
function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  while (text.length < length) {
    text = (digits[Number(rest % 62n)] ?? '') + text
    rest /= 62n
  }
  return text
}
