import { join } from 'node:path'
import type { Rolldown } from 'vite'

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1]

const landing = ['src/app/home-route.tsx']
const session = ['src/app/session-layout.tsx']
const signIn = [
  'src/app/sign-in-layout.tsx',
  ...['forgot-password', 'login', 'signup', 'verify-email'].map((page) => `src/features/auth/${page}-page.tsx`),
]
const frame = ['src/app/protected-layout.tsx', 'src/features/dashboard/dashboard-page.tsx']
const idle = [
  'src/app/shell/command-menu.tsx',
  'src/features/conversations/unread-badge.tsx',
  'src/features/notifications/notifications-button.tsx',
  'src/ui/toaster.tsx',
]

/** What answers the dashboard and the frame while they show sample data. */
const sample = ['workspace', 'respond', 'domains/conversations', 'domains/dashboard', 'domains/notifications']

/** Files that the page loads in this order: at once, to sign in, to show a screen, when that shows, for further screens. */
const groups = ['start', 'session', 'frame', 'idle', 'sample', 'icons'] as const
type Group = (typeof groups)[number]

/**
 * Which modules share a file. Left to itself the bundler makes a file of every few modules that the same screens have in
 * common: a hundred requests of some hundred bytes, which also compress badly.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let groupOf: ReadonlyMap<string, Group> | undefined
  return groups.map((group, index) => ({
    name: (id, graph) => {
      groupOf ??= groupByModule(graph)
      const found = groupOf.get(id) ?? (id.includes('/@ant-design/icons') ? 'icons' : undefined)
      return found === group ? group : null
    },
    priority: groups.length - index,
    // An icon of a single screen comes with that screen.
    minShareCount: group === 'icons' ? 2 : 1,
  }))
}

function groupByModule(graph: Graph): ReadonlyMap<string, Group> {
  const groupOf = new Map<string, Group>()
  const put = (group: Group, ids: Iterable<string>) => {
    for (const id of ids) if (!groupOf.has(id)) groupOf.set(id, group)
  }
  const imports = (paths: readonly string[]) => importedBy(graph, paths)
  const pages = imports([...session, ...signIn])
  const later = imports([...frame, ...idle])
  put('start', imports(['src/main.tsx']))
  put('start', shared(imports(landing), new Set([...pages, ...later])))
  put('session', imports(session))
  put('session', shared(pages, later))
  put('frame', imports(frame))
  put('idle', later)
  put('sample', imports(sample.map((file) => `src/sample/${file}.ts`)))
  return groupOf
}

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].filter((id) => other.has(id))

/** Everything that the modules import, directly or not. They themselves are not in it and stay files of their own. */
function importedBy(graph: Graph, paths: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (id: string) => {
    const module = graph.getModuleInfo(id)
    if (!module) throw new Error(`There is no module ${id}. Was it renamed?`)
    for (const imported of module.importedIds)
      for (const next of withoutAntdIndex(imported, module.code ?? '')) {
        if (found.has(next)) continue
        found.add(next)
        visit(next)
      }
  }
  for (const path of paths) visit(join(import.meta.dirname, path))
  return found
}

/** antd's index imports all of its components: in its place come those that the importing module names. */
function withoutAntdIndex(imported: string, importer: string): string[] {
  if (!imported.endsWith('/antd/es/index.js')) return [imported]
  const [, names = ''] = /import\s*\{([^}]*)\}\s*from\s*["']antd["']/.exec(importer) ?? []
  return names.split(',').flatMap((name) => {
    const [component] = name.trim().split(/\s/)
    const folder = component?.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
    return folder ? [imported.replace('index.js', `${folder}/index.js`)] : []
  })
}
