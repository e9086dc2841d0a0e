import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { createServiceClient } from '@parley/service-kit/core/service-client'
import type { AutomationConfig } from '../config.ts'
import type { AskService } from './platform.ts'

/** Milliseconds: people wait for some of the answers, and the page gives up after 15 s. */
const timeoutMs = 5000

/** Connects a process of this service with those that it calls, in its own name. They verify its calls by `publicKeys`. */
export async function connectServices(
  process: 'automation' | 'automation-worker',
  config: Pick<AutomationConfig, 'INTERNAL_TOKEN_KEYS' | 'MESSAGING_URL' | 'PROFILE_URL'>,
) {
  const signer = await createInternalTokenSigner(process, config.INTERNAL_TOKEN_KEYS)
  const asking = (audience: string, baseUrl: string): AskService => {
    const call = createServiceClient({ process, baseUrl, audience, signer, timeoutMs })
    return ({ workspaceId }, endpoint, request) => call(endpoint, request, { workspaceId })
  }
  return {
    askMessaging: asking('messaging', config.MESSAGING_URL),
    askProfile: asking('profile', config.PROFILE_URL),
    publicKeys: signer.publicKeys,
  }
}
