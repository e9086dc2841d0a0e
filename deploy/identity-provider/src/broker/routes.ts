import type { Logger } from '@parley/service-kit/core/logger'
import { AuthorizationResponseError } from 'openid-client'
import { z } from 'zod'
import { type Call, type Reply, type Route, route } from '../http.ts'
import { refusedIdentityPage } from '../pages/broker-pages.ts'
import { loginPage } from '../pages/login-page.ts'
import { staleSignInPage } from '../pages/messages.ts'
import type { BrokerConfig, RealmConfig } from '../realm-config.ts'
import { type OpenSignIn, redirect, type SignInFlow, signInLife } from '../sign-in-flow.ts'
import type { Database } from '../store/database.ts'
import type { FederatedIdentityStore } from '../store/federated-identities.ts'
import { createFlowRecords, type FlowRecords } from '../store/flow-records.ts'
import type { UserStore } from '../store/users.ts'
import { settle } from './settle.ts'
import { createUpstream, type Upstream, type UpstreamIdentity, upstreamTripSchema } from './upstream.ts'
import type { WaitingLinks } from './waiting-links.ts'

interface Deps {
  readonly issuer: string
  readonly realm: RealmConfig
  readonly broker: BrokerConfig
  readonly flow: SignInFlow
  readonly database: Database
  readonly users: UserStore
  readonly federated: FederatedIdentityStore
  readonly waitingLinks: WaitingLinks
  readonly logger: Logger
}

const tripSchema = upstreamTripSchema.extend({ uid: z.string() })

interface Trips extends Deps {
  readonly trips: FlowRecords<z.infer<typeof tripSchema>>
  readonly upstream: Upstream
}

/**
 * Signing in through another provider, under Keycloak's paths. The other provider sends the browser to `endpoint`, which
 * the cookie of the sign-in does not reach; so it only passes the answer on to the sign-in's own pages.
 */
export function brokerRoutes(deps: Deps): { routes: Route[]; begin: (signIn: OpenSignIn) => Reply } {
  const base = `/realms/${deps.realm.name}/broker/${deps.broker.alias}`
  const trips: Trips = {
    ...deps,
    trips: createFlowRecords(deps.database, 'BrokerTrip', tripSchema),
    upstream: createUpstream(deps.broker, `${deps.issuer}/broker/${deps.broker.alias}/endpoint`),
  }
  return {
    begin: ({ uid }) => {
      const trip = trips.upstream.newTrip()
      trips.trips.put(trip.state, { ...trip, uid }, signInLife)
      return redirect(`${base}/login?session_code=${trip.state}`)
    },
    routes: [
      route('GET', `${base}/login`, (call) => leave(call, trips)),
      route('GET', `${base}/endpoint`, (call) => passOn(call, trips)),
      route(
        'GET',
        `${deps.flow.base}/:uid/broker`,
        deps.flow.withSignIn((signIn) => comeBack(signIn, trips)),
      ),
    ],
  }
}

async function leave({ url }: Call, deps: Trips): Promise<Reply> {
  const trip = deps.trips.find(url.searchParams.get('session_code') ?? '')
  if (!trip) return staleSignInPage(deps.realm)
  return redirect((await deps.upstream.authorizationUrl(trip)).href)
}

function passOn({ url }: Call, deps: Trips): Reply {
  const trip = deps.trips.find(url.searchParams.get('state') ?? '')
  return trip ? redirect(deps.flow.pageUrl(trip.uid, 'broker') + url.search) : staleSignInPage(deps.realm)
}

async function comeBack(signIn: OpenSignIn, deps: Trips): Promise<Reply | undefined> {
  const trip = deps.trips.consume(signIn.call.url.searchParams.get('state') ?? '')
  // Somebody else's answer, slipped into this browser, signs nobody in.
  if (trip?.uid !== signIn.uid) return staleSignInPage(deps.realm)
  try {
    return await goOn(signIn, await deps.upstream.identify(signIn.call.url.search, trip), deps)
  } catch (error) {
    if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return cancelled(signIn, deps)
    deps.logger.warn({ err: error, provider: deps.broker.alias }, 'sign-in at the other provider failed')
    return deps.flow.abort(signIn, 'server_error', `Signing in with ${deps.broker.displayName} failed`)
  }
}

function goOn(signIn: OpenSignIn, identity: UpstreamIdentity, deps: Trips): Promise<Reply | undefined> | Reply {
  const settled = settle(identity, deps)
  if (settled.kind === 'signed-in') return deps.flow.finish(signIn, settled.user, deps.broker.alias)
  if (settled.kind === 'refused') {
    return refusedIdentityPage(deps.realm, deps.broker, {
      reason: settled.reason,
      email: identity.email,
      action: deps.flow.pageUrl(signIn.uid, 'cancel'),
    })
  }
  deps.waitingLinks.open(signIn.uid, { userId: settled.user.id, identity })
  return redirect(deps.flow.pageUrl(signIn.uid, 'link'))
}

/** Who was sent straight to the other provider goes back to the client, who came from our page returns to it. */
async function cancelled(signIn: OpenSignIn, deps: Trips): Promise<Reply | undefined> {
  const name = deps.broker.displayName
  if (signIn.params['kc_idp_hint'] === deps.broker.alias) {
    return deps.flow.abort(signIn, 'access_denied', `The sign-in with ${name} was cancelled`)
  }
  const action = deps.flow.pageUrl(signIn.uid)
  return loginPage(deps.realm, { email: '', action, error: `The sign-in with ${name} was cancelled.` })
}
