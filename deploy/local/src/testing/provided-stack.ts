import { z } from 'zod'
import { componentNames } from '../component.ts'
import { readJson, writeJson } from '../files.ts'
import { repoRoot } from '../paths.ts'
import { Problem } from '../problem.ts'
import type { Stack } from '../stack.ts'

const environmentSchema = z.record(z.string(), z.string())

const providedStackSchema = z.object({
  urls: z.object({
    app: z.string(),
    mail: z.string(),
    identity: z.string(),
    simulator: z.string(),
    ingest: z.string(),
    mongodb: z.string(),
    redis: z.string(),
  }),
  /** The complete environment of every component, of those too that are not started (`env.bff`). */
  env: z.record(z.enum(componentNames), environmentSchema),
  /** Components that run. */
  components: z.array(z.enum(componentNames)),
  /** Kind of the identity provider: a Keycloak or the stand-in for one. */
  provider: z.enum(['Keycloak', 'stand-in']),
  repoRoot: z.string(),
})

/** Value of `inject('stack')` in a test: the stack that the global setup started or was given. */
export type ProvidedStack = z.infer<typeof providedStackSchema>

export const provided = ({ urls, env, components }: Stack): ProvidedStack => ({
  urls,
  env,
  components: components.map(({ name }) => name),
  provider: components.some(({ name, kind }) => name === 'identity-provider' && kind === 'real')
    ? 'Keycloak'
    : 'stand-in',
  repoRoot,
})

/** Describes a running stack for later test runs. The file holds its secrets: for its owner's eyes only. */
export const describeStack = (file: string, stack: Stack): void => writeJson(file, provided(stack), 0o600)

/** @throws Problem if there is no such file, or it describes no stack */
export function readStack(file: string): ProvidedStack {
  const stack = readJson(file, providedStackSchema)
  if (!stack) throw new Problem(`PARLEY_TEST_STACK (${file}) is not there.`, 'Unset it to test on a stack of its own.')
  return stack
}
