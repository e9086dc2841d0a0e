import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { defaultConsentSettings } from '@parley/contracts/contacts/consent'
import type { Endpoint, EndpointInput } from '@parley/contracts/core/endpoint'
import type { Said } from '@parley/contracts/platform/event-snapshots'
import type { NewEvent, RecordedEvent } from '@parley/contracts/platform/events'
import { errors } from '@parley/service-kit/core/errors'
import { newId } from '@parley/service-kit/data/plain'
import type { AskService } from '../platform/platform.ts'
import { createModelActions, isHeld } from './model-actions.ts'
import { conversationOf, joinTalks, newTalk, partTalks, type Sent, snapshotOf, type Talk, tapped } from './talk.ts'

export type MessagingModel = ReturnType<typeof createMessagingModel>

/**
 * The rules of messaging's internal endpoints in memory, for one workspace: epochs, keys, holding, the log of events. The long
 * test drives the real service; this one lets a test take every order of things.
 */
export function createMessagingModel({
  now,
  redelivers = 0,
}: {
  /** Clock; without it a test moves the time by hand. */
  now?: () => number
  /** Number of events that are given once more with those after them. */
  redelivers?: number
} = {}) {
  const talks = new Map<string, Talk>()
  const events: RecordedEvent[] = []
  const passed: string[] = []
  /** Operations that were asked for, in their order. */
  const asked: string[] = []
  /** Messages that are no longer kept. */
  const deleted = new Set<string>()
  /** Whole texts of messages that are cut in their events. */
  const texts = new Map<string, string>()
  let outages = 0
  let missed = 0
  let lost = 0
  const failures: EndpointInput<typeof messagingInternalApi.botFailures>['body'][] = []
  let readUpTo = 0
  let moved = Date.now()
  const timeNow = () => now?.() ?? moved

  function open(name = 'Asha', phone = '+919812345678'): Talk {
    const talk = newTalk(numberId, name, phone)
    talks.set(talk.id, talk)
    return talk
  }

  function emit(talk: Talk, event: Pick<NewEvent, 'type' | 'data' | 'by' | 'chain'> & { at?: string }): RecordedEvent {
    const at = new Date(timeNow()).toISOString()
    const recorded = {
      at,
      recordedAt: at,
      chain: [],
      ...event,
      id: newId(),
      seq: events.length + 1,
      workspaceId: newId(),
      conversationId: talk.id,
      contactId: talk.contactId,
      snapshot: snapshotOf(talk),
    } as object as RecordedEvent
    events.push(recorded)
    return recorded
  }

  /** Writes as the customer. */
  function say(talk: Talk, said: Partial<Said> & { text: string }, options: { at?: string } = {}): string {
    const isOpening = talk.status === 'closed'
    talk.status = 'open'
    const messageId = newId()
    talk.unread.push(messageId)
    const isCut = said.text.length > 300
    if (isCut) texts.set(messageId, said.text)
    talk.log.push(`customer ${messageId}`)
    const by = { kind: 'contact' as const }
    emit(talk, {
      type: 'message.changed',
      by,
      ...options,
      data: {
        messageId,
        conversationId: talk.id,
        direction: 'inbound',
        status: null,
        created: true,
        said: { type: 'text', ...said, ...(isCut && cutOf(said)), ...(isOpening && { opens: true }) },
      },
    })
    if (isOpening)
      emit(talk, {
        type: 'conversation.changed',
        by,
        data: { conversation: conversationOf(talk), became: { opened: true } },
      })
    return messageId
  }

  /** Taps, as the customer, the option of the last question that has this title. */
  function tap(talk: Talk, title: string): string {
    const option = talk.sent.flatMap(({ options }) => options).findLast((one) => one.title === title)
    if (!option) throw new Error(`nobody offers ${title}`)
    return say(talk, tapped(option))
  }

  /** Reports that a message of a bot did not reach the customer. */
  function lose(talk: Talk, { messageId }: Pick<Sent, 'messageId'>, how: { takenBack?: true } = {}): void {
    const status = how.takenBack ? ('queued' as const) : ('failed' as const)
    const data = { messageId, conversationId: talk.id, direction: 'outbound' as const, status, cause: 'bot', ...how }
    emit(talk, { type: 'message.changed', by: { kind: 'system' }, data })
  }

  function setOwner(
    talk: Talk,
    owner: Talk['owner'],
    reason: 'assigned' | 'replied' | 'phone' | 'closed' | 'bot',
    by: NewEvent['by'] = { kind: 'user', id: newId() },
  ): void {
    talk.owner = owner
    talk.isLeft = false
    talk.epoch += 1
    const became = { owned: { epoch: talk.epoch, reason }, ...(reason === 'closed' && { closed: true as const }) }
    emit(talk, { type: 'conversation.changed', by, data: { conversation: conversationOf(talk), became } })
  }

  const people = {
    assign: (talk: Talk) => setOwner(talk, { kind: 'member', id: newId() }, 'assigned'),
    /** Makes one contact of two, or two again. */
    merge: (kept: Talk, other: Talk, back?: true) => {
      const threads = [back ? partTalks(kept, other) : joinTalks(kept, other)]
      const ids = { contactId: kept.contactId, otherId: other.contactId }
      const by = { kind: 'user' as const, id: newId() }
      emit(kept, { type: 'contact.merged', by, data: { ...ids, threads, ...(back && { back }) } })
      // Once the messages have moved, they are told again.
      emit(kept, { type: 'contact.merged', by, data: { ...ids, ...(back && { back }) } })
    },
    reply: (talk: Talk) => {
      talk.log.push('person')
      talk.unread = []
      talk.waits = false
      setOwner(talk, { kind: 'member', id: newId() }, 'replied')
    },
    phone: (talk: Talk) => {
      talk.log.push('person')
      talk.personAt = new Date(timeNow()).toISOString()
      setOwner(talk, { kind: 'nobody' }, 'phone')
    },
    /** Lets the time pass for which people keep a conversation without a message of theirs. */
    leave: (talk: Talk) => {
      talk.isLeft = true
    },
    close: (talk: Talk) => {
      talk.log.push('closed')
      talk.status = 'closed'
      talk.personAt = null
      talk.unread = []
      talk.waits = false
      setOwner(talk, { kind: 'nobody' }, 'closed')
    },
  }

  /** Tags a contact. */
  function tag(
    talk: Talk,
    name: string,
    by: NewEvent['by'] = { kind: 'user', id: newId() },
    chain: readonly string[] = [],
  ) {
    if (talk.tags.includes(name)) return undefined
    talk.tags = [...talk.tags, name]
    const data = { contact: snapshotOf(talk).contact, became: { tagsAdded: [name] } }
    return emit(talk, { type: 'contact.changed', by, chain: [...chain], data })
  }

  /** Tags very many at once: each in an event for flows alone. */
  function tagMany(many: readonly Talk[], name: string): void {
    const by = { kind: 'user' as const, id: newId() }
    for (const talk of many) {
      talk.tags = [...talk.tags, name]
      emit(talk, { type: 'contact.bulk_changed', by, data: { did: { tagsAdded: [name] } } })
    }
  }

  const actions = createModelActions({ talks, timeNow, setOwner, tag })

  // biome-ignore lint/suspicious/noExplicitAny: each endpoint's request has a shape of its own.
  async function ask(_: unknown, endpoint: Endpoint, request: any): Promise<unknown> {
    if (endpoint.operation === 'internal.workspaces.closed') return { workspaceIds: closed }
    asked.push(endpoint.operation)
    if (outages > 0) {
      outages -= 1
      throw errors.serviceUnavailable()
    }
    switch (endpoint.operation) {
      case 'internal.events.due':
        return { workspaceIds: readUpTo < events.length ? [workspace.workspaceId] : [] }
      case 'internal.events.list': {
        const { after, limit } = request.query
        if (after === undefined) return { items: [], upTo: events.length, head: events.length }
        const items = events.slice(Math.max(0, after - redelivers), after + limit - redelivers)
        return { items, upTo: items.at(-1)?.seq ?? events.length, head: events.length }
      }
      case 'internal.events.history': {
        const first = events.find(({ recordedAt }) => recordedAt >= request.query.since)
        return { after: (first?.seq ?? events.length + 1) - 1, head: events.length }
      }
      case 'internal.events.named': {
        const items = events.filter(({ id }) => request.body.ids.includes(id))
        const kept = items.flatMap((event) =>
          event.type === 'message.changed' && event.data.said && !deleted.has(event.data.messageId)
            ? { messageId: event.data.messageId, text: texts.get(event.data.messageId) ?? event.data.said.text }
            : [],
        )
        return { items, texts: kept }
      }
      case 'internal.messages.text': {
        const { id } = request.params
        if (deleted.has(id)) throw errors.notFound()
        return { text: texts.get(id) }
      }
      case 'internal.events.read':
        if (missed > 0) {
          missed -= 1
          throw errors.serviceUnavailable()
        }
        readUpTo = Math.max(readUpTo, request.body.upTo)
        passed.push(...request.body.passed)
        for (const id of request.body.passed) {
          const talk = talks.get(talks.get(id)?.merged?.id ?? id)
          if (talk?.status === 'open' && !isHeld(talk)) talk.waits = true
        }
        return undefined
      case 'internal.actions': {
        const answer = actions.act(request.body)
        if (lost === 0) return answer
        lost -= 1
        throw errors.serviceUnavailable()
      }
      case 'internal.contacts': {
        const { of } = request.body
        if ('phone' in of) {
          const known = [...talks.values()].find(({ phone }) => phone === of.phone)
          const talk = known ?? (of.create ? open(of.create.name, of.phone) : undefined)
          return { ids: talk ? [talk.contactId] : [], items: talk ? [snapshotOf(talk).contact] : [] }
        }
        if (of.segmentId === 'gone') throw errors.notFound()
        const all = [...talks.values()].toSorted((left, right) => left.contactId.localeCompare(right.contactId))
        const wanted = (id: string) => ('ids' in of ? of.ids.includes(id) : id > of.after && id <= of.upTo)
        const found = all.filter(({ contactId }) => wanted(contactId)).slice(0, of.limit)
        return {
          ids: of.ids ?? found.map(({ contactId }) => contactId),
          items: found.map((talk) => snapshotOf(talk).contact),
          ...(of.count && { total: all.length }),
        }
      }
      case 'internal.automationState':
        return undefined
      case 'internal.botFailures':
        failures.push(request.body)
        return undefined
      case 'internal.lookups':
        return {
          numbers: [],
          fields: [],
          templates: [],
          consentWords: defaultConsentSettings,
          openingHours: { timeZone: 'UTC', spans: [], closedOn: [] },
          sampleData: { state: 'none' },
        }
      default:
        throw new Error(`the model does not answer ${endpoint.operation}`)
    }
  }

  const workspace = { workspaceId: newId() }
  let closed: string[] = []
  const numberId = newId()
  return {
    workspace,
    numberId,
    talks,
    events,
    passed,
    asked,
    deleted,
    open,
    say,
    tap,
    lose,
    tag,
    tagMany,
    people,
    emit,
    ask: ask as AskService,
    /** Begins the deletion of the workspace, or restores it. */
    close: (isClosed: boolean) => {
      closed = isClosed ? [workspace.workspaceId] : []
    },
    /** Clock of database and customers. */
    now: async () => timeNow(),
    pass: (ms: number) => {
      moved += ms
    },
    refuse: actions.refuse,
    allow: actions.allow,
    overPeople: actions.overPeople,
    /** Bots that could not go on, each call. */
    failures,
    /** Lets calls be carried out, and their answers be lost. */
    loseAnswers: (calls: number) => {
      lost = calls
    },
    /** Lets calls fail that tell what was read. */
    missReads: (calls: number) => {
      missed = calls
    },
    fail: (calls: number) => {
      outages = calls
    },
  }
}

const cutOf = ({ text }: { text: string }) => ({ text: text.slice(0, 300), cut: true as const })
