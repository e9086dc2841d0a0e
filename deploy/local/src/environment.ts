import type { Environment } from './component.ts'
import { Problem } from './problem.ts'

/** Variables of the launcher's own environment that a child sees; everything else is given to it by name. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'LOG_LEVEL', 'NODE_EXTRA_CA_CERTS']

/** The variables of the launcher's environment that every child gets. */
export const inheritedEnvironment = (environment: NodeJS.ProcessEnv): Environment =>
  pickVariables(environment, (name) => inherited.includes(name))

/** The variables of these names that are set and not empty. */
export const pickVariables = (environment: NodeJS.ProcessEnv, isMeant: (name: string) => boolean): Environment =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value && isMeant(name) ? [[name, value]] : [])),
  )

/** A variable that names a running backing component; empty counts as unset. */
export const backingUrl = (environment: NodeJS.ProcessEnv, name: string): string | undefined =>
  environment[name]?.trim() || undefined

/**
 * Returns whether a variable says `word`.
 * @throws Problem if it says neither that nor `otherwise`, its meaning where it is not set
 */
export function isSetTo(environment: NodeJS.ProcessEnv, variable: string, word: string, otherwise: string): boolean {
  const wish = environment[variable]?.trim() || otherwise
  if (wish === word || wish === otherwise) return wish === word
  throw new Problem(`${variable} is set to ${wish}.`, `Set it to ${word}, or unset it for the ${otherwise} one.`)
}

/** The host of a URL, for tables and state: never user or password. */
export function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/?#]+)/i.exec(url)?.[1] ?? 'an address that cannot be read'
}
