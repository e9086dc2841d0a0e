import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KeyTokenClaims, ServiceTokenClaims, UserTokenClaims } from '@parley/contracts/core/internal-token'
import { createInternalTokenSigner } from '../core/internal-token.ts'
import { type SigningKey, signingKeySchema } from '../core/internal-token-settings.ts'

/** Stands in for the BFF, and other processes, as the signer of internal tokens: a key made for one test file, its key set over HTTP. */
export interface InternalAuthority {
  /** For INTERNAL_ISSUERS. */
  readonly issuers: string
  /** The private key, for tokens that must be refused. */
  readonly key: SigningKey
  /** A token of a process: of the BFF unless another one is named, about the workspace that is named. */
  readonly serviceToken: (audience: string, from?: { process?: string; workspaceId?: string }) => Promise<string>
  /** A token of a signed-in user. */
  readonly userToken: (claims: Omit<UserTokenClaims, 'iss' | 'exp'>) => Promise<string>
  /** A token of an API key. */
  readonly keyToken: (claims: Omit<KeyTokenClaims, 'iss' | 'exp'>) => Promise<string>
  readonly close: () => Promise<void>
}

/** Makes a private Ed25519 JWK. */
export function makeSigningKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  return signingKeySchema.parse({ ...privateKey.export({ format: 'jwk' }), kid })
}

/** @param others processes for whom it signs beside the BFF. */
export async function startInternalAuthority(...others: string[]): Promise<InternalAuthority> {
  const key = makeSigningKey('test-key')
  const signer = await createInternalTokenSigner('bff', [key])
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(signer.publicKeys))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const service = async (
    aud: string,
    { process = 'bff', workspaceId }: { process?: string; workspaceId?: string } = {},
  ) => {
    const claims: Omit<ServiceTokenClaims, 'iss' | 'exp'> = { aud, sub: `svc:${process}` }
    const signer = await createInternalTokenSigner(process, [key])
    return signer.sign({ ...claims, ...(workspaceId !== undefined && { wid: workspaceId }) })
  }
  return {
    issuers: ['bff', ...others].map((name) => `${name}=http://127.0.0.1:${port}/jwks.json`).join(','),
    key,
    serviceToken: service,
    userToken: (claims) => signer.sign(claims),
    keyToken: (claims) => signer.sign(claims),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
