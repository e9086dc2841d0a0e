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

/** Another provider that vouches for people, known by its alias. */
export interface BrokerConfig {
  readonly alias: string
  readonly displayName: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** An account that is there from the first start. */
export interface SeedAccount {
  readonly email: string
  readonly emailVerified: boolean
  readonly firstName: string
  readonly lastName: string | null
  readonly picture: string | null
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
  /** Offered on the sign-in page. */
  readonly broker?: BrokerConfig
  /** Shown on the sign-in page, to be chosen with one click: for made-up people only. */
  readonly showcase?: { readonly title: string; readonly password: string; readonly accounts: readonly SeedAccount[] }
}

/** What the two realms below know of each other. */
interface Brokering {
  readonly clientSecret: string
}

const issuerOf = (config: Config, realm: string) => `${config.ISSUER_ORIGIN}/realms/${realm}`
const brokerClientId = 'parley-broker'

/** The realm that Parley signs in with. */
export function parleyRealm(config: Config, { clientSecret }: Brokering): RealmConfig {
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
    tokenLifespan: config.TOKEN_LIFESPAN_SECONDS,
    sessionIdle: 43_800,
    sessionMax: 605_400,
    actionLinkLifespan: 3600,
    bruteForce: { failureFactor: 100, waitIncrement: 60, maxWait: 900, maxDelta: 43_200 },
    attributes: ['picture'],
    mailFrom: 'Parley <no-reply@parley.example>',
    broker: {
      alias: 'google',
      displayName: 'Google',
      issuer: issuerOf(config, 'google-offline'),
      clientId: brokerClientId,
      clientSecret,
    },
  }
}

/** Plays Google for `parley`, so that signing in with Google works without a network. */
export function googleOfflineRealm(config: Config, { clientSecret }: Brokering): RealmConfig {
  const photo = (name: string) => `https://lh3.googleusercontent.com/a/${name}=s96-c`
  return {
    name: 'google-offline',
    displayName: 'Google (offline)',
    clients: [
      {
        clientId: brokerClientId,
        secret: clientSecret,
        grants: ['authorization_code'],
        redirectUris: [`${issuerOf(config, 'parley')}/broker/google/endpoint`],
      },
    ],
    passwordMinLength: 6,
    tokenLifespan: 300,
    sessionIdle: 1800,
    sessionMax: 36_000,
    actionLinkLifespan: 3600,
    bruteForce: { failureFactor: 100, waitIncrement: 60, maxWait: 900, maxDelta: 43_200 },
    attributes: ['picture'],
    mailFrom: 'Google (offline) <no-reply@gmail.test>',
    showcase: {
      title: 'Sign in with Google (offline)',
      password: 'offline-google',
      accounts: [
        {
          email: 'gwen@gmail.test',
          emailVerified: true,
          firstName: 'Gwen',
          lastName: 'Stone',
          picture: photo('parley-offline-gwen'),
        },
        { email: 'bob@gmail.test', emailVerified: true, firstName: 'Bob', lastName: null, picture: null },
        { email: 'mallory@gmail.test', emailVerified: false, firstName: 'Mallory', lastName: 'Gray', picture: null },
      ],
    },
  }
}

/** Whether the client may be sent to this address after a sign-in or a mail link. */
export const mayRedirect = (client: ClientConfig | undefined, uri: string): boolean =>
  client?.redirectUris.includes(uri) ?? false
