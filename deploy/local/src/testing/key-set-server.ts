import { createServer } from 'node:http'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { signingConfigShape } from '@parley/service-kit/core/internal-token-settings'
import type { Environment } from '../component.ts'

/**
 * Publishes the keys that verify internal tokens where the BFF's management port would: tests run BFFs of their own, and
 * the services of the stack trust them all.
 */
export async function serveInternalKeys(bff: Environment): Promise<() => void> {
  const keys = signingConfigShape.INTERNAL_TOKEN_KEYS.parse(bff['INTERNAL_TOKEN_KEYS'])
  const { publicKeys } = await createInternalTokenSigner('bff', keys)
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(publicKeys))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(Number(bff['MANAGEMENT_PORT']), '127.0.0.1', resolve)
  })
  return () => {
    server.close()
    server.closeAllConnections()
  }
}
