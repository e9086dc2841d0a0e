import type { Redis } from 'ioredis'

/** Limit of the platform between one number and one customer: one message in 6 s, some more at once. */
const pairIntervalMs = 6000
const pairDepth = 10
/** A full second's worth at once would be twice the rate in the first second. */
const depthSeconds = 0.1
/** A process that stands still after it was granted messages sends them later than counted. */
const usedShare = 0.9
/** The rest is kept for replies. */
const bulkShare = 0.8

/** Returns the campaign messages per second of a number with this total rate. */
export const bulkPerSecond = (perSecond: number): number => perSecond * usedShare * bulkShare
/** A number that was too fast gets a tenth of its rate back each minute. */
const regainedPerMs = 0.1 / 60_000
const minShare = 1 / 16
/** Messages already on their way report the same limit again: a number is slowed once within this time. */
const slowedOnceMs = 5000

/** Share of its rate that a slowed number may use by now. */
const shareFunction = `
local function shareAt(key, now)
  local kept = redis.call('HMGET', key, 'share', 'at')
  if not kept[1] then return 1, 0 end
  return math.min(1, kept[1] + (now - kept[2]) * ${regainedPerMs}), tonumber(kept[2])
end`

/**
 * Grants up to `wanted` messages from a bucket and, for bulk, from a smaller one inside it: generic cell rate algorithm with
 * the time of the server. The first key tells how far the number is slowed. Answers how many are granted, and after how many
 * milliseconds there are more.
 */
const acquireScript = `
${shareFunction}
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local share = shareAt(KEYS[1], now)
local granted = tonumber(ARGV[1])
local waitMs = 0
for i = 2, #KEYS do
  local interval = ARGV[2 * i - 2] / share
  local depth = math.max(1, ARGV[2 * i - 1] * share)
  local tat = math.max(tonumber(redis.call('GET', KEYS[i]) or 0), now)
  local free = math.floor((now + depth * interval - tat) / interval + 0.000001)
  granted = math.max(0, math.min(granted, free))
  waitMs = math.max(waitMs, tat - (now + depth * interval) + interval)
end
if granted > 0 then
  for i = 2, #KEYS do
    local interval = ARGV[2 * i - 2] / share
    local tat = math.max(tonumber(redis.call('GET', KEYS[i]) or 0), now) + granted * interval
    redis.call('SET', KEYS[i], tat, 'PX', math.ceil(tat - now) + 1000)
  end
end
return { granted, math.max(0, math.ceil(waitMs)) }`

/** The turn of each pair: 0 is now; otherwise the turn in that many milliseconds is kept for this message. */
const pairScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local interval = tonumber(ARGV[1])
local depth = tonumber(ARGV[2])
local waits = {}
for i, key in ipairs(KEYS) do
  local tat = math.max(tonumber(redis.call('GET', key) or 0), now)
  waits[i] = math.max(0, math.ceil(tat + interval - now - depth * interval))
  redis.call('SET', key, tat + interval, 'PX', math.ceil(tat + interval - now) + 1000)
end
return waits`

/** Stops sending for that many milliseconds, and halves the rate afterwards; a rate reduced a moment ago is not reduced again. */
const slowScript = `
${shareFunction}
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local share, slowedAt = shareAt(KEYS[2], now)
if now - slowedAt >= tonumber(ARGV[2]) then
  redis.call('HSET', KEYS[2], 'share', math.max(tonumber(ARGV[3]), share / 2), 'at', now)
  redis.call('PEXPIRE', KEYS[2], ${Math.ceil(1 / regainedPerMs)})
end
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now + tonumber(ARGV[1]))
redis.call('SET', KEYS[1], tat, 'PX', math.ceil(tat - now) + 1000)
return 1`

export type SendLimits = ReturnType<typeof createSendLimits>

/** Limits how fast numbers send, shared by all workers. @throws where Redis is unavailable: nothing is sent then. */
export function createSendLimits(redis: Redis) {
  const rateKey = (numberId: string) => `send:{${numberId}}:rate`
  const slowKey = (numberId: string) => `send:{${numberId}}:slow`

  /** @param options.bulk not a person's reply. @returns how many may leave now, and when there are more. */
  async function acquire(
    numberId: string,
    { wanted, perSecond, bulk }: { wanted: number; perSecond: number; bulk: boolean },
  ): Promise<{ granted: number; waitMs: number }> {
    if (wanted === 0) return { granted: 0, waitMs: 0 }
    const buckets = [
      [rateKey(numberId), perSecond * usedShare] as const,
      ...(bulk ? [[`send:{${numberId}}:bulk`, bulkPerSecond(perSecond)] as const] : []),
    ]
    const [granted, waitMs] = numbersOf(
      await redis.eval(
        acquireScript,
        buckets.length + 1,
        slowKey(numberId),
        ...buckets.map(([key]) => key),
        wanted,
        ...buckets.flatMap(([, rate]) => [1000 / rate, Math.max(1, rate * depthSeconds)]),
      ),
    )
    return { granted: granted ?? 0, waitMs: waitMs ?? 0 }
  }

  /** @returns for each contact after how many milliseconds its turn comes; it is kept. */
  const acquireTurns = async (numberId: string, contactIds: readonly string[]): Promise<number[]> => {
    if (contactIds.length === 0) return []
    const keys = contactIds.map((contactId) => `send:{${numberId}}:${contactId}`)
    return numbersOf(await redis.eval(pairScript, keys.length, ...keys, pairIntervalMs, pairDepth))
  }

  /** The platform has said that this number is too fast: it pauses, then sends at half its rate, and regains a tenth a minute. */
  const slow = async (numberId: string, pauseMs: number): Promise<void> => {
    const keys = [rateKey(numberId), slowKey(numberId)]
    await redis.eval(slowScript, keys.length, ...keys, pauseMs, slowedOnceMs, minShare)
  }

  return { acquire, acquireTurns, slow }
}

const numbersOf = (answer: unknown): number[] => (Array.isArray(answer) ? answer.map(Number) : [])
