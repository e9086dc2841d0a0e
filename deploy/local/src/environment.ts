import type { Environment } from './component.ts'

/** What a child sees of the launcher's own environment; everything else is given to it by name. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'LOG_LEVEL', 'NODE_EXTRA_CA_CERTS'] as const

/** The variables of the launcher's environment that every child gets. */
export function inheritedEnvironment(environment: NodeJS.ProcessEnv): Environment {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = environment[name]
      return value ? [[name, value]] : []
    }),
  )
}

/** A variable that names a running backing component; empty counts as unset. */
export const backingUrl = (environment: NodeJS.ProcessEnv, name: string): string | undefined =>
  environment[name]?.trim() || undefined

/** The host of a URL, for tables and state: never user or password. */
export function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/?#]+)/i.exec(url)?.[1] ?? 'an address that cannot be read'
}
