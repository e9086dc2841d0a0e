import { expect, test } from 'vitest'
import { phoneSchema } from './records.ts'

test.each(['\u202a+919876543210\u202c', '＋919876543210', ' +919876543210\ufeff'])(
  '%j is accepted without its marks',
  (sent) => expect(phoneSchema.parse(sent)).toBe('+919876543210'),
)

test.each(['+0919876543210', '919876543210', '+91 98765 43210'])('%j is refused', (sent) => {
  expect(phoneSchema.safeParse(sent).success).toBe(false)
})
