import type { CampaignRecord, EnqueuedBatch } from '../campaigns.model.ts'

/** Batches that cover what was given in the last seconds. */
const maxBatches = 20

type Progress = Pick<CampaignRecord, 'frozen' | 'position' | 'queued' | 'latest'>

/** Returns the index up to which rows of a group are enqueued. */
export const enqueuedTo = ({ queued = {} }: Pick<Progress, 'queued'>, zone: number): number => queued[zone] ?? 0

/** Returns whether all rows, or those of one group of zones, are given to the outbox. */
export function isEnqueued(campaign: Progress, zone?: number): boolean {
  const { frozen, position } = campaign
  if (zone !== undefined) return enqueuedTo(campaign, zone) >= frozen.rows
  return frozen.groups
    ? frozen.groups.every((_, groupIndex) => isEnqueued(campaign, groupIndex))
    : position >= frozen.rows
}

/** Returns the progress of a campaign with groups of zones once a batch is given as well. */
export function progressWith(campaign: Progress, { zone, from, below, rows }: EnqueuedBatch) {
  const groups = campaign.frozen.groups ?? []
  const position = Math.min(
    ...groups.map((_, groupIndex) => (groupIndex === zone ? below : enqueuedTo(campaign, groupIndex))),
  )
  const latest = [...(campaign.latest ?? []), { zone, from, below, rows }].slice(-maxBatches)
  return { position, [`queued.${zone}`]: below, ...(rows > 0 && { latest }) }
}

/** Rows between two places: of a group of time zones, or of all. */
export interface LatestPlaces {
  readonly zone?: number | undefined
  readonly from: number
  readonly below: number
}

/** Returns the places of the latest rows that were given, about `most` of them. */
export function latestPlaces(
  campaign: Progress & Pick<CampaignRecord, 'judgedFrom'>,
  most: number,
): readonly LatestPlaces[] {
  const { frozen, position, judgedFrom = 0, latest = [] } = campaign
  if (!frozen.groups) {
    const places = { from: Math.max(judgedFrom, position - most), below: position }
    return places.from < places.below ? [places] : []
  }
  let left = most
  const places: { zone: number; from: number; below: number }[] = []
  for (const { zone, from, below, rows } of latest.toReversed()) {
    if (left <= 0) break
    left -= rows
    const later = places.at(-1)
    if (later?.zone === zone && later.from === below) later.from = from
    else places.push({ zone, from, below })
  }
  return places.toReversed()
}
