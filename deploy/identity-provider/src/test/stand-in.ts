import { freePort } from '@parley/service-kit/testing/free-port'
import { inject } from 'vitest'
import type { ContractTarget } from './contract/target.ts'
import { clientSecrets, launchProvider } from './provider-process.ts'

/** Starts the stand-in in a process of a test's own, with the test stack's mail; no client receives its logouts. */
export async function launchStandIn() {
  const stack = inject('stack')
  const publicOrigin = stack.urls.app
  const smtpUrl = stack.env['identity-provider']['SMTP_URL'] ?? ''
  const provider = await launchProvider({ smtpUrl, publicOrigin, logoutPort: await freePort() })
  const logouts = { wait: () => Promise.reject(new Error('nobody listens')) }
  const target: ContractTarget = {
    issuer: provider.issuer,
    secrets: clientSecrets,
    publicOrigin,
    mailUrl: stack.urls.mail,
    logouts,
  }
  return { provider, target }
}
export type StandIn = Awaited<ReturnType<typeof launchStandIn>>
