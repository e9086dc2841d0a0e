import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { identityContract } from './contract/contract.ts'
import { openLogoutInbox } from './contract/logout-inbox.ts'
import { type ContractTarget, externalTarget } from './contract/target.ts'
import { clientSecrets, launchProvider } from './provider-process.ts'

/**
 * Runs on the stand-in, or on the provider that IDENTITY_CONTRACT_ISSUER names. The stand-in is a process of this file's
 * own, because its logout tokens must come here and not to the stack's BFF.
 */
let target: ContractTarget
const cleanUps: (() => Promise<void> | void)[] = []

beforeAll(async () => {
  const external = externalTarget(process.env)
  const logouts = await openLogoutInbox(external?.logoutPort ?? 0)
  cleanUps.push(logouts.close)
  if (external) {
    target = { ...external, logouts }
    return
  }
  const stack = inject('stack')
  const publicOrigin = stack.urls.app
  const smtpUrl = stack.env['identity-provider']['SMTP_URL'] ?? ''
  const provider = await launchProvider({ smtpUrl, publicOrigin, logoutPort: logouts.port })
  cleanUps.push(provider.stop)
  target = { issuer: provider.issuer, secrets: clientSecrets, publicOrigin, mailUrl: stack.urls.mail, logouts }
})

afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp()
})

for (const [subject, cases] of Object.entries(identityContract)) {
  describe(subject, () => {
    for (const { name, run } of cases) test(name, () => run(target))
  })
}
