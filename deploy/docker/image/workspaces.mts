import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
}

/** A manifest of this repository; npm has read it before and would have refused a broken one. */
const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Folders of all workspaces, relative to `root`. */
export const allWorkspaces = (root: string): readonly string[] =>
  (readManifest(root).workspaces ?? [])
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))

/** A workspace and those that it runs on, relative to `root`. Development dependencies do not count. */
export function closure(root: string, workspace: string): string[] {
  const byName = new Map(allWorkspaces(root).map((folder) => [readManifest(join(root, folder)).name, folder]))
  const found = new Set<string>()
  const visit = (folder: string) => {
    if (found.has(folder)) return
    found.add(folder)
    for (const name of Object.keys(readManifest(join(root, folder)).dependencies ?? {})) {
      const needed = byName.get(name)
      if (needed) visit(needed)
    }
  }
  visit(workspace)
  return [...found]
}
