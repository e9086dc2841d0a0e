import { identityApi } from '@parley/contracts/account/identity'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { signingConfigShape } from '@parley/service-kit/core/internal-token-settings'
import { createProviderAdmin } from '@parley/service-kit/testing/provider-admin'
import type { AppProcess } from './app-process.ts'

const provider = ({ urls, secrets }: AppProcess) =>
  createProviderAdmin({ issuer: urls.identity, clientId: 'svc-identity', clientSecret: secrets.svcIdentitySecret })

async function findAccount(app: AppProcess, email: string) {
  const account = await provider(app).findAccount(email)
  if (!account) throw new Error(`${email} has no account`)
  return account
}

export const isVerifiedAtProvider = async (app: AppProcess, email: string): Promise<boolean> =>
  (await findAccount(app, email)).emailVerified

/** The provider asks for a new password at the next sign-in. */
export async function demandNewPassword(app: AppProcess, email: string): Promise<void> {
  const account = await findAccount(app, email)
  await provider(app).call('PUT', `/users/${account.id}`, { ...account, requiredActions: ['UPDATE_PASSWORD'] })
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
