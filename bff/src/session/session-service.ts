import type { IdentityClaims } from '@parley/contracts/account/auth'
import type { Role } from '@parley/contracts/account/permissions'
import { endsWithin } from '@parley/service-kit/core/ends-within'
import { errors } from '@parley/service-kit/core/errors'
import { LRUCache } from 'lru-cache'
import type { VerifyIdToken } from '../provider/id-token.ts'
import type { ProviderClient, TokenSet } from '../provider/provider-client.ts'
import type { AccessChanges } from './access-changes.ts'
import { hashToken } from './session-cipher.ts'
import { type ContextDependencies, createSessionContexts } from './session-context.ts'
import type { Visitor } from './session-index.ts'
import {
  type HotRecord,
  hasContext,
  isUnverified,
  mayViewAs,
  type Session,
  type SessionClient,
  type SessionWithContext,
} from './session-record.ts'
import type { NoteSignIn } from './sign-in-log.ts'

const touchIntervalMs = 60_000
const maxTries = 5
/** Milliseconds for which the end of a session waits for the provider. */
const maxEndMs = 2000

interface SessionLifetimes {
  readonly absoluteMs: number
  readonly unverifiedMs: number
}

interface SignIn {
  readonly client: SessionClient
  readonly tokens: TokenSet
  readonly visitor: Visitor
  /** The browser's session so far, if any. */
  readonly previous: Session | undefined
  /** Time at which the browser was sent to the provider; of a code flow. */
  readonly startedAt?: Date
  /** Token of the invitation that this browser has followed. */
  readonly invitation?: string | undefined
}

interface Dependencies extends ContextDependencies {
  provider: Pick<ProviderClient, 'endSession'>
  verifyIdToken: VerifyIdToken
  access: AccessChanges
  lifetimes: SessionLifetimes
  noteSignIn: NoteSignIn
}

