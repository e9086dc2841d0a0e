import { recipientsApi } from '@parley/contracts/campaign-recipients'
import type { Measure } from '../auth/measures.ts'

/** A million rows in a minute. */
const leastPerSecond = Math.round(1_000_000 / 60)
const lineFeed = 10

/** A campaign's recipients as CSV, read to the end. @throws where rows are missing. */
export async function measureExport(
  { origin, headers }: { origin: string; headers: Record<string, string> },
  { campaignId, rows }: { campaignId: string; rows: number },
): Promise<Measure> {
  const begun = performance.now()
  const answer = await fetch(`${origin}${recipientsApi.download.path.replace(':id', campaignId)}`, { headers })
  if (!answer.ok || !answer.body) throw new Error(`the export answered ${answer.status}: ${await answer.text()}`)
  let lines = 0
  for await (const chunk of answer.body) for (const byte of chunk) if (byte === lineFeed) lines += 1
  // One line has the names of the columns.
  if (lines !== rows + 1) throw new Error(`${lines} lines came of ${rows} rows`)
  const perSecond = rows / ((performance.now() - begun) / 1000)
  return { name: 'rows a second of an export', values: [perSecond], goal: { atLeast: leastPerSecond } }
}
