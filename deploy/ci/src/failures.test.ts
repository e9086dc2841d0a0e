import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorLine, playwrightFailures, vitestFailures } from './failures.ts'
import { root } from './paths.ts'

test('a failed test is told with its file, its name and the first line of why', () => {
  const failed = {
    status: 'failed',
    fullName: 'a cart keeps what is put in',
    failureMessages: ['Error: 1 is not 2\n  at cart.ts'],
  }
  const name = join(root, 'shop/cart.test.ts')
  expect(
    vitestFailures({
      testResults: [
        { name, message: '', assertionResults: [{ status: 'passed', fullName: 'well' }, failed] },
        { name: join(root, 'shop/broken.test.ts'), message: 'cannot find till.ts', assertionResults: [] },
      ],
    }),
  ).toEqual([
    'shop/cart.test.ts › a cart keeps what is put in: Error: 1 is not 2',
    'shop/broken.test.ts › the file: cannot find till.ts',
  ])
})

test('journeys that failed, or passed only at the second try, are told at every depth', () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: 'shop.spec.ts',
    tests: [{ status, results: [{ ...(message && { error: { message } }) }, {}] }],
  })
  const report = {
    suites: [
      {
        specs: [spec('pays', 'expected')],
        suites: [{ specs: [spec('returns', 'unexpected', '\u001b[31mtimed out\u001b[39m\nlog')] }],
      },
      { specs: [spec('rings', 'flaky', 'no bell')] },
    ],
    errors: [{ message: 'no browser' }],
  }
  expect(playwrightFailures(report)).toEqual([
    'shop.spec.ts › returns: timed out',
    'shop.spec.ts › rings: no bell',
    'journeys › outside any test: no browser',
  ])
})

test('of a command that is no test runner, the line that speaks of the error is told, else the last one', () => {
  expect(errorLine('Checking rules.yaml\n  SUCCESS: 20 rules\n\n\u001b[31m  FAILED:\u001b[39m 1 alert\nbye\n')).toBe(
    'FAILED: 1 alert',
  )
  expect(errorLine('first\nlast\n')).toBe('last')
  expect(errorLine('')).toBe('it said nothing')
})
