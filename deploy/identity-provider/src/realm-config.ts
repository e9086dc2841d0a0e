import { randomBytes } from 'node:crypto'
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
  /** Set where its service account may manage users. */
  readonly managesUsers?: true
}

/** The client of another realm by which Google's people sign in. */
export interface GoogleConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** A made-up account that is there from the first start, and is chosen with one click. */
export interface Person {
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
  readonly tokenLifespan: number
  readonly passwordMinLength: number
  readonly sessionIdle: number
  readonly sessionMax: number
  /** Offered on the sign-in page, under the alias `google`. */
  readonly google?: GoogleConfig
  readonly people?: readonly Person[]
}

/** The password of all made-up people; their realm says so on its page. */
export const peoplesPassword = 'offline-google'

/** The realm that Parley signs in with, and the one that plays Google for it, so that the whole flow works without a network. */
export function realmConfigs(config: Config): readonly [parley: RealmConfig, googleOffline: RealmConfig] {
  const app = config.PUBLIC_ORIGIN
  const issuerOf = (realm: string) => `${config.ISSUER_ORIGIN}/realms/${realm}`
  // Only these two realms use the secret, and neither outlives this process.
  const broker = { clientId: 'parley-broker', clientSecret: randomBytes(32).toString('base64url') }
  const parley: RealmConfig = {
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
        managesUsers: true,
      },
      { clientId: 'app-links', grants: [], redirectUris: [`${app}/verify-email`, `${app}/login`] },
    ],
    tokenLifespan: config.TOKEN_LIFESPAN_SECONDS,
    passwordMinLength: config.PASSWORD_MIN_LENGTH,
    sessionIdle: 43_800,
    sessionMax: 605_400,
    google: { issuer: issuerOf('google-offline'), ...broker },
  }
  const { clientId, clientSecret: secret } = broker
  const endpoint = `${issuerOf('parley')}/broker/google/endpoint`
  const googleOffline: RealmConfig = {
    name: 'google-offline',
    displayName: 'Google (offline)',
    clients: [{ clientId, secret, grants: ['authorization_code'], redirectUris: [endpoint] }],
    tokenLifespan: 300,
    passwordMinLength: config.PASSWORD_MIN_LENGTH,
    sessionIdle: 1800,
    sessionMax: 36_000,
    people: [
      {
        email: 'gwen@gmail.test',
        emailVerified: true,
        firstName: 'Gwen',
        lastName: 'Stone',
        picture: 'https://lh3.googleusercontent.com/a/parley-offline-gwen=s96-c',
      },
      { email: 'bob@gmail.test', emailVerified: true, firstName: 'Bob', lastName: null, picture: null },
      { email: 'mallory@gmail.test', emailVerified: false, firstName: 'Mallory', lastName: 'Gray', picture: null },
    ],
  }
  return [parley, googleOffline]
}

/** Returns whether the client may be sent to this address after a sign-in or a mail link. */
export const mayRedirect = (client: ClientConfig | undefined, uri: string): boolean =>
  client?.redirectUris.includes(uri) ?? false
