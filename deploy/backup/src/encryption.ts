import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { areEqualBytes } from '@parley/service-kit/core/equal-bytes'
import type { NamedKey } from '@parley/service-kit/core/key-ring'
import { Refusal } from './refusal.ts'

/*
 * AES-256-GCM of Node itself (NIST SP 800-38D) and no library: in compose the commands run in the image of a service, which has
 * the packages of that service alone. An encrypted file is its nonce, the ciphertext, the tag.
 */
export const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Keys by their names; the first one encrypts. */
export type BackupKeys = readonly NamedKey[]

/** Encrypts what is written into a file. Its name is authenticated with it, so that no file passes for another. */
export async function* encrypted(
  chunks: AsyncIterable<Buffer>,
  { key }: NamedKey,
  fileName: string,
): AsyncGenerator<Buffer> {
  const nonce = randomBytes(nonceBytes)
  const encipher = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(fileName))
  yield nonce
  for await (const chunk of chunks) yield encipher.update(chunk)
  yield encipher.final()
  yield encipher.getAuthTag()
}

/** @throws where the file was cut off or changed, or encrypted with another key: at its end, when all of it was given out. */
export async function* decrypted(path: string, { key }: NamedKey, fileName: string): AsyncGenerator<Buffer> {
  const { size } = await stat(path)
  const end = size - tagBytes
  if (end < nonceBytes) throw new Error('it is cut off')
  const nonce = await bytesOf(path, 0, nonceBytes)
  const tag = await bytesOf(path, end, size)
  const decipher = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(fileName))
    .setAuthTag(tag)
  if (end > nonceBytes)
    for await (const chunk of createReadStream(path, { start: nonceBytes, end: end - 1 })) yield decipher.update(chunk)
  yield decipher.final()
}

async function bytesOf(path: string, start: number, end: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of createReadStream(path, { start, end: end - 1 })) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Returns the code that proves that a manifest was written by a holder of the key. */
export const macOf = (text: string, { key }: NamedKey): string => createHmac('sha256', key).update(text).digest('hex')

/** The key that a backup names. @throws Refusal where it is not there, or is another one of that name. */
export function keyFor(keys: BackupKeys, { name, text, mac }: { name: string; text: string; mac: string }): NamedKey {
  const found = keys.find(({ id }) => id === name)
  if (!found)
    throw new Refusal(
      keys.length === 0
        ? `The backup is encrypted with the key ${name}: BACKUP_KEYS has to name it.`
        : `The backup is encrypted with the key ${name}, which BACKUP_KEYS lacks (it has ${keys.map(({ id }) => id).join(', ')}).`,
    )
  if (!areEqualBytes(Buffer.from(macOf(text, found), 'hex'), Buffer.from(mac, 'hex')))
    throw new Refusal(`${name} in BACKUP_KEYS is not the key of this backup, or its manifest was changed without it.`)
  return found
}
