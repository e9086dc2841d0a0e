import type { Reporter, TestCase } from 'vitest/node'

/** Reporter of Vitest that names each test that failed and then passed, which the default one does not. */
export default class FlakyReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) console.log(`flaky: ${test.module.relativeModuleId} › ${test.fullName}`)
  }
}
