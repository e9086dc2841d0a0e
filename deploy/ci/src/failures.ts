import { relative } from 'node:path'
import { z } from 'zod'
import { root } from './paths.ts'

const vitestSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
})

/** The tests that failed and the first line of why, from Vitest's JSON report. A file that could not be loaded counts as a test. */
export function vitestFailures(report: unknown): string[] {
  return vitestSchema.parse(report).testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name)
    if (assertionResults.length === 0) return message ? [line(file, 'the file', message)] : []
    return assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => line(file, fullName, failureMessages?.[0]))
  })
}

const errorSchema = z.object({ message: z.string().optional() })
const suiteSchema = z.object({
  specs: z
    .array(
      z.object({
        title: z.string(),
        file: z.string(),
        tests: z.array(z.object({ status: z.string(), results: z.array(z.object({ error: errorSchema.optional() })) })),
      }),
    )
    .default([]),
  get suites() {
    return z.array(suiteSchema).default([])
  },
})

/** The same from Playwright's JSON report; an error outside any test is told too. */
export function playwrightFailures(report: unknown): string[] {
  const { suites, errors } = z
    .object({ suites: z.array(suiteSchema), errors: z.array(errorSchema).default([]) })
    .parse(report)
  return [...suites.flatMap(failuresIn), ...errors.map(({ message }) => line('journeys', 'outside any test', message))]
}

function failuresIn({ specs, suites }: z.infer<typeof suiteSchema>): string[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => line(file, title, results.find(({ error }) => error)?.error?.message)),
  )
  return [...own, ...suites.flatMap(failuresIn)]
}

/** What a command that failed said of it: its first line that speaks of an error, else its last. */
export function errorLine(output: string): string {
  const lines = output
    .replaceAll(escapes, '')
    .split('\n')
    .map((text) => text.trim())
    .filter(Boolean)
  return lines.find((text) => /error|fail|cannot|✘|✗/i.test(text)) ?? lines.at(-1) ?? 'it said nothing'
}

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
const line = (file: string, title: string, message = 'no message') =>
  `${file} › ${title}: ${message.replaceAll(escapes, '').trim().split('\n')[0]}`
