import type { BrokerConfig } from '../realm-config.ts'
import type { FederatedIdentityStore } from '../store/federated-identities.ts'
import type { User, UserStore } from '../store/users.ts'
import type { UpstreamIdentity } from './upstream.ts'

interface Deps {
  readonly broker: BrokerConfig
  readonly users: Pick<UserStore, 'find' | 'findByEmail' | 'create' | 'update'>
  readonly federated: FederatedIdentityStore
}

export type Settled =
  | { readonly kind: 'signed-in'; readonly user: User }
  /** An account has the address already: its owner must agree first. */
  | { readonly kind: 'ask-owner'; readonly user: User }
  | { readonly kind: 'refused'; readonly reason: 'disabled' | 'unverified' | 'linked-elsewhere' }

/** Finds or creates the account of an identity. Nothing is ever linked to an existing account here. */
export function settle(identity: UpstreamIdentity, deps: Deps): Settled {
  const ownerId = deps.federated.findOwner(deps.broker.alias, identity.sub)
  const owner = ownerId === undefined ? undefined : deps.users.find(ownerId)
  if (owner) {
    if (!owner.enabled) return { kind: 'refused', reason: 'disabled' }
    return { kind: 'signed-in', user: withPicture(owner, identity, deps) }
  }
  const existing = deps.users.findByEmail(identity.email)
  if (!existing) return { kind: 'signed-in', user: createFor(identity, deps) }
  if (!identity.email_verified) return { kind: 'refused', reason: 'unverified' }
  const linked = deps.federated.listOfUser(existing.id).some(({ provider }) => provider === deps.broker.alias)
  return linked ? { kind: 'refused', reason: 'linked-elsewhere' } : { kind: 'ask-owner', user: existing }
}

/** Links an identity whose e-mail address is the account's, after the account's owner has agreed. */
export function linkTo(user: User, identity: UpstreamIdentity, deps: Deps): User {
  deps.federated.link(user.id, federatedIdentity(identity, deps))
  return withPicture(user, identity, deps)
}

function createFor(identity: UpstreamIdentity, deps: Deps): User {
  const user = deps.users.create(
    {
      email: identity.email,
      emailVerified: identity.email_verified,
      enabled: true,
      firstName: identity.given_name || null,
      lastName: identity.family_name || null,
      attributes: identity.picture === undefined ? {} : { picture: [identity.picture] },
      requiredActions: [],
    },
    undefined,
  )
  deps.federated.link(user.id, federatedIdentity(identity, deps))
  return user
}

const federatedIdentity = (identity: UpstreamIdentity, { broker }: Deps) => ({
  provider: broker.alias,
  subject: identity.sub,
  username: identity.email,
})

/** The photo follows the provider at every sign-in; names are the account's own from its first day. */
function withPicture(user: User, { picture }: UpstreamIdentity, deps: Deps): User {
  if (picture === undefined || user.attributes['picture']?.[0] === picture) return user
  const changed = { ...user, attributes: { ...user.attributes, picture: [picture] } }
  deps.users.update(changed)
  return changed
}
