import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { z } from 'zod'
import { readJson, writeJson } from './json-file.ts'

const secretsSchema = z.object({
  bffWebSecret: z.string(),
  bffPasswordSecret: z.string(),
  svcIdentitySecret: z.string(),
  /** `k1:<base64 of 32 bytes>` */
  sessionKeys: z.string(),
  /** JSON array of private Ed25519 JWKs. */
  internalTokenKeys: z.string(),
  demoPassword: z.string(),
  /** Of the client with which a real Keycloak's realm signs in at the realm that plays Google. */
  googleClientSecret: z.string(),
  /** Of the account `admin` of a real Keycloak's own console. */
  keycloakAdminPassword: z.string(),
})
/** A file written before these were needed is completed. */
const keptSchema = secretsSchema.partial({ googleClientSecret: true, keycloakAdminPassword: true })
export type Secrets = z.infer<typeof secretsSchema>

/** The stack's secrets: made at random by the first start, kept in a file that only its owner can read. */
export async function loadSecrets(file: string): Promise<Secrets> {
  const kept = readJson(file, keptSchema)
  const complete = secretsSchema.safeParse(kept)
  if (complete.success) return complete.data
  const secrets = secretsSchema.parse({ ...(await makeSecrets()), ...kept })
  writeJson(file, secrets, 0o600)
  return secrets
}

async function makeSecrets(): Promise<Secrets> {
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: randomText(9) }
  return {
    bffWebSecret: randomText(32),
    bffPasswordSecret: randomText(32),
    svcIdentitySecret: randomText(32),
    sessionKeys: `k1:${randomBytes(32).toString('base64')}`,
    internalTokenKeys: JSON.stringify([key]),
    demoPassword: randomText(9),
    googleClientSecret: randomText(32),
    keycloakAdminPassword: randomText(18),
  }
}

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url')
