import { GraphError } from '../graph/graph-error.ts'
import type { Send, SentTemplate } from '../graph/send-schema.ts'
import type { Customer } from '../records.ts'
import { digitsOf, type World } from '../world.ts'
import { fillTemplate, type ShownTemplate } from './fill-template.ts'
import type { WaIds } from './wa-ids.ts'

export const mediaTypes = new Set(['image', 'video', 'audio', 'document', 'sticker'])
const mediaLifeMs = 30 * 24 * 3600_000

/** Creates checks of the records that a send names: each is looked up, and refused with the platform's own error where missing. */
export function createSendChecks(world: World, waIds: WaIds) {
  function recipientOf(send: Send): Customer {
    if (send.recipient !== undefined) {
      const customer = world.customers.get(send.recipient)
      if (!customer) throw new GraphError(131009, { details: 'recipient: unknown business-scoped user id' })
      return customer
    }
    const digits = digitsOf(send.to ?? '')
    if (digits.length < 7 || digits.length > 15) throw new GraphError(131009, { details: 'to: is not a phone number' })
    return world.customerOf(waIds.waIdOf(digits))
  }

  function templateOf(accountId: string, send: Send): { category: string; shown: ShownTemplate } {
    const sent = send.content as SentTemplate
    const inLanguage = [...world.templates.values()].filter(
      (template) => template.accountId === accountId && template.name === sent.name,
    )
    const template = inLanguage.find(({ language }) => language === sent.language.code)
    if (template?.status === 'PAUSED') throw new GraphError(132015)
    if (template?.status === 'DISABLED') throw new GraphError(132016)
    if (template?.status !== 'APPROVED')
      throw new GraphError(132001, { details: `template name (${sent.name}) does not exist in ${sent.language.code}` })
    const shown = fillTemplate(template, sent, world.clock.now())
    requireFile(shown.header?.media)
    for (const card of shown.cards ?? []) requireFile(card.header?.media)
    return { category: template.category, shown }
  }

  function requireMedia({ type, content }: Send): void {
    if (mediaTypes.has(type)) requireFile(content)
  }

  function requireFile(content: unknown): void {
    if (typeof content !== 'object' || content === null || !('id' in content)) return
    const media = world.media.get(String(content.id))
    if (!media || media.createdAt + mediaLifeMs < world.clock.now())
      throw new GraphError(100, { subcode: 33, details: `Media object with ID '${String(content.id)}' does not exist` })
  }

  return { recipientOf, templateOf, requireMedia }
}
