import { recipientsApi } from '@parley/contracts/campaign-recipients'
import { z } from 'zod'
import type { Measure } from '../auth/measures.ts'
import { percentile } from '../auth/statistics.ts'
import type { Calls } from './calls.ts'

const pageSchema = z.object({ nextCursor: z.string().nullable() })
const pageMs = 200
const mostTimes = 1.3

/** Pages of recipients one after the other, of both campaigns in turns. */
export async function measurePages(
  calls: Calls,
  { large, small, asked }: { large: string; small: string; asked: number },
): Promise<Measure[]> {
  const reader = (id: string) => {
    let cursor: string | null = null
    return async (): Promise<number> => {
      const from = cursor === null ? '' : `&cursor=${cursor}`
      const begun = performance.now()
      const page = pageSchema.parse(await calls.get(`${recipientsApi.list.path.replace(':id', id)}?limit=50${from}`))
      cursor = page.nextCursor
      return performance.now() - begun
    }
  }
  const [ofLarge, ofSmall] = [reader(large), reader(small)]
  const taken: Record<'large' | 'small', number[]> = { large: [], small: [] }
  for (let turn = 0; turn < asked; turn += 1) {
    taken.large.push(await ofLarge())
    taken.small.push(await ofSmall())
  }
  const [p95, tenth] = [percentile(taken.large, 0.95), percentile(taken.small, 0.95)]
  return [
    { name: 'a page of recipients, p95', values: [p95], unit: 'ms', goal: { atMost: pageMs } },
    { name: 'a page of recipients, of a tenth', values: [p95 / tenth], goal: { atMost: mostTimes } },
  ]
}
