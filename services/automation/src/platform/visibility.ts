import { maxAskedVisible, visibilityInternalApi } from '@parley/contracts/inbox/visibility'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UserContext } from '@parley/service-kit/http/context'
import type { AskService } from './platform.ts'

/** Maximum records of a list, the newest, of which it is asked whether the caller sees them. */
export const maxLookedThrough = 1000

/**
 * Returns those of some conversations that the caller sees; `undefined` where they see every one, and none was read.
 * @param read reads the conversations of a list.
 */
export type Sight = (read: () => PromiseLike<readonly (string | undefined)[]>) => Promise<readonly string[] | undefined>

/** Workspace as its caller sees it; all of it where no person asks. */
export type Viewed = WorkspaceScope & Partial<Pick<UserContext, 'userId' | 'role'>>

/**
 * Asks messaging, which owns the setting, for what an agent sees. Nobody else's visibility is ever limited.
 * @throws `service_unavailable` while messaging cannot say.
 */
export const createVisibility =
  (askMessaging: AskService) =>
  ({ workspaceId, userId, role }: Viewed): Sight =>
  async (read) => {
    if (role !== 'agent' || userId === undefined) return undefined
    const ask = (conversationIds: string[]) =>
      askMessaging({ workspaceId }, visibilityInternalApi.visible, { body: { userId, role, conversationIds } })
    if ((await ask([])).all) return undefined
    const ids = [...new Set((await read()).flatMap((id) => id ?? []))]
    const parts = Array.from({ length: Math.ceil(ids.length / maxAskedVisible) }, (_, part) =>
      ids.slice(part * maxAskedVisible, (part + 1) * maxAskedVisible),
    )
    return (await Promise.all(parts.map(ask))).flatMap(({ visible }) => visible)
  }
