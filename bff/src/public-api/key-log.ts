import {
  type KeyCall,
  type KeyContext,
  keyCallsApi,
  keysInternalApi,
  maxKeyCalls,
  maxKeyUses,
} from '@parley/contracts/account/api-keys'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { ServiceClient } from '@parley/service-kit/core/service-client'
import type { Response } from 'express'
import type { Redis } from 'ioredis'
import { guard } from '../session/session-store.ts'

const storeEveryMs = 500
const tellEveryMs = 60_000
/** Calls between two writes; the rest are not in the log, and count all the same. */
const maxBuffered = 5000
const keptSeconds = 7 * 24 * 3600

interface Place {
  readonly workspaceId: string
  readonly id: string
}

/** Keeps the last calls of each key in Redis, and tells the profile service of uses. Both may be lost, and hold up no call. */
export function createKeyLog({
  redis,
  callProfile,
  logger,
  metrics,
}: {
  redis: Redis
  callProfile: ServiceClient
  logger: Logger
  metrics: Metrics
}) {
  const countCall = metrics.counter({
    name: 'api_key_calls_total',
    help: 'Calls of the public API by outcome: unknown_key is one without a valid key',
    label: 'outcome',
    values: ['answered', 'refused', 'limited', 'failed', 'unknown_key'],
  })
  let calls: { key: string; call: KeyCall }[] = []
  const uses = new Map<string, { at: string; ip: string }>()
  const streamOf = ({ workspaceId, id }: Place) => `calls:{${workspaceId}}:${id}`

  /** Notes a call once it is answered. No path, query or body is kept. */
  function note(key: KeyContext, res: Response, ip: string): void {
    const startedAt = performance.now()
    const at = new Date().toISOString()
    if (uses.size < maxKeyUses || uses.has(key.id)) uses.set(key.id, { at, ip })
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : 499
      countCall(outcomeOf(status))
      if (calls.length >= maxBuffered) return
      const { operation, requestId, problem, refusal } = res.locals
      const code = problem instanceof Error && 'code' in problem ? String(problem.code) : refusal
      const ms = Math.round(performance.now() - startedAt)
      calls.push({
        key: streamOf(key),
        call: { at, operation, status, ...(code !== undefined && { code }), ms, requestId },
      })
    })
  }

  async function store(): Promise<void> {
    if (calls.length === 0) return
    const taken = calls
    calls = []
    const pipeline = redis.pipeline()
    for (const { key, call } of taken) pipeline.xadd(key, 'MAXLEN', '~', maxKeyCalls, '*', 'call', JSON.stringify(call))
    for (const key of new Set(taken.map((each) => each.key))) pipeline.expire(key, keptSeconds)
    await pipeline.exec().catch((error: unknown) => logger.warn({ err: error }, 'calls of API keys were not noted'))
  }

  async function tell(): Promise<void> {
    if (uses.size === 0) return
    const items = [...uses].map(([id, use]) => ({ id, ...use }))
    uses.clear()
    await callProfile(keysInternalApi.seen, { body: { items } }).catch((error: unknown) =>
      logger.warn({ err: error }, 'uses of API keys were not noted'),
    )
  }

  /** The newest first. @throws `session_store_unavailable`. */
  async function list(place: Place): Promise<KeyCall[]> {
    const entries = await guard(() => redis.xrevrange(streamOf(place), '+', '-', 'COUNT', maxKeyCalls))
    const oldest = Date.now() - keptSeconds * 1000
    return entries.flatMap(([, [, text = '']]) => {
      const call = callSchema.safeParse(parsed(text)).data
      return call && Date.parse(call.at) > oldest ? call : []
    })
  }

  const timers = [
    setInterval(() => void store(), storeEveryMs).unref(),
    setInterval(() => void tell(), tellEveryMs).unref(),
  ]
  const stop = async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all([store(), tell()])
  }

  /** Counts a call whose key lets nothing in, by the status of its refusal. */
  const noteRefused = (status: number): void => countCall(status === 401 ? 'unknown_key' : outcomeOf(status))

  return { note, noteRefused, list, stop, tell }
}
export type KeyLog = ReturnType<typeof createKeyLog>

const outcomeOf = (status: number) =>
  status === 429 ? 'limited' : status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'answered'

const callSchema = keyCallsApi.list.response.shape.items.element

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
