import { expect, test } from 'vitest'
import type { EntryRecord } from './consent.model.ts'
import { evidenceColumns, evidenceOf } from './consent-download.ts'

const evidence = (entry: Pick<EntryRecord, 'key' | 'source'> & Partial<EntryRecord>) =>
  Object.fromEntries(evidenceOf(entry).flatMap((cell, index) => (cell === '' ? [] : [[evidenceColumns[index], cell]])))

test('what proves an entry stands in columns of its own', () => {
  expect(evidence({ source: 'keyword', key: 'message:wamid.HBgM=:marketing', note: 'STOP' })).toEqual({
    'WhatsApp message ID': 'wamid.HBgM=',
  })
  expect(
    evidence({ source: 'platform_error', key: 'refused:m1:2026-05-04T10:00:00.000Z', note: '131050: stopped' }),
  ).toEqual({ 'Message ID': 'm1', 'WhatsApp error code': '131050' })
  expect(evidence({ source: 'agent', key: 'member:n1', memberId: 'u1', note: 'On the phone' })).toEqual({
    'Member ID': 'u1',
  })
  expect(evidence({ source: 'import', key: 'import:i1:42', note: 'import: list.csv, line 42' })).toEqual({
    'Import ID': 'i1',
    'Import line': '42',
  })
  expect(evidence({ source: 'suppression', key: 'suppression:i1:42:marketing' })).toEqual({
    'Import ID': 'i1',
    'Import line': '42',
  })
  expect(evidence({ source: 'suppression', key: 'suppression:n1:marketing' })).toEqual({})
  expect(evidence({ source: 'merge', key: 'merge:c2:1770000000000:utility', memberId: 'u1' })).toEqual({
    'Merged contact ID': 'c2',
    'Member ID': 'u1',
  })
  expect(evidence({ source: 'keyword', key: 'erased:e1' })).toEqual({})
})
