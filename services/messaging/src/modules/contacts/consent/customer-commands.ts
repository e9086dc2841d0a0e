import { createHash } from 'node:crypto'
import type { ConsentCategory } from '@parley/contracts/contacts/consent'
import {
  type CommandReader,
  type ConsentCommand,
  createCommandReader,
  maxCommandLength,
  namesStart,
} from '@parley/rules/consent-commands'
import type { Logger } from '@parley/service-kit/core/logger'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MessagesRepository } from '../../inbox/messages/messages.service.ts'
import type { OutgoingService } from '../../inbox/messages/outgoing.service.ts'
import type { ContactsService } from '../contacts.service.ts'
import type { NewEntry } from './consent.service.ts'
import type { ConsentSettingsService } from './consent-settings.service.ts'

/** Something that a customer has written or chosen. */
export interface Spoken {
  readonly contactId: string
  readonly conversationId: string
  readonly waMessageId: string
  /** Text, and the value behind it. */
  readonly texts: readonly string[]
  /** True where it was chosen from our options, not written. */
  readonly isPressed: boolean
  readonly at: Date
}
export interface Command extends Spoken {
  readonly command: ConsentCommand
  readonly categories: readonly ConsentCategory[]
  /** Answer to send; empty for none. */
  readonly answer: string
}

const categoriesOf: Record<ConsentCommand, readonly ConsentCategory[]> = {
  stop: ['marketing'],
  stopAll: ['marketing', 'utility'],
  start: ['marketing', 'utility'],
}

/** Milliseconds within which a text counts as the answer to our question. */
const askedWithinMs = 30 * 86_400_000

/** Returns a key as short as a client id has to be. */
const answerKey = (waMessageId: string): string =>
  `consent:${createHash('sha256').update(waMessageId).digest('base64url')}`

export type CustomerCommands = ReturnType<typeof createCustomerCommands>

/** Messages by which customers say whether they want to be written to. */
export function createCustomerCommands({
  settings,
  contacts,
  messageRecords,
  outgoing,
  logger,
}: {
  settings: Pick<ConsentSettingsService, 'read'>
  contacts: Pick<ContactsService, 'readMany'>
  messageRecords: Pick<MessagesRepository, 'latestOutbound'>
  outgoing: Pick<OutgoingService, 'send'>
  logger: Logger
}) {
  /** The text that we have sent last in a conversation, before a moment; empty where that is long ago. */
  async function lastSent(scope: WorkspaceScope, conversationId: string, until: Date): Promise<string> {
    const since = new Date(until.getTime() - askedWithinMs)
    const sent = await messageRecords.latestOutbound(scope, conversationId, { since, until })
    const text = sent?.content['text']
    return typeof text === 'string' ? text : ''
  }

  /** Sends a text into a conversation; the same key twice is the same message. @throws where its window is closed. */
  const send = (scope: WorkspaceScope, conversationId: string, { text, key }: { text: string; key: string }) =>
    outgoing.send(scope, conversationId, {
      content: { type: 'text', text },
      clientId: key,
      cause: { kind: 'system', id: 'consent' },
    })

  /** Finds the commands among messages, in the order in which they were sent. */
  async function among(scope: WorkspaceScope, spoken: readonly Spoken[]): Promise<Command[]> {
    const short = spoken.filter(({ texts }) => texts.some((text) => text.trim().length <= maxCommandLength))
    if (short.length === 0) return []
    const rules = await settings.read(scope)
    const reader = createCommandReader(rules)
    const read = short
      .flatMap((message) => {
        const found = readBy(reader, message)
        return found ? [{ ...message, ...found }] : []
      })
      .toSorted((left, right) => left.at.getTime() - right.at.getTime())
    const said = read.some(({ resumesOnly }) => resumesOnly) ? await saidBy(scope, read) : new Set<string>()
    const commands: Command[] = []
    for (const { resumesOnly, ...message } of read) {
      const all = categoriesOf[message.command]
      const known = all.filter((category) => said.has(`${message.contactId}:${category}`))
      const counts = !resumesOnly || (known.length === 0 && (await wasAsked(scope, message)))
      const categories = counts ? all : known
      if (categories.length === 0) continue
      for (const category of categories) said.add(`${message.contactId}:${category}`)
      commands.push({
        ...message,
        categories,
        answer: message.command === 'start' ? rules.startAnswer : rules.stopAnswer,
      })
    }
    return commands
  }

  /** Returns the categories about which contacts have stated anything, as `contact:category`. */
  async function saidBy(scope: WorkspaceScope, read: readonly Spoken[]): Promise<Set<string>> {
    const people = await contacts.readMany(scope, [...new Set(read.map(({ contactId }) => contactId))])
    return new Set(
      people.flatMap(({ id, optIn, utilityConsent }) => [
        ...(optIn.marketing === 'unknown' ? [] : [`${id}:marketing`]),
        ...(utilityConsent ? [`${id}:utility`] : []),
      ]),
    )
  }

  /** Returns whether “Start” answers a message from the workspace that offers the word. */
  const wasAsked = async (scope: WorkspaceScope, { conversationId, at }: Spoken): Promise<boolean> =>
    namesStart(await lastSent(scope, conversationId, at))

  const entriesOf = (commands: readonly Command[]): NewEntry[] =>
    commands.flatMap(({ command, categories, contactId, waMessageId, texts, at }) =>
      categories.map((category) => ({
        contactId,
        category,
        source: 'keyword' as const,
        at,
        value: command === 'start' ? ('in' as const) : ('out' as const),
        note: texts[0] ?? '',
        key: `message:${waMessageId}:${category}`,
      })),
    )

  /** Confirms each choice to its customer once. A failure to send changes nothing of what they have said. */
  async function confirm(scope: WorkspaceScope, commands: readonly Command[]): Promise<void> {
    for (const { conversationId, waMessageId, answer } of commands)
      if (answer !== '')
        await send(scope, conversationId, { text: answer, key: answerKey(waMessageId) }).catch((error: unknown) =>
          logger.info({ err: error, conversationId }, 'a choice was not confirmed to the customer'),
        )
  }

  return { among, entriesOf, confirm }
}

const readBy = (reader: CommandReader, { texts, isPressed }: Spoken) =>
  isPressed ? reader.ofButton(texts) : reader.ofText(texts[0] ?? '')
