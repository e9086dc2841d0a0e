import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'

const text = z.string()
const keyFile = z.object({
  signing: z.object({
    kty: z.literal('RSA'),
    kid: text,
    alg: z.literal('RS256'),
    use: z.literal('sig'),
    n: text,
    e: text,
    d: text,
    p: text,
    q: text,
    dp: text,
    dq: text,
    qi: text,
  }),
  cookies: z.array(text).min(1),
})

export type Keys = Awaited<ReturnType<typeof loadKeys>>

/**
 * The realm's own signing and cookie keys, made at the first start and kept in a file that only the owner may read. The
 * library's default keys are public: tokens signed with them could be forged by anyone.
 */
export async function loadKeys(file: string) {
  if (!existsSync(file)) {
    // Whole or not at all: a crash half-way leaves no broken key file behind.
    await writeFile(`${file}.new`, JSON.stringify(makeKeys()), { mode: 0o600, flush: true })
    await rename(`${file}.new`, file)
  }
  const { signing, cookies } = keyFile.parse(JSON.parse(await readFile(file, 'utf8')))
  const signingKey = createPrivateKey({ key: signing, format: 'jwk' })
  return { kid: signing.kid, signing, cookies, signingKey, publicKey: createPublicKey(signingKey) }
}

function makeKeys() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signing = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }
  return { signing, cookies: [randomBytes(32).toString('base64url')] }
}
