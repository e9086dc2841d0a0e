import { inject } from 'vitest'
import { z } from 'zod'

const usersSchema = z.array(z.looseObject({ id: z.string() }))
const tokenSchema = z.object({ access_token: z.string() })

/** The provider's own administration, as an operator has it. */
async function admin(method: string, path: string, body?: unknown): Promise<Response> {
  const { OIDC_ISSUER = '', IDENTITY_CLIENT_ID = '', IDENTITY_CLIENT_SECRET = '' } = inject('stack').env.identity
  const form = {
    grant_type: 'client_credentials',
    client_id: IDENTITY_CLIENT_ID,
    client_secret: IDENTITY_CLIENT_SECRET,
  }
  const answer = await fetch(`${OIDC_ISSUER}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { access_token } = tokenSchema.parse(await answer.json())
  return fetch(`${OIDC_ISSUER.replace('/realms/', '/admin/realms/')}${path}`, {
    method,
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
}

export async function findAccount(email: string) {
  const answer = await admin('GET', `/users?email=${encodeURIComponent(email)}&exact=true`)
  return usersSchema.parse(await answer.json())[0]
}

/** Changes an account behind the app's back. */
export async function changeAccount(email: string, change: Record<string, unknown>): Promise<void> {
  const account = await findAccount(email)
  const answer = await admin('PUT', `/users/${account?.id}`, { ...account, ...change })
  if (!answer.ok) throw new Error(`the provider answered ${answer.status}`)
}

/** Removes an account, if there is one. */
export async function forgetAccount(email: string): Promise<void> {
  const account = await findAccount(email)
  if (account) await admin('DELETE', `/users/${account.id}`)
}

/** Signs in with a wrong password until the provider locks the account. */
export async function lockAccount(email: string): Promise<void> {
  const { OIDC_ISSUER, OIDC_PASSWORD_CLIENT_ID = '', OIDC_PASSWORD_CLIENT_SECRET = '' } = inject('stack').env.bff
  const guess = () =>
    fetch(`${OIDC_ISSUER}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: OIDC_PASSWORD_CLIENT_ID,
        client_secret: OIDC_PASSWORD_CLIENT_SECRET,
        username: email,
        password: 'guess',
        scope: 'openid',
      }),
    })
  for (let batch = 0; batch < 21; batch++) await Promise.all(Array.from({ length: 5 }, guess))
}
