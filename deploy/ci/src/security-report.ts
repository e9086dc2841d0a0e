import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { reportsFolder, root } from './paths.ts'

const folder = 'bff/src/test/security/'
const reportFile = join(root, '.parley/security-report.md')

const vitestReportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
})

/** One run of the attack suite. */
export interface SuiteRun {
  /** The identity provider that it ran against; a column of the report. */
  readonly provider: string
  /** What vitest wrote. */
  readonly report: unknown
}

interface SecurityCase {
  readonly group: string
  readonly name: string
  /** Whose tokens the case is about. */
  readonly issuer: string
  readonly provider: string
  readonly result: string
}

/**
 * The cases of the attack suite in reports of vitest.
 * @param sourceOf reads a test file, to tell which cases have an issuer of their own beside the provider.
 */
export function securityCases(runs: readonly SuiteRun[], sourceOf: (file: string) => string): SecurityCase[] {
  return runs.flatMap(({ provider, report }) =>
    vitestReportSchema
      .parse(report)
      .testResults.filter(({ name }) => name.includes(folder))
      .flatMap(({ name: file, assertionResults }) => {
        const issuer = sourceOf(file).includes('test-issuer.ts') ? 'test issuer, provider' : 'provider'
        const [group = ''] = basename(file).split('.')
        return assertionResults.map(({ ancestorTitles, title, status }) => ({
          group,
          name: [...ancestorTitles, title].filter(Boolean).join(' '),
          issuer,
          provider,
          result: status === 'passed' || status === 'failed' ? status : 'skipped',
        }))
      }),
  )
}

/** One table of figures by group, and one of all cases, failures first; a column for each provider. */
export function securityReport(cases: readonly SecurityCase[]): string {
  const providers = [...new Set(cases.map(({ provider }) => provider))]
  const groups = [...Map.groupBy(cases, ({ group }) => group)].sort(([a], [b]) => a.localeCompare(b))
  const figures = (of: readonly SecurityCase[], provider: string) =>
    ['passed', 'failed', 'skipped']
      .map((wanted) => of.filter((one) => one.provider === provider && one.result === wanted).length)
      .join(' / ')
  const rows = groups.flatMap(([group, of]) =>
    [...Map.groupBy(of, ({ name }) => name)].map(([name, same]) => ({ group, name, same })),
  )
  const rank = ({ same }: { same: readonly SecurityCase[] }) => (same.some(isFailed) ? 0 : 1)
  return [
    '# Security cases of the sign-in',
    '',
    'Figures are passed / failed / skipped.',
    '',
    line(['group', ...providers]),
    line(['---', ...providers.map(() => '---:')]),
    ...groups.map(([group, of]) => line([group, ...providers.map((provider) => figures(of, provider))])),
    '',
    line(['group', 'case', 'tokens of', ...providers]),
    line(['---', '---', '---', ...providers.map(() => '---')]),
    ...rows
      .sort((a, b) => rank(a) - rank(b))
      .map(({ group, name, same }) =>
        line([group, cell(name), same[0]?.issuer ?? '', ...providers.map((provider) => resultOn(provider, same))]),
      ),
    '',
  ].join('\n')
}

/** Of several cases of one name the worst. */
function resultOn(provider: string, same: readonly SecurityCase[]): string {
  const results = same.filter((one) => one.provider === provider).map(({ result }) => result)
  return ['failed', 'skipped', 'passed'].find((result) => results.includes(result)) ?? '–'
}

const isFailed = ({ result }: SecurityCase) => result === 'failed'
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const cell = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')

/**
 * Writes `.parley/security-report.md` from what stages left; nothing where they left nothing.
 * @param stages name of the stage, by the provider that it ran against.
 */
export function writeSecurityReport(stages: Readonly<Record<string, string>>): void {
  const runs = Object.entries(stages).flatMap(([provider, stage]): SuiteRun[] => {
    const countsFile = join(reportsFolder, `${stage}.counts.json`)
    return existsSync(countsFile) ? [{ provider, report: JSON.parse(readFileSync(countsFile, 'utf8')) }] : []
  })
  if (runs.length === 0) return
  const cases = securityCases(runs, (file) => readFileSync(file, 'utf8'))
  writeFileSync(reportFile, securityReport(cases))
  for (const { provider } of runs) {
    const of = cases.filter((one) => one.provider === provider)
    const failed = of.filter(isFailed).length
    console.log(`  security cases on ${provider}: ${of.length}, failed: ${failed}`)
  }
  console.log('  listed in .parley/security-report.md')
}
