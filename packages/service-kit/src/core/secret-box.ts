import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import type { NamedKey } from './key-ring.ts'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
const hidden = '[secret]'

/** A secret in clear. Only {@link Secret.reveal} gives it out: a log line, JSON or a template string gets a placeholder. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return hidden
  }
  toJSON(): string {
    return hidden
  }
  [inspect.custom](): string {
    return hidden
  }
}

/** Place of a secret. A value moved to another workspace's record, or to another field, does not open. */
interface SecretLocation {
  readonly workspaceId: string
  /** Collection and field: `numbers.accessToken`. */
  readonly field: string
}

/** Encrypts secrets for storing. */
export interface SecretBox {
  /** @returns text to store: the key's name, and the ciphertext that only this key opens. */
  readonly seal: (secret: Secret, location: SecretLocation) => string
  /** @throws where the key is not in the ring, the text was changed or it belongs to another place. */
  readonly open: (sealed: string, location: SecretLocation) => Secret
  /** Returns whether the ring's first key sealed it. If not, it must be sealed again before its key is removed. */
  readonly isCurrent: (sealed: string) => boolean
}

/** AES-256-GCM, a random nonce for each value, the place as associated data. @param ring as {@link keyRingSchema} reads it. */
export function createSecretBox(ring: readonly NamedKey[]): SecretBox {
  const keys = new Map(ring.map(({ id, key }): [string, KeyObject] => [id, createSecretKey(key)]))
  const [current] = ring
  if (!current) throw new Error('a key ring needs a key')

  return {
    seal: (secret, location) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, keyOf(keys, current.id), iv).setAAD(locationBytes(location))
      const sealed = Buffer.concat([iv, cipher.update(secret.reveal(), 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${current.id}.${sealed.toString('base64url')}`
    },
    open: (sealed, location) => {
      const { id, bytes } = split(sealed)
      if (bytes.length < ivBytes + tagBytes) throw new Error('a stored secret is cut short')
      const decipher = createDecipheriv(algorithm, keyOf(keys, id), bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(locationBytes(location))
        .setAuthTag(bytes.subarray(-tagBytes))
      const opened = [decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]
      return new Secret(Buffer.concat(opened).toString('utf8'))
    },
    isCurrent: (sealed) => split(sealed).id === current.id,
  }
}

function split(sealed: string): { id: string; bytes: Buffer } {
  const [id = '', encoded = ''] = sealed.split('.')
  return { id, bytes: Buffer.from(encoded, 'base64url') }
}

function keyOf(keys: ReadonlyMap<string, KeyObject>, id: string): KeyObject {
  const key = keys.get(id)
  if (!key) throw new Error(`no key named ${JSON.stringify(id.slice(0, 16))} is in the ring`)
  return key
}

const locationBytes = ({ workspaceId, field }: SecretLocation): Buffer =>
  Buffer.from(JSON.stringify([workspaceId, field]))
