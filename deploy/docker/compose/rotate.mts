/** One step of a key rotation on the secrets that compose keeps: deploy/docs/operations/key-rotation.md tells the order. */
import { readFileSync } from 'node:fs'
import { describeProcess, processNames } from '../../../packages/processes/src/processes.ts'
import { made, makeSecret, type Name, write, writeSecrets } from './secrets.mts'

interface Kind {
  /** Its name in the file. */
  readonly secret: Name
  readonly read: (text: string) => string[]
  readonly join: (keys: readonly string[]) => string
  /**
   * Set where Keycloak receives the new one between `add` and `drop`, and a process takes either valid one: there is no order to
   * switch.
   */
  readonly unordered?: true
}

const listed = (secret: Name, sign: ' ' | ','): Kind => ({
  secret,
  read: (text) => text.split(sign),
  join: (keys) => keys.join(sign),
})

const tokenKeys = (secret: Name): Kind => ({
  secret,
  read: (text) => (JSON.parse(text) as unknown[]).map((key) => JSON.stringify(key)),
  join: (keys) => `[${keys.join(',')}]`,
})

const kinds: Readonly<Record<string, Kind>> = {
  session: listed('sessionKeys', ','),
  stored: listed('secretKeys', ','),
  'automation-stored': listed('automationSecretKeys', ','),
  audit: listed('auditKeys', ','),
  ...Object.fromEntries(
    processNames
      .filter((name) => describeProcess(name).calls.length > 0)
      .map((name) => [`${name}-tokens`, tokenKeys(`${name}TokenKeys`)]),
  ),
  web: { ...listed('bffWeb', ' '), unordered: true },
  password: { ...listed('bffPassword', ' '), unordered: true },
  identity: { ...listed('svcIdentity', ' '), unordered: true },
}

/**
 * The secrets after a step.
 * @throws with a sentence where the step does not follow from what is there.
 */
export function rotate(secrets: Readonly<Record<string, string>>, what = '', step = ''): Record<string, string> {
  const kind = Object.hasOwn(kinds, what) ? kinds[what] : undefined
  if (!kind) throw new Error(`What is to change? One of: ${Object.keys(kinds).join(', ')}.`)
  const keys = kind.read(secrets[kind.secret] ?? '')
  return { ...secrets, [kind.secret]: kind.join(afterStep(keys, step, kind)) }
}

function afterStep(keys: readonly string[], step: string, { secret, read, unordered }: Kind): readonly string[] {
  const [first = '', second] = keys
  const next = unordered ? 'Keycloak is told it, and drop comes next' : 'switch and drop come next'
  if (step === 'add') {
    if (second !== undefined) throw new Error(`A second one is there already: ${next}.`)
    return [first, ...read(makeSecret(secret))]
  }
  if (second === undefined) throw new Error('There is only one: add comes first.')
  if (step === 'switch' && !unordered) return [second, first]
  if (step === 'drop') return [unordered ? second : first]
  throw new Error(`Which step? One of: ${unordered ? 'add, drop' : 'add, switch, drop'}.`)
}

if (import.meta.main) {
  try {
    write(made, JSON.stringify(rotate(JSON.parse(readFileSync(made, 'utf8')), process.argv[2], process.argv[3])), 0)
    writeSecrets()
    console.log(`${process.argv[2]}: ${process.argv[3]} is done. Restart who uses it.`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
