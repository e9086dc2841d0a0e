import { laneOf } from './lanes.ts'

/**
 * Works on the workspaces of a lane, one after the other. One that fails does not keep those behind it from their turn: its error is
 * thrown once they have had it, under the ids of all that failed: a lane alone tells an operator of none.
 * @param workspaceIds of all lanes.
 * @param work returns whether there is more.
 * @returns whether any of them has more.
 */
export async function drainWorkspaces(
  lane: number,
  workspaceIds: readonly string[],
  work: (workspaceId: string) => Promise<boolean>,
): Promise<boolean> {
  let hasMore = false
  const failures: { workspaceId: string; error: unknown }[] = []
  for (const workspaceId of workspaceIds) {
    if (laneOf(workspaceId) !== lane) continue
    try {
      hasMore = (await work(workspaceId)) || hasMore
    } catch (error) {
      failures.push({ workspaceId, error })
    }
  }
  const [first] = failures
  if (first) {
    const failed = failures.map(({ workspaceId }) => workspaceId).join(', ')
    throw new Error(`the work of workspace ${failed} failed`, { cause: first.error })
  }
  return hasMore
}