/** Creates the service that begins sessions, keeps them alive and ends them. */
export function createSessionService(dependencies: Dependencies) {
  const { store, provider, verifyIdToken, access, lifetimes, noteSignIn, logger } = dependencies
  const contexts = createSessionContexts(dependencies)
  const touched = new LRUCache<string, true>({ max: 50_000, ttl: touchIntervalMs })

  /**
   * Begins a session with tokens fresh from the provider, under a new secret; the browser's previous session ends.
   * @throws `identity_provider_unavailable` for an ID token that is not sound, `session_expired` for a sign-in revoked meanwhile.
   */
  async function start(signIn: SignIn): Promise<Session> {
    const { client, tokens, visitor, previous } = signIn
    const claims = await verifyFresh(tokens.idToken, { maxAgeSeconds: 30 })
    const createdAt = Date.now()
    const context = await contexts.begin(claims, signIn)
    const session = await store.create(
      { ...hotRecord({ client, claims, createdAt, idToken: tokens.idToken }), ...(context && { context }) },
      tokens,
      visitor,
    )
    if (previous) await replacePrevious(previous, claims)
    if (context) noteSignIn('auth.signIn', context, visitor)
    return session
  }

  /** Ends the previous session of the browser. A new sign-in may continue its session at the provider, which must then live. */
  async function replacePrevious(previous: Session, { iss, sid }: IdentityClaims): Promise<void> {
    const before = previous.hot.claims
    const goesOn = sid !== undefined && before.sid === sid && before.iss === iss
    await (goesOn ? store.destroy(previous) : end(previous))
  }

  /** Tokens that the provider itself issues must be sound. Where one is not, no session may suffer for it. */
  const verifyFresh: VerifyIdToken = (token, options) =>
    verifyIdToken(token, options).catch((cause: unknown) => {
      throw errors.identityProviderUnavailable(cause)
    })

  /** The session with the tokens of a renewal. @returns `undefined` where it has ended or changed meanwhile. */
  async function renew(session: Session, tokens: TokenSet): Promise<Session | undefined> {
    const claims = await verifyFresh(tokens.idToken)
    // OpenID Connect Core 1.0 section 12.2: a renewal never changes who it is.
    if (claims.sub !== session.hot.claims.sub)
      throw errors.identityProviderUnavailable(new Error('a renewed ID token names another subject'))
    const { client, createdAt, context, confirmedAt, moved } = session.hot
    // A proof of the address changes what profile stores, so the context is fetched again after it.
    const keepsContext = context && claims.email_verified === session.hot.claims.email_verified
    const hot = hotRecord({
      client,
      // Keycloak leaves the provider's alias out of a refreshed token where the session note is gone.
      claims: { ...claims, ...aliasOf(session.hot.claims) },
      createdAt,
      idToken: tokens.idToken,
    })
    const kept = { ...(confirmedAt && { confirmedAt }), ...(moved && { moved }), ...(keepsContext && { context }) }
    return store.replace(session, { ...hot, ...kept }, tokens)
  }

  function hotRecord(parts: {
    client: SessionClient
    claims: IdentityClaims
    createdAt: number
    idToken: string
  }): HotRecord {
    const { client, claims, createdAt, idToken } = parts
    const lifeMs = isUnverified(claims) ? lifetimes.unverifiedMs : lifetimes.absoluteMs
    return {
      client,
      claims,
      createdAt,
      idTokenHash: hashToken(idToken),
      // Measured by our own clock, so that a skew between us and the provider cannot end tokens early.
      tokenExpiresAt: Math.floor(Date.now() / 1000) + (claims.exp - claims.iat),
      endsAt: createdAt + lifeMs,
    }
  }

  /**
   * The session with user, workspace and role, which profile is asked for once, and again after each change of them.
   * @param shown the workspace that the page shows, where it says so: after a removal it is told that the session is in another.
   * @throws `session_expired` for a page that does not say so, and ends the session: it shows records of the workspace that the
   * person was removed from.
   */
  async function withContext(session: Session, shown?: string): Promise<SessionWithContext> {
    if (!hasContext(session)) return contexts.fetchAgain(session)
    const announced = await access.newerThan(session)
    if (announced === undefined) return session
    const current = await contexts.fetchAgain(session)
    if (shown === undefined && current.hot.context.workspaceId !== session.hot.context.workspaceId) {
      await end(current)
      throw errors.sessionExpired()
    }
    access.noteFetched(current, announced)
    return current
  }

  /** Takes a session to another workspace of its person. @throws `not_found` where they are no member there. */
  async function moveTo(session: Session, workspaceId: string): Promise<void> {
    const context = await contexts.of(session.hot.claims, { workspaceId })
    if (context.workspaceId !== workspaceId) throw errors.notFound('You are not a member of this workspace.')
    await change(session, { context, moved: true, viewAs: undefined })
  }

  /** Lets the person look at the workspace as a lower role sees it; `null` ends that. @throws `forbidden`. */
  async function viewAs(session: Session, role: Role | null): Promise<void> {
    const { context } = (await withContext(session)).hot
    if (role !== null && !mayViewAs(context.role, role))
      throw errors.forbidden('Owners and admins may look at the workspace as lower roles see it.')
    await change(session, { viewAs: role ?? undefined })
  }

  /** Notes that the person has just typed their password. */
  const confirm = (session: Session): Promise<void> => change(session, { confirmedAt: Date.now() })

  /** @throws `session_expired` where it has ended meanwhile, `session_store_unavailable` where others write it all the time. */
  async function change(session: Session, fields: Partial<HotRecord>): Promise<void> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const current = await store.load(session.secret)
      if (!current) throw errors.sessionExpired()
      if (await store.replace(current, { ...current.hot, ...fields })) return
    }
    throw errors.sessionStoreUnavailable()
  }

  /** Returns whether the session is live with the membership that it was read with, unchanged. */
  async function isCurrent(session: SessionWithContext): Promise<boolean> {
    const current = await store.load(session.secret)
    const { context } = session.hot
    const known = current?.hot.context
    return (
      current !== undefined &&
      (!known || (known.workspaceId === context.workspaceId && known.version === context.version)) &&
      (await access.newerThan(session)) === undefined
    )
  }

  /** Records use by a person: the idle time starts over, with at most one write a minute. Renewals do not count as use. */
  async function touch(session: Session): Promise<void> {
    if (touched.has(session.key)) return
    touched.set(session.key, true)
    await store.touch(session)
  }

  /**
   * Ends the session here at once, then at the provider: the next person in this browser must not meet the session of the one
   * before. A provider that does not answer delays no caller; there the session ends in the background.
   */
  async function end(session: Session): Promise<void> {
    const tokens = await store.loadTokens(session)
    await store.destroy(session)
    if (!tokens) return
    const ended = endAtProvider(session.hot.client, tokens.refreshToken)
    await endsWithin(ended, maxEndMs)
  }

  async function endAtProvider(client: SessionClient, refreshToken: string): Promise<void> {
    const attempt = () => provider.endSession(client, refreshToken)
    await attempt()
      .catch(attempt)
      .catch((error: unknown) => logger.warn({ err: error }, 'the session lives on at the provider until it idles out'))
  }

  /** The provider's tokens of a session. @returns `undefined` where it has ended meanwhile. */
  const tokens = (session: Session) => store.loadTokens(session)

  return { start, renew, withContext, moveTo, viewAs, confirm, isCurrent, touch, end, tokens }
}
export type SessionService = ReturnType<typeof createSessionService>

const aliasOf = ({ identity_provider }: IdentityClaims) => (identity_provider ? { identity_provider } : {})
