import { expect, test } from 'vitest'
import { isAuthorizedDomain } from './authorized-domains.ts'

test.each([
  ['localhost', true],
  ['example.com', true],
  ['app.example.com', true],
  ['10.0.0.1', true],
  ['evilexample.com', false],
  ['example.com.evil.test', false],
  ['1.10.0.0.1', false],
  ['', false],
])('%j: %s', (hostname, allowed) => {
  expect(isAuthorizedDomain(hostname, ['localhost', 'example.com', '10.0.0.1'])).toBe(allowed)
})
