import type { Config } from './config.ts'

/** A client as a realm knows it; what is absent is not allowed. */
export interface ClientConfig {
  readonly clientId: string
  /** Absent: the client cannot authenticate, it only names where mail links lead back to. */
  readonly secret?: string
  readonly grants: readonly ('authorization_code' | 'password' | 'refresh_token' | 'client_credentials')[]
  /** Compared as exact strings. */
  readonly redirectUris: readonly string[]
  readonly backchannelLogoutUrl?: string
  /** Roles of the client's service account over the realm's users. */
  readonly adminRoles?: readonly ('manage-users' | 'view-users' | 'query-users')[]
}

/** One realm: all that differs between realms is data. Times are seconds. */
export interface RealmConfig {
  readonly name: string
  readonly displayName: string
  readonly clients: readonly ClientConfig[]
  readonly passwordMinLength: number
  readonly tokenLifespan: number
  readonly sessionIdle: number
  readonly sessionMax: number
  readonly actionLinkLifespan: number
  readonly bruteForce: {
    readonly failureFactor: number
    readonly waitIncrement: number
    readonly maxWait: number
    readonly maxDelta: number
  }
  /** Attributes of an account beyond its names; anything else is dropped without a word, as Keycloak does. */
  readonly attributes: readonly string[]
  readonly mailFrom: string
}

/** The realm that Parley signs in with. */
export function parleyRealm(config: Config): RealmConfig {
  const app = config.PUBLIC_ORIGIN
  return {
    name: 'parley',
    displayName: 'Parley',
    clients: [
      {
        clientId: 'bff-web',
        secret: config.BFF_WEB_SECRET,
        grants: ['authorization_code', 'refresh_token'],
        redirectUris: [`${app}/auth/callback`],
        backchannelLogoutUrl: config.BACKCHANNEL_URL,
      },
      {
        clientId: 'bff-password',
        secret: config.BFF_PASSWORD_SECRET,
        grants: ['password', 'refresh_token'],
        redirectUris: [],
        backchannelLogoutUrl: config.BACKCHANNEL_URL,
      },
      {
        clientId: 'svc-identity',
        secret: config.SVC_IDENTITY_SECRET,
        grants: ['client_credentials'],
        redirectUris: [],
        adminRoles: ['manage-users', 'view-users', 'query-users'],
      },
      { clientId: 'app-links', grants: [], redirectUris: [`${app}/verify-email`, `${app}/login`] },
    ],
    passwordMinLength: 6,
    tokenLifespan: 300,
    sessionIdle: 43_800,
    sessionMax: 605_400,
    actionLinkLifespan: 3600,
    bruteForce: { failureFactor: 100, waitIncrement: 60, maxWait: 900, maxDelta: 43_200 },
    attributes: ['picture'],
    mailFrom: 'Parley <no-reply@parley.example>',
  }
}

/** Whether the client may be sent to this address after a sign-in or a mail link. */
export const mayRedirect = (client: ClientConfig | undefined, uri: string): boolean =>
  client?.redirectUris.includes(uri) ?? false
