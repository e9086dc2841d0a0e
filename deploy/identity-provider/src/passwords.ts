import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

/** OWASP's smallest recommended Argon2id setting: 19 MiB, two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`

const compute = (password: string, salt: Buffer): Promise<Buffer> =>
  derive('argon2id', { message: password, nonce: salt, tagLength: 32, ...cost })

/** @returns the hash with its salt and cost, in the PHC string format */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await compute(password, salt)
  return `${prefix}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Takes the place of a hash where there is none, so that an unknown account costs as long as a known one. */
const nobody = hashPassword(randomBytes(16).toString('hex'))

/** Always does the whole work, also without a stored hash, and then answers false. */
export async function matchesPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [salt = '', key = ''] = (stored ?? (await nobody)).split('$').slice(-2)
  const expected = Buffer.from(key, 'base64url')
  const actual = await compute(password, Buffer.from(salt, 'base64url'))
  return stored !== undefined && actual.length === expected.length && timingSafeEqual(actual, expected)
}
