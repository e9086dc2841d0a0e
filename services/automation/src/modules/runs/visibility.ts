import { maxAskedVisible, visibilityInternalApi } from '@parley/contracts/inbox/visibility'
import type { UserContext } from '@parley/service-kit/http/context'
import type { AskService } from '../../platform/platform.ts'

/** Says of a conversation whether the caller sees it; of a session that has none yet, whether they see all. */
export type Sees = (conversationId: string | undefined) => boolean

/**
 * Asks messaging, which owns the setting, for what an agent sees. Nobody else's visibility is ever limited.
 * @returns a function for these conversations. @throws `service_unavailable` while messaging cannot say.
 */
export const createVisibility =
  (askMessaging: AskService) =>
  async (
    { workspaceId, userId, role }: Pick<UserContext, 'workspaceId' | 'userId' | 'role'>,
    ids: readonly (string | undefined)[],
  ): Promise<Sees> => {
    const conversationIds = [...new Set(ids.flatMap((id) => id ?? []))].slice(0, maxAskedVisible)
    if (role !== 'agent' || ids.length === 0) return () => true
    const body = { userId, role, conversationIds }
    const { all, visible } = await askMessaging({ workspaceId }, visibilityInternalApi.visible, { body })
    return (id) => all || (id !== undefined && visible.includes(id))
  }
