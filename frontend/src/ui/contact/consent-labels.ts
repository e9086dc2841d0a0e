import type { ConsentEntry } from '@parley/contracts/contacts/consent'

type Said = Pick<ConsentEntry, 'source' | 'note'>

/** Returns the words for a consent entry. */
export function valueLabels({ category, value }: Pick<ConsentEntry, 'category' | 'value'>): string {
  const subject = category === 'marketing' ? 'marketing' : 'notices'
  return value === 'in' ? `Allowed ${subject}` : `Opted out of ${subject}`
}

/** Describes how it is known, and whether it still counts. @param member who has recorded it. */
export function evidenceOf(entry: Said & Pick<ConsentEntry, 'takenBackAt'>, member?: string): string {
  const evidence = originOf(entry, member)
  return entry.takenBackAt ? `${evidence} · Undone with the ${entry.source === 'merge' ? 'merge' : 'import'}` : evidence
}

function originOf({ source, note }: Said, member = 'A member'): string {
  switch (source) {
    case 'keyword':
      return note ? `Wrote “${note}”` : 'Wrote it'
    case 'platform':
      return 'Chosen in WhatsApp'
    case 'platform_error':
      return 'WhatsApp refused a marketing message: they had opted out there'
    case 'agent':
      return note ? `${member}: ${note}` : member
    case 'import':
      return note && note !== 'import' ? `Import: ${note.replace(/^import: /, '')}` : 'Import'
    case 'suppression':
      return 'This number had opted out before its earlier contact was deleted'
    case 'merge':
      return note ? `Merged with ${note}` : 'Merged with another contact'
    case 'form':
      return note ? `Form: ${note}` : 'Form'
    case 'bot':
      return 'Recorded by a bot'
    case 'api':
      return 'Recorded through the API'
  }
}
