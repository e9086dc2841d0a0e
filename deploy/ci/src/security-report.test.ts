import { expect, test } from 'vitest'
import { securityCases, securityReport } from './security-report.ts'

const file = (name: string, cases: [string, string][]) => ({
  name: `/somewhere/bff/src/test/${name}`,
  assertionResults: cases.map(([title, status]) => ({ ancestorTitles: ['as Bearer'], title, status })),
})
const onStandIn = {
  testResults: [
    file('security/tokens.test.ts', [
      ['alg none', 'passed'],
      ['a | and <b>', 'passed'],
    ]),
    file('security/accounts.mails.test.ts', [['once', 'passed']]),
    file('http.test.ts', [['not of this suite', 'passed']]),
  ],
}
const onKeycloak = {
  testResults: [
    file('security/tokens.test.ts', [['a | and <b>', 'failed']]),
    file('security/accounts.mails.test.ts', [['once', 'pending']]),
  ],
}
const runs = [
  { provider: 'embedded', report: onStandIn },
  { provider: 'Keycloak', report: onKeycloak },
]
const sources = (name: string) => (name.includes('tokens') ? "import '../test-issuer.ts'" : '')

test('cases are those of the attack suite, by group, with the provider they ran against', () => {
  const issuer = 'test issuer, provider'
  expect(securityCases(runs, sources)).toEqual([
    { group: 'tokens', name: 'as Bearer alg none', result: 'passed', issuer, provider: 'embedded' },
    { group: 'tokens', name: 'as Bearer a | and <b>', result: 'passed', issuer, provider: 'embedded' },
    { group: 'accounts', name: 'as Bearer once', result: 'passed', issuer: 'provider', provider: 'embedded' },
    { group: 'tokens', name: 'as Bearer a | and <b>', result: 'failed', issuer, provider: 'Keycloak' },
    { group: 'accounts', name: 'as Bearer once', result: 'skipped', issuer: 'provider', provider: 'Keycloak' },
  ])
})

test('the report has a column for each provider, counts each group and lists failures first', () => {
  const text = securityReport(securityCases(runs, sources))
  expect(text).toContain('| group | embedded | Keycloak |')
  expect(text).toContain('| tokens | 2 / 0 / 0 | 0 / 1 / 0 |')
  expect(text).toContain('| accounts | 1 / 0 / 0 | 0 / 0 / 1 |')
  expect(text.split('\n').filter((line) => line.includes('as Bearer'))).toEqual([
    '| tokens | as Bearer a \\| and &lt;b> | test issuer, provider | passed | failed |',
    '| accounts | as Bearer once | provider | passed | skipped |',
    '| tokens | as Bearer alg none | test issuer, provider | passed | – |',
  ])
})

test('a run on one provider has one column', () => {
  const text = securityReport(securityCases(runs.slice(0, 1), sources))
  expect(text).toContain('| group | case | tokens of | embedded |')
})
