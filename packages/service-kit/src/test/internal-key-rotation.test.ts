import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createInternalTokenSigner, createInternalTokenVerifier } from '../core/internal-token.ts'
import type { SigningKey } from '../core/internal-token-settings.ts'
import { createKeySet } from '../core/jwks.ts'
import { makeSigningKey } from '../testing/internal-authority.ts'

const [oldKey, newKey] = [makeSigningKey('k1'), makeSigningKey('k2')]
type Replica = Awaited<ReturnType<typeof createInternalTokenSigner>>
const replica = (...keys: SigningKey[]) => createInternalTokenSigner('bff', keys)

/** Keys in use at each step of the rotation, in the order of deploy/docs/operations/key-rotation.md. */
const steps = [[oldKey], [oldKey, newKey], [newKey, oldKey], [newKey]]

/** The replicas of the BFF behind one address: each request for the key set is answered by the next. */
let replicas: Replica[] = []
let away = false
let asked = 0
const server = createServer((_request, response) => {
  asked += 1
  if (away) return void response.destroy()
  response.end(JSON.stringify(replicas[asked % replicas.length]?.publicKeys))
})
let url = ''
beforeEach(async () => {
  away = false
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/internal/jwks.json`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const service = (options?: Parameters<typeof createKeySet>[1]) => {
  const keySet = createKeySet(url, options)
  return createInternalTokenVerifier({ audience: 'profile', issuers: new Map([['bff', keySet.getKey]]) })
}
const tokenOf = (signer: Replica) => signer.sign({ sub: 'svc:bff', aud: 'profile' })

/** Every token of every replica, and each that is still on its way from the step before. */
async function accepts(verifiers: ReturnType<typeof service>[], signers: readonly Replica[], inFlight: string[] = []) {
  const tokens = [...inFlight, ...(await Promise.all(signers.map(tokenOf)))]
  for (const verify of verifiers) {
    for (const token of tokens) expect(await verify(token)).toMatchObject({ kind: 'service' })
  }
  return tokens
}

test('through every step of a rotation each token is accepted, with old and new replicas side by side', async () => {
  const [first = []] = steps
  replicas = [await replica(...first), await replica(...first)]
  const services = [service(), service()]
  let inFlight = await accepts(services, replicas)
  for (const keys of steps.slice(1)) {
    const [before] = replicas
    if (!before) throw new Error('no replica')
    replicas = [before, await replica(...keys)]
    // A service that started in the middle of the step knows nothing yet.
    services.push(service())
    inFlight = await accepts(services, replicas, inFlight)
    replicas = [await replica(...keys), await replica(...keys)]
    // Tokens live two minutes at most; the procedure waits for their end before the old key goes.
    inFlight = await accepts(services, replicas, keys.length > 1 ? inFlight : [])
  }
  expect(inFlight.map((token) => decodeProtectedHeader(token).kid)).toEqual(['k2', 'k2'])
})

test('without the middle steps a token is refused: the steps are what keeps them good', async () => {
  replicas = [await replica(oldKey)]
  const verify = service()
  await accepts([verify], replicas)
  const changed = await replica(newKey)
  await expect(verify(await tokenOf(changed))).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('a key set that cannot be read at the moment of the change costs a 503, and not half a minute of refusals', async () => {
  replicas = [await replica(oldKey)]
  const verify = service()
  await accepts([verify], replicas)
  replicas = [await replica(newKey, oldKey)]
  away = true
  const token = await tokenOf(await replica(newKey, oldKey))
  await expect(verify(token)).rejects.toMatchObject({ code: 'service_unavailable' })
  away = false
  await vi.waitFor(() => verify(token), { timeout: 5000 })
})

test('a key that was taken away loses its trust without a restart', async () => {
  replicas = [await replica(newKey, oldKey)]
  const { getKey } = createKeySet(url, { freshMs: 50 })
  // A new one each time: a token that was verified once is remembered until it ends.
  const issuers = new Map([['bff', getKey]])
  const verify = (token: string) => createInternalTokenVerifier({ audience: 'profile', issuers })(token)
  const [stolen, currentToken] = await Promise.all([tokenOf(await replica(oldKey)), tokenOf(await replica(newKey))])
  await verify(stolen)
  replicas = [await replica(newKey)]
  await vi.waitFor(async () => {
    await verify(currentToken)
    await expect(verify(stolen)).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})

test('keys that were read serve on while the key server is away, for a day and no longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const signer = await replica(oldKey)
    replicas = [signer]
    const verify = service()
    await verify(await tokenOf(signer))
    away = true
    for (const minutes of [11, 23 * 60]) {
      vi.setSystemTime(Date.now() + minutes * 60_000)
      expect(await verify(await tokenOf(signer))).toMatchObject({ kind: 'service' })
    }
    vi.setSystemTime(Date.now() + 60 * 60_000)
    await expect(verify(await tokenOf(signer))).rejects.toMatchObject({ code: 'service_unavailable' })
    away = false
    expect(await verify(await tokenOf(signer))).toMatchObject({ kind: 'service' })
  } finally {
    vi.useRealTimers()
  }
})

test('forged keys cannot make a service ask again and again', async () => {
  replicas = [await replica(oldKey)]
  const verify = service()
  await accepts([verify], replicas)
  const before = asked
  for (let count = 0; count < 5; count++) {
    const forged = await (await replica(makeSigningKey(`forged-${count}`))).sign({ sub: 'svc:bff', aud: 'profile' })
    await expect(verify(forged)).rejects.toMatchObject({ code: 'unauthenticated' })
  }
  expect(asked - before).toBe(1)
})

test('a token outlives its key by two minutes at most: the pause of the procedure', async () => {
  const { iat = 0, exp = 0 } = decodeJwt(await tokenOf(await replica(oldKey)))
  expect(exp - iat).toBeLessThanOrEqual(120)
})
