import type { Condition } from '@parley/contracts/contacts/conditions'
import { contactFields } from '@parley/contracts/contacts/contact-fields'
import { useQuery } from '@tanstack/react-query'
import { campaignChoices } from '../lib/choices/campaigns.ts'
import { numberChoices } from '../lib/choices/numbers.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

const choicesOf = (labels: Readonly<Record<string, string>>): readonly Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Fields with a few values, which are told by their names. */
const fixed: Readonly<Record<string, readonly Choice[]>> = {
  'conversation.status': choicesOf({ open: 'Open', snoozed: 'Snoozed', closed: 'Closed' }),
  'conversation.owner': choicesOf({ member: 'A member', bot: 'A bot', workflow: 'A workflow', nobody: 'Nobody' }),
  'contact.marketing': choicesOf(contactFields.marketing.values),
  'contact.blocked': choicesOf(contactFields.blocked.values),
  'contact.source': choicesOf(contactFields.source.values),
  'event.by': choicesOf({
    user: 'A member',
    contact: 'The customer',
    bot: 'A bot',
    workflow: 'A workflow',
    campaign: 'A campaign',
    api_key: 'A program with an API key',
    system: 'Parley itself',
  }),
  'message.type': choicesOf({
    text: 'Text',
    image: 'Image',
    video: 'Video',
    audio: 'Audio',
    document: 'Document',
    sticker: 'Sticker',
    location: 'Location',
    contacts: 'Contact card',
    interactive: 'A choice, or a form',
    order: 'Order',
    unsupported: 'Something that WhatsApp does not pass on',
  }),
}

/** Returns the values of a field by their names, of which a condition takes one; undefined where a text is typed. */
export function useValueChoices({ field, comparison }: Pick<Condition, 'field' | 'comparison'>) {
  const isNumber = field === 'conversation.number'
  const isCampaign = field === 'campaign.id'
  const numbers = useQuery({ ...numberChoices(), enabled: isNumber }).data ?? []
  const campaigns = useQuery({ ...campaignChoices(), enabled: isCampaign }).data ?? []
  // A part of a value, or a bound, is typed.
  if (comparison !== 'equals' && comparison !== 'not_equals') return undefined
  if (isCampaign) return campaigns.map(({ id, name }) => ({ value: id, label: name }))
  if (!isNumber) return fixed[field]
  return numbers.map(({ id, displayName, phoneNumber }) => ({ value: id, label: `${displayName} (${phoneNumber})` }))
}
