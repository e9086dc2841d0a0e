import { expect, test } from 'vitest'
import { traceOf } from './person.ts'

test('somebody is recognised by the number, the form in which WhatsApp tells it, and the user id', () => {
  const waPhone = { of: '+5511987654321', number: '+551187654321' }
  const { identity, inCell } = traceOf({ name: 'Bia', phone: '+5511987654321', waPhone, waUserId: 'BR.4711' })
  for (const digits of ['5511987654321', '551187654321', 'BR.4711'])
    expect(identity.test(`"from":"${digits}"`)).toBe(true)
  expect(identity.test('"from":"9551187654321"')).toBe(false)
  expect(['+55 11 8765-4321', '11987654321', '11987654322'].map(inCell)).toEqual([true, true, false])
  const written = ['p:+5511987654321', '5511987654321.0', '+55 11 3333-4444 ::: ＋5511987654321', '1.1987654321E10']
  expect(written.map(inCell)).toEqual([true, true, true, true])
})
