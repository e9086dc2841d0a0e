import { contactSchema } from '@parley/contracts/contacts'
import { createStory } from '@parley/sample/story'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { createContactLines, exportFileName } from './contact-lines.ts'

const now = new Date('2026-11-21T20:00:00Z')
const [first, second] = [...createStory({ now, records: 2 }).contacts.values()]
if (!first || !second) throw new Error('The story has too few contacts.')

test('the file begins with a byte order mark and has one row for each contact', () => {
  const lines = createContactLines('Asia/Kolkata')
  lines.add([first])
  lines.add([second])
  const [head = '', ...rest] = lines.parts()
  expect(head.charCodeAt(0)).toBe(0xfeff)
  const { data, errors } = Papa.parse<Record<string, string>>(head.slice(1) + rest.join(''), {
    header: true,
    skipEmptyLines: true,
  })
  expect(errors).toEqual([])
  expect(data.map((row) => row['Name'])).toEqual([first.name, second.name])
  expect(data[0]?.['Phone']).toMatch(/^\+91 \d{5} \d{5}$/)
  expect(data[0]?.['Last contact (Asia/Kolkata)']).toMatch(/^2026-11-22 \d\d:\d\d$/)
})

test('attributes that appear late are columns of every row', () => {
  const lines = createContactLines('UTC')
  lines.add([
    contactSchema.parse({ ...first, attributes: {} }),
    contactSchema.parse({ ...second, attributes: { city: 'Pune' } }),
  ])
  lines.add([contactSchema.parse({ ...first, attributes: { plan: '=1+1' } })])
  const { data, errors } = Papa.parse<Record<string, string>>(lines.parts().join('').slice(1), {
    header: true,
    skipEmptyLines: true,
  })
  expect(errors).toEqual([])
  expect(data.map(({ city, plan }) => [city, plan])).toEqual([
    ['', ''],
    ['Pune', ''],
    ['', "'=1+1"],
  ])
})

test('the file is named by the day where the person is', () => {
  expect(exportFileName(now, 'Asia/Kolkata')).toBe('contacts-2026-11-22.csv')
  expect(exportFileName(now, 'UTC')).toBe('contacts-2026-11-21.csv')
})
