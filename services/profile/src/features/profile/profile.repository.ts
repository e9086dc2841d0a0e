import type { ProfileFields } from '@parley/contracts/profile'
import { createScopedRepository } from '@parley/service-kit/data/tenant-repository'
import { type Connection, Types } from 'mongoose'
import { type Claims, type UserRecord, userRecordSchema } from './profile.model.ts'

/** An account at an identity provider. */
interface Identity {
  readonly iss: string
  readonly sub: string
}
/** The signed-in user: nobody reaches another user's record. */
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

export function createProfileRepository(connection: Connection) {
  const collection = { connection, name: 'users', schema: userRecordSchema }
  const byIdentity = createScopedRepository<Identity, UserRecord>(collection, ({ iss, sub }) => ({ iss, sub }))
  const own = createScopedRepository<Self, UserRecord>(collection, ({ userId }) => ({ _id: userId }))
  const oneMore = { version: 1 }

  return {
    find: (self: Self) => own.findOne(self),
    /** Creates the user with an empty profile, or brings the claims of an existing one up to date. */
    recordClaims: (identity: Identity, claims: Claims, federatedAt: Date | null) => {
      const homeWorkspaceId = new Types.ObjectId().toHexString()
      const first = { ...emptyProfile, emailVerifiedAt: null, federatedAt, homeWorkspaceId }
      return byIdentity.upsertOne(identity, {}, { $set: claims, $setOnInsert: first, $inc: oneMore })
    },
    replaceClaims: (self: Self, claims: Claims) => own.updateOne(self, {}, { $set: claims, $inc: oneMore }),
    /** Keeps the first time; `undefined` where one is kept already. */
    markEmailVerified: (self: Self, emailVerifiedAt: Date) =>
      own.updateOne(self, { emailVerifiedAt: null }, { $set: { emailVerifiedAt }, $inc: oneMore }),
    markFederated: (self: Self, federatedAt: Date) =>
      own.updateOne(self, { federatedAt: null }, { $set: { federatedAt }, $inc: oneMore }),
    eraseProfile: (self: Self) => own.updateOne(self, { federatedAt: null }, { $set: emptyProfile, $inc: oneMore }),
    changeProfile: (self: Self, fields: Partial<ProfileFields>) =>
      own.updateOne(self, {}, { $set: fields, $inc: oneMore }),
  }
}
