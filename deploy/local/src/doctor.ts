import { diagnose } from './diagnosis.ts'
import { defaultDataDir } from './paths.ts'
import type { Check } from './problem.ts'

const marks = { ok: '✔', note: '·', problem: '✘' } as const

const checks = await diagnose({ dataDir: defaultDataDir, environment: process.env })
for (const check of checks) console.log(describe(check))

const problems = checks.filter((check) => check.verdict === 'problem').length
console.log(problems === 0 ? '\nNothing is wrong.' : `\n${problems} ${problems === 1 ? 'problem' : 'problems'}.`)
process.exitCode = problems === 0 ? 0 : 1

function describe({ verdict, subject, finding, remedy }: Check): string {
  const line = `${marks[verdict]} ${subject.padEnd(18)} ${finding}`
  return remedy ? `${line}\n${' '.repeat(21)}→ ${remedy}` : line
}
