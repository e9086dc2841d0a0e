import type { Random } from './random.ts'

const direction = { outbound: 0x11, inbound: 0x12 } as const

/**
 * A message id in the layout that real ones have: base64 of a small binary record that holds the customer's number, the
 * direction, and an upper-case hexadecimal id (18 characters outbound, 20 inbound).
 */
export function createWamid(kind: keyof typeof direction, user: string, random: Random): string {
  const id = random
    .bytes(kind === 'outbound' ? 9 : 10)
    .toString('hex')
    .toUpperCase()
  const record = Buffer.concat([
    Buffer.from([0x1c, 0x18, user.length]),
    Buffer.from(user, 'latin1'),
    Buffer.from([0x15, 0x02, 0x00, direction[kind], 0x18, id.length]),
    Buffer.from(id, 'latin1'),
    Buffer.from([0x00]),
  ])
  return `wamid.${record.toString('base64')}`
}
