import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { firstLoadScripts, manifestSchema, sizeProblem } from './first-load.ts'
import { root } from './paths.ts'

/**
 * `npm run size`, after `npm run build`: compressed JavaScript that a screen loads before it shows, against a budget and
 * against the committed baseline. `--update` makes today's sizes the new baseline.
 */
const app = ['index.html', 'src/app/session-layout.tsx']
const frame = [...app, 'src/app/protected-layout.tsx']
const dashboard = [...frame, 'src/features/dashboard/dashboard-page.tsx']
/** What the frame loads once the screen shows. */
const idle = [
  'src/app/shell/command-menu.tsx',
  'src/features/conversations/unread-badge.tsx',
  'src/features/notifications/notifications-button.tsx',
  'src/ui/toaster.tsx',
]

/** What a screen loads on top of the frame that every screen stands in. */
const ownBudgetBytes = 150_000
const shell = [...frame, ...idle]
const own = (modules: string[]) => ({ budgetBytes: ownBudgetBytes, modules: [...shell, ...modules], without: shell })

const screens: Record<string, { budgetBytes: number; modules: string[]; without?: string[] }> = {
  landing: { budgetBytes: 120_000, modules: ['index.html', 'src/app/home-route.tsx'] },
  login: {
    budgetBytes: 280_000,
    modules: [...app, 'src/app/sign-in-layout.tsx', 'src/features/auth/login-page.tsx'],
  },
  dashboard: { budgetBytes: 240_000, modules: dashboard },
  'dashboard when idle': { budgetBytes: 285_000, modules: [...dashboard, ...idle] },
  'conversations, own': own(['src/features/conversations/conversations-page.tsx']),
  'contacts, own': own(['src/features/contacts/contacts-page.tsx']),
  'campaigns, own': own(['src/features/campaigns/campaigns-page.tsx']),
  'templates, own': own(['src/features/templates/templates-page.tsx']),
  'bots, own': own(['src/features/bots/bots-page.tsx']),
  'workflows, own': own(['src/features/workflows/workflows-page.tsx']),
  'analytics, own': own(['src/features/analytics/analytics-page.tsx']),
  'numbers, own': own(['src/features/numbers/numbers-page.tsx']),
  'webhooks, own': own(['src/features/webhooks/webhooks-page.tsx']),
  'settings, own': own(['src/features/settings/settings-page.tsx']),
  'profile, own': own(['src/features/profile/profile-page.tsx']),
}
const dist = join(root, 'frontend/dist')
const baselineFile = join(root, 'deploy/ci/size-baseline.json')
const { values: flags } = parseArgs({ options: { update: { type: 'boolean', default: false } } })

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const manifest = manifestSchema.parse(readJson(join(dist, '.vite/manifest.json')))
// Beside the modules, whatever the page itself names.
const page = readFileSync(join(dist, 'index.html'), 'utf8')
const named = [...page.matchAll(/<script[^>]*\ssrc="\/([^"]+)"/g)].map(([, file = '']) => file)
// The build leaves the compressed file beside each script; it is what a browser gets.
const compressedBytes = (files: readonly string[]) =>
  [...new Set(files)].reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0)
const sizes = Object.entries(screens).map(([screen, { budgetBytes, modules, without = [] }]) => ({
  screen,
  budgetBytes,
  bytes:
    compressedBytes([...named, ...firstLoadScripts(manifest, modules)]) -
    (without.length > 0 ? compressedBytes([...named, ...firstLoadScripts(manifest, without)]) : 0),
}))
if (flags.update) {
  const baseline = Object.fromEntries(sizes.map(({ screen, bytes }) => [screen, bytes]))
  writeFileSync(baselineFile, `${JSON.stringify(baseline, null, 2)}\n`)
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9)
const baseline = z.record(z.string(), z.number()).parse(readJson(baselineFile))
console.log(`${'first load, gz'.padEnd(20)}     script    budget  baseline`)
for (const { screen, bytes, budgetBytes } of sizes) {
  const baselineBytes = baseline[screen] ?? 0
  const problem = sizeProblem({ bytes, budgetBytes, baselineBytes })
  const figures = [bytes, budgetBytes, baselineBytes].map(kilobytes).join(' ')
  console.log(`${screen.padEnd(20)}  ${figures}  ${problem ?? ''}`.trimEnd())
  if (problem) process.exitCode = 1
}
