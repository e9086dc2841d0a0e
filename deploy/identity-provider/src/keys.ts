import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { z } from 'zod'

const keyFile = z.object({
  signing: z.object({
    kty: z.literal('RSA'),
    kid: z.string(),
    alg: z.literal('RS256'),
    use: z.literal('sig'),
    n: z.string(),
    e: z.string(),
    d: z.string(),
    p: z.string(),
    q: z.string(),
    dp: z.string(),
    dq: z.string(),
    qi: z.string(),
  }),
  cookies: z.array(z.string()).min(1),
})

export type Keys = Awaited<ReturnType<typeof loadKeys>>

/**
 * The realm's own signing and cookie keys, made at the first start and kept in a file that only the owner may read. The
 * library's default keys are public: tokens signed with them could be forged by anyone.
 */
export async function loadKeys(file: string) {
  if (!existsSync(file)) await writeOnce(file, JSON.stringify(await makeKeys()))
  const { signing, cookies } = keyFile.parse(JSON.parse(await readFile(file, 'utf8')))
  const { kty, kid, alg, use, n, e } = signing
  const publicKey: JWK = { kty, kid, alg, use, n, e }
  return {
    kid,
    cookies,
    /** For oidc-provider. */
    privateSet: { keys: [signing] },
    signingKey: await importJWK(signing, alg),
    verify: createLocalJWKSet({ keys: [publicKey] }),
  }
}

async function makeKeys(): Promise<z.infer<typeof keyFile>> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const signing = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' }
  return keyFile.parse({ signing, cookies: [randomBytes(32).toString('base64url')] })
}

/** Whole or not at all: a crash half-way leaves no broken key file behind. */
async function writeOnce(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
}
