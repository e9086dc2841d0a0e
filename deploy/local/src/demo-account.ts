import { hasProfile, profileApi, userSchema } from '@parley/contracts/account/profile'
import { profileInternalApi, sessionContextSchema } from '@parley/contracts/account/profile-internal'
import type { Endpoint } from '@parley/contracts/core/endpoint'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { signingConfigShape } from '@parley/service-kit/core/internal-token-settings'
import { createProviderAdmin } from '@parley/service-kit/testing/provider-admin'
import type { Stack } from './stack.ts'

/** The account with which a newcomer can look around; only ever on the local stack's own provider. */
export const demoEmail = 'demo@parley.local'

const profile = { firstName: 'Demo', lastName: 'Owner', mobile: '+919876543210', timezone: 'Asia/Kolkata' }
const timeoutMs = 20_000

/**
 * Ensures that the demo account exists with a verified address and a complete profile, at the provider's admin API and at the
 * profile service. No one is signed in for it, so that the account's list of sessions stays empty and it does not matter where
 * passwords are entered. Safe to call at every start.
 * @returns its password, `undefined` where the provider is external or the account could not be made (then a note says why).
 */
export async function ensureDemoAccount(stack: Stack, note: (line: string) => void): Promise<string | undefined> {
  if (!stack.components.some(({ name, local }) => name === 'identity-provider' && local)) return undefined
  try {
    await completeProfile(stack, await createAtProvider(stack))
    return stack.secrets.demoPassword
  } catch (error) {
    note(`The demo account could not be made: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/** Keycloak's admin REST: 201 for a new account, 409 for one that is there. @returns the account's id. */
async function createAtProvider({ urls, secrets }: Stack): Promise<string> {
  const clientSecret = secrets.svcIdentitySecret
  const provider = createProviderAdmin({ issuer: urls.identity, clientId: 'svc-identity', clientSecret })
  const credentials = [{ type: 'password', value: secrets.demoPassword, temporary: false }]
  const account = { username: demoEmail, email: demoEmail, emailVerified: true, enabled: true, credentials }
  await provider.call('POST', '/users', account, 409)
  const found = await provider.findAccount(demoEmail)
  if (!found) throw new Error('the provider does not find the account that it has')
  return found.id
}

/** Fills the profile in as the app would for a signed-in person, unless it is filled in. */
async function completeProfile({ urls, env }: Stack, sub: string): Promise<void> {
  const keys = signingConfigShape.INTERNAL_TOKEN_KEYS.parse(env.bff['INTERNAL_TOKEN_KEYS'])
  const signer = await createInternalTokenSigner('bff', keys)
  async function call({ method, path, status }: Endpoint, token: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${env.bff['PROFILE_URL']}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === status) return response.json()
    throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 200)}`)
  }
  const who = { email: demoEmail, provider: 'password' }
  const asProcess = await signer.sign({ aud: 'profile', sub: 'svc:bff' })
  const person = { iss: urls.identity, sub, emailVerified: true, ...who }
  const { userId, workspaceId, role } = sessionContextSchema.parse(
    await call(profileInternalApi.sessionContext, asProcess, person),
  )
  const claims = { aud: 'profile', sub: userId, wid: workspaceId, role, email_verified: true, ...who } as const
  const asPerson = await signer.sign(claims)
  const user = userSchema.parse(await call(profileApi.user, asPerson))
  if (!hasProfile(user)) await call(profileApi.update, asPerson, profile)
}
