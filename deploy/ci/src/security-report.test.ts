import { expect, test } from 'vitest'
import { securityCases, securityReport } from './security-report.ts'

const file = (name: string, cases: [string, string][]) => ({
  name: `/somewhere/bff/src/test/${name}`,
  assertionResults: cases.map(([title, status]) => ({ ancestorTitles: ['as Bearer'], title, status })),
})
const report = {
  testResults: [
    file('security/tokens.test.ts', [
      ['alg none', 'passed'],
      ['a | and <b>', 'failed'],
    ]),
    file('security/accounts.mails.test.ts', [['once', 'pending']]),
    file('http.test.ts', [['not of this suite', 'passed']]),
  ],
}
const sources = (name: string) => (name.includes('tokens') ? "import '../test-issuer.ts'" : '')

test('cases are those of the attack suite, by group, with the provider they ran against', () => {
  expect(securityCases(report, sources)).toEqual([
    { group: 'tokens', name: 'as Bearer alg none', result: 'passed', provider: 'test issuer, stand-in' },
    { group: 'tokens', name: 'as Bearer a | and <b>', result: 'failed', provider: 'test issuer, stand-in' },
    { group: 'accounts', name: 'as Bearer once', result: 'pending', provider: 'stand-in' },
  ])
})

test('the report counts each group and lists failures first', () => {
  const text = securityReport(securityCases(report, sources, 'id.example.com'))
  expect(text).toContain('| tokens | 1 | 1 | 0 |')
  expect(text).toContain('| accounts | 0 | 0 | 1 |')
  const rows = text.split('\n').filter((line) => line.includes('as Bearer'))
  expect(rows[0]).toBe('| tokens | as Bearer a \\| and &lt;b> | failed | test issuer, id.example.com |')
  expect(rows).toHaveLength(3)
})
