import { expect, test } from 'vitest'
import { explainListenError } from './run-process.ts'

const failure = (code: string, port: number) => Object.assign(new Error(`listen ${code}`), { code, port })
const config = { HOST: '0.0.0.0', PORT: 3000, MANAGEMENT_PORT: 9000, LOG_LEVEL: 'info' }

test.each([
  ['EADDRINUSE', 3000, 'port 3000 of 0.0.0.0 (PORT) is in use by another program'],
  ['EADDRINUSE', 9000, 'port 9000 of 0.0.0.0 (MANAGEMENT_PORT) is in use by another program'],
  ['EACCES', 3000, 'port 3000 of 0.0.0.0 (PORT) may not be opened by this user'],
  ['EADDRNOTAVAIL', 3000, 'HOST is not an address of this machine'],
])('%s on port %i says what to do', (code, port, sentence) => {
  expect(explainListenError(failure(code, port), config)).toMatchObject({ message: expect.stringContaining(sentence) })
})

test('both names are told where one port was given twice', () => {
  const { message } = explainListenError(failure('EADDRINUSE', 3000), { ...config, MANAGEMENT_PORT: 3000 }) as Error
  expect(message).toContain('(PORT and MANAGEMENT_PORT)')
})

test('any other error stays as it is', () => {
  const other = new Error('no')
  expect(explainListenError(other, config)).toBe(other)
})
