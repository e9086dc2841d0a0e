import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stackPaths } from '../paths.ts'
import { choosePorts } from '../ports.ts'
import { loadSecrets } from '../secrets.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { processComponent } from './process.ts'

async function needsWith(environment: NodeJS.ProcessEnv) {
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
  return processComponent('bff', context).needs
}

test('the app waits for a Keycloak, whose first start takes longer than the app is given, and not for the stand-in', async () => {
  expect(await needsWith({ KEYCLOAK: 'real' })).toContain('identity-provider')
  expect(await needsWith({})).not.toContain('identity-provider')
})
