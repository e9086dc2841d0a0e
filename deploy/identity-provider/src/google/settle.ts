import type { GoogleRefusal } from '../pages/pages.ts'
import { forever } from '../store/records.ts'
import type { GoogleIdentity, Stores } from '../store/stores.ts'
import type { User } from '../store/users.ts'

type Accounts = Pick<Stores, 'users' | 'identities'>

type Settled =
  | { readonly kind: 'signed-in'; readonly user: User }
  /** An account has the address already: its owner must agree first. */
  | { readonly kind: 'ask-owner'; readonly user: User }
  | { readonly kind: 'refused'; readonly reason: GoogleRefusal }

/** Finds or creates the account of an identity. Nothing is ever linked to an existing account here. */
export function settle(identity: GoogleIdentity, realm: Accounts): Settled {
  const owner = realm.users.find(realm.identities.find(identity.sub)?.userId ?? '')
  if (owner) {
    if (!owner.enabled) return { kind: 'refused', reason: 'disabled' }
    return { kind: 'signed-in', user: withPicture(owner, identity, realm) }
  }
  const existing = realm.users.findByEmail(identity.email)
  if (!existing) return { kind: 'signed-in', user: createFor(identity, realm) }
  if (!identity.email_verified) return { kind: 'refused', reason: 'unverified' }
  if (realm.identities.listOf(existing.id).length > 0) return { kind: 'refused', reason: 'linked-elsewhere' }
  return { kind: 'ask-owner', user: existing }
}

/**
 * Links an identity whose e-mail address is the account's, after the account's owner has agreed.
 * @throws where another identity was linked meanwhile
 */
export function linkTo(user: User, identity: GoogleIdentity, realm: Accounts): User {
  if (realm.identities.listOf(user.id).length > 0) throw new Error('another identity is linked already')
  link(user, identity, realm)
  return withPicture(user, identity, realm)
}

function link({ id }: User, { sub, email }: GoogleIdentity, { identities }: Accounts): void {
  identities.put(sub, { userId: id, subject: sub, username: email }, { lifeSeconds: forever, owner: id })
}

function createFor(identity: GoogleIdentity, realm: Accounts): User {
  const user = realm.users.create({
    email: identity.email,
    emailVerified: identity.email_verified,
    enabled: true,
    firstName: identity.given_name || null,
    lastName: identity.family_name || null,
    picture: identity.picture ?? null,
    requiredActions: [],
    password: null,
  })
  link(user, identity, realm)
  return user
}

/** The photo follows the provider at every sign-in; names are the account's own from its first day. */
function withPicture(user: User, { picture }: GoogleIdentity, { users }: Accounts): User {
  if (picture === undefined || picture === user.picture) return user
  return users.update(user.id, { picture }) ?? user
}
