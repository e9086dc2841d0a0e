import type { TestProject } from 'vitest/node'
import { z } from 'zod'
import { componentNames } from '../component.ts'
import { startStack } from '../stack.ts'
import { serveInternalKeys } from './key-set-server.ts'
import type {} from './provided-context.ts'
import { provided, readStack } from './provided-stack.ts'
import { throwAwayFolder } from './throw-away-folder.ts'

/** Tests run BFFs of their own. */
const defaultComponents = componentNames.filter((name) => name !== 'bff')

/**
 * Starts one throw-away stack for a whole test run and hands its addresses to the tests (`inject('stack')`).
 * `PARLEY_TEST_COMPONENTS=mongodb,redis` starts only those components; `PARLEY_TEST_STACK` names the description of a stack that runs.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env['PARLEY_TEST_STACK']
  const ownStack = running ? undefined : await startOwn()
  const stack = ownStack ? provided(ownStack) : readStack(running ?? '')
  project.provide('stack', stack)
  const withdrawKeys = await serveInternalKeys(stack.env.bff)
  return async () => {
    withdrawKeys()
    await ownStack?.stop()
  }
}

const startOwn = () =>
  startStack({
    dataDir: throwAwayFolder(),
    components: chosenComponents(process.env['PARLEY_TEST_COMPONENTS']),
    // Loading the sample data takes seconds of a machine for each account that is made; tests that need it ask for it.
    environment: { ...process.env, SAMPLE_DATA: 'off' },
    throwAway: true,
    onProgress: (progress) => {
      if (progress.kind === 'note') console.log(progress.line)
      if (progress.kind === 'failed') console.error(progress.problem.message)
    },
  })

function chosenComponents(list: string | undefined) {
  if (!list) return defaultComponents
  return z.array(z.enum(componentNames)).parse(list.split(',').map((name) => name.trim()))
}
