import { join } from 'node:path'
import { memoryVariablesWithoutLimit } from '@parley/processes/memory'
import { type ProcessName, processNames } from '@parley/processes/processes'
import { expect, test } from 'vitest'
import { stackPaths } from '../paths.ts'
import { choosePorts } from '../ports.ts'
import { loadSecrets } from '../secrets.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { processComponent } from './process.ts'

async function componentWith(environment: NodeJS.ProcessEnv, name: ProcessName = 'bff') {
  const folder = temporaryFolder()
  const paths = stackPaths(folder)
  const context = {
    paths,
    toolsDir: join(folder, 'tools'),
    ports: await choosePorts(paths.ports),
    secrets: await loadSecrets(paths.secrets),
    environment,
    forTests: true,
    note: () => {},
  }
  return processComponent(name, context)
}

test('the app waits for a Keycloak, whose first start takes longer than the app is given, and not for the stand-in', async () => {
  expect((await componentWith({ KEYCLOAK: 'real' })).needs).toContain('identity-provider')
  expect((await componentWith({})).needs).not.toContain('identity-provider')
})

test.each(processNames)('%s is told about memory what the registry says, whatever the shell has', async (name) => {
  const { env } = await componentWith({ NODE_OPTIONS: '--max-semi-space-size=1', MALLOC_ARENA_MAX: '64' }, name)
  expect(env).toMatchObject(memoryVariablesWithoutLimit)
})
