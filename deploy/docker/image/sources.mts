/** Copies the sources that a process runs on: `node sources.mts WORKSPACE TARGET`, in the root of the repository. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closure } from './workspaces.mts'

const [, , workspace = '', target = ''] = process.argv
for (const folder of closure('.', workspace)) {
  for (const part of ['package.json', 'src'])
    cpSync(join(folder, part), join(target, folder, part), { recursive: true })
}
mkdirSync(target, { recursive: true })
cpSync(join(import.meta.dirname, 'health.mts'), join(target, 'health.mts'))
// A command without a shell cannot put the service's name into a path.
writeFileSync(join(target, 'server.ts'), `import './${workspace}/src/server.ts'\n`)
