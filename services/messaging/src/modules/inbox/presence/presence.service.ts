import type { Presence as Told, TransientEvent } from '@parley/contracts/platform/event-stream'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Redis } from 'ioredis'
import { z } from 'zod'

/** Milliseconds after which presence is forgotten; the page repeats it every few seconds. */
const lifeMs = 10_000
const maxShown = 50

type Member = Told['members'][number]
const entrySchema = z.object({ state: z.enum(['looking', 'typing']), until: z.number() })

/** Announces which members view a conversation or type in it. Nothing is recorded: without Redis nothing is announced. */
export function createPresence({
  redis,
  publish,
  now = Date.now,
}: {
  redis: Redis
  publish: (workspaceId: string, event: TransientEvent, data: unknown) => Promise<void>
  now?: () => number
}) {
  async function announce(
    { workspaceId, userId }: WorkspaceScope & { readonly userId: string },
    conversationId: string,
    state: Member['state'] | 'gone',
  ): Promise<void> {
    const key = `presence:{${workspaceId}}:${conversationId}`
    const at = now()
    const known = await redis.hgetall(key).catch(() => undefined)
    if (!known) return
    const entries = Object.entries(known).flatMap(([id, text]) => {
      const entry = entrySchema.safeParse(parsed(text))
      return entry.success ? [{ userId: id, ...entry.data }] : []
    })
    const others = entries.filter((entry) => entry.userId !== userId && entry.until > at)
    const forgotten = entries.filter((entry) => entry.userId !== userId && entry.until <= at)
    const before = entries.find((entry) => entry.userId === userId && entry.until > at)
    const write = redis.multi()
    if (state === 'gone') write.hdel(key, userId)
    else write.hset(key, userId, JSON.stringify({ state, until: at + lifeMs })).pexpire(key, lifeMs)
    if (forgotten.length > 0) write.hdel(key, ...forgotten.map((entry) => entry.userId))
    await write.exec().catch(() => undefined)

    const isNews = forgotten.length > 0 || (state === 'gone' ? before !== undefined : before?.state !== state)
    if (!isNews) return
    const there = [...others, ...(state === 'gone' ? [] : [{ userId, state }])]
    const members = there.slice(0, maxShown).map((member) => ({ userId: member.userId, state: member.state }))
    await publish(workspaceId, 'presence', { conversationId, members } satisfies Told)
  }

  return { announce }
}
export type Presence = ReturnType<typeof createPresence>

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
