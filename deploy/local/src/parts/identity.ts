import type { Part, StackContext } from '../part.ts'
import { identityOrigin, internalJwksUrl, publicOrigin } from './addresses.ts'
import { issuerUrl } from './identity-provider.ts'
import { nodeEnvironment, nodeProgram } from './node-part.ts'

/** The service that administers accounts at the identity provider. */
export function identityPart(context: StackContext): Part {
  const env = {
    ...nodeEnvironment(context, 'identity'),
    INTERNAL_JWKS_URL: internalJwksUrl(context),
    OIDC_ISSUER: issuerUrl(context),
    IDENTITY_CLIENT_ID: 'svc-identity',
    IDENTITY_CLIENT_SECRET: context.secrets.svcIdentitySecret,
    MAIL_LINK_CLIENT_ID: 'app-links',
    PUBLIC_ORIGIN: publicOrigin(context),
  }
  const address = identityOrigin(context)
  return {
    name: 'identity',
    label: 'Identity service',
    kind: 'Parley',
    address,
    dataAt: '',
    needs: [],
    env,
    local: nodeProgram({
      script: 'services/identity/src/server.ts',
      label: 'Identity service',
      env,
      ports: ['identity'],
      readyUrl: `${address}/healthz`,
    }),
  }
}
