import type { ProfileFields, ProfileUpdate, User } from '@parley/contracts/account/profile'
import type { SessionContextRequest } from '@parley/contracts/account/profile-internal'
import { profileTokenClaimsSchema, type UserTokenClaims } from '@parley/contracts/core/internal-token'
import { parsePhone } from '@parley/phone'
import { errors } from '@parley/service-kit/core/errors'
import type { UserContext } from '@parley/service-kit/http/context'
import type { MailsService } from '../mails/mails.service.ts'
import type { WorkspacesService } from '../workspaces/workspaces.service.ts'
import { photoProblem } from './photo.ts'
import type { Claims, UserRecord } from './profile.model.ts'
import type { ProfileRepository } from './profile.repository.ts'
import type { UserCache } from './user-cache.ts'

export type ProfileService = ReturnType<typeof createProfileService>

export function createProfileService(deps: {
  users: ProfileRepository
  cache: UserCache
  mails: Pick<MailsService, 'order' | 'wake'>
  workspaces: Pick<WorkspacesService, 'memberOf' | 'placeOf'>
}) {
  const { users, cache, mails, workspaces } = deps

  /**
   * Returns the user of a sign-in, created at the first one. The person's own input stays; the provider's claims are replaced.
   * `reclaim` says that another person may hold the account's password; what they typed is gone then.
   */
  async function recordSignIn(signIn: SessionContextRequest): Promise<{ user: UserRecord; reclaim: boolean }> {
    const { iss, sub, provider, claimsIat } = signIn
    const claims = claimsOf(signIn, claimsIat)
    const federatedAt = provider === 'password' ? null : new Date()
    const recorded = await keepFirstVerification(await users.recordClaims({ iss, sub }, claims, federatedAt), claims)
    const reclaim = mustReclaim(recorded, signIn)
    const user = (await settleOwner(recorded, { provider, reclaim })) ?? recorded
    await cache.forget(user)
    return { user, reclaim }
  }

  /** `null` where nothing is to be written. */
  async function settleOwner(
    user: UserRecord,
    { provider, reclaim }: { provider: string; reclaim: boolean },
  ): Promise<UserRecord | null> {
    if (provider === 'password' || user.federatedAt !== null) return null
    const self = { userId: user.id }
    return reclaim ? users.eraseProfile(self) : users.markFederated(self, new Date())
  }

  /**
   * Brings the claims of a user who is signed in up to date and answers with the whole user. Claims that the provider issued
   * before the stored ones, as a late request of another session brings them, change nothing.
   */
  async function sync(ctx: UserContext): Promise<User> {
    const { user, place } = await load(ctx)
    const token = identityClaims(ctx.claims)
    const claims = claimsOf({ ...token, emailVerified: token.email_verified }, token.claims_iat)
    const current = isCurrent(user, claims) ? user : await users.replaceClaims(ctx, claims)
    if (!current) return find(ctx)
    return remember(ctx, await keepFirstVerification(current, claims), place)
  }

  /** A user who is no member any more is not answered from the cache either. */
  async function find(ctx: UserContext): Promise<User> {
    const [cached, place] = await Promise.all([cache.read(ctx), workspaces.placeOf(ctx)])
    if (!place) throw noSuchUser()
    // The workspace's part changes without a write of the user.
    if (cached) return { ...withoutPlace(cached), ...factsOf(place) }
    const user = await users.find(ctx)
    if (!user) throw noSuchUser()
    return remember(ctx, user, place)
  }

  /**
   * Returns what colleagues see of a user: the name that they typed, else the one that the provider claims, else the mail
   * address.
   */
  async function personOf(userId: string): Promise<{ name: string; email: string; lastSeenAt: string | null }> {
    const user = await users.find({ userId })
    if (!user) return { name: '', email: '', lastSeenAt: null }
    const { email, claimedName, claimsIat } = user
    const typed = [user.firstName, user.lastName].join(' ').trim()
    const name = (typed || claimedName || email).slice(0, 120)
    return { name, email, lastSeenAt: claimsIat === undefined ? null : new Date(claimsIat * 1000).toISOString() }
  }

  /** Notes which workspace a user has gone to: their next session begins there. */
  async function noteWorkspace({ id }: Pick<UserRecord, 'id'>, workspaceId: string): Promise<void> {
    const changed = await users.noteWorkspace({ userId: id }, workspaceId)
    if (changed) await cache.forget(changed)
  }

  /** A new own workspace, not created yet, for a user who belongs to none. */
  async function moveHome({ id, homeWorkspaceId }: UserRecord): Promise<{ workspaceId: string }> {
    const moved = (await users.moveHome({ userId: id }, homeWorkspaceId)) ?? (await users.find({ userId: id }))
    if (!moved) throw noSuchUser()
    return { workspaceId: moved.homeWorkspaceId }
  }

  /** Has nothing of a user lead to a workspace that is erased. */
  async function forgetWorkspace(userId: string, workspaceId: string): Promise<void> {
    const moved = await users.moveHome({ userId }, workspaceId)
    const changed = (await users.leaveWorkspace({ userId }, workspaceId)) ?? moved
    if (changed) await cache.forget(changed)
  }

  /**
   * Changes the given fields.
   * @throws `validation_failed` naming each field that is not acceptable; `stale_version` where the record is not the seen one.
   */
  async function update(ctx: UserContext, { version, ...changes }: ProfileUpdate): Promise<User> {
    const { user, place } = await load(ctx)
    const accepted = checkProfileUpdate(changes, { current: user, picture: ctx.claims.picture })
    if (Object.keys(accepted).length === 0) return remember(ctx, user, place)
    const toAnswer = (record: UserRecord) => toUser(record, place)
    const changed = await users.changeProfile(ctx, accepted, { version, toAnswer })
    if (!changed) throw noSuchUser()
    return remember(ctx, changed, place)
  }

  /** Tells a user by mail that their password was changed. @throws `not_found`. */
  async function tellPasswordChanged(userId: string): Promise<void> {
    const user = await users.find({ userId })
    if (!user) throw noSuchUser()
    const at = timeFormat.format(new Date())
    const mail = { to: user.email, template: 'password_changed' as const, values: { at: `${at} UTC` } }
    await mails.wake(await mails.order({ workspaceId: user.homeWorkspaceId }, mail))
  }

  async function load(ctx: UserContext): Promise<{ user: UserRecord; place: Place }> {
    const [user, place] = await Promise.all([users.find(ctx), workspaces.placeOf(ctx)])
    if (!user || !place) throw noSuchUser()
    return { user, place }
  }

  async function remember(ctx: UserContext, record: UserRecord, place: Place): Promise<User> {
    const user = toUser(record, place)
    await cache.store(ctx, record, user)
    return user
  }

  async function keepFirstVerification(user: UserRecord, { provider, emailVerified }: Claims): Promise<UserRecord> {
    const firstSeen = provider === 'password' && emailVerified && user.emailVerifiedAt === null
    if (!firstSeen) return user
    return (await users.markEmailVerified({ userId: user.id }, new Date())) ?? user
  }

  return { recordSignIn, sync, find, update, moveHome, forgetWorkspace, noteWorkspace, personOf, tellPasswordChanged }
}

