import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { firstLoadFiles, manifestSchema } from './first-load.ts'
import { root } from './paths.ts'

/**
 * Stage `size`, after a build: compressed JavaScript that a screen loads before it shows, and how many scripts and
 * stylesheets that takes, against budgets. size-limit measures files by pattern; which chunks a screen loads is known to Vite's
 * manifest alone.
 */
const app = ['index.html', 'session']
/** Entries of the frame with the dashboard in it. */
const frame = [...app, 'frame']
/** Modules that the frame loads once the screen shows. */
const idle = ['idle', 'kit', 'toaster']

const shell = [...frame, ...idle]

interface Screen {
  readonly budgetBytes: number
  /** Maximum scripts and stylesheets. */
  readonly budgetFiles?: number
  readonly modules: readonly string[]
  /** Modules that are there before, and not counted. */
  readonly without?: readonly string[]
}

/** Pages, each loaded on top of the frame that every screen stands in. */
const pages =
  'conversations contacts campaigns templates bots workflows analytics numbers webhooks settings profile'.split(' ')
const ownOf = (name: string): Screen => ({
  budgetBytes: 155_000,
  // Forms, payments, history, carousels and opt-outs of phones take more to show, and questions, places and voice notes to write.
  ...(name === 'conversations' && { budgetBytes: 170_000, budgetFiles: 33 }),
  // Lists, segments and undo of merges stand beside the contacts, and messages with cards in their timelines.
  ...(name === 'contacts' && { budgetBytes: 162_000 }),
  // The rows behind its numbers name messages of every kind, and its periods end with any day.
  ...(name === 'analytics' && { budgetBytes: 159_000 }),
  modules: [...shell, `src/features/${name}/${name}-page.tsx`],
  without: shell,
})

const screens: Record<string, Screen> = {
  landing: { budgetBytes: 120_000, modules: ['index.html', 'src/app/home-route.tsx'] },
  login: {
    budgetBytes: 280_000,
    modules: [...app, 'src/app/sign-in-layout.tsx', 'src/features/auth/login-page.tsx'],
  },
  dashboard: { budgetBytes: 240_000, modules: frame },
  'dashboard when idle': { budgetBytes: 302_000, budgetFiles: 15, modules: shell },
  ...Object.fromEntries(pages.map((name) => [`${name}, own`, ownOf(name)])),
}
const dist = join(root, 'frontend/dist')

const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')))
// Files that the page itself names come beside the modules.
const page = readFileSync(join(dist, 'index.html'), 'utf8')
const named = [...page.matchAll(/<script[^>]*\ssrc="\/([^"]+)"/g)].map(([, file = '']) => file)
const filesOf = ({ modules, without = [] }: Screen) => {
  const before = new Set(without.length > 0 ? [...named, ...firstLoadFiles(manifest, without)] : [])
  return [...new Set([...named, ...firstLoadFiles(manifest, modules)])].filter((file) => !before.has(file))
}
// The build leaves the compressed file beside each script; it is what a browser gets.
const compressedBytes = (files: readonly string[]) =>
  files.filter((file) => file.endsWith('.js')).reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0)
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9)

console.log(`${'first load, gz'.padEnd(20)}     script    budget  files  budget`)
for (const [name, screen] of Object.entries(screens)) {
  const { budgetBytes, budgetFiles } = screen
  const files = filesOf(screen)
  const bytes = compressedBytes(files)
  const over = bytes > budgetBytes || files.length > (budgetFiles ?? Number.POSITIVE_INFINITY)
  const counts = `${String(files.length).padStart(5)}  ${String(budgetFiles ?? '').padStart(6)}`
  console.log(
    `${name.padEnd(20)}  ${kilobytes(bytes)} ${kilobytes(budgetBytes)}  ${counts}${over ? '  over budget' : ''}`,
  )
  if (over) process.exitCode = 1
}
