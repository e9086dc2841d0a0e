import { hkdfSync } from 'node:crypto'
import { z } from 'zod'

/** A named key of 32 bytes. */
export interface NamedKey {
  readonly id: string
  readonly key: Buffer
}

/**
 * A key ring as an environment variable holds it: `name:base64,name:base64`, 32 random bytes each. The first key encrypts, all
 * decrypt, so that a key can be replaced while processes with the old ring still run.
 */
export const keyRingSchema = z.string().transform((text, context): NamedKey[] => {
  const keys = text.split(',').map((entry) => {
    const [id = '', encoded = ''] = entry.trim().split(':')
    return { id, key: Buffer.from(encoded, 'base64') }
  })
  if (!keys.every(({ id, key }) => /^[\w-]{1,16}$/.test(id) && key.length === 32))
    context.addIssue({ code: 'custom', message: 'must be name:key pairs, each key 32 bytes in base64' })
  else if (new Set(keys.map(({ id }) => id)).size < keys.length)
    context.addIssue({ code: 'custom', message: 'has two keys of one name: a new key needs a new name' })
  return keys
})

/**
 * Derives a secret for another purpose from the ring's first key: the same in all processes that have it, and nothing about the
 * key can be learned from it (HKDF, RFC 5869).
 * @param purpose names its use; each purpose has a secret of its own.
 * @returns 43 characters.
 */
export function deriveSecret([current]: readonly NamedKey[], purpose: string): string {
  if (!current) throw new Error('a key ring needs a key')
  return Buffer.from(hkdfSync('sha256', current.key, '', purpose, 32)).toString('base64url')
}
