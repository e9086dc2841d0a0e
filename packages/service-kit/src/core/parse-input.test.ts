import { timeSchema } from '@parley/contracts/core/records'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from './errors.ts'
import { parseInput } from './parse-input.ts'

const schema = z.object({
  text: z.string().min(1).max(4096),
  own: z.string().max(3, 'At most three').optional(),
  limit: z.number().int().min(1).max(100).optional(),
  kinds: z
    .array(z.enum(['a', 'b']))
    .min(1)
    .max(2)
    .optional(),
  at: timeSchema.optional(),
  id: z.string().regex(/^\w+$/).optional(),
})
const right = { text: 'Hi' }

test.each([
  [{}, 'text', 'text is missing.'],
  [{ text: 5 }, 'text', 'text must be a string.'],
  [{ text: '' }, 'text', 'text must have at least 1 character.'],
  [{ text: 'x'.repeat(4097) }, 'text', 'text must have at most 4,096 characters.'],
  [{ ...right, own: 'four' }, 'own', 'At most three'],
  [{ ...right, limit: 0 }, 'limit', 'limit must be at least 1.'],
  [{ ...right, limit: 101 }, 'limit', 'limit must be at most 100.'],
  [{ ...right, limit: 1.5 }, 'limit', 'limit must be a whole number.'],
  [{ ...right, kinds: [] }, 'kinds', 'kinds must have at least 1 item.'],
  [{ ...right, kinds: ['a', 'a', 'a'] }, 'kinds', 'kinds must have at most 2 items.'],
  [{ ...right, kinds: ['c'] }, 'kinds.0', 'kinds.0 must be one of: a, b.'],
  [{ ...right, at: '2026-01-31T09:30:00+05:30' }, 'at', 'at must be a time in UTC: 2026-01-31T09:30:00Z.'],
  [{ ...right, id: '../x' }, 'id', 'id has characters that it cannot have.'],
  [[], 'body', 'Send a JSON object.'],
])('%j is refused in words to act on', (value, field, message) => {
  try {
    parseInput(schema, value, 'body')
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'validation_failed', fields: { [field]: message } })
  }
})
