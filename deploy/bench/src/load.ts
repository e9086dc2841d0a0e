import autocannon from 'autocannon'

/** Headers and body of a single request; one with a body is posted. */
export interface LoadRequest {
  readonly headers: Record<string, string>
  readonly body?: string
}

interface Load {
  readonly url: string
  readonly headers?: Record<string, string>
  readonly connections: number
  /** Absent: until each of the requests was sent once. */
  readonly seconds?: number
  /** Requests sent in turn, over all connections together. */
  readonly requests?: readonly LoadRequest[]
}

export interface LoadResult {
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/** One round of load with kept connections. @throws where any answer was not a success: such a result would mean nothing. */
export async function runLoad({ url, headers = {}, connections, seconds, requests = [] }: Load): Promise<LoadResult> {
  let next = 0
  const setupRequest = (request: object) => {
    const { headers: requestHeaders, body } = requests[next++ % requests.length] ?? {}
    const method = body === undefined ? ('GET' as const) : ('POST' as const)
    return { ...request, method, headers: { ...headers, ...requestHeaders }, ...(body !== undefined && { body }) }
  }
  const result = await autocannon({
    url,
    connections,
    requests: [{ setupRequest }],
    ...(seconds === undefined ? { amount: requests.length } : { duration: seconds }),
  })
  const { non2xx, errors, timeouts } = result
  if (non2xx + errors + timeouts > 0)
    throw new Error(`${url}: ${non2xx} refusals, ${errors} errors, ${timeouts} timeouts`)
  return { requestsPerSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

/** Does `work` `count` times, `atOnce` at a time. @returns how many a second. */
export async function inTurns(
  { count, atOnce }: { count: number; atOnce: number },
  work: (turn: number) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return (count / (performance.now() - startedAt)) * 1000
}

/** Measures each once a round, each round in another order. @returns the results of all rounds by name. */
export async function inRounds<Result>(
  rounds: number,
  measures: Readonly<Record<string, () => Promise<Result>>>,
): Promise<Record<string, Result[]>> {
  const subjects = Object.entries(measures).map(([name, measure]) => ({ name, measure, results: [] as Result[] }))
  for (let round = 0; round < rounds; round++) {
    const first = round % subjects.length
    const turned = [...subjects.slice(first), ...subjects.slice(0, first)]
    for (const { measure, results } of turned) results.push(await measure())
  }
  return Object.fromEntries(subjects.map(({ name, results }) => [name, results]))
}
