import { auditInternalApi } from '@parley/contracts/account/audit'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { Logger } from '@parley/service-kit/core/logger'
import type { ServiceClient } from '@parley/service-kit/core/service-client'
import { currentRequest } from '../http/current-request.ts'
import type { Visitor } from './session-index.ts'

type SignIn = EndpointInput<typeof auditInternalApi.noteSignIn>['body']

/** Far more than come while profile answers. */
const maxUnderWay = 200

/**
 * Notes sign-ins, their failures and their ends in the audit log of the person's workspace. It goes on behind the answer, so that neither
 * its time nor its outcome tells whether an address is known; what could not be noted is logged.
 */
export function createSignInLog({ callProfile, logger }: { callProfile: ServiceClient; logger: Logger }) {
  let underWay = 0

  return function noteSignIn(action: SignIn['action'], account: SignIn['account'], { ip, device }: Visitor): void {
    if (underWay === maxUnderWay) {
      logger.warn({ action }, 'a sign-in was not noted in the audit log: too many are under way')
      return
    }
    underWay += 1
    const requestId = currentRequest.getStore()?.requestId ?? ''
    callProfile(auditInternalApi.noteSignIn, { body: { action, account, requestId, ip, device } })
      .catch((error: unknown) => logger.warn({ err: error, action }, 'a sign-in was not noted in the audit log'))
      .finally(() => {
        underWay -= 1
      })
  }
}
export type NoteSignIn = ReturnType<typeof createSignInLog>
