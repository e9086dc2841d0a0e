import { Readable } from 'node:stream'
import { byteOrderMark, csvLine, lineEnd } from '@parley/rules/csv-cells'
import { batchesOf } from '@parley/service-kit/data/batches'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import type { MemberFactsService } from '../../../platform/member-facts.ts'
import { createMemberNames } from '../../../platform/member-names.ts'
import type { ContactRecord, ContactsService } from '../contacts.service.ts'
import type { EntryRecord } from './consent.model.ts'
import type { ConsentRepository } from './consent.repository.ts'

const batchSize = 500

/** Writes the proof of consent: every entry with its evidence, read while it is sent. */
export function createConsentDownload({
  consent,
  contacts,
  members,
}: {
  consent: Pick<ConsentRepository, 'recordedBetween'>
  contacts: Pick<ContactsService, 'shown'>
  members: Pick<MemberFactsService, 'find'>
}) {
  return (scope: WorkspaceScope, { from, to }: { from?: string | undefined; to?: string | undefined }): FileAnswer => {
    async function* lines() {
      yield byteOrderMark + csvLine(header) + lineEnd
      const names = createMemberNames(scope, members.find)
      const entries = consent.recordedBetween(scope, new Date(from ?? 0), to === undefined ? new Date() : new Date(to))
      for await (const batch of batchesOf(entries, batchSize)) {
        const people = await contacts.shown(
          scope,
          batch.map(({ contactId }) => contactId),
        )
        await names.learn(batch.flatMap(({ memberId }) => memberId ?? []))
        const memberOf = ({ memberId }: EntryRecord) => (memberId === undefined ? '' : names.nameOf(memberId))
        yield batch
          .map((entry) => csvLine(cellsOf(entry, people.get(entry.contactId), memberOf(entry))) + lineEnd)
          .join('')
      }
    }
    return {
      type: 'text/csv; charset=utf-8',
      fileName: 'consent.csv',
      open: () => Readable.from(lines(), { objectMode: false }),
    }
  }
}

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
  const [originalKey = ''] = key.split('@')
  const [kind = '', id = '', line = ''] = originalKey.split(':')
  if (kind === 'message') return { 'WhatsApp message ID': originalKey.slice('message:'.length).replace(/:[a-z]+$/, '') }
  if (kind === 'refused') return { 'Message ID': id, 'WhatsApp error code': /^\d+/.exec(note ?? '')?.[0] }
  if (kind === 'merge') return { 'Merged contact ID': id }
  const isImport = kind === 'import' || (source === 'suppression' && /^\d+$/.test(line))
  return isImport ? { 'Import ID': id, 'Import line': line } : {}
}

const header = [
  'Recorded at',
  'Said at',
  'Contact',
  'Phone',
  'Contact ID',
  'Category',
  'Choice',
  'Source',
  'Note',
  'Member',
  ...evidenceColumns,
  'Taken back at',
  'Entry ID',
]

const cellsOf = (entry: EntryRecord, contact: ContactRecord | undefined, member: string): string[] => [
  entry.recordedAt.toISOString(),
  entry.at.toISOString(),
  contact?.name ?? '(deleted)',
  contact?.phone ?? '',
  entry.contactId,
  entry.category,
  entry.value === 'in' ? 'opted in' : 'opted out',
  entry.source,
  entry.note ?? '',
  member,
  ...evidenceOf(entry),
  entry.takenBackAt?.toISOString() ?? '',
  entry.id,
]
