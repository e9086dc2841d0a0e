import type { Endpoint } from '@parley/contracts/endpoint'
import { hasProfile, profileApi, profileInternalApi, sessionContextSchema, userSchema } from '@parley/contracts/profile'
import { createInternalTokenSigner, signingConfigShape } from '@parley/service-kit/core/internal-token'
import { z } from 'zod'
import type { Stack } from './stack.ts'

/** The account with which a newcomer can look around; only ever on the local stack's own provider. */
export const demoEmail = 'demo@parley.local'

const profile = { firstName: 'Demo', lastName: 'Owner', mobile: '+919876543210', timezone: 'Asia/Kolkata' }
const timeoutMs = 20_000
type Doors = Pick<Stack, 'urls' | 'secrets' | 'env'>

/**
 * Makes sure that the demo account exists with a verified address and a complete profile, at the provider's admin API and at
 * the profile service. Nobody is signed in for it, so that the account's list of sessions stays empty and it does not matter
 * where passwords are entered. Safe to call at every start.
 * @returns its password, `undefined` where the provider is somebody else's or the account could not be made (then a note says why).
 */
export async function ensureDemoAccount(
  stack: Doors & Pick<Stack, 'components'>,
  note: (line: string) => void,
): Promise<string | undefined> {
  const provider = stack.components.find((component) => component.name === 'identity-provider')
  if (!provider?.local || !stack.components.some((component) => component.name === 'bff')) return undefined
  try {
    await completeProfile(stack, await createAtProvider(stack))
    return stack.secrets.demoPassword
  } catch (error) {
    note(`The demo account could not be made: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/** Keycloak's admin REST: 201 for a new account, 409 for one that is there. @returns the account's id. */
async function createAtProvider({ urls, secrets }: Doors): Promise<string> {
  const token = await request(`${urls.identity}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'svc-identity',
      client_secret: secrets.svcIdentitySecret,
    }),
  })
  const { access_token: accessToken } = z.object({ access_token: z.string() }).parse(await expectJson(token, 200))
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' }
  const issuer = new URL(urls.identity)
  const users = `${issuer.origin}/admin${issuer.pathname}/users`
  const created = await request(users, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      username: demoEmail,
      email: demoEmail,
      emailVerified: true,
      enabled: true,
      credentials: [{ type: 'password', value: secrets.demoPassword, temporary: false }],
    }),
  })
  await created.arrayBuffer()
  if (created.status !== 201 && created.status !== 409) throw new Error(`the provider answered ${created.status}`)
  const found = await request(`${users}?${new URLSearchParams({ email: demoEmail, exact: 'true' })}`, { headers })
  const [account] = z.array(z.object({ id: z.string() })).parse(await expectJson(found, 200))
  if (!account) throw new Error('the provider does not find the account that it has')
  return account.id
}

/** Fills the profile in as the app would for a signed-in person, unless it is filled in. */
async function completeProfile({ urls, env }: Omit<Doors, 'secrets'>, sub: string): Promise<void> {
  const signer = await createInternalTokenSigner(
    'bff',
    signingConfigShape.INTERNAL_TOKEN_KEYS.parse(env.bff['INTERNAL_TOKEN_KEYS']),
  )
  const call = async ({ method, path, status }: Endpoint, token: string, body?: unknown) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    }
    const content = body === undefined ? null : JSON.stringify(body)
    return expectJson(await request(`${env.bff['PROFILE_URL']}${path}`, { method, headers, body: content }), status)
  }
  const who = { email: demoEmail, provider: 'password' }
  const asProcess = await signer.sign({ aud: 'profile', sub: 'svc:bff' })
  const person = { iss: urls.identity, sub, emailVerified: true, ...who }
  const { userId, workspaceId, role } = sessionContextSchema.parse(
    await call(profileInternalApi.sessionContext, asProcess, person),
  )
  const asPerson = await signer.sign({
    aud: 'profile',
    sub: userId,
    wid: workspaceId,
    role,
    email_verified: true,
    ...who,
  })
  const user = userSchema.parse(await call(profileApi.user, asPerson))
  if (!hasProfile(user)) await call(profileApi.update, asPerson, profile)
}

const request = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })

async function expectJson(response: Response, status: number): Promise<unknown> {
  const text = await response.text()
  if (response.status !== status)
    throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${text.slice(0, 200)}`)
  return JSON.parse(text)
}
