import { expect, test } from 'vitest'
import { z } from 'zod'
import { unknownFields } from './mount.ts'

const schema = z
  .object({
    name: z.string(),
    template: z.object({ values: z.record(z.string(), z.string()).default({}) }).optional(),
    items: z
      .array(z.object({ id: z.string() }))
      .nullable()
      .default(null),
    content: z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('media'), id: z.string() }),
    ]),
    extra: z.looseObject({ a: z.string().optional() }).optional(),
  })
  .refine(() => true)
  .transform(({ name }) => name)
const good = { name: 'a', content: { type: 'text', text: 'x' } }

test.each([
  [{}, []],
  [{ nmae: 'b' }, ['nmae']],
  [{ template: { valeus: {} } }, ['template.valeus']],
  [{ template: { values: { any: 'x' } } }, []],
  [{ items: [{ id: '1' }, { id: '2', more: 1 }] }, ['items.1.more']],
  [{ content: { type: 'text', text: 'x', id: 'of the other kind' } }, ['content.id']],
  [{ extra: { whatever: 1 } }, []],
  [JSON.parse('{"__proto__": 1}'), ['__proto__']],
])('%j has the unknown fields %j', (more, expected) => {
  expect(unknownFields(schema, Object.assign(Object.create(null), good, more))).toEqual(expected)
})
