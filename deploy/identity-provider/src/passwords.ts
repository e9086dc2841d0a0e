import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<'argon2id', Argon2Parameters, Buffer>((algorithm, parameters, done) =>
  argon2(algorithm, parameters, (error, key) => done(error, key)),
)

/** OWASP's smallest recommended Argon2id setting: 19 MiB, two passes. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`

/** More than this many checks at once would only push each other's memory out of the cache. */
const parallel = 2

export type Passwords = ReturnType<typeof createPasswords>

/** Hashes and checks passwords, a few at a time; the rest wait in line. */
export function createPasswords() {
  const queue: (() => void)[] = []
  let running = 0
  /** Takes the place of a hash where there is none, so that an unknown account costs as long as a known one. */
  const nobody = hash(randomBytes(16).toString('hex'))

  async function inLine<T>(work: () => Promise<T>): Promise<T> {
    if (running >= parallel) await new Promise<void>((resolve) => queue.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }

  function compute(password: string, salt: Buffer): Promise<Buffer> {
    return inLine(() => derive('argon2id', { message: password, nonce: salt, tagLength: 32, ...cost }))
  }

  /** @returns the hash with its salt and cost, in the PHC string format */
  async function hash(password: string): Promise<string> {
    const salt = randomBytes(16)
    const key = await compute(password, salt)
    return `${prefix}$${salt.toString('base64url')}$${key.toString('base64url')}`
  }

  /** Always does the whole work, also without a stored hash, and then answers false. */
  async function matches(password: string, stored: string | undefined): Promise<boolean> {
    const [salt, key] = (stored ?? (await nobody)).split('$').slice(-2)
    if (salt === undefined || key === undefined) return false
    const expected = Buffer.from(key, 'base64url')
    const actual = await compute(password, Buffer.from(salt, 'base64url'))
    return stored !== undefined && actual.length === expected.length && timingSafeEqual(actual, expected)
  }

  return { hash, matches }
}
