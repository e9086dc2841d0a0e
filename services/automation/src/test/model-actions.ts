import type { ActionFacts, InternalAction } from '@parley/contracts/automation/internal-actions'
import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { newId } from '@parley/service-kit/data/plain'
import { optionsOf, snapshotOf, type Talk } from './talk.ts'

type Actor = { kind: 'bot' | 'workflow'; id: string; runId: string }
type Answer = EndpointResponse<typeof messagingInternalApi.actions>
type Refusal = { code: string; matches: (action: InternalAction) => boolean }

/** Returns whether people have a conversation, so that no bot may write in it. */
export const isHeld = (talk: Talk): boolean => !talk.isLeft && (talk.owner.kind === 'member' || talk.personAt !== null)

/** Carries out actions of bots and workflows as messaging does: epochs, keys, refusals. */
export function createModelActions({
  talks,
  timeNow,
  setOwner,
  tag,
}: {
  readonly talks: ReadonlyMap<string, Talk>
  readonly timeNow: () => number
  readonly setOwner: (talk: Talk, owner: Talk['owner'], reason: 'assigned' | 'closed' | 'bot', by: Actor) => void
  readonly tag: (talk: Talk, name: string, by: Actor, chain: readonly string[]) => void
}) {
  const keys = new Map<string, { content: string; result: Answer['results'][number] }>()
  const refusals: Refusal[] = []
  const overPeople: string[] = []

  function act({
    conversationId,
    contactId,
    epoch,
    by,
    chain,
    actions,
  }: EndpointInput<typeof messagingInternalApi.actions>['body']): Answer {
    const talk =
      (conversationId === undefined ? undefined : talks.get(conversationId)) ??
      [...talks.values()].find((one) => one.contactId === contactId)
    if (!talk) throw errors.notFound()
    if (talk.merged) throw errors.serviceUnavailable()
    const results: Answer['results'] = []
    let current = epoch
    for (const action of actions) {
      const known = keys.get(action.key)
      const content = JSON.stringify(action)
      if (known && known.content !== content) throw new AppError('idempotency_key_reused', action.key)
      const result = known?.result ?? perform(talk, action, { epoch: current, by, chain })
      if (result.outcome === 'done') keys.set(action.key, { content, result })
      results.push(result)
      if (result.outcome === 'refused') break
      if (['claim', 'assign', 'release', 'close'].includes(action.type) && !known) current = talk.epoch
    }
    const facts = { epoch: talk.epoch, heldByPerson: isHeld(talk), snapshot: snapshotOf(talk) }
    return { results, facts: { ...facts, now: new Date(timeNow()).toISOString() } as ActionFacts }
  }

  function perform(
    talk: Talk,
    action: InternalAction,
    { epoch, by, chain }: { epoch: number | undefined; by: Actor; chain: readonly string[] },
  ): Answer['results'][number] {
    const { key } = action
    const refuse = (code: string) => ({ key, outcome: 'refused' as const, code })
    const asked = refusals.find(({ matches }) => matches(action))
    if (asked) return refuse(asked.code)
    const actor = { kind: by.kind, id: by.id, runId: by.runId }
    if (action.type === 'claim') {
      if (isHeld(talk)) return refuse('conversation_taken')
      setOwner(talk, { kind: 'bot', id: action.botId }, 'bot', actor)
      return { key, outcome: 'done' }
    }
    if (epoch !== undefined && epoch !== talk.epoch) return refuse('conversation_taken')
    switch (action.type) {
      case 'release':
        if (action.ifOwn && !(talk.owner.kind === 'bot' && talk.owner.id === by.id)) break
        // Nothing is read for those who wait for a person.
        if (action.resolved && !talk.waits)
          talk.unread = action.upTo === undefined ? [] : talk.unread.slice(talk.unread.indexOf(action.upTo) + 1)
        if (action.completed && !action.attention) talk.completed += 1
        if (action.attention) talk.waits = true
        if (talk.owner.kind === 'bot') setOwner(talk, { kind: 'nobody' }, 'bot', actor)
        break
      case 'assign':
        talk.waits = true
        setOwner(
          talk,
          action.to.kind === 'member' ? { kind: 'member', id: action.to.memberId } : { kind: 'nobody' },
          'assigned',
          actor,
        )
        break
      case 'close':
        talk.log.push('closed')
        talk.status = 'closed'
        setOwner(talk, { kind: 'nobody' }, 'closed', actor)
        break
      case 'send_template':
        talk.log.push(`bot ${key}`)
        break
      case 'send': {
        const { content } = action
        if (isHeld(talk)) overPeople.push(key)
        talk.log.push(`bot ${key}`)
        const messageId = newId()
        talk.sent.push({
          key,
          messageId,
          epoch: talk.epoch,
          text: 'text' in content ? content.text : content.type,
          options: optionsOf(content),
        })
        return { key, outcome: 'done', messageId }
      }
      case 'note':
        talk.notes.push(action.text)
        break
      case 'set_attribute':
        talk.attributes[action.attribute] = action.value
        break
      case 'add_tag':
        if (by.kind === 'workflow') tag(talk, action.tag, by, chain)
        else talk.tags = [...new Set([...talk.tags, action.tag])]
        break
      case 'remove_tag':
        talk.tags = talk.tags.filter((tag) => tag !== action.tag)
        break
      default:
    }
    return { key, outcome: 'done' }
  }

  return {
    act,
    refuse: (code: string, matches: Refusal['matches']) => refusals.push({ code, matches }),
    /** Refuses nothing any more. */
    allow: () => refusals.splice(0),
    /** Messages of bots that were sent while a person had the conversation. */
    overPeople,
  }
}
