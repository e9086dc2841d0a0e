import { Redis, type RedisOptions } from 'ioredis'
import { z } from 'zod'

/** `redis[s]+sentinel://[user:password@]host[:port][,host[:port]…]/name[/database]`, as Python's redis-sentinel-url has it. */
const sentinelPattern =
  /^(redis|rediss)\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?]+)\/(?<name>[\w.-]+)(?:\/(?<db>\d{1,3}))?(?:\?(?<query>.*))?$/
const hostPattern = /^(?<host>\[[0-9a-fA-F:]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/
const sentinelPort = 26_379

const querySchema = z.strictObject({ sentinelUser: z.string().optional(), sentinelPassword: z.string().optional() })

/** Address of Redis: one address, or the Sentinels that know which server is the primary. */
export const redisUrlSchema = z.string().max(2000).refine(isRedisUrl, 'must be a redis URL')

function isRedisUrl(url: string): boolean {
  return z.url({ protocol: /^rediss?$/ }).safeParse(url).success || sentinelOptions(url) !== undefined
}

type Options = Omit<RedisOptions, 'replyMapping'>

/**
 * Opens a connection. Behind Sentinels it leads to the primary, is closed as soon as they have made another one, also where the old one is
 * frozen and closes nothing, and begins anew at that one.
 */
export function openRedis(url: string, options: Options): Redis {
  const sentinels = sentinelOptions(url)
  return sentinels ? new Redis({ ...sentinels, ...options }) : new Redis(url, options)
}

/** Returns the options of a connection behind Sentinels; `undefined` for any other URL. */
export function sentinelOptions(url: string): Options | undefined {
  const { groups } = sentinelPattern.exec(url) ?? {}
  // A plus sign stands for itself, as it does before the `@`, and not for a space, as in a form.
  const query = querySchema.safeParse(
    Object.fromEntries(new URLSearchParams(groups?.['query']?.replaceAll('+', '%2B'))),
  )
  const sentinels = groups?.['hosts']?.split(',').map(sentinelOf) ?? []
  if (!groups || !query.success || !sentinels.every((sentinel) => sentinel !== undefined)) return undefined
  const { name, db } = groups
  const user = decoded(groups['user'])
  const password = decoded(groups['password'])
  if (user === undefined || password === undefined) return undefined
  const { sentinelUser, sentinelPassword } = query.data
  return {
    sentinels,
    ...(name && { name }),
    failoverDetector: true,
    ...(user && { username: user }),
    ...(password && { password }),
    ...(db && { db: Number(db) }),
    ...(sentinelUser && { sentinelUsername: sentinelUser }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(url.startsWith('rediss') && { tls: {}, enableTLSForSentinelMode: true }),
  }
}

/** Returns the text of a part of a URL, `''` of one that is absent, `undefined` where a `%` begins no character. */
function decoded(part = ''): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

function sentinelOf(text: string): { host: string; port: number } | undefined {
  const { host, port } = hostPattern.exec(text)?.groups ?? {}
  return host === undefined
    ? undefined
    : { host: host.replace(/^\[(.*)\]$/, '$1'), port: port === undefined ? sentinelPort : Number(port) }
}
