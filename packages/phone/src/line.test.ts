import { expect, test } from 'vitest'
import { isSameLine, lineForms, lineKey, otherDigits, otherForms } from './line.ts'

// Sources: Meta's and WhatsApp clients' reports of `wa_id` for Brazil, Mexico and Argentina; ARCEP Bénin's plan of 30 November 2024;
// ARTCI's plan of 31 January 2021.
test.each([
  ['Argentina', '+5491123456789', '+541123456789'],
  ['Mexico', '+525512345678', '+5215512345678'],
  ['Brazil', '+5511987654321', '+551187654321'],
  ['Brazil, an area of the north', '+5592999998888', '+559299998888'],
  ['Benin', '+2290197123456', '+22997123456'],
  ['Benin, a landline', '+2290121305060', '+22921305060'],
  ['Ivory Coast, Moov', '+2250140123456', '+22540123456'],
  ['Ivory Coast, MTN', '+2250505123456', '+22505123456'],
  ['Ivory Coast, Orange', '+2250707123456', '+22507123456'],
  ['Ivory Coast, a landline of Orange', '+2252720212345', '+22520212345'],
  ['Ivory Coast, a landline of MTN', '+2252520012345', '+22520012345'],
  ['Ivory Coast, a landline of Moov', '+2252120812345', '+22520812345'],
  ['Ivory Coast, a landline whose third digit is 8 in the north', '+2252736812345', '+22536812345'],
])('%s: %s and %s are one line', (_where, now, other) => {
  expect(lineForms(now)).toEqual([now, other])
  expect(lineForms(other)).toEqual([now, other])
  expect([lineKey(now), lineKey(other)]).toEqual([now, now])
  expect([otherForms(now), otherForms(other)]).toEqual([[other], [now]])
  expect(isSameLine(now, other)).toBe(true)
})

test.each([
  ['India', '+919876543210'],
  ['Canada', '+16135550123'],
  ['Brazil, a landline', '+551133334444'],
  ['Brazil, a landline with a 9 too many', '+5511933334444'],
  ['Ivory Coast, given out after 2021', '+2250701123456'],
  ['Benin, neither', '+229123'],
  ['no number', 'IN.1234'],
])('%s: %s is written in one way', (_where, phone) => {
  expect(lineForms(phone)).toEqual([phone])
  expect(otherForms(phone)).toEqual([])
})

test('numbers of Brazil that differ by their area are two lines', () =>
  expect(isSameLine('+5511987654321', '+552187654321')).toBe(false))

test.each([
  ['551187654321', ['5511987654321']],
  ['1187654321', ['11987654321']],
  ['11987654321', ['1187654321']],
  ['0197123456', ['97123456']],
  ['97123456', []],
  ['4321', []],
  // A mobile number of Maranhão as well as one of India.
  ['9876543210', ['98976543210']],
])('%s is looked for as %j too', (digits, others) => expect(otherDigits(digits)).toEqual(others))
