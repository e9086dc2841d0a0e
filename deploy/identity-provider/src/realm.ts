import type { Logger } from '@parley/service-kit/core/logger'
import type { Provider } from 'oidc-provider'
import type { Config } from './config.ts'
import type { SendMail } from './mail.ts'
import type { Stores } from './stores.ts'

/** Parts of the realm that its handlers work with. */
export interface Realm extends Stores {
  readonly config: Config
  /** `<origin>/realms/parley` */
  readonly issuer: string
  readonly provider: Provider
  readonly sendMail: SendMail
  readonly logger: Logger
}

/** Seconds for which the pages of one sign-in can be left open. */
export const signInLife = 1800
/** Seconds after which a session ends, a little above the app's own 7 days. */
export const sessionLife = 605_400
/** Scopes that every client gets. */
export const scopes = 'openid profile email'
