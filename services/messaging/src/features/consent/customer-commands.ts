import { createHash } from 'node:crypto'
import type { ConsentCategory } from '@parley/contracts/consent'
import type { Logger } from '@parley/service-kit/core/logger'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { NewEntry } from './consent.service.ts'
import type { ConsentSettingsService } from './consent-settings.service.ts'
import { type ConsentCommand, commandOf, mayBeCommand } from './consent-words.ts'

/** Something that a customer has written or chosen. */
export interface Spoken {
  readonly contactId: string
  readonly conversationId: string
  readonly waMessageId: string
  /** What it says, and what stands behind it. */
  readonly texts: readonly string[]
  readonly at: Date
}
export interface Command extends Spoken {
  readonly command: ConsentCommand
  /** What is to be answered; empty for nothing. */
  readonly answer: string
}

const meaning: Record<ConsentCommand, { value: 'in' | 'out'; categories: readonly ConsentCategory[] }> = {
  stop: { value: 'out', categories: ['marketing'] },
  stopAll: { value: 'out', categories: ['marketing', 'utility'] },
  start: { value: 'in', categories: ['marketing', 'utility'] },
}

/** As short as a client id has to be. */
const answerKey = (waMessageId: string): string =>
  `consent:${createHash('sha256').update(waMessageId).digest('base64url')}`

export type CustomerCommands = ReturnType<typeof createCustomerCommands>

/** Messages by which customers say whether they want to be written to. */
export function createCustomerCommands({
  settings,
  send,
  logger,
}: {
  settings: Pick<ConsentSettingsService, 'read'>
  /** Sends a text into a conversation; the same key twice is the same message. @throws where its window is closed. */
  send: (scope: WorkspaceScope, conversationId: string, answer: { text: string; key: string }) => Promise<unknown>
  logger: Logger
}) {
  async function among(scope: WorkspaceScope, spoken: readonly Spoken[]): Promise<Command[]> {
    const short = spoken.filter(({ texts }) => texts.some(mayBeCommand))
    if (short.length === 0) return []
    const rules = await settings.read(scope)
    return short.flatMap((each) => {
      const command = commandOf(each.texts, rules)
      return command ? [{ ...each, command, answer: command === 'start' ? rules.startAnswer : rules.stopAnswer }] : []
    })
  }

  const entriesOf = (commands: readonly Command[]): NewEntry[] =>
    commands.flatMap(({ command, contactId, waMessageId, texts, at }) => {
      const { value, categories } = meaning[command]
      return categories.map((category) => ({
        ...{ contactId, category, value, source: 'keyword' as const, at },
        note: texts[0] ?? '',
        key: `message:${waMessageId}:${category}`,
      }))
    })

  /** What customers are told once. That an answer cannot be sent changes nothing of what they have said. */
  async function confirm(scope: WorkspaceScope, commands: readonly Command[]): Promise<void> {
    for (const { conversationId, waMessageId, answer } of commands)
      if (answer !== '')
        await send(scope, conversationId, { text: answer, key: answerKey(waMessageId) }).catch((error: unknown) =>
          logger.info({ err: error, conversationId }, 'a choice was not confirmed to the customer'),
        )
  }

  return { among, entriesOf, confirm }
}
