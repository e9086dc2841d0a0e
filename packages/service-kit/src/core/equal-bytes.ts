import { timingSafeEqual } from 'node:crypto'

/** Compares two secrets or MACs in a time that depends on their length alone; those of unlike lengths are unequal. */
export function areEqualBytes(known: string | Uint8Array, presented: string | Uint8Array): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(presented)]
  return a.length === b.length && timingSafeEqual(a, b)
}
