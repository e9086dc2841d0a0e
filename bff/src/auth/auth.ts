import type { Logger } from '@parley/service-kit/core/logger'
import type { ServiceClient } from '@parley/service-kit/core/service-client'
import type { Redis } from 'ioredis'
import type { SessionCookie } from '../http/cookies.ts'
import type { InvitationCookie } from '../http/invitation-cookie.ts'
import type { createLogoutTokenVerifier } from '../provider/logout-token.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { SessionGate } from '../session/require-session.ts'
import type { CodeFlowOutcome } from '../session/session-metrics.ts'
import type { SessionRefresh } from '../session/session-refresh.ts'
import type { SessionService } from '../session/session-service.ts'
import type { SessionStore } from '../session/session-store.ts'
import type { NoteSignIn } from '../session/sign-in-log.ts'
import type { FacadeCodes } from './facade-codes.ts'
import type { Resets } from './resets.ts'
import type { Transactions } from './transactions.ts'

/** Dependencies of the endpoints under /auth. */
export interface AuthDependencies {
  readonly cookie: SessionCookie
  readonly gate: SessionGate
  readonly store: SessionStore
  readonly sessions: SessionService
  readonly refresh: SessionRefresh
  readonly provider: ProviderClient
  readonly verifyLogoutToken: ReturnType<typeof createLogoutTokenVerifier>
  readonly callIdentity: ServiceClient
  readonly callProfile: ServiceClient
  readonly noteSignIn: NoteSignIn
  readonly invitationCookie: InvitationCookie
  readonly limits: RateLimits
  readonly resets: Resets
  readonly redis: Redis
  readonly transactions: Transactions
  readonly codes: FacadeCodes
  /** Counts how a sign-in by the provider's pages came out. */
  readonly codeFlowEnded: (outcome: CodeFlowOutcome) => void
  /** Place where passwords are entered: on our form, or on the provider's page. */
  readonly passwordSignIn: 'direct' | 'hosted'
  /** Keyed hash of an e-mail address or a network, for logs. */
  readonly pseudonym: (name: string) => string
  readonly publicOrigin: string
  /** Domains whose pages may start a sign-in. */
  readonly authorizedDomains: readonly string[]
  readonly logger: Logger
}
