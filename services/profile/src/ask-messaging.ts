import { inboxApi, type ServiceMessage } from '@parley/contracts/platform/service-messages'
import { planLimitsApi } from '@parley/contracts/usage/plan-limits'
import { type Cells, inCell, oneCell } from '@parley/service-kit/core/cells'
import { errors } from '@parley/service-kit/core/errors'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import type { SigningKey } from '@parley/service-kit/core/internal-token-settings'
import { createServiceClient } from '@parley/service-kit/core/service-client'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AskPlan } from './modules/invitations/answers.ts'

/** A person waits for the answer, and the page gives up after 15 s. */
const timeoutMs = 5000

/**
 * Connects a process of this service with messaging, in its own name: with that of the cell which holds the workspace. `publicKeys` are
 * what messaging verifies it by.
 * @param cellOf reads the cell of a workspace.
 */
export async function connectMessaging(
  process: 'profile' | 'profile-worker',
  config: {
    readonly INTERNAL_TOKEN_KEYS: readonly SigningKey[]
    readonly MESSAGING_URL: string
    readonly CELLS?: Cells | undefined
  },
  cellOf: (scope: WorkspaceScope) => Promise<string | undefined>,
) {
  const signer = await createInternalTokenSigner(process, config.INTERNAL_TOKEN_KEYS)
  const clientFor = (baseUrl: string) =>
    createServiceClient({ process, baseUrl, audience: 'messaging', signer, timeoutMs })
  const home = clientFor(config.MESSAGING_URL)
  const { urls } = config.CELLS ?? oneCell
  const others = new Map([...urls].map(([name, { messaging }]) => [name, clientFor(messaging)]))
  const messagingOf = async (scope: WorkspaceScope) => inCell(await cellOf(scope), home, others)

  const askPlan: AskPlan = async ({ workspaceId }) => {
    const call = await messagingOf({ workspaceId })
    return call(planLimitsApi.read, {}, { workspaceId }).catch((cause: unknown) => {
      // The person has not asked for the call that messaging refuses.
      throw errors.serviceUnavailable(cause)
    })
  }
  const deliver = async (workspaceId: string, messages: readonly ServiceMessage[]): Promise<void> => {
    const call = await messagingOf({ workspaceId })
    return call(inboxApi.receive, { body: { messages: [...messages] } }, { workspaceId })
  }
  return { askPlan, deliver, publicKeys: signer.publicKeys }
}
