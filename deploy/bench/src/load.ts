import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { z } from 'zod'

export const loadSchema = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  connections: z.number(),
  /** Absent: until each request of the file was sent once. */
  seconds: z.number().optional(),
  /** JSON array of requests that are sent in turn. */
  file: z.string().optional(),
})
type Load = z.input<typeof loadSchema>

/** What one request has of its own; one with a body is posted. */
export const requestsSchema = z.array(
  z.object({ headers: z.record(z.string(), z.string()), body: z.string().optional() }),
)
type Requests = z.infer<typeof requestsSchema>

const resultSchema = z.object({
  requests: z.object({ average: z.number() }),
  latency: z.object({ p50: z.number(), p99: z.number() }),
  non2xx: z.number(),
  errors: z.number(),
  timeouts: z.number(),
})

export interface LoadResult {
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const run = promisify(execFile)
const loader = new URL('load.process.ts', import.meta.url).pathname

/** One round of load with kept connections. @throws where any answer was not a success: such a result would mean nothing. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { stdout } = await run(process.execPath, [loader, JSON.stringify(load)], { maxBuffer: 16 * 1024 * 1024 })
  const { requests, latency, non2xx, errors, timeouts } = resultSchema.parse(JSON.parse(stdout))
  if (non2xx + errors + timeouts > 0)
    throw new Error(`${load.url}: ${non2xx} refusals, ${errors} errors, ${timeouts} timeouts`)
  return { requestsPerSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

/** Requests for rounds of load. @returns the file. */
export function writeRequests(file: string, requests: Requests): string {
  writeFileSync(file, JSON.stringify(requests))
  return file
}
