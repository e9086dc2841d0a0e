/** Copies what `npm ci` reads, and nothing else: `node manifests.mts TARGET`, in the root of the repository. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { allWorkspaces } from './workspaces.mts'

const [, , target = ''] = process.argv
for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(file, join(target, file))
for (const folder of allWorkspaces('.')) {
  const file = join(folder, 'package.json')
  cpSync(file, join(target, file))
}
