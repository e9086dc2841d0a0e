import { accountCases } from './accounts.cases.ts'
import { codeFlowCases } from './code-flow.cases.ts'
import { discoveryCases } from './discovery.cases.ts'
import { googleCases } from './google.cases.ts'
import { mailLinkCases } from './mail-links.cases.ts'
import { passwordGrantCases } from './password-grant.cases.ts'
import { refusalCases } from './refusals.cases.ts'
import { requiredActionCases } from './required-actions.cases.ts'
import { sessionCases } from './sessions.cases.ts'
import type { ContractCase } from './target.ts'

/**
 * Parley's expectations of its identity provider, case by case: the answers of Keycloak 26 with Parley's realm (no refresh
 * rotation, password rule length(6), failureFactor 100, every sign-in asks). The stand-in and a real Keycloak pass the same
 * cases.
 */
export const identityContract: Readonly<Record<string, readonly ContractCase[]>> = {
  discovery: discoveryCases,
  accounts: accountCases,
  'password grant': passwordGrantCases,
  refusals: refusalCases,
  sessions: sessionCases,
  'mail links': mailLinkCases,
  'code flow': codeFlowCases,
  'required actions': requiredActionCases,
  google: googleCases,
}
