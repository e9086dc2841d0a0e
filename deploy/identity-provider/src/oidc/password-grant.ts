import { errors } from 'oidc-provider'
import { checkPassword } from '../passwords.ts'
import { type Realm, scopes } from '../realm.ts'
import { idTokenClaims, userClaims } from './provider.ts'
import { startSession } from './sessions.ts'

interface Parameters {
  username?: string
  password?: string
}

/** Adds the password grant (RFC 6749 section 4.3), which the library leaves out. It always gives the realm's scopes. */
export function installPasswordGrant(realm: Realm): void {
  const { provider } = realm
  provider.registerGrantType<Parameters>(
    'password',
    async (ctx) => {
      const { client, params } = ctx.oidc
      const user = await checkPassword(realm, params.username ?? '', params.password ?? '')
      if (!user) throw new errors.CustomOIDCProviderError('invalid_grant', 'Invalid user credentials')
      if (user.requiredActions.length > 0)
        throw new errors.CustomOIDCProviderError('invalid_grant', 'Account is not fully set up')
      const { id: accountId } = user
      const { clientId } = client
      const sid = await startSession(realm, { userId: accountId, clientId, viaGoogle: false })
      const shared = { accountId, client, grantId: sid, gty: 'password', scope: scopes, sid }
      const accessToken = new provider.AccessToken(shared)
      const idToken = new provider.IdToken({}, { ctx })
      for (const [name, value] of Object.entries({ ...userClaims(user), ...idTokenClaims(false), sid }))
        idToken.set(name, value)
      ctx.body = {
        access_token: await accessToken.save(),
        expires_in: accessToken.expiration,
        refresh_token: await new provider.RefreshToken({ ...shared, rotations: 0 }).save(),
        id_token: await idToken.issue({ use: 'idtoken' }),
        token_type: 'Bearer',
        scope: scopes,
      }
    },
    ['username', 'password', 'scope'],
  )
}
