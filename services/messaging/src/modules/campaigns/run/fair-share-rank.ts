import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'

/** The first turn: what has none comes before it. */
const firstTurn = 1

/**
 * Returns the turn of a campaign's next message on its number. Messages leave in the order of turns, and each campaign hands its
 * own out one by one: so campaigns that send at the same time have equal shares. One that begins, or has waited, joins the others
 * where they are. Source: start-time fair queueing.
 * @param apart turns that it may be behind the others, or ahead of them.
 */
export async function fairShareRank(
  campaigns: Pick<CampaignsRepository, 'activeOn'>,
  { id, workspaceId, numberId, turn = firstTurn }: CampaignRecord,
  apart: number,
): Promise<number> {
  const active = await campaigns.activeOn({ workspaceId }, numberId)
  const others = active.flatMap((other) => (other.id === id ? [] : (other.turn ?? [])))
  if (others.length === 0) return turn
  const front = Math.max(...others)
  return Math.max(firstTurn, Math.min(Math.max(turn, front - apart), front + apart))
}
