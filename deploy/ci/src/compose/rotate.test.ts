import { configSchema } from '@parley/bff/config'
import { configSchema as messaging } from '@parley/messaging/config'
import { expect, test } from 'vitest'
import { rotate } from '../../../docker/compose/rotate.mts'

const jwk = (kid: string) => ({ kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'd', kid })
const secrets = {
  secretKeys: `k1:${Buffer.alloc(32).toString('base64')}`,
  sessionKeys: `k1:${Buffer.alloc(32).toString('base64')}`,
  bffTokenKeys: JSON.stringify([jwk('k1')]),
  bffWeb: 'secret-of-bff-web',
  mongoRoot: 'untouched',
}
const { SESSION_KEYS, INTERNAL_TOKEN_KEYS, OIDC_WEB_CLIENT_SECRET } = configSchema.shape

test('session keys go from old to both, in each order, to new, and the BFF takes each', () => {
  const added = rotate(secrets, 'session', 'add')
  const switched = rotate(added, 'session', 'switch')
  const dropped = rotate(switched, 'session', 'drop')
  const names = [secrets, added, switched, dropped].map(({ sessionKeys }) =>
    SESSION_KEYS.parse(sessionKeys).map(({ id }) => id),
  )
  const fresh = names[3]?.[0]
  expect(names).toEqual([['k1'], ['k1', fresh], [fresh, 'k1'], [fresh]])
  expect(dropped).toMatchObject({ mongoRoot: 'untouched', bffWeb: secrets.bffWeb })
})

test('a new key for stored secrets encrypts, and the old one still opens what it has sealed', () => {
  const { secretKeys = '' } = rotate(rotate(secrets, 'stored', 'add'), 'stored', 'switch')
  const [first, second] = messaging.shape.SECRET_KEYS.parse(secretKeys)
  expect(first?.id).not.toBe('k1')
  expect(second?.id).toBe('k1')
})

test('the same for internal token keys', () => {
  const steps = ['add', 'switch', 'drop']
  const last = steps.reduce((now, step) => rotate(now, 'bff-tokens', step), secrets as Record<string, string>)
  expect(INTERNAL_TOKEN_KEYS.parse(last['bffTokenKeys'])).toHaveLength(1)
  expect(INTERNAL_TOKEN_KEYS.parse(last['bffTokenKeys'])[0]?.kid).not.toBe('k1')
})

test('a client secret goes from old to both to the new one, which Keycloak has been told', () => {
  const both = rotate(secrets, 'web', 'add')
  const [old, fresh] = OIDC_WEB_CLIENT_SECRET.parse(both['bffWeb'])
  expect(old).toBe('secret-of-bff-web')
  expect(fresh).toMatch(/^.{43}$/)
  expect(OIDC_WEB_CLIENT_SECRET.parse(rotate(both, 'web', 'drop')['bffWeb'])).toEqual([fresh])
  expect(() => rotate(both, 'web', 'switch')).toThrow('One of: add, drop.')
})

test.each([
  ['session', 'switch', 'add comes first'],
  ['session', 'drop', 'add comes first'],
  ['session', 'turn', 'add comes first'],
  [
    'everything',
    'add',
    'One of: session, stored, automation-stored, audit, bff-tokens, profile-tokens, messaging-tokens, messaging-worker-tokens, automation-tokens, automation-worker-tokens, profile-worker-tokens, web, password, identity',
  ],
])('%s %s is refused with a sentence', (what, step, sentence) => {
  expect(() => rotate(secrets, what, step)).toThrow(sentence)
})

test('a second key is not put before a third', () => {
  expect(() => rotate(rotate(secrets, 'session', 'add'), 'session', 'add')).toThrow('switch and drop come next')
})
