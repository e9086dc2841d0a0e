import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type InvitationRecord, invitationSchema } from './invitations.model.ts'

const maxListed = 100
const maxDue = 500
/** More than a plan has seats for. */
const maxOpen = 1000

export type { InvitationRecord } from './invitations.model.ts'
export type InvitationsRepository = ReturnType<typeof createInvitationsRepository>
type InTransaction = Required<SessionOption>
type NewInvitation = Pick<
  InvitationRecord,
  'email' | 'role' | 'tokenHash' | 'expiresAt' | 'invitedBy' | 'sentAt' | 'mailId'
>

export function createInvitationsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'invitations', schema: invitationSchema }
  const invitations = workspaceCollection<InvitationRecord>(definition)
  const ofToken = scopedCollection<{ tokenHash: string }, InvitationRecord>(definition, ({ tokenHash }) => ({
    tokenHash,
  }))
  const ofAddress = scopedCollection<{ email: string }, InvitationRecord>(definition, ({ email }) => ({ email }))
  const open = scopedCollection<object, InvitationRecord>(definition, () => ({ state: 'open' }))

  return {
    create: (scope: WorkspaceScope, invitation: NewInvitation, options: InTransaction) =>
      invitations(scope).create({ ...invitation, state: 'open', sends: 1 }, options),
    find: (scope: WorkspaceScope, id: string, options: SessionOption = {}) =>
      invitations(scope).findOne({ _id: id }, options),
    openFor: (scope: WorkspaceScope, email: string, options: InTransaction) =>
      invitations(scope).findOne({ email, state: 'open' }, options),
    /** Open ones of a workspace. @param of.invitedBy those of one member. */
    open: (
      scope: WorkspaceScope,
      of: Partial<Pick<InvitationRecord, 'invitedBy'>>,
      { session }: InTransaction,
    ): PromiseLike<InvitationRecord[]> =>
      invitations(scope)
        .find({ ...of, state: 'open' })
        .limit(maxOpen)
        .hint('open')
        .session(session ?? null),
    list: (scope: WorkspaceScope): PromiseLike<InvitationRecord[]> =>
      invitations(scope).find().sort({ _id: -1 }).limit(maxListed).hint('newest'),
    /** Notes another mail with another link; `null` where it is not open any more. */
    renew: (
      scope: WorkspaceScope,
      id: string,
      renewed: Pick<InvitationRecord, 'tokenHash' | 'expiresAt' | 'sentAt' | 'mailId'>,
      options: InTransaction,
    ) =>
      invitations(scope).findOneAndUpdate({ _id: id, state: 'open' }, { $set: renewed, $inc: { sends: 1 } }, options),
    /** Ends an open invitation. @returns it, or `null` where it is not open any more. */
    end: (
      scope: WorkspaceScope,
      id: string,
      state: Exclude<InvitationRecord['state'], 'open'>,
      options: InTransaction,
    ) => invitations(scope).findOneAndUpdate({ _id: id, state: 'open' }, { $set: { state } }, options),
    byToken: (tokenHash: string) => ofToken({ tokenHash }).findOne({}),
    byAddress: (email: string, id: string) => ofAddress({ email }).findOne({ _id: id }),
    /** Deletes all invitations of an address. */
    removeOfAddress: (email: string) => ofAddress({ email }).deleteMany({}),
    openByAddress: (email: string): PromiseLike<InvitationRecord[]> =>
      ofAddress({ email }).find({ state: 'open' }).limit(maxListed).hint('address'),
    /** Open ones whose time is over, of one workspace or all. */
    due: (now: Date): PromiseLike<InvitationRecord[]> =>
      open({})
        .find({ expiresAt: { $lte: now } })
        .limit(maxDue)
        .hint('due'),
    dueIn: (scope: WorkspaceScope, now: Date): PromiseLike<InvitationRecord[]> =>
      invitations(scope)
        .find({ state: 'open', expiresAt: { $lte: now } })
        .limit(maxDue),
  }
}
