import type { Logger } from '@parley/service-kit/core/logger'
import type { Provider } from 'oidc-provider'
import type { Keys } from './keys.ts'
import type { SendMail } from './mail.ts'
import type { matchesPassword } from './passwords.ts'
import type { RealmConfig } from './realm-config.ts'
import type { Stores } from './store/stores.ts'

/** Parts of one realm that its handlers work with. */
export interface Realm extends Stores {
  readonly config: RealmConfig
  readonly issuer: string
  readonly keys: Keys
  readonly provider: Provider
  readonly matchesPassword: typeof matchesPassword
  readonly sendMail: SendMail
  readonly logger: Logger
}
