import type { StackContext } from '../component.ts'
import { Problem } from '../problem.ts'

/**
 * Whether MongoDB, Redis and Keycloak run as containers: PARLEY_BACKING=docker for a start, TEST_BACKING=docker for tests.
 * @throws Problem if the variable says anything else than `docker` or `local`
 */
export function wantsContainers({ environment, forTests }: Pick<StackContext, 'environment' | 'forTests'>): boolean {
  const variable = forTests ? 'TEST_BACKING' : 'PARLEY_BACKING'
  const wish = environment[variable]?.trim() || 'local'
  if (wish === 'docker' || wish === 'local') return wish === 'docker'
  throw new Problem(`${variable} is set to ${wish}.`, 'Set it to docker for containers, or unset it for programs.')
}
