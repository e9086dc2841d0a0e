import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '../paths.ts'

/** The variables of docker-compose.yml that name the images of the backing components. */
export type ImageVariable = 'MONGO_IMAGE' | 'VALKEY_IMAGE' | 'KEYCLOAK_IMAGE'

/**
 * The image that docker-compose.yml takes: what the variable names, else the version that is pinned there and only there.
 * @throws Error if the file does not write it as `${VARIABLE:-image}`
 */
export function composeImage(variable: ImageVariable, environment: NodeJS.ProcessEnv): string {
  const named = environment[variable]?.trim()
  if (named) return named
  const text = readFileSync(join(repoRoot, 'docker-compose.yml'), 'utf8')
  const pinned = new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(text)?.[1]
  if (!pinned) throw new Error(`docker-compose.yml states no default for ${variable}`)
  return pinned
}
