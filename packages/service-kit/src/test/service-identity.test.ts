import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../core/config.ts'
import { createInternalTokenSigner, createInternalTokenVerifier, readTrustedIssuers } from '../core/internal-token.ts'
import { trustConfigShape } from '../core/internal-token-settings.ts'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { createServiceApp } from '../http/service-app.ts'
import { makeSigningKey } from '../testing/internal-authority.ts'

const logger = createLogger({ name: 'test', level: 'silent' })
const user = { sub: 'a'.repeat(24), wid: 'b'.repeat(24), role: 'owner' } as const
const running: FastifyInstance[] = []
afterEach(async () => {
  for (const app of running.splice(0)) await app.close()
})

/** A service that calls others: a key of its own, published on its own port. */
async function startCaller(name: string) {
  const signer = await createInternalTokenSigner(name, [makeSigningKey(randomUUID())])
  const app = await createServiceApp({
    name,
    logger,
    metrics: createMetrics(name),
    verifyToken: () => Promise.reject(new Error('nobody calls it')),
    probes: [],
    modules: () => undefined,
    publicKeys: signer.publicKeys,
  })
  running.push(app)
  return { signer, trust: `${name}=${await app.listen({ host: '127.0.0.1', port: 0 })}/internal/jwks.json` }
}

function verifierFor(audience: string, ...trust: string[]) {
  const { INTERNAL_ISSUERS } = parseConfig(z.object(trustConfigShape), { INTERNAL_ISSUERS: trust.join(', ') })
  return createInternalTokenVerifier({ audience, issuers: readTrustedIssuers(INTERNAL_ISSUERS) })
}

test('a service is known to another one by the key that it publishes on its own port', async () => {
  const [automation, messaging] = await Promise.all([startCaller('automation'), startCaller('messaging')])
  const verify = verifierFor('profile', automation.trust, messaging.trust)
  for (const [{ signer }, sub] of [
    [automation, 'svc:automation'],
    [messaging, 'svc:messaging'],
  ] as const)
    expect(await verify(await signer.sign({ sub, aud: 'profile' }))).toMatchObject({ kind: 'service', claims: { sub } })
})

test('no process speaks for another one, nor for a person', async () => {
  const [bff, messaging] = await Promise.all([startCaller('bff'), startCaller('messaging')])
  const verify = verifierFor('profile', bff.trust, messaging.trust)
  const refused = { code: 'unauthenticated' }
  await expect(verify(await messaging.signer.sign({ sub: 'svc:bff', aud: 'profile' }))).rejects.toMatchObject(refused)
  await expect(verify(await messaging.signer.sign({ ...user, aud: 'profile' }))).rejects.toMatchObject(refused)
  expect(await verify(await bff.signer.sign({ ...user, aud: 'profile' }))).toMatchObject({ kind: 'user' })
})

test('a key that is good for one issuer is not for another, and an issuer that is not listed is not asked', async () => {
  const key = makeSigningKey('k1')
  const messaging = await createInternalTokenSigner('messaging', [key])
  const asBff = await createInternalTokenSigner('bff', [key])
  const askBff = vi.fn(async () => Promise.reject(new Error('not its key')))
  const verify = createInternalTokenVerifier({ audience: 'profile', issuers: new Map([['bff', askBff]]) })
  await expect(verify(await messaging.sign({ sub: 'svc:messaging', aud: 'profile' }))).rejects.toMatchObject({
    code: 'unauthenticated',
  })
  expect(askBff).not.toHaveBeenCalled()
  const trusting = createInternalTokenVerifier({
    audience: 'profile',
    issuers: readTrustedIssuers([{ process: 'bff', jwksUrl: (await startCaller('bff')).trust.slice('bff='.length) }]),
  })
  await expect(trusting(await asBff.sign({ sub: 'svc:bff', aud: 'profile' }))).rejects.toMatchObject({
    code: 'unauthenticated',
  })
})

test.each(['bff', 'bff=nowhere', 'Bff=http://bff:3001/keys', 'bff=http://a/k,bff=http://b/k', ''])(
  'INTERNAL_ISSUERS %j is refused at the start',
  (text) => {
    expect(() => parseConfig(z.object(trustConfigShape), { INTERNAL_ISSUERS: text })).toThrow('INTERNAL_ISSUERS')
  },
)
