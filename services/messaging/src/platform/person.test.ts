import { expect, test } from 'vitest'
import { traceOf } from './person.ts'

test('somebody is recognised by the number, the form in which WhatsApp tells it, and the user id', () => {
  const waPhone = { of: '+5511987654321', number: '+551187654321' }
  const { identity, inCell } = traceOf([{ name: 'Bia', phone: '+5511987654321', waPhone, waUserId: 'BR.4711' }])
  for (const digits of ['5511987654321', '551187654321', 'BR.4711'])
    expect(identity.test(`"from":"${digits}"`)).toBe(true)
  expect(identity.test('"from":"9551187654321"')).toBe(false)
  expect(['+55 11 8765-4321', '11987654321', '11987654322'].map(inCell)).toEqual([true, true, false])
  const written = ['p:+5511987654321', '5511987654321.0', '+55 11 3333-4444 ::: ＋5511987654321', '1.1987654321E10']
  expect(written.map(inCell)).toEqual([true, true, true, true])
})

test('the other form of a number leads to somebody though WhatsApp has not told it', () => {
  const { identity, inCell } = traceOf([{ phone: '+5511987654321' }])
  expect(identity.test('"wa_id":"551187654321"')).toBe(true)
  expect(inCell('55 11 8765 4321')).toBe(true)
})

test('former names and numbers lead to somebody, whatever they are called now', () => {
  const trace = traceOf([
    { name: 'Nia Bell', phone: '+919812399001' },
    { name: 'Zubaida "Zu" Quick' },
    { phone: '+919812399002' },
  ])
  expect(['Nia Bell', 'Zubaida "Zu" Quick', '098123 99002'].map(trace.inCell)).toEqual([true, true, true])
  expect(trace.anything.test(JSON.stringify({ to: 'Zubaida "Zu" Quick' }))).toBe(true)
  expect(['quick', 'Zubáida', '812399002', '99002', 'vip', 'Nia Smith'].map(trace.inSearch)).toEqual([
    ...[true, true, true],
    ...[false, false, false],
  ])
})

test('whoever has no name of their own is not found in every text', () => {
  const trace = traceOf([{ name: 'Customer', phone: '+919812399001' }, { name: '+919812399003' }])
  expect(trace.anything.test('"Dear customer"')).toBe(false)
  expect(trace.inCell('Customer')).toBe(false)
  expect(traceOf([{ name: 'Customer' }]).anything.test('anything')).toBe(false)
})

test('a line that another contact writes in the other way leads to each by its own number', () => {
  const others = new Set(['+551187654321'])
  const { identity, inCell } = traceOf([{ name: 'Bia', phone: '+5511987654321' }], others)
  expect(['"from":"5511987654321"', '"from":"551187654321"'].map((text) => identity.test(text))).toEqual([true, false])
  expect([inCell('+55 11 98765-4321'), inCell('+55 11 8765-4321')]).toEqual([true, false])
})
