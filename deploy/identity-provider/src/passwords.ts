import { type Argon2Parameters, argon2, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { passwordMaxLength, passwordTooCommon, passwordTooLong, tooShort } from '@parley/contracts/account/auth'
import { areEqualBytes } from '@parley/service-kit/core/equal-bytes'
import type { Realm } from './realm.ts'
import { nowSeconds } from './records.ts'
import type { User } from './stores.ts'

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

/** OWASP's smallest recommended Argon2id setting: 19 MiB, two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`

/** A password as it is stored: its hash in the PHC string format. */
export async function newPassword(password: string): Promise<NonNullable<User['password']>> {
  const salt = randomBytes(16)
  const key = await derive('argon2id', { message: password, nonce: salt, ...cost })
  const hash = `${prefix}$${salt.toString('base64url')}$${key.toString('base64url')}`
  return { id: randomUUID(), hash, createdAt: Date.now() }
}

async function matches(password: string, stored: string): Promise<boolean> {
  const [salt = '', key = ''] = stored.split('$').slice(-2)
  const actual = await derive('argon2id', { message: password, nonce: Buffer.from(salt, 'base64url'), ...cost })
  return areEqualBytes(Buffer.from(key, 'base64url'), actual)
}

/** The list that a Keycloak of Parley's realm reads too: one password a line, in lower case. */
const listFile = new URL('../../keycloak/password-blacklists/parley-common.txt', import.meta.url)
const common: ReadonlySet<string> = new Set(readFileSync(listFile, 'utf8').split('\n'))

/** Returns the fault that the realm's policy finds in a password, under Keycloak's key of it; `undefined` for none. */
export function passwordFault(password: string, minLength: number): { key: string; sentence: string } | undefined {
  if (password.length < minLength) return { key: 'invalidPasswordMinLengthMessage', sentence: tooShort(minLength) }
  if (password.length > passwordMaxLength) return { key: 'invalidPasswordMaxLengthMessage', sentence: passwordTooLong }
  if (common.has(password.toLowerCase()))
    return { key: 'invalidPasswordBlacklistedMessage', sentence: passwordTooCommon }
  return undefined
}

/** Number of wrong passwords in a row that locks the account for a while. Times are seconds. */
const failureFactor = 100
const lockSeconds = 60
const forgivenAfter = 43_200

/**
 * Returns the account that has this address and password. For a wrong password, an unknown, locked, disabled or password-less
 * account there is none.
 */
export async function checkPassword(realm: Realm, email: string, password: string): Promise<User | undefined> {
  const before = realm.users.findByEmail(email)
  if (!before?.password) return undefined
  const { count, lockedUntil } = realm.failures.find(before.id) ?? { count: 0, lockedUntil: 0 }
  if (lockedUntil > nowSeconds()) return undefined
  const isRight = await matches(password, before.password.hash)
  // The check took a while: a password that was replaced meanwhile starts no session.
  const user = realm.users.find(before.id)
  if (isRight && user?.enabled && user.password?.id === before.password.id) {
    realm.failures.remove(user.id)
    return user
  }
  const failures = (realm.failures.find(before.id)?.count ?? count) + 1
  const until = failures >= failureFactor ? nowSeconds() + lockSeconds : 0
  realm.failures.put(before.id, { count: failures, lockedUntil: until }, forgivenAfter, before.id)
  return undefined
}
