import { maxMembersSeen, profileInternalApi, type SessionContext } from '@parley/contracts/account/profile-internal'
import type { Logger } from '@parley/service-kit/core/logger'
import type { ServiceClient } from '@parley/service-kit/core/service-client'

const tellEveryMs = 60_000
/** Members between two reports; whoever comes beyond them is noted a minute later. */
const maxKept = 20 * maxMembersSeen

type Seen = Pick<SessionContext, 'userId' | 'workspaceId'>

/** Tells the profile service once a minute who has used which workspace. What is lost is told with the next use. */
export function createSeenMembers({
  callProfile,
  logger,
  now = () => new Date(),
}: {
  callProfile: ServiceClient
  logger: Pick<Logger, 'warn'>
  now?: () => Date
}) {
  const seen = new Map<string, Seen & { at: string }>()

  function note({ userId, workspaceId }: Seen): void {
    const key = `${workspaceId}.${userId}`
    if (seen.size < maxKept || seen.has(key)) seen.set(key, { userId, workspaceId, at: now().toISOString() })
  }

  async function tell(): Promise<void> {
    const all = [...seen.values()]
    seen.clear()
    for (let start = 0; start < all.length; start += maxMembersSeen) {
      const items = all.slice(start, start + maxMembersSeen)
      await callProfile(profileInternalApi.membersSeen, { body: { items } }).catch((error: unknown) =>
        logger.warn({ err: error }, 'who was active was not noted'),
      )
    }
  }

  const timer = setInterval(() => void tell(), tellEveryMs).unref()
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    await tell()
  }
  return { note, tell, stop }
}
export type SeenMembers = ReturnType<typeof createSeenMembers>
