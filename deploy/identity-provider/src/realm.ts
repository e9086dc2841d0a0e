import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@parley/service-kit/core/logger'
import { actionRoutes } from './action-routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { linkMailPages, linkRoutes } from './broker/link-routes.ts'
import { brokerRoutes } from './broker/routes.ts'
import { createWaitingLinks } from './broker/waiting-links.ts'
import { type Call, type Route, route } from './http.ts'
import { loadKeys } from './keys.ts'
import { loginRoutes } from './login-routes.ts'
import { createMailer } from './mail.ts'
import { createAccessTokens } from './oidc/access-tokens.ts'
import { oidcEndpoints } from './oidc/endpoints.ts'
import { createProvider } from './oidc/provider.ts'
import { createSessionEnd } from './oidc/session-end.ts'
import { installTokenEndpoint } from './oidc/token-endpoint.ts'
import { createPasswords } from './passwords.ts'
import type { RealmConfig } from './realm-config.ts'
import { requiredActionRoutes } from './required-action-routes.ts'
import { seedAccounts } from './seed.ts'
import { createCheckPassword } from './sign-in.ts'
import { createSignInFlow } from './sign-in-flow.ts'
import { createActionLinkStore } from './store/action-links.ts'
import { type Database, openRealmDatabase } from './store/database.ts'
import { createFederatedIdentityStore } from './store/federated-identities.ts'
import { createLoginFailures } from './store/login-failures.ts'
import { createProtocolRecords } from './store/protocol-records.ts'
import { createSessionStore } from './store/sessions.ts'
import { createUserStore } from './store/users.ts'

const purgeEveryMs = 10 * 60_000

export interface Realm {
  readonly routes: readonly Route[]
  readonly close: () => void
}

/** One realm with its own folder, keys, accounts and issuer. */
export async function openRealm(options: {
  realm: RealmConfig
  /** Every realm of this process. */
  realmNames: readonly string[]
  origin: string
  dataDir: string
  smtpUrl: string
  logger: Logger
}): Promise<Realm> {
  const { realm, origin, logger } = options
  const issuer = `${origin}/realms/${realm.name}`
  const folder = join(options.dataDir, realm.name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const keys = await loadKeys(join(folder, 'keys.json'))
  const database = openRealmDatabase(join(folder, 'realm.sqlite'))

  const users = createUserStore(database)
  const sessions = createSessionStore(database, realm)
  const links = createActionLinkStore(database)
  const records = createProtocolRecords(database)
  const failures = createLoginFailures(database, realm.bruteForce)
  const federated = createFederatedIdentityStore(database)
  const passwords = createPasswords()
  await seedAccounts(realm, { users, passwords })
  const checkPassword = createCheckPassword({ users, passwords, failures })
  const sessionEnd = createSessionEnd({ issuer, realm, keys, sessions, logger })
  const accessTokens = createAccessTokens({ issuer, realm, keys, users, sessions })
  const provider = createProvider({ issuer, realm, keys, users, sessions, records, logger })
  installTokenEndpoint(provider, { realm, sessions, checkPassword })
  // A code that comes a second time may be stolen: the library revokes its grant, and the session goes with it.
  provider.on('grant.revoked', (_ctx, grantId) => {
    const session = sessions.findByGrant(grantId)
    if (session) void sessionEnd.end(session)
  })

  const purge = () => {
    sessions.purge()
    links.purge()
    records.purge()
  }
  purge()
  const purging = setInterval(purge, purgeEveryMs).unref()

  const handleProtocol = provider.callback()
  const toProvider = async ({ req, res }: Call) => {
    Object.assign(req, { originalUrl: req.url })
    req.url = req.url?.slice(`/realms/${realm.name}`.length)
    await handleProtocol(req, res)
    return undefined
  }
  const sendMail = createMailer(options.smtpUrl, realm)
  const base = `/realms/${realm.name}`
  const oidc = `${base}/protocol/openid-connect`
  const flow = createSignInFlow({ realm, provider, database, sessions })
  const shared = { issuer, realm, database, flow, users, sessionEnd, links, passwords, sendMail, logger }
  const brokering = realm.broker && openBroker({ ...shared, broker: realm.broker, federated, checkPassword })
  return {
    routes: [
      route('GET', `${base}/.well-known/openid-configuration`, toProvider),
      route('GET', `${oidc}/auth`, toProvider),
      route('POST', `${oidc}/auth`, toProvider),
      route('GET', `${oidc}/auth/:uid`, toProvider),
      route('POST', `${oidc}/token`, toProvider),
      route('GET', `${oidc}/certs`, toProvider),
      route('POST', `${oidc}/revoke`, toProvider),
      ...oidcEndpoints({ issuer, realm, provider, keys, sessions, sessionEnd, accessTokens }),
      ...actionRoutes({ ...shared, ...(brokering && { linkMails: brokering.mailPages }) }),
      ...loginRoutes({ ...shared, checkPassword, ...(brokering && { beginBrokering: brokering.begin }) }),
      ...requiredActionRoutes(shared),
      ...(brokering?.routes ?? []),
      ...(realm.clients.some(({ adminRoles }) => adminRoles)
        ? adminRoutes({
            ...shared,
            origin,
            realmNames: options.realmNames,
            sessions,
            federated,
            failures,
            accessTokens,
          })
        : []),
    ],
    close: () => {
      clearInterval(purging)
      database.close()
    },
  }
}

function openBroker(deps: Omit<Parameters<typeof linkRoutes>[0], 'waitingLinks'> & { database: Database }) {
  const waitingLinks = createWaitingLinks(deps.database)
  const { routes, begin } = brokerRoutes({ ...deps, waitingLinks })
  const mailPages = linkMailPages({ ...deps, waitingLinks })
  return { routes: [...routes, ...linkRoutes({ ...deps, waitingLinks })], begin, mailPages }
}
