import { createCipheriv, createDecipheriv, createHash, createHmac, hash, randomBytes } from 'node:crypto'

export interface ServerKey {
  readonly id: string
  /** 32 bytes. */
  readonly key: Buffer
}

const sha256 = (...parts: (string | Buffer)[]) => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest
}

/** 32 random bytes in base64url: a cookie value. */
export const newSessionSecret = (): string => randomBytes(32).toString('base64url')

/** Returns whether a cookie value can be one of ours at all. */
export const isSessionSecret = (value: string): boolean => /^[\w-]{43}$/.test(value)

/** The name under which a session is stored; says nothing about its secret. */
export const sessionKey = (secret: string): string => hash('sha256', `id${secret}`, 'base64url')

/** Returns SHA-256 in base64url, by which tokens are remembered and compared. */
export const hashToken = (token: string | Buffer): string => hash('sha256', token, 'base64url')

/**
 * AES-256-GCM under a key made of the cookie and a server key: neither a Redis dump nor the server key alone opens a
 * record. The record's name is authenticated too, so that one cannot be put in another's place.
 */
export function createSessionCipher(serverKeys: readonly ServerKey[]) {
  const encrypting = serverKeys[0] ?? missingKey()
  const derive = (secret: string, serverKey: Buffer) => sha256('enc', secret, serverKey).digest()

  function seal(secret: string, recordName: string, value: unknown): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', derive(secret, encrypting.key), iv)
    cipher.setAAD(Buffer.from(recordName))
    const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
    return `${encrypting.id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
  }

  /** @returns the parsed JSON, or `undefined` where the text is not a record of this secret under a known key. */
  function open(secret: string, recordName: string, text: string): unknown {
    const dot = text.indexOf('.')
    const serverKey = serverKeys.find(({ id }) => id === text.slice(0, dot))
    if (!serverKey) return undefined
    const bytes = Buffer.from(text.slice(dot + 1), 'base64url')
    try {
      const decipher = createDecipheriv('aes-256-gcm', derive(secret, serverKey.key), bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(recordName))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8'))
    } catch {
      return undefined
    }
  }
  /**
   * Returns the same hash for the same text as long as the key is used for new records; texts cannot be tried out without the
   * key.
   */
  const pseudonym = (text: string): string =>
    createHmac('sha256', encrypting.key).update(`log ${text}`).digest('base64url').slice(0, 22)

  return { seal, open, pseudonym }
}
export type SessionCipher = ReturnType<typeof createSessionCipher>

function missingKey(): never {
  throw new Error('at least one session key is needed')
}
