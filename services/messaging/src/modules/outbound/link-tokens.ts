import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveSecret, type NamedKey } from '@parley/service-kit/core/key-ring'

/** Message and button that a link belongs to. */
export interface LinkReference {
  readonly workspaceId: string
  readonly messageId: string
  /** Place of the button in its template, from 0. */
  readonly index: number
}

const version = 1
const idBytes = 12
const bodyBytes = 2 + 2 * idBytes
/** Bytes of a token: with 128 bits nobody finds one by trying. */
const macBytes = 16
const pattern = /^[\w-]{56}$/

export type LinkTokens = ReturnType<typeof createLinkTokens>

/**
 * Creates the tokens at the end of counted links: ids and an HMAC-SHA-256 over them, in 56 characters. They reveal nothing about
 * a person.
 * @param ring its first key signs; links signed by any of its keys work.
 */
export function createLinkTokens(ring: readonly NamedKey[]) {
  const secrets = ring.map((key) => deriveSecret([key], 'counted links'))
  const [current] = secrets
  if (current === undefined) throw new Error('a key ring needs a key')

  return {
    of: (reference: LinkReference): string => {
      const body = bytesOf(reference)
      return Buffer.concat([body, macOf(current, body)]).toString('base64url')
    },
    /** @returns `undefined` for what none of our keys has signed. */
    read: (token: string): LinkReference | undefined => {
      if (!pattern.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      const [body, mac] = [bytes.subarray(0, bodyBytes), bytes.subarray(bodyBytes)]
      if (!secrets.some((secret) => timingSafeEqual(macOf(secret, body), mac))) return undefined
      return body[0] === version ? referenceOf(body) : undefined
    },
  }
}

const macOf = (secret: string, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(body).digest().subarray(0, macBytes)

const bytesOf = ({ workspaceId, messageId, index }: LinkReference): Buffer =>
  Buffer.concat([Buffer.from([version, index]), Buffer.from(workspaceId, 'hex'), Buffer.from(messageId, 'hex')])

const referenceOf = (body: Buffer): LinkReference => ({
  workspaceId: body.subarray(2, 2 + idBytes).toString('hex'),
  messageId: body.subarray(2 + idBytes).toString('hex'),
  index: body[1] ?? 0,
})
