import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Rolldown } from 'vite'

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1]

const features = readdirSync(join(import.meta.dirname, 'src/features'), { recursive: true, encoding: 'utf8' }).map(
  (file) => `src/features/${file}`,
)
const pages = features.filter((file) => file.endsWith('-page.tsx'))
const landing = ['src/app/home-route.tsx']
const session = ['src/app/session-layout.tsx']
const signIn = ['src/app/sign-in-layout.tsx', ...pages.filter((page) => page.includes('/auth/'))]
const frame = ['src/app/protected-layout.tsx', 'src/features/dashboard/dashboard-page.tsx']
const kit = ['src/app/kit-layout.tsx']
const idle = ['src/app/shell/idle.ts']
/** Loaded when idle, too, but on the sign-in pages as well. */
const toaster = ['src/ui/toaster.tsx']
/** Receives the events of the server, asked for as soon as their stream is open; and what each kind of event loads. */
const live = ['src/app/live-domains.ts']
const receivers = features.filter((file) => file.endsWith('/events.ts'))
const screens = pages.filter((page) => !/\/(auth|dashboard|landing)\//.test(page))
const conversations = ['src/features/conversations/conversations-page.tsx']
/** Minimum number of screens that make a module shared. */
const maxScreens = 11
/** Screens that are near their budget: what these need of what fewer screens share stays in files of its own. */
const nearBudget = screens.filter((page) => /\/(profile|settings)-page/.test(page))
/** Maximum characters of code that a shared module may bring: most screens have no use for more. */
const maxCode = 20_000

/** The bundler's own helpers. */
const runtime = '\0rolldown/runtime.js'

/**
 * Files in the order in which the page loads them: at once, to sign in, to show the first screen, antd, when that shows, for events of the server, for
 * the others; of these what most of them need, what conversations and others need, what some others need, and what conversations
 * share with their own dialogs and events.
 */
const groups = [
  'start',
  'session',
  'frame',
  'kit',
  'toaster',
  'idle',
  'live',
  'screens',
  'inbox',
  'lists',
  'conversations',
  'icons',
] as const
type Group = (typeof groups)[number]

const isIcon = (id: string) => id.includes('/@ant-design/icons')

/**
 * Returns groups of modules that share a file. Left to itself the bundler makes a file of every few modules that the same screens
 * have in common: a hundred requests of some hundred bytes, which also compress badly.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let groupOf: ReadonlyMap<string, Group> | undefined
  return groups.map((group, index) => ({
    name: (id, graph) => {
      groupOf ??= groupByModule(graph)
      const found = groupOf.get(id) ?? (isIcon(id) ? 'icons' : undefined)
      return found === group ? group : null
    },
    priority: groups.length - index,
    // An icon of a single screen comes with that screen.
    minShareCount: group === 'icons' ? 2 : 1,
    // Otherwise the index of a library pulls all of it into the first file that uses some.
    includeDependenciesRecursively: false,
  }))
}

function groupByModule(graph: Graph): ReadonlyMap<string, Group> {
  const groupOf = new Map<string, Group>()
  const put = (group: Group, ids: Iterable<string>) => {
    for (const id of ids) if (!groupOf.has(id)) groupOf.set(id, group)
  }
  const imports = (paths: readonly string[]) => importedBy(graph, paths)
  const whole = (paths: readonly string[]) => [...paths.map(moduleId), ...imports(paths)]
  const before = imports([...session, ...signIn])
  const after = imports([...frame, ...toaster, ...idle])
  put('start', [runtime, ...imports(['src/main.tsx'])])
  put('start', shared(imports(landing), new Set([...before, ...after])))
  put('session', whole(session))
  put('session', shared(before, after))
  put('session', shared(imports(toaster), imports(frame)))
  put('frame', whole(frame))
  put('kit', whole(kit))
  put('toaster', whole(toaster))
  put('idle', [...whole(idle), ...after])
  const users = new Map<string, number>()
  for (const screen of screens) for (const id of imports([screen])) users.set(id, (users.get(id) ?? 0) + 1)
  // The sign-in pages would load the whole file for the few modules that they need of it.
  put(
    'screens',
    [...users].filter(([id, count]) => count >= maxScreens && !before.has(id)).map(([id]) => id),
  )
  const inbox = imports(conversations)
  const few = new Set([...before, ...imports(nearBudget)])
  put(
    'live',
    shared(imports(live), inbox).filter((id) => !few.has(id)),
  )
  // The dashboard loads these, too, and is not to load what screens share.
  const apart = new Set([...few, ...imports([...live, ...receivers])])
  const codeOf = (id: string) => (groupOf.has(id) ? 0 : (graph.getModuleInfo(id)?.code?.length ?? 0))
  const codeWith = (id: string) => [id, ...importedBy(graph, [id])].reduce((sum, one) => sum + codeOf(one), 0)
  const some = [...users].flatMap(([id, count]) =>
    count > 1 && !apart.has(id) && !isIcon(id) && codeWith(id) <= maxCode ? [id] : [],
  )
  put('inbox', shared(inbox, new Set(some)))
  put('lists', some)
  const lazily = timesLoaded(graph)
  const isOwn = (id: string) =>
    users.get(id) === 1 && (lazily.get(id) ?? 0) > 1 && !apart.has(id) && !id.includes('/node_modules/')
  put('conversations', [...inbox].filter(isOwn))
  return groupOf
}

/** Counts for each module how many lazily loaded modules contain it, directly or not. */
function timesLoaded(graph: Graph): ReadonlyMap<string, number> {
  const entries = new Set([join(import.meta.dirname, 'src/main.tsx')])
  const times = new Map<string, number>()
  for (const entry of entries)
    for (const id of new Set([entry, ...importedBy(graph, [entry])])) {
      times.set(id, (times.get(id) ?? 0) + 1)
      for (const lazy of graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []) entries.add(lazy)
    }
  return times
}

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].filter((id) => other.has(id))

const moduleId = (path: string) => resolve(import.meta.dirname, path)

/** Returns everything that the modules import, directly or not, without the modules themselves. */
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
  for (const path of paths) visit(moduleId(path))
  return found
}

/** Replaces antd's index, which imports all of its components, by those that the importing module names. */
function withoutAntdIndex(imported: string, importer: string): string[] {
  if (!imported.endsWith('/antd/es/index.js')) return [imported]
  const [, names = ''] = /import\s*\{([^}]*)\}\s*from\s*["']antd["']/.exec(importer) ?? []
  return names.split(',').flatMap((name) => {
    const [component] = name.trim().split(/\s/)
    const folder = component?.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
    return folder ? [imported.replace('index.js', `${folder}/index.js`)] : []
  })
}
