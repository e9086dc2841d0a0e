import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import type { Endpoint } from '@parley/contracts/core/endpoint'
import { type Cells, inCell } from '@parley/service-kit/core/cells'
import type { ServiceClient } from '@parley/service-kit/core/service-client'
import { LRUCache } from 'lru-cache'
import { createForwarder } from './forward.ts'

/** A service that the app forwards calls to. */
export interface Upstream {
  readonly audience: string
  readonly url: string
  /** Its base URL in each cell but the home cell; absent where all cells share it. */
  readonly cells?: ReadonlyMap<string, string>
  readonly endpoints: readonly Endpoint[]
}

/** Workspaces whose cells are remembered, and for how long. */
const keptCells = 10_000
const keptMs = 60_000

/** Forwards calls to a service: to the processes of a workspace's cell, where each cell has its own. */
export function createCellForwarder({ url, cells }: Upstream) {
  const home = createForwarder(url)
  if (!cells) return () => home
  const others = new Map([...cells].map(([name, ofCell]) => [name, createForwarder(ofCell)]))
  /** @throws `service_unavailable` for a cell that is not configured. */
  return (cell: string | undefined) => inCell(cell, home, others)
}

/**
 * Finds the cell of a workspace that a call's address names, where no session or key has said it. Profile is asked once a minute for each
 * workspace; never, where there is one cell.
 * @returns a function that returns `undefined` for the home cell, and for a workspace that is not there: its service answers then.
 */
export function createCellLookup({ cells, callProfile }: { cells: Cells; callProfile: ServiceClient }) {
  const known = new LRUCache<string, { cell?: string | undefined }>({ max: keptCells, ttl: keptMs })
  return async function cellOf(workspaceId: string | undefined): Promise<string | undefined> {
    if (workspaceId === undefined || cells.urls.size === 0) return undefined
    const found = known.get(workspaceId)
    if (found) return found.cell
    const answer = await callProfile(profileInternalApi.cell, { params: { workspaceId } })
    known.set(workspaceId, answer)
    return answer.cell
  }
}
export type CellOf = ReturnType<typeof createCellLookup>
