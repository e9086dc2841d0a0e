import { csrfHeader, facadeClientId, tokenResponseSchema } from '@parley/contracts/auth'
import { hasProfile, profileApi, userSchema } from '@parley/contracts/profile'
import { z } from 'zod'
import type { Stack } from './stack.ts'

/** The account with which a newcomer can look around; only ever on the local stack's own provider. */
export const demoEmail = 'demo@parley.local'

const profile = { firstName: 'Demo', lastName: 'Owner', mobile: '+919876543210', timezone: 'Asia/Kolkata' }
const timeoutMs = 20_000

/**
 * Makes sure that the demo account exists with a verified address and a complete profile, by the same doors that everybody
 * uses: the provider's admin API and the app. Safe to call at every start.
 * @returns its password, `undefined` where the provider is somebody else's or the account could not be made (which is said).
 */
export async function ensureDemoAccount(
  stack: Pick<Stack, 'urls' | 'secrets' | 'parts'>,
  say: (line: string) => void,
): Promise<string | undefined> {
  const provider = stack.parts.find((part) => part.name === 'identity-provider')
  if (!provider?.local || !stack.parts.some((part) => part.name === 'bff')) return undefined
  try {
    await createAtProvider(stack)
    const session = await signInAt(stack.urls.app, stack.secrets.demoPassword)
    if (!hasProfile(await readUser(stack, session))) await completeProfile(stack, session)
    return stack.secrets.demoPassword
  } catch (error) {
    say(`The demo account could not be made: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

interface DemoSession {
  readonly cookie: string
  readonly idToken: string
}

type Doors = Pick<Stack, 'urls' | 'secrets'>

/** Keycloak's admin REST: 201 for a new account, 409 for one that is there. */
async function createAtProvider({ urls, secrets }: Doors): Promise<void> {
  const token = await request(`${urls.identity}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'svc-identity',
      client_secret: secrets.svcIdentitySecret,
    }),
  })
  const { access_token: accessToken } = z.object({ access_token: z.string() }).parse(await expectJson(token, 200))
  const issuer = new URL(urls.identity)
  const created = await request(`${issuer.origin}/admin${issuer.pathname}/users`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
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
}

/** Signs the demo account in by the app's password form. */
export async function signInAt(app: string, password: string): Promise<DemoSession> {
  const response = await request(`${app}/auth/token`, {
    method: 'POST',
    headers: asOwnPage(app),
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: facadeClientId,
      username: demoEmail,
      password,
      scope: 'openid profile email',
    }),
  })
  const cookie = response.headers
    .getSetCookie()
    .map((value) => value.split(';')[0])
    .join('; ')
  const { id_token: idToken } = tokenResponseSchema.parse(await expectJson(response, 200))
  return { cookie, idToken }
}

async function readUser({ urls }: Doors, session: DemoSession) {
  const headers = { ...asOwnPage(urls.app), ...credentials(session) }
  const { method, path } = profileApi.sync
  return userSchema.parse(await expectJson(await request(`${urls.app}${path}`, { method, headers }), 200))
}

async function completeProfile({ urls }: Doors, session: DemoSession): Promise<void> {
  const headers = { ...asOwnPage(urls.app), ...credentials(session), 'Content-Type': 'application/json' }
  const { method, path } = profileApi.update
  const response = await request(`${urls.app}${path}`, { method, headers, body: JSON.stringify(profile) })
  await expectJson(response, 200)
}

const credentials = (session: DemoSession) => ({ Cookie: session.cookie, Authorization: `Bearer ${session.idToken}` })

/** What a browser sends along from the app's own page. */
const asOwnPage = (origin: string) => ({ Origin: origin, 'Sec-Fetch-Site': 'same-origin', [csrfHeader]: '1' })

const request = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })

async function expectJson(response: Response, status: number): Promise<unknown> {
  const text = await response.text()
  if (response.status !== status)
    throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${text.slice(0, 200)}`)
  return JSON.parse(text)
}
