import type { ProfileFields } from '@parley/contracts/account/profile'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { newId } from '@parley/service-kit/data/plain'
import { scopedCollection } from '@parley/service-kit/data/scoped-collection'
import { updateVersion } from '@parley/service-kit/data/versioned'
import { type Claims, type UserRecord, userRecordSchema } from './profile.model.ts'

/** An account at an identity provider. */
interface Identity {
  readonly iss: string
  readonly sub: string
}
/** The signed-in user, who reaches no other user's record. */
interface Self {
  readonly userId: string
}

export type ProfileRepository = ReturnType<typeof createProfileRepository>

const emptyProfile: ProfileFields = {
  firstName: '',
  lastName: '',
  mobile: '',
  address: '',
  timezone: '',
  profileImageUrl: '',
}

/** More than one address has: one for each provider. */
const maxAccounts = 10

export function createProfileRepository(connection: ServiceConnection) {
  const collection = { connection, name: 'users', schema: userRecordSchema }
  const byIdentity = scopedCollection<Identity, UserRecord>(collection, ({ iss, sub }) => ({ iss, sub }))
  const ownUser = scopedCollection<Self, UserRecord>(collection, ({ userId }) => ({ _id: userId }))
  const byEmail = scopedCollection<{ email: string }, UserRecord>(collection, ({ email }) => ({ email }))
  /** Claims that the provider issued later than those are not replaced by them. */
  const notOlder = ({ claimsIat }: Claims) =>
    claimsIat === undefined ? {} : { claimsIat: { $not: { $gt: claimsIat } } }

  /** Creates the user with an empty profile, or brings the claims of an existing one up to date unless they are newer. */
  async function recordClaims(identity: Identity, claims: Claims, federatedAt: Date | null): Promise<UserRecord> {
    const users = byIdentity(identity)
    const known = (await users.findOneAndUpdate(notOlder(claims), { $set: claims })) ?? (await users.findOne())
    if (known) return known
    const first = { ...emptyProfile, emailVerifiedAt: null, federatedAt, homeWorkspaceId: newId() }
    return users.create({ ...claims, ...first }).catch((error: unknown) => {
      if (isDuplicateKey(error)) return recordClaims(identity, claims, federatedAt)
      throw error
    })
  }

  return {
    find: (self: Self) => ownUser(self).findOne(),
    /** Accounts with an address: one of each provider. */
    idsByEmail: async (email: string): Promise<string[]> =>
      (await byEmail({ email }).find().limit(maxAccounts).hint('email')).map(({ id }) => id),
    recordClaims,
    ofAccount: (identity: Identity) => byIdentity(identity).findOne(),
    remove: (self: Self) => ownUser(self).deleteOne({}),
    noteWorkspace: (self: Self, lastWorkspaceId: string) =>
      ownUser(self).findOneAndUpdate({ lastWorkspaceId: { $ne: lastWorkspaceId } }, { $set: { lastWorkspaceId } }),
    /** Forgets a workspace as the one that was used last. */
    leaveWorkspace: (self: Self, lastWorkspaceId: string) =>
      ownUser(self).findOneAndUpdate({ lastWorkspaceId }, { $unset: { lastWorkspaceId: 1 } }),
    /** `null` where newer claims are stored already. */
    replaceClaims: (self: Self, claims: Claims) => ownUser(self).findOneAndUpdate(notOlder(claims), { $set: claims }),
    /** Keeps the first time; `null` where one is kept already. */
    markEmailVerified: (self: Self, emailVerifiedAt: Date) =>
      ownUser(self).findOneAndUpdate({ emailVerifiedAt: null }, { $set: { emailVerifiedAt } }),
    markFederated: (self: Self, federatedAt: Date) =>
      ownUser(self).findOneAndUpdate({ federatedAt: null }, { $set: { federatedAt } }),
    eraseProfile: (self: Self) => ownUser(self).findOneAndUpdate({ federatedAt: null }, { $set: emptyProfile }),
    /** @throws `stale_version` where a version is given and another one is stored. */
    changeProfile: (
      self: Self,
      fields: Partial<ProfileFields>,
      { version, toAnswer }: { version: number | undefined; toAnswer: (record: UserRecord) => unknown },
    ) => {
      const update = { $set: fields }
      if (version === undefined) return ownUser(self).findOneAndUpdate({}, update)
      return updateVersion(ownUser(self), { id: self.userId, version, update, toAnswer })
    },
    /** Gives the user a new own workspace in place of one; `null` where another call has done so. It begins without a trial. */
    moveHome: (self: Self, from: string) =>
      ownUser(self).findOneAndUpdate(
        { homeWorkspaceId: from },
        { $set: { homeWorkspaceId: newId(), trialUsedAt: new Date() } },
      ),
  }
}
