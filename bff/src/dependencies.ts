import { identityApi } from '@parley/contracts/account/identity'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { oneCell } from '@parley/service-kit/core/cells'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { createKeySet } from '@parley/service-kit/core/jwks'
import { keepReaching, type Retry } from '@parley/service-kit/core/keep-reaching'
import type { Logger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { measureProvider } from '@parley/service-kit/core/provider-metrics'
import { createRedis, redisAnswers, redisRetry } from '@parley/service-kit/core/redis'
import { createServiceClient } from '@parley/service-kit/core/service-client'
import type { AppDependencies } from './app.ts'
import { createFacadeCodes } from './auth/facade-codes.ts'
import { createResets } from './auth/resets.ts'
import { createTransactions } from './auth/transactions.ts'
import type { Config } from './config.ts'
import { createSessionCookie } from './http/cookies.ts'
import { currentRequest } from './http/current-request.ts'
import { createInvitationCookie } from './http/invitation-cookie.ts'
import { createIdTokenVerifier } from './provider/id-token.ts'
import { createLogoutTokenVerifier } from './provider/logout-token.ts'
import { createProviderClient } from './provider/provider-client.ts'
import { createKeyContexts } from './public-api/key-contexts.ts'
import { createKeyLimits } from './public-api/key-limits.ts'
import { createKeyLog } from './public-api/key-log.ts'
import { createRateLimits } from './rate-limits.ts'
import { createReadiness } from './readiness.ts'
import { createAccessChanges } from './session/access-changes.ts'
import { createSessionGate } from './session/require-session.ts'
import { createSeenMembers } from './session/seen-members.ts'
import { createSessionCipher } from './session/session-cipher.ts'
import { createSessionIndex } from './session/session-index.ts'
import { createSessionMetrics } from './session/session-metrics.ts'
import { createSessionRefresh } from './session/session-refresh.ts'
import { createSessionService } from './session/session-service.ts'
import { createSessionStore } from './session/session-store.ts'
import { createSignInLog } from './session/sign-in-log.ts'
import { createTrackedReads } from './session/tracked-reads.ts'
import { createCellLookup } from './upstream/cells.ts'
import { createEventStreams } from './upstream/event-streams.ts'
import { createUserTokens } from './upstream/user-token.ts'

/** Time limit of the identity service: it asks the provider several things for one answer, and the page waits for 15 s. */
const identityTimeoutMs = 12_000

/**
 * Wires the BFF by hand.
 * @param giveUp told where waiting for a part is no use.
 */
export async function createDependencies(config: Config, logger: Logger, giveUp?: (error: unknown) => void) {
  const metrics = createMetrics('bff')
  const sessionMetrics = createSessionMetrics(metrics)
  const redis = createRedis(config.REDIS_URL, { name: 'bff', logger, ...(giveUp && { onRefused: giveUp }) })
  const signer = await createInternalTokenSigner('bff', config.INTERNAL_TOKEN_KEYS)
  const caller = { process: 'bff', signer, requestId: () => currentRequest.getStore()?.requestId }
  const callProfile = createServiceClient({ ...caller, baseUrl: config.PROFILE_URL, audience: 'profile' })
  const callIdentity = createServiceClient({
    ...caller,
    baseUrl: config.IDENTITY_URL,
    audience: 'identity',
    timeoutMs: identityTimeoutMs,
  })

  const provider = createProviderClient({
    issuer: config.OIDC_ISSUER,
    reachableAt: config.OIDC_INTERNAL_ISSUER,
    fetch: measureProvider(metrics),
    clients: {
      web: { id: config.OIDC_WEB_CLIENT_ID, secrets: config.OIDC_WEB_CLIENT_SECRET },
      password: { id: config.OIDC_PASSWORD_CLIENT_ID, secrets: config.OIDC_PASSWORD_CLIENT_SECRET },
    },
  })
  const keySet = createKeySet(`${config.OIDC_INTERNAL_ISSUER ?? config.OIDC_ISSUER}/protocol/openid-connect/certs`)
  const trust = { issuer: config.OIDC_ISSUER, keySet, clientIds: provider.clientIds }
  const verifyIdToken = createIdTokenVerifier(trust)

  const cipher = createSessionCipher(config.SESSION_KEYS)
  const lifeMs = config.SESSION_CACHE_MS
  const reads = lifeMs > 0 ? createTrackedReads({ redis, lifeMs, logger }) : undefined
  const stored = createSessionStore({
    redis,
    reads,
    onRead: sessionMetrics.onCacheRead,
    cipher,
    index: createSessionIndex(redis),
    limits: { idleMs: config.SESSION_IDLE_SECONDS * 1000, perUser: config.SESSIONS_PER_USER },
  })
  const store = sessionMetrics.countEnds(stored, 'signed_out')
  const noteSignIn = createSignInLog({ callProfile, logger })
  const sessions = createSessionService({
    noteSignIn,
    store,
    provider,
    verifyIdToken,
    fetchContext: (body) => callProfile(profileInternalApi.sessionContext, { body }),
    reclaimAccount: (sub, keepSession) =>
      callIdentity(identityApi.reclaimAccount, { params: { sub }, body: { ...(keepSession && { keepSession }) } }),
    access: createAccessChanges({ redis, reads }),
    lifetimes: {
      absoluteMs: config.SESSION_ABSOLUTE_SECONDS * 1000,
      unverifiedMs: config.SESSION_UNVERIFIED_SECONDS * 1000,
    },
    logger,
  })
  const refresh = createSessionRefresh({
    redis,
    store: sessionMetrics.countEnds(stored, 'refused'),
    sessions,
    provider: sessionMetrics.countRefreshes(provider),
    logger,
  })
  const cookie = createSessionCookie(config.PUBLIC_ORIGIN, config.SESSION_ABSOLUTE_SECONDS)
  const called = {
    'identity-provider': async () => keySet.loaded() || keySet.reload().then(() => true),
    profile: () => isReady(config.PROFILE_URL),
    identity: () => isReady(config.IDENTITY_URL),
  }
  const reaching = reachParts(called, logger)
  const readiness = createReadiness({ redis: () => redisAnswers(redis), ...called }, ['redis'], (part) =>
    part === 'redis' ? redisRetry(redis) : reaching.retryOf(part),
  )

  const keyLimits = createKeyLimits(redis, config)
  const keyLog = createKeyLog({ redis, callProfile, logger, metrics })
  const seenMembers = createSeenMembers({ callProfile, logger })
  const dependencies: AppDependencies = {
    cookie,
    gate: createSessionGate({ cookie, store, sessions, refresh, verifyIdToken, logger }),
    store,
    sessions,
    refresh,
    provider,
    verifyLogoutToken: createLogoutTokenVerifier(trust),
    callIdentity,
    callProfile,
    noteSignIn,
    invitationCookie: createInvitationCookie(config.PUBLIC_ORIGIN),
    limits: createRateLimits(redis, config),
    resets: createResets({ redis, callIdentity, logger }),
    redis,
    transactions: createTransactions({ redis, cipher, publicOrigin: config.PUBLIC_ORIGIN }),
    codes: createFacadeCodes(redis),
    codeFlowEnded: sessionMetrics.codeFlowEnded,
    passwordSignIn: config.PASSWORD_SIGN_IN,
    pseudonym: cipher.pseudonym,
    publicOrigin: config.PUBLIC_ORIGIN,
    authorizedDomains: domainsOf(config),
    logger,
    metrics,
    readiness,
    userToken: createUserTokens(signer),
    eventStreams: createEventStreams(sessions.isCurrent),
    seenMembers,
    publicApi: {
      contexts: createKeyContexts({ redis, reads, callProfile, failedKeys: keyLimits.failedKeys, signer }),
      limits: keyLimits,
      log: keyLog,
      cellOf: createCellLookup({ cells: config.CELLS ?? oneCell, callProfile }),
    },
  }
  const disconnect = async () => {
    reaching.stop()
    await Promise.all([keyLog.stop(), seenMembers.stop()])
    reads?.disconnect()
    redis.disconnect()
  }
  return { dependencies, publicKeys: signer.publicKeys, keySet, disconnect }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) })
  await answer.body?.cancel()
  return answer.ok
}

const domainsOf = ({ AUTHORIZED_DOMAINS, PUBLIC_ORIGIN }: Config): string[] => {
  const listed = AUTHORIZED_DOMAINS.split(',').flatMap((domain) => domain.trim() || [])
  return listed.length > 0 ? listed : [new URL(PUBLIC_ORIGIN).hostname]
}

/**
 * Asks for each part that this process calls over HTTP until it has answered once, and logs each time that it does not. A
 * request never waits for that: it is answered by the part, or with the error of the call.
 * @param probes reject, or resolve to false, where the part does not answer.
 */
function reachParts(probes: Record<string, () => Promise<boolean>>, logger: Logger) {
  const parts = new Map(
    Object.entries(probes).map(([part, attempt]) => [part, keepReaching({ part, logger, attempt })]),
  )
  return {
    retryOf: (part: string): Retry | undefined => parts.get(part)?.retry(),
    stop: () => {
      for (const reaching of parts.values()) reaching.stop()
    },
  }
}
