import { createProviderAdmin } from '@parley/service-kit/testing/provider-admin'
import { inject } from 'vitest'

function provider() {
  const { OIDC_ISSUER = '', IDENTITY_CLIENT_ID = '', IDENTITY_CLIENT_SECRET = '' } = inject('stack').env.identity
  return createProviderAdmin({
    issuer: OIDC_ISSUER,
    clientId: IDENTITY_CLIENT_ID,
    clientSecret: IDENTITY_CLIENT_SECRET,
  })
}

export const findAccount = (email: string) => provider().findAccount(email)

/** Changes an account behind the app's back. */
export async function changeAccount(email: string, change: Record<string, unknown>): Promise<void> {
  const account = await findAccount(email)
  await provider().call('PUT', `/users/${account?.id}`, { ...account, ...change })
}

/** Removes an account, if there is one. */
export async function forgetAccount(email: string): Promise<void> {
  const account = await findAccount(email)
  if (account) await provider().call('DELETE', `/users/${account.id}`)
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
