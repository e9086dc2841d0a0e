/** One step of a key rotation on the secrets that compose keeps: deploy/docs/operations/key-rotation.md tells the order. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { describeProcess, processNames } from '../../../packages/processes/src/processes.ts'
import { writeSecrets } from './secrets.mts'

const file = '/secrets/made/secrets.json'

interface Kind {
  /** Its name in the file. */
  readonly secret: string
  readonly read: (text: string) => string[]
  readonly write: (keys: readonly string[]) => string
  readonly make: () => string
  /** Keycloak is told the new one between `add` and `drop`, and a process takes whichever is good: there is no order to switch. */
  readonly unordered?: true
}

const clientSecret = (secret: string): Kind => ({
  secret,
  read: (text) => text.split(' '),
  write: (keys) => keys.join(' '),
  make: () => randomBytes(32).toString('base64url'),
  unordered: true,
})
const newName = () => `k${randomBytes(6).toString('hex')}`

const tokenKeys = (secret: string): Kind => ({
  secret,
  read: (text) => (JSON.parse(text) as unknown[]).map((key) => JSON.stringify(key)),
  write: (keys) => `[${keys.join(',')}]`,
  make: () => {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
    return JSON.stringify({ ...jwk, kid: newName() })
  },
})

const keyRing = (secret: string): Kind => ({
  secret,
  read: (text) => text.split(','),
  write: (keys) => keys.join(','),
  make: () => `${newName()}:${randomBytes(32).toString('base64')}`,
})

const kinds: Readonly<Record<string, Kind>> = {
  session: keyRing('sessionKeys'),
  stored: keyRing('secretKeys'),
  ...Object.fromEntries(
    processNames
      .filter((name) => describeProcess(name).calls.length > 0)
      .map((name) => [`${name}-tokens`, tokenKeys(`${name}TokenKeys`)]),
  ),
  web: clientSecret('bffWeb'),
  password: clientSecret('bffPassword'),
  identity: clientSecret('svcIdentity'),
}

/**
 * The secrets after a step.
 * @throws with a sentence where the step does not follow from what is there.
 */
export function rotate(secrets: Readonly<Record<string, string>>, what = '', step = ''): Record<string, string> {
  const kind = Object.hasOwn(kinds, what) ? kinds[what] : undefined
  if (!kind) throw new Error(`What is to change? One of: ${Object.keys(kinds).join(', ')}.`)
  const keys = kind.read(secrets[kind.secret] ?? '')
  return { ...secrets, [kind.secret]: kind.write(afterStep(keys, step, kind)) }
}

function afterStep(keys: readonly string[], step: string, { make, unordered }: Kind): readonly string[] {
  const [first = '', second] = keys
  const next = unordered ? 'Keycloak is told it, and drop comes next' : 'switch and drop come next'
  if (step === 'add') {
    if (second !== undefined) throw new Error(`A second one is there already: ${next}.`)
    return [first, make()]
  }
  if (second === undefined) throw new Error('There is only one: add comes first.')
  if (step === 'switch' && !unordered) return [second, first]
  if (step === 'drop') return [unordered ? second : first]
  throw new Error(`Which step? One of: ${unordered ? 'add, drop' : 'add, switch, drop'}.`)
}

if (import.meta.main) {
  try {
    const secrets = rotate(JSON.parse(readFileSync(file, 'utf8')), process.argv[2], process.argv[3])
    writeFileSync(`${file}.part`, JSON.stringify(secrets), { mode: 0o400 })
    renameSync(`${file}.part`, file)
    writeSecrets()
    console.log(`${process.argv[2]}: ${process.argv[3]} is done. Restart who uses it.`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
