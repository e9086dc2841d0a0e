import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Rolldown } from 'vite'

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1]

const pages = readdirSync(join(import.meta.dirname, 'src/features'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/features/${file}`)
  .filter((file) => file.endsWith('-page.tsx'))
const landing = ['src/app/home-route.tsx']
const session = ['src/app/session-layout.tsx']
const signIn = ['src/app/sign-in-layout.tsx', ...pages.filter((page) => page.includes('/auth/'))]
const frame = ['src/app/protected-layout.tsx', 'src/features/dashboard/dashboard-page.tsx']
const kit = ['src/app/kit-layout.tsx']
const idle = [
  'src/app/shell/command-menu.tsx',
  'src/features/conversations/unread-badge.tsx',
  'src/features/notifications/notifications-button.tsx',
]
/** Loaded when idle, too, but on the sign-in pages as well. */
const toaster = ['src/ui/toaster.tsx']
/** What answers the dashboard and the frame while they show sample data. */
const sample = ['workspace', 'respond', 'domains/dashboard']
const screens = pages.filter((page) => !/\/(auth|dashboard|landing)\//.test(page))
/** Modules that so many screens need share a file. */
const mostScreens = 11

/** Comes with the index of a library though neither session nor frame uses it: left to what loads later. */
const unusedInFrame = new RegExp(
  [
    'query-core/.*(infiniteQueryObserver|queriesObserver|hydration|streamedQuery)',
    'react-query/.*(useInfinite|useQueries|Hydration)',
    '@rc-component/util/es/(Dom/focus|KeyCode|pickAttrs|getScrollBarSize)',
    '@ant-design/cssinjs-utils/',
    'antd/es/theme/util/genStyleUtils',
  ].join('|'),
)

/** Files in the order in which the page loads them: at once, to sign in, to show the first screen, antd, when that shows, for the others. */
const groups = ['start', 'session', 'frame', 'kit', 'toaster', 'idle', 'sample', 'screens', 'icons'] as const
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
    // Else the index of a library pulls all of it into the first file that uses some.
    includeDependenciesRecursively: false,
  }))
}

function groupByModule(graph: Graph): ReadonlyMap<string, Group> {
  const groupOf = new Map<string, Group>()
  const put = (group: Group, ids: Iterable<string>) => {
    const early = group === 'session' || group === 'frame'
    for (const id of ids) if (!groupOf.has(id) && !(early && unusedInFrame.test(id))) groupOf.set(id, group)
  }
  const imports = (paths: readonly string[]) => importedBy(graph, paths)
  const before = imports([...session, ...signIn])
  const after = imports([...frame, ...toaster, ...idle])
  put('start', imports(['src/main.tsx']))
  put('start', shared(imports(landing), new Set([...before, ...after])))
  put('session', imports(session))
  put('session', shared(before, after))
  put('session', shared(imports(toaster), imports(frame)))
  put('frame', imports(frame))
  put('kit', imports(kit))
  put('toaster', imports(toaster))
  put('idle', after)
  put('sample', imports(sample.map((file) => `src/sample/${file}.ts`)))
  const users = new Map<string, number>()
  for (const screen of screens) for (const id of imports([screen])) users.set(id, (users.get(id) ?? 0) + 1)
  // The sign-in pages would load the whole file for the few modules that they need of it.
  put(
    'screens',
    [...users].filter(([id, count]) => count >= mostScreens && !before.has(id)).map(([id]) => id),
  )
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
