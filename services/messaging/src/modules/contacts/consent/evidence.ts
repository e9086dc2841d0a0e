import type { EntryRecord } from './consent.model.ts'

/** Proof of an entry, each thing in a column of its own. */
export const evidenceColumns = [
  'WhatsApp message ID',
  'Message ID',
  'WhatsApp error code',
  'Member ID',
  'Import ID',
  'Import line',
  'Merged contact ID',
] as const

type Evidence = Partial<Record<(typeof evidenceColumns)[number], string | undefined>>

/** @returns the cells of {@link evidenceColumns}; empty where an entry has no such proof, or its contact was erased. */
export function evidenceOf(entry: Pick<EntryRecord, 'key' | 'note' | 'memberId' | 'source'>): string[] {
  const evidence = { ...byKey(entry), 'Member ID': entry.memberId }
  return evidenceColumns.map((column) => evidence[column] ?? '')
}

function byKey({ key, note, source }: Pick<EntryRecord, 'key' | 'note' | 'source'>): Evidence {
  // A second contact of the same phone has a copy.
  const [own = ''] = key.split('@')
  const [kind = '', id = '', line = ''] = own.split(':')
  if (kind === 'message') return { 'WhatsApp message ID': own.slice('message:'.length).replace(/:[a-z]+$/, '') }
  if (kind === 'refused') return { 'Message ID': id, 'WhatsApp error code': /^\d+/.exec(note ?? '')?.[0] }
  if (kind === 'merge') return { 'Merged contact ID': id }
  const isImport = kind === 'import' || (source === 'suppression' && /^\d+$/.test(line))
  return isImport ? { 'Import ID': id, 'Import line': line } : {}
}
