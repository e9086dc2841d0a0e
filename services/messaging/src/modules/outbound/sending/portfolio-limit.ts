import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Redis } from 'ioredis'
import type { ConversationsRepository } from '../../inbox/conversations/conversations.service.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import { countedMs, type MessagingLimitSlots, type Portfolio } from '../../inbox/messages/messaging-limit-slots.ts'
import { isWindowOpen } from '../../inbox/messages/service-window.ts'

/** Interval of comparing Redis with the database: it may have come back as it was an hour ago. */
const trustedMs = 15 * 60_000
const maxTries = 3
const fillAtOnce = 5000

/**
 * Takes a place for each contact, or none where all are taken: a contact that has one keeps it, from now on. A contact that is
 * asked for with `1` gets one in any case. Answers with a 1 or 0 for each, and then after how many milliseconds the next place
 * becomes free; with nothing where the places are not known.
 */
const reserveScript = `
if redis.call('EXISTS', KEYS[2]) == 0 then return {} end
local now = tonumber(ARGV[1])
local limit = tonumber(ARGV[2])
local lasts = tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - lasts)
local used = redis.call('ZCARD', KEYS[1])
local answer = {}
for i = 4, #ARGV, 2 do
  local isKnown = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if isKnown or used < limit or ARGV[i + 1] == '1' then
    redis.call('ZADD', KEYS[1], 'GT', now, ARGV[i])
    if not isKnown then used = used + 1 end
    answer[#answer + 1] = 1
  else
    answer[#answer + 1] = 0
  end
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
redis.call('PEXPIRE', KEYS[1], lasts)
answer[#answer + 1] = first[2] and math.max(0, math.ceil(first[2] + lasts - now)) or 0
return answer`

/** Result for messages that may need a slot. */
export interface Placed {
  /** Messages that took one, or kept that of their contact. */
  readonly reserved: ReadonlySet<string>
  /** Messages of campaigns that got none. */
  readonly refused: ReadonlySet<string>
}

const none: Placed = { reserved: new Set(), refused: new Set() }

export type PortfolioLimit = ReturnType<typeof createPortfolioLimit>

/**
 * Holds campaigns to the number of customers that the numbers of a portfolio may write to first in 24 hours. Templates that
 * people send one by one take a place as well, and are not held back. @throws where Redis is away: nothing is sent then.
 */
export function createPortfolioLimit({
  redis,
  messageRecords,
  conversationRecords,
  now = () => new Date(),
}: {
  redis: Redis
  messageRecords: Pick<MessagingLimitSlots, 'countedContacts'>
  conversationRecords: Pick<ConversationsRepository, 'readMany'>
  now?: Clock
}) {
  /** @param portfolio absent: no limit. */
  async function reserve(
    scope: WorkspaceScope,
    portfolio: Portfolio | undefined,
    messages: readonly MessageRecord[],
  ): Promise<Placed> {
    const templates = messages.filter(
      ({ direction, content }) => direction === 'outbound' && content.type === 'template',
    )
    if (!portfolio || templates.length === 0) return none
    const conversations = await conversationRecords.readMany(scope, [
      ...new Set(templates.map((message) => message.conversationId)),
    ])
    const at = now()
    const open = new Set(
      conversations.filter((conversation) => isWindowOpen(conversation.windowExpiresAt, at)).map(({ id }) => id),
    )
    const wanted = templates.filter(({ conversationId }) => !open.has(conversationId))
    if (wanted.length === 0) return none
    const answer = await ask(scope, portfolio, wanted)
    const ids = (granted: 0 | 1) => new Set(wanted.flatMap(({ id }, index) => (answer[index] === granted ? [id] : [])))
    return { reserved: ids(1), refused: ids(0) }
  }

  async function ask(scope: WorkspaceScope, { portfolioId, limit }: Portfolio, wanted: readonly MessageRecord[]) {
    const keys = keysOf(scope, portfolioId)
    const asked = wanted.flatMap(({ contactId, cause }) => [contactId, cause.kind === 'campaign' ? '0' : '1'])
    for (let tries = 0; tries < maxTries; tries += 1) {
      const answer = await redis.eval(reserveScript, 2, ...keys, now().getTime(), limit, countedMs, ...asked)
      if (Array.isArray(answer) && answer.length > 0) return answer.map(Number)
      await fill(scope, portfolioId)
    }
    throw new Error('Redis has lost the places of a portfolio again and again')
  }

  /** Redis has been emptied, or is to be compared: the messages know whom WhatsApp counts. Also two workers at once may do this. */
  async function fill(scope: WorkspaceScope, portfolioId: string): Promise<void> {
    const [key, known] = keysOf(scope, portfolioId)
    const counted = await messageRecords.countedContacts(scope, portfolioId, now())
    for (let from = 0; from < counted.length; from += fillAtOnce) {
      const some = counted.slice(from, from + fillAtOnce)
      await redis.zadd(key, 'GT', ...some.flatMap(({ contactId, at }) => [at.getTime(), contactId]))
    }
    await redis.set(known, '1', 'PX', trustedMs)
  }

  return { reserve }
}

const keysOf = ({ workspaceId }: WorkspaceScope, portfolioId: string): [string, string] => {
  const key = `portfolio:{${workspaceId}/${portfolioId}}`
  return [`${key}:places`, `${key}:known`]
}
