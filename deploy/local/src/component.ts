import { deployedNames, describeProcess, type ProcessName, processNames } from '@parley/processes/processes'
import type { StackPaths } from './paths.ts'
import type { PortName, Ports } from './ports.ts'
import type { Secrets } from './secrets.ts'
import type { Command } from './supervise.ts'

/** Components by the order in which they stop: each row together, once the row before has ended; stores come last. */
export const stopOrder: readonly (readonly ComponentName[])[] = [
  ['bff'],
  deployedNames.filter((name) => name !== 'bff'),
  [...processNames.filter((name) => describeProcess(name).kind === 'stand-in'), 'identity-provider', 'mail'],
  ['redis', 'mongodb'],
]
const backingNames = ['mongodb', 'redis', 'mail', 'identity-provider'] as const
export type ComponentName = (typeof backingNames)[number] | ProcessName
/** The components of a stack in the order in which they are listed. */
export const componentNames: readonly ComponentName[] = [...backingNames, ...processNames.toReversed()]

export type Environment = Record<string, string>

/** Inputs from which every component is made. */
export interface StackContext {
  readonly paths: StackPaths
  readonly toolsDir: string
  readonly ports: Ports
  readonly secrets: Secrets
  /** Variables of the launcher: a URL here replaces the program of that component. */
  readonly environment: NodeJS.ProcessEnv
  /** Stores answer tests faster: expired documents go within a second, and faults can be injected. */
  readonly forTests: boolean
  /** Set for `npm run dev`: the page has this port, the BFF stands behind it, and a process whose files change restarts. */
  readonly pagePort?: number | undefined
  readonly note: (line: string) => void
  /** Ends what obtains tools. */
  readonly signal?: AbortSignal | undefined
}

/** Backing server in use, as kept in the state file. */
export interface Choice {
  readonly source: 'environment' | 'local' | 'container'
  /** Host of the URL, program and version series, or image. */
  readonly what: string
}

/** A program that is ready to be started. */
export interface Prepared {
  readonly command: Command
  readonly choice?: Choice
  readonly version?: string
  /** Reaches the program where it is not the command's own process. */
  readonly signal?: (signal: NodeJS.Signals) => void
}

/** A component that runs as a program of this launcher. */
export interface LocalProgram {
  readonly ports: readonly PortName[]
  /** Finds or obtains the program and readies its folders. */
  readonly prepare: () => Promise<Prepared>
  readonly isHealthy: () => Promise<boolean>
  readonly startTimeoutMs: number
}

export interface Component {
  readonly name: ComponentName
  readonly label: string
  readonly kind: 'real' | 'stand-in' | 'Parley'
  /** Address that a person opens or a program connects to. */
  readonly address: string
  /** Location of its data, for the table. */
  readonly dataAt: string
  /** Components that must be healthy before this one starts. */
  readonly needs: readonly ComponentName[]
  /** The complete environment that it is, or would be, started with. */
  readonly env: Environment
  /** Set where this launcher runs the component. */
  readonly local?: LocalProgram
  /** Set where the component runs as a part of another one's program. */
  readonly within?: ComponentName
  /** Set where a variable of the environment names the component, which runs elsewhere. */
  readonly remote?: { readonly variable: string; readonly isHealthy: () => Promise<boolean> }
  /** Backing, where that is known before the program is found. */
  readonly choice?: Choice
}
