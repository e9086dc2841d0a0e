import type { TestProject } from 'vitest/node'
import { z } from 'zod'
import { partNames } from '../part.ts'
import { repoRoot } from '../paths.ts'
import { startStack } from '../stack.ts'
import { serveInternalKeys } from './key-set-server.ts'
import type {} from './provided-context.ts'
import { throwAwayFolder } from './throw-away-folder.ts'

const defaultParts = ['mongodb', 'redis', 'mail', 'identity-provider', 'identity', 'profile'] as const

/**
 * Starts one throw-away stack for a whole test run and hands its addresses to the tests (`inject('stack')`).
 * `PARLEY_TEST_PARTS=mongodb,redis` starts only those parts.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStack({
    dataDir: throwAwayFolder(),
    parts: chosenParts(process.env['PARLEY_TEST_PARTS']),
    throwAway: true,
    onProgress: (progress) => {
      if (progress.kind === 'note') console.log(progress.line)
      if (progress.kind === 'failed') console.error(progress.problem.message)
    },
  })
  project.provide('stack', { urls: stack.urls, env: stack.env, parts: stack.parts.map((part) => part.name), repoRoot })
  const withdrawKeys = await serveInternalKeys(stack.env.bff)
  return async () => {
    withdrawKeys()
    await stack.stop()
  }
}

function chosenParts(list: string | undefined) {
  if (!list) return defaultParts
  return z.array(z.enum(partNames)).parse(list.split(',').map((name) => name.trim()))
}
