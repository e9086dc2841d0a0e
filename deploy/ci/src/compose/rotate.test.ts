import { expect, test } from 'vitest'
import { configSchema } from '../../../../bff/src/config.ts'
import { rotate } from '../../../docker/compose/rotate.mts'

const jwk = (kid: string) => ({ kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'd', kid })
const secrets = {
  sessionKeys: `k1:${Buffer.alloc(32).toString('base64')}`,
  internalTokenKeys: JSON.stringify([jwk('k1')]),
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

test('the same for internal token keys and client secrets', () => {
  const all = ['add', 'switch', 'drop'].reduce(
    (now, step) => rotate(rotate(now, 'internal', step), 'web', step),
    secrets as Record<string, string>,
  )
  expect(INTERNAL_TOKEN_KEYS.parse(all['internalTokenKeys'])).toHaveLength(1)
  expect(INTERNAL_TOKEN_KEYS.parse(all['internalTokenKeys'])[0]?.kid).not.toBe('k1')
  const both = rotate(secrets, 'web', 'add')
  expect(OIDC_WEB_CLIENT_SECRET.parse(both['bffWeb'])).toEqual(['secret-of-bff-web', expect.stringMatching(/^.{43}$/)])
  expect(OIDC_WEB_CLIENT_SECRET.parse(all['bffWeb'])).toHaveLength(1)
})

test.each([
  ['session', 'switch', 'add comes first'],
  ['session', 'drop', 'add comes first'],
  ['session', 'turn', 'add comes first'],
  ['everything', 'add', 'One of: session, internal, web, password, identity'],
])('%s %s is refused with a sentence', (what, step, sentence) => {
  expect(() => rotate(secrets, what, step)).toThrow(sentence)
})

test('a second key is not put before a third', () => {
  expect(() => rotate(rotate(secrets, 'session', 'add'), 'session', 'add')).toThrow('switch and drop come next')
})
