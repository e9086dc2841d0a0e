import { expect, test } from 'vitest'
import { plainFileName } from './file-name.ts'

test.each([
  ['Invoice 7/2026.pdf', 'Invoice 7-2026.pdf'],
  ['«Offer» a/b.pdf', '«Offer» a-b.pdf'],
  ['/var/mobile/tmp/Plan.pdf', 'Plan.pdf'],
  ['C:\\Users\\Ann\\Plan.pdf', 'Plan.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['a\u202efdp.exe', 'afdp.exe'],
  ['//', 'File'],
  [' .. ', 'File'],
])('a file called %j is shown as %j', (name, shown) => expect(plainFileName(name)).toBe(shown))
