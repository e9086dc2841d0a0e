import { inboxApi, type ServiceMessage } from '@parley/contracts/platform/service-messages'
import { planLimitsApi } from '@parley/contracts/usage/plan-limits'
import { errors } from '@parley/service-kit/core/errors'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import type { SigningKey } from '@parley/service-kit/core/internal-token-settings'
import { createServiceClient } from '@parley/service-kit/core/service-client'
import type { AskPlan } from './modules/invitations/answers.ts'

/** A person waits for the answer, and the page gives up after 15 s. */
const timeoutMs = 5000

/** Connects a process of this service with messaging, in its own name. `publicKeys` are what messaging verifies it by. */
export async function connectMessaging(
  process: 'profile' | 'profile-worker',
  config: { readonly INTERNAL_TOKEN_KEYS: readonly SigningKey[]; readonly MESSAGING_URL: string },
) {
  const signer = await createInternalTokenSigner(process, config.INTERNAL_TOKEN_KEYS)
  const call = createServiceClient({ process, baseUrl: config.MESSAGING_URL, audience: 'messaging', signer, timeoutMs })
  const askPlan: AskPlan = ({ workspaceId }) =>
    call(planLimitsApi.read, {}, { workspaceId }).catch((cause: unknown) => {
      // The person has not asked for the call that messaging refuses.
      throw errors.serviceUnavailable(cause)
    })
  const deliver = (workspaceId: string, messages: readonly ServiceMessage[]): Promise<void> =>
    call(inboxApi.receive, { body: { messages: [...messages] } }, { workspaceId })
  return { askPlan, deliver, publicKeys: signer.publicKeys }
}
