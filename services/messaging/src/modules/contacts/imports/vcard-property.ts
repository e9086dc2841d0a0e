/** One line of a card. */
export interface Property {
  /** `item1` of `item1.TEL`, which its label names too. */
  readonly group: string
  readonly name: string
  /** Parameters by their names, in upper case; a bare word is a `TYPE`, as version 2.1 has it. */
  readonly parameters: ReadonlyMap<string, readonly string[]>
  readonly hasBareWord: boolean
  /** Decoded value, with its escapes. */
  readonly value: string
}

const encodings = new Set(['QUOTED-PRINTABLE', 'BASE64', '7BIT', '8BIT'])

/**
 * @param line each letter a byte.
 * @param decode reads bytes of which the line does not say what letters they are.
 */
export function propertyOf(line: string, decode: (bytes: Uint8Array) => string): Property | undefined {
  const colon = colonOf(line)
  const [fullName = '', ...written] = (line.slice(0, colon).match(/(?:"[^"]*"|[^;"]|")+/g) ?? []).map((part) =>
    part.trim(),
  )
  const [, group = '', name = ''] = /^(?:([\w-]+)\.)?([\w-]+)$/.exec(fullName) ?? []
  if (colon === -1 || name === '') return undefined
  const parameters = new Map<string, string[]>()
  let hasBareWord = false
  for (const parameter of written) {
    const equals = parameter.indexOf('=')
    const value = parameter.slice(equals + 1)
    const isBare = equals === -1
    hasBareWord ||= isBare
    const key = isBare
      ? encodings.has(value.toUpperCase())
        ? 'ENCODING'
        : 'TYPE'
      : parameter.slice(0, equals).trim().toUpperCase()
    const values = value
      .replaceAll('"', '')
      .split(',')
      .map((one) => one.trim().toUpperCase())
    parameters.set(key, [...(parameters.get(key) ?? []), ...values])
  }
  const bytes = bytesOf(line.slice(colon + 1), parameters.get('ENCODING')?.[0])
  const value = decoded(bytes, parameters.get('CHARSET')?.[0]) ?? decode(bytes)
  return { group: group.toUpperCase(), name: name.toUpperCase(), parameters, hasBareWord, value }
}

/** Returns where the value begins: not at a colon in quotes, unless they never close. */
function colonOf(line: string): number {
  let isQuoted = false
  for (let index = 0; index < line.length; index += 1) {
    if (line[index] === '"') isQuoted = !isQuoted
    if (line[index] === ':' && !isQuoted) return index
  }
  return line.indexOf(':')
}

function bytesOf(value: string, encoding: string | undefined): Buffer {
  if (encoding === 'B' || encoding === 'BASE64') return Buffer.from(value, 'base64')
  if (encoding !== 'QUOTED-PRINTABLE') return Buffer.from(value, 'latin1')
  const bytes = value
    .replace(/=$/, '')
    .replaceAll(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1')
}

function decoded(bytes: Uint8Array, charset: string | undefined): string | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    // The encoding does not exist, or is not that of the bytes.
    return undefined
  }
}

/** Parts of a value at a sign that no backslash goes before; their escapes are kept. */
export function partsAt(value: string, separator: ',' | ';'): string[] {
  const parts = ['']
  for (let index = 0; index < value.length; index += 1) {
    const sign = value[index] ?? ''
    if (sign === separator) parts.push('')
    else {
      const taken = sign === '\\' ? value.slice(index, index + 2) : sign
      parts[parts.length - 1] += taken
      index += taken.length - 1
    }
  }
  return parts
}

/** Version 2.1 has no escape for line ends. */
export const plainValue = (value: string, isOld: boolean): string =>
  value
    .replaceAll(/\\([\\;,:nN])/g, (written, sign: string) => (/[nN]/.test(sign) ? (isOld ? written : '\n') : sign))
    .replaceAll(/\r\n?/g, '\n')
    .trim()
