import { expect, test } from 'vitest'
import { errorLine, parseReport, passedAtSecondTry, withSecondTry } from './reports.ts'

test('of a Vitest report the failed tests are told with the first line of why', () => {
  const report = parseReport(
    'services',
    `<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="4" failures="1" errors="0" time="1.5">
  <testsuite name="bff/src/test/security/tokens.test.ts" tests="2">
    <testcase classname="bff/src/test/security/tokens.test.ts" name="as Bearer &gt; alg none" time="0.1"></testcase>
    <testcase classname="bff/src/test/security/tokens.test.ts" name="later" time="0"><skipped/></testcase>
  </testsuite>
  <testsuite name="shop/cart.test.ts" tests="2">
    <testcase classname="shop/cart.test.ts" name="keeps what is put in" time="0.1">
      <failure message="1 is not 2" type="AssertionError">
AssertionError: 1 is not 2
 ❯ cart.ts:3:1
      </failure>
    </testcase>
    <testcase classname="shop/cart.test.ts" name="empties" time="0.1"></testcase>
  </testsuite>
</testsuites>`,
  )
  expect(report).toMatchObject({ passed: 2, skipped: 1, reasons: [], seconds: 1.5 })
  expect(report.failures).toEqual(['shop/cart.test.ts › keeps what is put in: AssertionError: 1 is not 2'])
})

test('an error outside of any test is told with where it was', () => {
  const report = parseReport(
    'services',
    `<testsuites time="1"><testsuite name="vitest unhandled errors">
    <testcase classname="vitest unhandled errors" name="Unhandled Rejection: no till" time="0">
      <error message="no till" type="TypeError">
TypeError: no till
 ❯ pay shop/till.test.ts:3:37
 ❯ shop/shop.test.ts:1:1
      </error>
    </testcase></testsuite></testsuites>`,
  )
  expect(report.failures).toEqual(['shop/till.test.ts:3 › Unhandled Rejection: no till: TypeError: no till'])
})

test('of a Playwright report the error is told, not where it stands, and why something was skipped once', () => {
  const skipped = `<properties><property name="skip" value="no printer"></property></properties><skipped></skipped>`
  const report = parseReport(
    'journeys',
    `<testsuites id="" name="" tests="3" failures="1" skipped="2" errors="0" time="3.2">
<testsuite name="shop.spec.ts">
<testcase name="pays" classname="shop.spec.ts" time="1"><failure message="shop.spec.ts:11:1 pays" type="FAILURE"><![CDATA[  shop.spec.ts:11:1 › pays

    \u001b[31mError: timed out <waiting>\u001b[39m
]]></failure></testcase>
<testcase name="prints" classname="shop.spec.ts" time="0">${skipped}</testcase>
<testcase name="prints again" classname="shop.spec.ts" time="0">${skipped}</testcase>
</testsuite>
</testsuites>`.replaceAll('\\u001b', '\u001b'),
  )
  expect(report).toMatchObject({ passed: 0, skipped: 2, reasons: ['no printer'] })
  expect(report.failures).toEqual(['shop.spec.ts › pays: Error: timed out <waiting>'])
})

test('a run without a test, or a text that is no report, is told apart', () => {
  expect(parseReport('none', '<testsuites time="0"></testsuites>')).toMatchObject({ passed: 0, failures: [] })
  expect(() => parseReport('none', 'Segmentation fault')).toThrow()
})

test('of a command that is no test runner, the line that speaks of the error is told, else the last one', () => {
  expect(errorLine('Checking rules.yaml\n  SUCCESS: 20 rules\n\n\u001b[31m  FAILED:\u001b[39m 1 alert\nbye\n')).toBe(
    'FAILED: 1 alert',
  )
  expect(errorLine('first\nlast\n')).toBe('last')
  expect(errorLine('')).toBe('no output')
})

test('what failed and passed at the second try is skipped by name; what failed again is a failure', () => {
  const failing = (...names: string[]) =>
    parseReport(
      'services',
      `<testsuites time="1"><testsuite name="till.test.ts"><testcase classname="till.test.ts" name="counts" time="1"></testcase>
${names.map((name) => `<testcase classname="till.test.ts" name="${name}" time="1"><failure message="late">Error: ${name} late</failure></testcase>`).join('')}
      </testsuite></testsuites>`,
    )
  const first = failing('opens', 'closes')
  expect(first).toMatchObject({ passed: 1, failedFiles: ['till.test.ts'] })
  expect(withSecondTry(first, failing('closes'))).toMatchObject({
    passed: 1,
    failures: ['till.test.ts › closes: Error: closes late'],
    skipped: 1,
    reasons: ['till.test.ts › opens passed at the second try'],
  })
  expect(withSecondTry(first, failing())).toMatchObject({ failures: [], failedFiles: [], skipped: 2 })
})

test('journeys that passed at the second try are found in what Playwright prints', () => {
  const output =
    '  1) a.spec.ts:3:1 › one\n\n  2 flaky\n    a.spec.ts:3:1 › one @gate \n    b.spec.ts:9:1 › two \n  4 passed (3.0s)\n'
  expect(passedAtSecondTry(output)).toEqual(['a.spec.ts:3:1 › one @gate', 'b.spec.ts:9:1 › two'])
  expect(passedAtSecondTry('  4 passed (3.0s)\n')).toEqual([])
})
