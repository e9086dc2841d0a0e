import { parseConfig } from '@parley/service-kit/core/config'
import { expect, inject, test } from 'vitest'
import { configSchema } from '../config.ts'

const complete = () => ({ ...inject('stack').env.bff })

test('the environment of the local stack is complete', () => {
  expect(() => parseConfig(configSchema, complete())).not.toThrow()
})

test.each([
  'PUBLIC_ORIGIN',
  'REDIS_URL',
  'OIDC_ISSUER',
  'OIDC_WEB_CLIENT_SECRET',
  'OIDC_PASSWORD_CLIENT_SECRET',
  'SESSION_KEYS',
  'INTERNAL_TOKEN_KEYS',
  'PROFILE_URL',
  'IDENTITY_URL',
  'MESSAGING_URL',
  'AUTOMATION_URL',
  'MANAGEMENT_PORT',
])('without %s it says so', (name) => {
  expect(() => parseConfig(configSchema, { ...complete(), [name]: undefined })).toThrow(`${name} is missing`)
})

const jwk = { kty: 'OKP', crv: 'Ed25519', kid: 'k1', x: 'x', d: 'd' }
const twoKeysOfOneName = JSON.stringify([jwk, { ...jwk, x: 'y' }])

test.each([
  ['SESSION_KEYS', 'k1:too-short'],
  ['SESSION_KEYS', 'no colon'],
  ['SESSION_KEYS', `k1:${'A'.repeat(43)}=,k1:${'B'.repeat(43)}=`],
  ['INTERNAL_TOKEN_KEYS', twoKeysOfOneName],
  ['OIDC_WEB_CLIENT_SECRET', 'old-secret short'],
  ['OIDC_PASSWORD_CLIENT_SECRET', 'first-secret second-secret third-secret'],
  ['INTERNAL_TOKEN_KEYS', 'not json'],
  ['INTERNAL_TOKEN_KEYS', '[]'],
  ['PUBLIC_ORIGIN', 'http://localhost:3000/app'],
  ['REDIS_URL', 'http://localhost'],
  ['PORT', 'high'],
  ['LIMIT_RESET_PER_HOUR_PER_EMAIL', '0'],
])('%s=%s is refused by name, without its value', (name, value) => {
  const read = () => parseConfig(configSchema, { ...complete(), [name]: value })
  expect(read).toThrow(new RegExp(`${name}: `))
  expect(() => read()).not.toThrow(new RegExp(value.replaceAll(/[[\]{}+"]/g, '\\$&') || 'never'))
})
