import type { ScopedCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { RecipientRecord } from '../recipients/recipients.model.ts'

/** Returns the ids of a campaign's rows, up to a limit. */
export async function firstIds(
  rows: ScopedCollection<RecipientRecord>,
  campaignId: string,
  { limit, session }: { limit: number } & Pick<Tx, 'session'>,
): Promise<string[]> {
  const found = await rows
    .find({ campaignId })
    .sort({ _id: 1 })
    .limit(limit)
    .select('_id')
    .hint('rows')
    .session(session)
  return found.map(({ id }) => id)
}
