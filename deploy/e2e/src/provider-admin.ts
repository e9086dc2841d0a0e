import { z } from 'zod'
import type { AppProcess } from './app-process.ts'

const usersSchema = z.array(z.looseObject({ id: z.string() }))

/** The provider's own administration, as an operator has it: Keycloak's admin REST interface. */
async function admin({ urls, adminSecret }: AppProcess, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${urls.identity}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'svc-identity',
      client_secret: adminSecret,
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

/** The provider asks for a new password at the next sign-in. */
export async function demandNewPassword(app: AppProcess, email: string): Promise<void> {
  const account = await findAccount(app, email)
  await admin(app, 'PUT', `/users/${account.id}`, { ...account, requiredActions: ['UPDATE_PASSWORD'] })
}

/** Signs the account out everywhere, then disables it: what `services/identity` does to end an account. */
export async function endAccount(app: AppProcess, email: string): Promise<void> {
  const account = await findAccount(app, email)
  await admin(app, 'POST', `/users/${account.id}/logout`)
  await admin(app, 'PUT', `/users/${account.id}`, { ...account, enabled: false })
}
