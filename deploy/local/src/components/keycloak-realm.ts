import { join } from 'node:path'
import { z } from 'zod'
import type { Environment, StackContext } from '../component.ts'
import { readJson, writeJson } from '../json-file.ts'
import { Problem } from '../problem.ts'
import { processOrigin, publicOrigin } from './addresses.ts'
import { smtpUrl } from './mail.ts'

/** The values of the placeholders in `deploy/keycloak/realm-*.json`. */
export function realmEnvironment(context: StackContext, origin: string): Environment {
  const google = `${origin}/realms/google-offline`
  const protocol = `${google}/protocol/openid-connect`
  return {
    KEYCLOAK_URL: origin,
    PUBLIC_ORIGIN: publicOrigin(context),
    BACKCHANNEL_URL: `${processOrigin(context, 'bff')}/auth/backchannel-logout`,
    BFF_WEB_SECRET: context.secrets.bffWebSecret,
    BFF_PASSWORD_SECRET: context.secrets.bffPasswordSecret,
    SVC_IDENTITY_SECRET: context.secrets.svcIdentitySecret,
    GOOGLE_ISSUER: google,
    GOOGLE_AUTHORIZATION_URL: `${protocol}/auth`,
    GOOGLE_TOKEN_URL: `${protocol}/token`,
    GOOGLE_JWKS_URL: `${protocol}/certs`,
    GOOGLE_CLIENT_ID: 'parley-broker',
    GOOGLE_CLIENT_SECRET: context.secrets.googleClientSecret,
    ...smtpEnvironment(smtpUrl(context)),
  }
}

function smtpEnvironment(url: string): Environment {
  const { protocol, hostname, port, username, password } = new URL(url)
  return {
    SMTP_HOST: hostname,
    SMTP_PORT: port || '25',
    SMTP_FROM: 'no-reply@parley.example',
    SMTP_AUTH: String(username !== ''),
    SMTP_USER: decodeURIComponent(username),
    SMTP_PASSWORD: decodeURIComponent(password),
    SMTP_SSL: String(protocol === 'smtps:'),
    SMTP_STARTTLS: 'false',
  }
}

/** What of it a person can change between two starts. */
const importedSchema = z.object({ PUBLIC_ORIGIN: z.string(), SMTP_HOST: z.string(), SMTP_PORT: z.string() })

/**
 * Keycloak reads the placeholders once, when it imports the realm; this remembers what they were.
 * @throws Problem if they are others now: sign-ins or mails would fail in ways that are hard to read
 */
export function rememberImport(dataDir: string, environment: Environment): void {
  const file = join(dataDir, 'imported.json')
  const now = importedSchema.parse(environment)
  const before = readJson(file, importedSchema)
  if (!before) writeJson(file, now)
  const changed = before && importedSchema.keyof().options.find((name) => before[name] !== now[name])
  if (!before || changed === undefined) return
  throw new Problem(
    `Keycloak's realm was made for ${changed} ${before[changed]} and would now get ${now[changed]}.`,
    'Start as before (PORT and SMTP_URL decide it), or start empty with: npm start -- --fresh',
  )
}
