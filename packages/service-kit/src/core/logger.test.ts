import { expect, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from './logger.ts'

function logInto(fieldsOfEveryLine?: () => object) {
  const lines: string[] = []
  const logger = createLogger({
    name: 'shop',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
    ...(fieldsOfEveryLine && { fieldsOfEveryLine }),
  })
  return { logger, lines, last: () => z.looseObject({}).parse(JSON.parse(lines.at(-1) ?? '{}')) }
}

test('a line is one JSON object with time, level and process', () => {
  const { logger, last } = logInto()
  logger.warn({ operation: 'shop.find' }, 'a line\nin two')
  expect(last()).toMatchObject({ level: 'warn', process: 'shop', operation: 'shop.find', msg: 'a line\nin two' })
  expect(String(last()['time'])).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test.each(['password', 'authorization', 'cookie', 'token', 'secret', 'id_token', 'access_token', 'refresh_token'])(
  'a field %s never shows its value, nor does one below another field',
  (field) => {
    const { logger, lines } = logInto()
    logger.info({ [field]: 'hidden-1', form: { [field]: 'hidden-2' } }, 'sent')
    expect(lines.join('')).not.toContain('hidden')
    expect(lines.join('')).toContain('[redacted]')
  },
)

test('of an error there are type, message, code, stack and cause, and nothing that a library hangs on it', () => {
  const { logger, lines, last } = logInto()
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', form: 'hidden' })
  logger.error({ err: Object.assign(new Error('no answer', { cause }), { body: 'hidden' }) }, 'failed')
  expect(lines.join('')).not.toContain('hidden')
  expect(last()).toMatchObject({
    err: { type: 'Error', message: 'no answer', cause: { message: 'refused', code: 'ECONNREFUSED' } },
  })
})

test('what belongs to every line is asked for at each one, and is in those of child loggers', () => {
  let traceId = 'first'
  const { logger, last } = logInto(() => ({ traceId }))
  logger.info('one')
  expect(last()['traceId']).toBe('first')
  traceId = 'second'
  logger.child({ part: 'x' }).info('two')
  expect(last()).toMatchObject({ traceId: 'second', part: 'x' })
})
