import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

export const loadSchema = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  connections: z.number(),
  seconds: z.number(),
  /** JSON array of cookie headers that the requests use in turn. */
  cookieFile: z.string().optional(),
})
type Load = z.infer<typeof loadSchema>

const figuresSchema = z.object({
  requests: z.object({ average: z.number() }),
  latency: z.object({ p50: z.number(), p99: z.number() }),
  non2xx: z.number(),
  errors: z.number(),
  timeouts: z.number(),
})

export interface Figures {
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const run = promisify(execFile)
const loader = new URL('load.process.ts', import.meta.url).pathname

/** One round of load with kept connections. @throws where any answer was not a success: such a figure would mean nothing. */
export async function runLoad(load: Load): Promise<Figures> {
  const { stdout } = await run(process.execPath, [loader, JSON.stringify(load)], { maxBuffer: 16 * 1024 * 1024 })
  return figuresOf(load.url, JSON.parse(stdout))
}

/** What autocannon has printed. @throws where any answer was not a success. */
export function figuresOf(url: string, printed: unknown): Figures {
  const { requests, latency, non2xx, errors, timeouts } = figuresSchema.parse(printed)
  if (non2xx + errors + timeouts > 0)
    throw new Error(`${url}: ${non2xx} refusals, ${errors} errors, ${timeouts} time-outs`)
  return { requestsPerSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}
