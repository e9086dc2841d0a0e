import { randomBytes } from 'node:crypto'
import { describeProcess, processNames } from '@parley/processes/processes'
import { exportJWK, generateKeyPair } from 'jose'
import { z } from 'zod'
import { readJson, writeJson } from './files.ts'

const secretsSchema = z.object({
  bffWebSecret: z.string(),
  bffPasswordSecret: z.string(),
  svcIdentitySecret: z.string(),
  /** `k1:<base64 of 32 bytes>` */
  sessionKeys: z.string(),
  /** The same, for what is stored encrypted: access tokens, app secrets. */
  secretKeys: z.string(),
  /** The same of automation. */
  automationSecretKeys: z.string(),
  /** The same of the audit log. */
  auditKeys: z.string(),
  /** JSON array of private Ed25519 JWKs, by the process that signs with them. */
  tokenKeys: z.record(z.string(), z.string()),
  demoPassword: z.string(),
  /** Secret of the client with which a real Keycloak's realm signs in at the realm that plays Google. */
  googleClientSecret: z.string(),
  /** Password of the account `admin` of a real Keycloak's own console. */
  keycloakAdminPassword: z.string(),
})
export type Secrets = z.infer<typeof secretsSchema>

/** The stack's secrets: made at random by the first start, kept in a file that only its owner can read. */
export async function loadSecrets(file: string): Promise<Secrets> {
  // A file that was written before one of them was needed is completed.
  const kept = readJson(file, secretsSchema.partial())
  const complete = secretsSchema.safeParse(kept)
  if (complete.success && signers.every((name) => name in complete.data.tokenKeys)) return complete.data
  const made = await makeSecrets()
  const secrets = secretsSchema.parse({ ...made, ...kept, tokenKeys: { ...made.tokenKeys, ...kept?.tokenKeys } })
  writeJson(file, secrets, 0o600)
  return secrets
}

/** Processes that sign with keys of their own. */
const signers = processNames.filter((name) => describeProcess(name).calls.length > 0)

async function makeTokenKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true })
  return JSON.stringify([{ ...(await exportJWK(privateKey)), kid: randomText(9) }])
}

async function makeSecrets(): Promise<Secrets> {
  return {
    bffWebSecret: randomText(32),
    bffPasswordSecret: randomText(32),
    svcIdentitySecret: randomText(32),
    sessionKeys: makeKeyRing(),
    secretKeys: makeKeyRing(),
    automationSecretKeys: makeKeyRing(),
    auditKeys: makeKeyRing(),
    tokenKeys: Object.fromEntries(await Promise.all(signers.map(async (name) => [name, await makeTokenKeys()]))),
    demoPassword: randomText(9),
    googleClientSecret: randomText(32),
    keycloakAdminPassword: randomText(18),
  }
}

const makeKeyRing = (): string => `k1:${randomBytes(32).toString('base64')}`
const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url')
