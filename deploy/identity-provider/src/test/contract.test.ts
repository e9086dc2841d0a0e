import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, inject } from 'vitest'
import { logoutTokens } from './contract/sessions.cases.ts'
import { chooseTarget, externalTarget } from './contract/target.ts'
import { launchProvider } from './provider-process.ts'
import './contract/accounts.cases.ts'
import './contract/code-flow.cases.ts'
import './contract/google.cases.ts'
import './contract/mail-links.cases.ts'

/**
 * Parley's expectations of its identity provider, case by case: the answers of Keycloak 26 with Parley's realm on which app and
 * services rely. They run on the stand-in, or on the provider that IDENTITY_CONTRACT_ISSUER names. The stand-in is a process of
 * this file's own, because its logout tokens must come here and not to the stack's BFF.
 */
const cleanUps: (() => Promise<void> | void)[] = []

beforeAll(async () => {
  const external = externalTarget(process.env)
  const port = await receiveLogouts(external?.logoutPort ?? 0)
  if (external) return chooseTarget(external)
  const { target, stop } = await launchProvider({
    smtpUrl: inject('stack').env['identity-provider']['SMTP_URL'] ?? '',
    logoutPort: port,
  })
  cleanUps.push(stop)
  chooseTarget(target)
})

afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp()
})

/** Stands where the BFF would take logout tokens and keeps what arrives. */
async function receiveLogouts(port: number): Promise<number> {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(Buffer.from(chunk))
    const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token')
    if (token) logoutTokens.push(token)
    res.writeHead(token ? 200 : 400).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : port
}
