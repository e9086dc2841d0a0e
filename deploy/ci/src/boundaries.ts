import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { root } from './paths.ts'
import { plantedViolations } from './planted-violations.ts'

const run = promisify(execFile)
const configFile = join(root, '.dependency-cruiser.cjs')
const folders = ['packages', 'services', 'bff', 'frontend', 'deploy']

const reportSchema = z.object({
  modules: z.array(z.unknown()),
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
})
type Report = z.infer<typeof reportSchema>

async function cruise(folder: string): Promise<Report> {
  const bin = join(root, 'node_modules/.bin/depcruise')
  const args = [bin, ...folders, '--config', configFile, '--output-type', 'json']
  const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 256 * 1024 * 1024 })
  return reportSchema.parse(JSON.parse(stdout))
}

/** Checks that every rule of the configuration catches the violation planted for it. */
async function selfTest(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-boundaries-'))
  try {
    for (const name of folders) mkdirSync(join(folder, name))
    for (const [path, text] of Object.values(plantedViolations).flatMap((files) => Object.entries(files))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const caught = new Set((await cruise(folder)).summary.violations.map(({ rule }) => rule.name))
    return ruleNames().filter((name) => !caught.has(name))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function ruleNames(): string[] {
  const config: unknown = createRequire(import.meta.url)(configFile)
  return z
    .object({ forbidden: z.array(z.object({ name: z.string() })) })
    .parse(config)
    .forbidden.map(({ name }) => name)
}

const [uncaught, report] = await Promise.all([selfTest(), cruise(root)])
for (const name of uncaught) console.error(`rule ${name} does not catch the violation planted for it`)
for (const { from, to, rule } of report.summary.violations) console.error(`${rule.name}: ${from} → ${to}`)
console.log(`boundaries: ${report.modules.length} modules, ${ruleNames().length} rules, each shown to catch`)
if (uncaught.length + report.summary.violations.length > 0) process.exitCode = 1
