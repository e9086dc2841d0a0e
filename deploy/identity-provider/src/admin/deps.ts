import type { Logger } from '@parley/service-kit/core/logger'
import type { SendMail } from '../mail.ts'
import type { AccessTokens } from '../oidc/access-tokens.ts'
import type { SessionEnd } from '../oidc/session-end.ts'
import type { Passwords } from '../passwords.ts'
import type { RealmConfig } from '../realm-config.ts'
import type { ActionLinkStore } from '../store/action-links.ts'
import type { FederatedIdentityStore } from '../store/federated-identities.ts'
import type { LoginFailures } from '../store/login-failures.ts'
import type { SessionStore } from '../store/sessions.ts'
import type { UserStore } from '../store/users.ts'

/** What the admin calls of a realm work with. */
export interface AdminDeps {
  readonly origin: string
  readonly issuer: string
  readonly realm: RealmConfig
  /** Every realm of the server. */
  readonly realmNames: readonly string[]
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly sessionEnd: SessionEnd
  readonly federated: FederatedIdentityStore
  readonly failures: LoginFailures
  readonly links: ActionLinkStore
  readonly passwords: Pick<Passwords, 'hash'>
  readonly accessTokens: Pick<AccessTokens, 'adminRolesOf'>
  readonly sendMail: SendMail
  readonly logger: Logger
}
