import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ourImages } from './containers/our-images.ts'
import { root } from './paths.ts'
import { planRelease } from './release-plan.ts'
import { toolsPath } from './tools/folders.ts'

/**
 * `node deploy/ci/src/release.ts <tag> --registry <host/path> [--push]`: builds the images of a version and packages its chart, in
 * `.parley/release`; with `--push` both go to the registry. Without, nothing leaves the machine; `--plan` prints the commands alone, `--notes` what
 * has changed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    registry: { type: 'string' },
    push: { type: 'boolean' },
    plan: { type: 'boolean' },
    notes: { type: 'boolean' },
  },
})
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const folder = '.parley/release'
const plan = planRelease({
  tag: positionals[0] ?? '',
  registry: values.registry ?? '',
  isPushed: values.push ?? false,
  folder,
  images: ourImages,
  files: {
    package: read('package.json'),
    chart: read('helm/parley/Chart.yaml'),
    changelog: read('CHANGELOG.md'),
  },
})
if (values.notes) console.log(plan.notes)
const isRun = !values.plan && !values.notes
if (isRun) mkdirSync(join(root, folder), { recursive: true })
for (const [program, ...args] of values.notes ? [] : plan.commands) {
  console.log([program, ...args].join(' '))
  if (program && isRun)
    execFileSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: toolsPath } })
}
