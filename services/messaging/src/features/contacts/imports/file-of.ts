import type { OpenFile } from './file-text.ts'

const pieceBytes = 64 * 1024

/** For tests: a file with this content, read in pieces. */
export const fileOf = (content: string | Uint8Array): OpenFile => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
  return async function* () {
    for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes)
  }
}