/** Only tokens for this service carry them. */
function identityClaims(token: UserTokenClaims) {
  const claims = profileTokenClaimsSchema.safeParse(token)
  if (!claims.success) throw errors.unauthenticated({ detail: "the token lacks the identity provider's claims" })
  return claims.data
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

const noSuchUser = () => errors.notFound('There is no such user in this workspace.')

const claimsOf = (
  from: Pick<SessionContextRequest, 'email' | 'emailVerified' | 'provider' | 'name' | 'picture'>,
  claimsIat: number | undefined,
): Claims => ({
  email: from.email,
  emailVerified: from.emailVerified,
  provider: from.provider,
  claimedName: from.name ?? '',
  claimedPicture: from.picture ?? '',
  ...(claimsIat !== undefined && { claimsIat }),
})

/** Returns whether writing the claims would change nothing, the time of their issue included. */
const isCurrent = (user: UserRecord, claims: Claims): boolean =>
  user.email === claims.email &&
  user.emailVerified === claims.emailVerified &&
  user.provider === claims.provider &&
  user.claimedName === claims.claimedName &&
  user.claimedPicture === claims.claimedPicture &&
  (claims.claimsIat === undefined || (user.claimsIat ?? 0) >= claims.claimsIat)

type Place = NonNullable<Awaited<ReturnType<WorkspacesService['placeOf']>>>

const factsOf = ({ workspace, member }: Place) => ({
  workspaceId: workspace.id,
  workspaceName: workspace.name,
  role: member.role,
  ...(workspace.deletion && { closesAt: workspace.deletion.until.toISOString() }),
})
const withoutPlace = ({ closesAt: _, ...user }: User) => user

const toUser = (record: UserRecord, place: Place): User => ({
  id: record.id,
  email: record.email,
  firstName: record.firstName,
  lastName: record.lastName,
  mobile: record.mobile,
  address: record.address,
  timezone: record.timezone,
  profileImageUrl: record.profileImageUrl,
  ...factsOf(place),
  createdAt: record.createdAt.toISOString(),
  updatedAt: record.updatedAt.toISOString(),
  version: record.version,
})

/**
 * Returns whether an account may still be held by a person who signed up with another's address and waits for the owner to come
 * by Google. So it is at the first federated sign-in, unless a password session had proven the address before that sign-in began:
 * proof given in its course may have been the owner's, seen by the other's open session.
 */
function mustReclaim(
  user: Pick<UserRecord, 'federatedAt' | 'emailVerifiedAt'>,
  { provider, startedAt, reclaimed }: Pick<SessionContextRequest, 'provider' | 'startedAt' | 'reclaimed'>,
): boolean {
  if (provider === 'password' || user.federatedAt !== null || reclaimed) return false
  if (user.emailVerifiedAt === null) return true
  return startedAt !== undefined && user.emailVerifiedAt >= new Date(startedAt)
}

/**
 * The rules of a profile change beyond the shape which the contract checks: a number that can exist, a photo that is one.
 * @returns the fields to store, the number as E.164.
 * @throws `validation_failed` naming each field that is not acceptable.
 */
function checkProfileUpdate(
  changes: Omit<ProfileUpdate, 'version'>,
  { current, picture }: { current: Pick<ProfileFields, 'profileImageUrl'>; picture: string | undefined },
): Partial<ProfileFields> {
  const problems: Record<string, string> = {}
  const accepted: { -readonly [K in keyof ProfileFields]?: ProfileFields[K] } = {}
  for (const key of ['firstName', 'lastName', 'address', 'timezone'] as const) {
    if (changes[key] !== undefined) accepted[key] = changes[key]
  }
  if (changes.mobile !== undefined) {
    const phone = parsePhone(changes.mobile)
    if (phone) accepted.mobile = phone.e164
    else problems['mobile'] = 'Enter a valid mobile number with its country code, like +91 98765 43210.'
  }
  const { profileImageUrl } = changes
  if (profileImageUrl !== undefined && profileImageUrl !== current.profileImageUrl) {
    const problem = photoProblem(profileImageUrl, picture)
    if (problem) problems['profileImageUrl'] = problem
    else accepted.profileImageUrl = profileImageUrl
  }
  if (Object.keys(problems).length > 0) throw errors.validation(problems)
  return accepted
}
