import { createHash } from 'node:crypto'

/** Numbers that look random and are the same for the same seed. */
export function createRandom(seed: string) {
  let counter = 0
  const bytes = (count: number) => {
    const chunks: Buffer[] = []
    for (let length = 0; length < count; length += 32) {
      chunks.push(createHash('sha256').update(`${seed}/${counter}`).digest())
      counter += 1
    }
    return Buffer.concat(chunks).subarray(0, count)
  }
  return {
    bytes,
    /** A string of decimal digits that does not begin with 0. */
    digits: (length: number) =>
      Array.from(bytes(length), (byte, index) => (index === 0 ? 1 + (byte % 9) : byte % 10)).join(''),
    token: (length: number) => bytes(length).toString('base64url').slice(0, length),
    /** Returns a number in [0, 1). */
    fraction: () => bytes(4).readUInt32BE() / 2 ** 32,
  }
}
export type Random = ReturnType<typeof createRandom>
