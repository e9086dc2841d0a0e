import fc from 'fast-check'

/** A header value as the wire allows it. */
export const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((c) => c !== 0x7f)
    .map((c) => String.fromCharCode(c)),
  maxLength: 300,
})
/** Text that breaks parsers. */
export const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(
    '%',
    '%ff',
    '%00',
    '%2e%2e',
    '%c0%af',
    '\u0000',
    '__proto__',
    'constructor',
    '[]',
    '{}',
    '../',
    '\\',
    '//evil.example',
    '\r\n',
    '𝕏',
    'null',
    '-1',
    '1e999',
  ),
)
