import { identityApi } from '@parley/contracts/identity'
import { createInternalTokenSigner, signingConfigShape } from '@parley/service-kit/core/internal-token'
import { z } from 'zod'
import type { AppProcess } from './app-process.ts'

const usersSchema = z.array(z.looseObject({ id: z.string(), emailVerified: z.boolean() }))

/** The provider's own administration, as an operator has it: Keycloak's admin REST interface. */
async function admin({ urls, secrets }: AppProcess, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${urls.identity}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'svc-identity',
      client_secret: secrets.svcIdentitySecret,
    }),
  })
  const { access_token: token } = z.object({ access_token: z.string() }).parse(await answer.json())
  const done = await fetch(`${urls.identity.replace('/realms/', '/admin/realms/')}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!done.ok) throw new Error(`${method} ${path} answered ${done.status}: ${await done.text()}`)
  return done
}

async function findAccount(app: AppProcess, email: string) {
  const answer = await admin(app, 'GET', `/users?${new URLSearchParams({ email, exact: 'true' })}`)
  const [account] = usersSchema.parse(await answer.json())
  if (!account) throw new Error(`${email} has no account`)
  return account
}

export const isVerifiedAtProvider = async (app: AppProcess, email: string): Promise<boolean> =>
  (await findAccount(app, email)).emailVerified

/** The provider asks for a new password at the next sign-in. */
export async function demandNewPassword(app: AppProcess, email: string): Promise<void> {
  const account = await findAccount(app, email)
  await admin(app, 'PUT', `/users/${account.id}`, { ...account, requiredActions: ['UPDATE_PASSWORD'] })
}

/** Ends the account by the call of `services/identity`, as an operator's tool would. */
export async function disableAccount(app: AppProcess, email: string): Promise<void> {
  const { id } = await findAccount(app, email)
  const keys = signingConfigShape.INTERNAL_TOKEN_KEYS.parse(app.secrets.tokenKeys.bff)
  const token = await (await createInternalTokenSigner('bff', keys)).sign({ aud: 'identity', sub: 'svc:bff' })
  const { method, path, status } = identityApi.endAccount
  const answer = await fetch(`${app.identityService}${path.replace(':sub', id)}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ how: 'disable' }),
  })
  if (answer.status !== status) throw new Error(`the identity service answered ${answer.status}`)
}
