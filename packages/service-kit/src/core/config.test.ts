import { expect, test } from 'vitest'
import { z } from 'zod'
import { baseConfigShape, ConfigError, originSchema, parseConfig } from './config.ts'

const schema = z.object({ ...baseConfigShape, PUBLIC_ORIGIN: originSchema, SECRET: z.string().min(8, 'is too short') })

test('every missing and wrong setting is named at once, and no value is quoted', () => {
  const read = () => parseConfig(schema, { PORT: 'eighty', PUBLIC_ORIGIN: '', SECRET: 'hunter2' })
  expect(read).toThrow(ConfigError)
  try {
    read()
  } catch (error) {
    const { message } = error as ConfigError
    expect(message).toMatch(/PORT: /)
    expect(message).toMatch(/PUBLIC_ORIGIN is missing/)
    expect(message).toMatch(/SECRET: is too short/)
    expect(message).not.toMatch(/hunter2|eighty/)
  }
})

test.each(['https://app.example.com/path', 'app.example.com', 'ftp://x.example'])('%s is not an origin', (value) => {
  expect(originSchema.safeParse(value).success).toBe(false)
})

test('a complete environment is parsed with its defaults', () => {
  const config = parseConfig(schema, { PORT: '80', PUBLIC_ORIGIN: 'https://app.example.com', SECRET: 'long enough' })
  expect(config).toMatchObject({ PORT: 80, HOST: '127.0.0.1', NODE_ENV: 'production' })
})
