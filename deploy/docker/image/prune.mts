/** Takes out of an installation what no process reads: `node prune.mts WORKSPACE`, after `npm ci` and in its folder. */
import { existsSync, globSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [, , workspace = ''] = process.argv
/** Files that are never read, TypeScript included: Node runs none below node_modules. */
const unread = /\.([cm]?tsx?|map|md|markdown|flow|tsbuildinfo)$|\.test\.[cm]?js$/i
const unreadFolders = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'doc',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
])

/**
 * OpenTelemetry ships itself three times, of which Node reads `build/src`; the bundle of libphonenumber-js is for browsers, and
 * three builds of luxon are. Of the AWS SDK Node reads `dist-cjs`; of BullMQ `dist/cjs`. Of the sets of countries that
 * libphonenumber-js has, ours read `min`; `source` is what its builds are made from.
 */
const forBundlers =
  /@opentelemetry\/[^/]+\/build\/(?:esm|esnext)$|libphonenumber-js\/(?:bundle|max|mobile|source)$|luxon\/(?:src|build\/(?:amd|cjs-browser|global))$|@(?:aws-sdk|smithy)\/[^/]+\/dist-es$|bullmq\/dist\/esm$/

const unloaded = /node_modules\/(?:@types|\.bin|\.package-lock\.json)$/

for (const folder of installations()) cleanModules(folder)
for (const entry of readdirSync('.'))
  if (!['node_modules', 'package.json', ...kept()].includes(entry)) rmSync(entry, { recursive: true })

/** The tree of a workspace stays where packages were installed into it, for the sake of one version of theirs. */
function kept(): string[] {
  return [...new Set(installations().map((folder) => folder.split('/')[0] ?? ''))]
}

function installations(): string[] {
  return ['', workspace, ...globSync('packages/*')]
    .map((folder) => join(folder, 'node_modules'))
    .filter((folder) => existsSync(folder))
}

function cleanModules(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (lstatSync(path).isSymbolicLink()) {
      if (!existsSync(path)) rmSync(path)
    } else if (unloaded.test(path)) rmSync(path, { recursive: true })
    else if (name.startsWith('@')) cleanModules(path)
    else if (lstatSync(path).isDirectory()) cleanPackage(path, true)
  }
}

function cleanPackage(folder: string, isTop: boolean): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && isTop && unreadFolders.has(entry.name)) rmSync(path, { recursive: true })
    else if (entry.isDirectory() && forBundlers.test(path)) rmSync(path, { recursive: true })
    else if (entry.isDirectory() && entry.name === 'node_modules') cleanModules(path)
    else if (entry.isDirectory()) cleanPackage(path, false)
    else if (unread.test(entry.name) && !/^licen[cs]e/i.test(entry.name)) rmSync(path)
  }
}
