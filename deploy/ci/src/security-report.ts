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

interface SecurityCase {
  readonly group: string
  readonly name: string
  readonly result: string
  readonly provider: string
}

/**
 * The cases of the attack suite in a report of vitest.
 * @param sourceOf reads a test file, to tell which identity provider its cases ran against.
 * @param realProvider name of the provider that stands in for nobody; the local stand-in where absent.
 */
export function securityCases(
  report: unknown,
  sourceOf: (file: string) => string,
  realProvider = 'stand-in',
): SecurityCase[] {
  const files = vitestReportSchema.parse(report).testResults.filter(({ name }) => name.includes(folder))
  return files.flatMap(({ name: file, assertionResults }) => {
    const provider = sourceOf(file).includes('test-issuer.ts') ? `test issuer, ${realProvider}` : realProvider
    const [group = ''] = basename(file).split('.')
    return assertionResults.map(({ ancestorTitles, title, status }) => ({
      group,
      name: [...ancestorTitles, title].filter(Boolean).join(' '),
      result: status,
      provider,
    }))
  })
}

/** One table of figures by group, and one of all cases; failures first. */
export function securityReport(cases: readonly SecurityCase[]): string {
  const groups = [...Map.groupBy(cases, ({ group }) => group)].sort(([a], [b]) => a.localeCompare(b))
  const count = (of: readonly SecurityCase[], result: string) => of.filter((one) => one.result === result).length
  const summary = groups.map(([group, of]) => {
    const [passed, failed] = [count(of, 'passed'), count(of, 'failed')]
    return `| ${group} | ${passed} | ${failed} | ${of.length - passed - failed} |`
  })
  const rank = ({ result }: SecurityCase) => (result === 'failed' ? 0 : 1)
  const rows = groups.flatMap(([, of]) => of).sort((a, b) => rank(a) - rank(b))
  return [
    '# Security cases of the sign-in',
    '',
    '| group | passed | failed | skipped |',
    '| --- | ---: | ---: | ---: |',
    ...summary,
    '',
    '| group | case | result | provider |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ group, name, result, provider }) => `| ${group} | ${cell(name)} | ${result} | ${provider} |`),
    '',
  ].join('\n')
}

const cell = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')

/** Writes `.parley/security-report.md` from what the services stage left; nothing where it left nothing. */
export function writeSecurityReport(): void {
  const countsFile = join(reportsFolder, 'services.counts.json')
  if (!existsSync(countsFile)) return
  const issuer = process.env['OIDC_ISSUER']
  const cases = securityCases(
    JSON.parse(readFileSync(countsFile, 'utf8')),
    (file) => readFileSync(file, 'utf8'),
    issuer ? new URL(issuer).host : 'stand-in',
  )
  writeFileSync(reportFile, securityReport(cases))
  const failed = cases.filter(({ result }) => result === 'failed').length
  console.log(`  security cases: ${cases.length}, failed: ${failed}, listed in .parley/security-report.md`)
}
