import type { Config } from './config.ts'
import { createAccountsService } from './modules/accounts/accounts.service.ts'
import { createKeycloakAdmin } from './modules/accounts/keycloak-admin.ts'
import type { Fetch } from './modules/accounts/provider-request.ts'

export type Services = Omit<ReturnType<typeof createServices>, 'provider'>

/** Wires the provider's admin interface to the services. */
export function createServices(config: Config, fetch: Fetch) {
  const provider = createKeycloakAdmin({
    issuer: config.OIDC_ISSUER,
    clientId: config.IDENTITY_CLIENT_ID,
    clientSecrets: config.IDENTITY_CLIENT_SECRET,
    fetch,
  })
  const accounts = createAccountsService({
    provider,
    mailLinkClientId: config.MAIL_LINK_CLIENT_ID,
    publicOrigin: config.PUBLIC_ORIGIN,
  })
  return { accounts, provider }
}
